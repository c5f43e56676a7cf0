"""Reads the numbers a text states: amounts, percentages, ratios, dates, plain numbers (NUM-01…NUM-04).

One scan finds where a number, a date or something that only looks like one stands; what surrounds a number
(sign, currency, scale, unit, cue words) is then read with patterns anchored at it, over a bounded stretch, so that
the whole stays linear in the length of the text whatever the text is.
"""

import re
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal

import regex

from detection.core.numbers import dates, folding
from detection.core.numbers.adjacency import cue_may_follow, cue_may_precede, lonely
from detection.core.numbers.identifiers import in_cell, lonely_name, name_end
from detection.core.numbers.nouns import counts, dual_noun, noun_after, span_before
from detection.core.numbers.qualifiers import NO_CUES, Cues, cues_after, cues_before
from detection.core.numbers.ranges import (
    MOST,
    NEAR,
    Found,
    goes_on,
    in_money_of_list,
    of_the_same_day,
    of_the_texts_currency,
    over_list,
    shared,
    with_hundredths,
)
from detection.core.numbers.spans import date_of, marks, parts
from detection.core.numbers.spelled import article, mixed, spelled, vague, with_half
from detection.core.numbers.units import After, Before, Unit, around, unit_of
from detection.core.numbers.values import Parsed, digits
from detection.core.numbers.words import CHINESE_MYRIADS, CODES_LIKE_WORDS, DECIMAL_COMMA, KRONE
from detection.core.types import NumericClaim

_LONG = 40  # characters; so many bare digits are an identifier
_LONGEST = 1000  # characters; a longer run is no number anybody states
_HAN_SCALES = frozenset(CHINESE_MYRIADS)
_EXACT = Context(prec=_LONGEST + 40)
_EITHER_WAY = re.compile(r"[0-9]{1,3}\.[0-9]{3}")
_POINTS_GROUP = re.compile(r"[0-9]\.[0-9]{3}(?:\.[0-9]{3})*,[0-9]")


@dataclass(slots=True)
class Page:
    """A text and its folded form; ``origin`` leads from an offset of the folded text back, None when they agree."""

    text: str
    folded: str
    origin: list[int] | None
    tongue: str = "en"
    decimal_comma: bool = False
    passed: int = field(default=0, init=False)
    _groups_by_points: bool | None = field(default=None, init=False)

    def commas(self, run: str) -> bool:
        """Whether the comma is the decimal sign in ``run``: by the language, or by other numbers of the text where
        ``1.234`` may be read either way."""
        if self.decimal_comma or run[-4:-3] != "." or not _EITHER_WAY.fullmatch(run):
            return self.decimal_comma
        if self._groups_by_points is None:
            self._groups_by_points = _POINTS_GROUP.search(self.folded) is not None
        return self._groups_by_points

    def is_named(self, start: int, end: int, value: Decimal) -> bool:
        """Whether the plain number ``folded[start:end]`` only names something; the other numbers of the name (``Notes
        3 and 4``) are then passed over."""
        passed = name_end(self.folded, start, end, value)
        self.passed = max(self.passed, passed or 0)
        return passed is not None

    def in_small_letters(self, start: int, end: int) -> bool:
        """Whether the submitted text behind ``folded[start:end]`` holds a word, not a currency's code in capitals."""
        shown = self.span(start, end)[0]
        return any(code in shown.upper() and code not in shown for code in CODES_LIKE_WORDS.values())

    def names(self, start: int, end: int) -> bool:
        """Whether the words ``folded[start:end]`` and the next are written in capitals, or they alone within a sentence:
        a name."""
        _, first, stop = self.span(start, end)
        if not self.text[first].isupper():
            return False
        inside = self.text[:first][-3:].rstrip(" ")[-1:]
        return self.text[stop + 1 : stop + 2].isupper() or inside.isalnum() or inside == ","

    def span(self, start: int, end: int) -> tuple[str, int, int]:
        """The submitted text behind ``folded[start:end]`` and its offsets."""
        if self.origin is not None:
            start, end = self.origin[start], self.origin[end - 1] + 1
        return self.text[start:end], start, end


def extract(text: str, language: str | None = None) -> list[NumericClaim]:
    """Every number that ``text`` claims, in order, not overlapping (NUM-01…NUM-04).

    ``language`` (``en``, ``he``, ``zh`` …) decides only what may be read in two ways: in ``03/04/2024`` the day
    stands first except in English and where none is given; ``1.234`` is 1234 where the comma is decimal. Offsets are
    code points of ``text``; ``text[start:end]`` is the claim's text. Any string is accepted; digits of any script
    are read, characters that cannot be seen are passed over.
    """
    tongue = language.lower()[:2] if language else "en"
    page = Page(text, *folding.fold(text), tongue, tongue in DECIMAL_COMMA)
    day_first = tongue != "en"
    claims: list[NumericClaim] = []
    run: list[Found] = []
    place = 0
    for sort, start, end in marks(page.folded):
        if sort == "skip":
            place = end
        if start < place:
            continue
        if sort == "date":
            found = _date(page, start, end, date_of(page.folded[start:end], day_first))
        else:
            found = _number(page, start, end, place, sort == "words")
        if found is not None:
            run = _add(page, claims, run, found)
            place = run[-1].end
        elif sort == "digits" and not page.decimal_comma:
            for part in parts(page.folded, start, end):
                found = _number(page, *part, place, False)
                if found is not None:
                    run = _add(page, claims, run, found)
                    place = run[-1].end
    return of_the_texts_currency(claims)


def has_number_words(text: str) -> bool:
    """Whether ``text`` holds a number written in words: digits are not all that states a number."""
    return any(sort == "words" for sort, _, _ in marks(folding.fold(text)[0]))


def _add(page: Page, claims: list[NumericClaim], run: list[Found], found: Found) -> list[Found]:
    """Add a claim to those before it, together with the last where the two belong together; ``run`` is the list of numbers
    that it may go on, and what comes back the one that it ends."""
    if not run or found.start - run[-1].end > NEAR:
        claims.append(found.claim)
        return [found]
    found = of_the_same_day(page.folded, run[-1], found)
    whole = with_hundredths(page.folded, run[-1], found)
    if whole is not None:
        found = _joined(page, run[-1], found, *whole)
        claims[-1] = found.claim
        return [*run[:-1], found]
    found = in_money_of_list(page.folded, run, found)
    listed = over_list(page.folded, run, found)
    if listed == run:
        last, found = shared(page.folded, run[-1], found)
        listed = [*run[:-1], last]
    claims[-len(run) :] = [one.claim for one in listed]
    claims.append(found.claim)
    return [*listed, found][-MOST:] if goes_on(page.folded, run[-1], found) else [found]


def _date(page: Page, start: int, end: int, read: dates.Stated | None) -> Found | None:
    if read is None:
        return None
    text, first, stop = page.span(start, end)
    claim = NumericClaim("date", text, first, stop, read.iso, "", start_date=read.start, end_date=read.end)
    return Found(claim, start, end)


_COUNTED = re.compile(
    r"\s(?:units|employees|shares|people|tenants|leases|properties|square|sq|sf|sqm|homes|houses|apartments|flats|acres|hectares|households|residents|visitors|students|patients|workers|beds|seats|customers"
    r"|stores|rooms|spaces|parking|jobs|options|m²)(?![a-z])"
)
_IN = regex.compile(r"(?r)(?<![a-z])(?:in|during|since|until|throughout|through|early|late|mid|fiscal)\s")


def _is_year(folded: str, start: int, end: int, before: Before, after: After) -> bool:
    """A year that stands alone is a date, unless a counted noun, a unit or a currency says otherwise."""
    run = folded[start:end]
    if end - start != 4 or run[:2] not in ("19", "20") or not run.isdigit():
        return False
    if before.text.strip("(") or after.text or folded[end : end + 1].isalpha():
        return False
    return _COUNTED.match(folded, end) is None or _IN.match(folded, max(0, start - 16), start) is not None


def _number(page: Page, start: int, end: int, place: int, spelled_out: bool) -> Found | None:
    """The number at ``folded[start:end]``, whose surroundings may reach back to ``place``."""
    folded = page.folded
    parsed = _parsed(page, start, end, spelled_out) if start >= page.passed else None
    if parsed is None:
        return None
    parsed = with_half(folded, end, parsed)
    if spelled_out:
        start -= article(folded, start)
    elif end - start != 4 and lonely(folded, start, end):
        return _alone(page, start, end, parsed)
    before, after = _beside(page, place, start, end)
    if not spelled_out and _is_year(folded, start, end, before, after):
        named = page.is_named(start, end, parsed.value)
        return None if named else _date(page, start, end, dates.of_iso(folded[start:end]))
    unit = unit_of(before, after, parsed, folded, start, end)
    if unit is None or (
        unit.kind == "number" and _only_names(page, (start, end), parsed, after, spelled_out)
    ):
        return None
    return _assembled(page, (start, end), place, parsed, unit, before, after)


def _parsed(page: Page, start: int, end: int, spelled_out: bool) -> Parsed | None:
    run = page.folded[start:end]
    if spelled_out:
        return None if vague(page.folded, start) else spelled(run)
    if not run.isascii() and not _HAN_SCALES.isdisjoint(run):
        return mixed(run)
    if end - start <= _LONG:
        return digits(run, page.commas(run))
    return digits.__wrapped__(run, page.decimal_comma) if end - start <= _LONGEST else None


def _alone(page: Page, start: int, end: int, parsed: Parsed) -> Found | None:
    """A number with nothing telling beside it."""
    folded = page.folded
    if lonely_name(folded, start, end) or _identifies(start, end, parsed):
        return None
    noun = noun_after(folded, end) if folded[end + 1 : end + 2].isalpha() else None
    claim = NumericClaim("number", *page.span(start, end), parsed.value, "", parsed.step / 2, noun=noun)
    return Found(claim, start, end, _LONELY, parsed.step)


_LONELY = Unit("number", "")


def _beside(page: Page, place: int, start: int, end: int) -> tuple[Before, After]:
    """What stands right before and behind ``folded[start:end]``; a word in small letters is no currency's code."""
    before, after = around(page.folded, max(place, start - 16), start, end)
    if before.currency in CODES_LIKE_WORDS and page.in_small_letters(start - len(before.text), start):
        before = Before("")
    if after.currency in CODES_LIKE_WORDS and page.in_small_letters(end, end + len(after.text)):
        after = After("")
    if page.tongue in KRONE:
        if before.currency == "SEK" and "kr" in before.text:
            before = before._replace(currency=KRONE[page.tongue])
        if after.currency == "SEK" and "kr" in after.text:
            after = after._replace(currency=KRONE[page.tongue])
    return before, after


def _only_names(page: Page, span: tuple[int, int], parsed: Parsed, after: After, spelled_out: bool) -> bool:
    """Whether a plain number names something or counts nothing that could be checked."""
    start, end = span
    if _identifies(start, end, parsed):
        return True
    if after.closed:
        return False
    if page.is_named(start, end + len(after.text), parsed.value):
        return True
    return spelled_out and not counts(page.folded, start, end, parsed, page.names(start, end))


def _identifies(start: int, end: int, parsed: Parsed) -> bool:
    """Whether digits without a sign between them are too many for a count: an identifier."""
    return end - start > _LONG and not parsed.grouped


def _assembled(
    page: Page, span: tuple[int, int], place: int, parsed: Parsed, unit: Unit, before: Before, after: After
) -> Found:
    """Sign, scale and cues put together with the unit."""
    first, stop, negative = _signed(page.folded, span, parsed, unit, before, after)
    value, step = parsed.value, parsed.step
    if unit.scaled:
        value, step = _EXACT.multiply(value, unit.scale), step * unit.scale
    cues = _cues(page.folded, place, first, stop, after)
    claim = NumericClaim(
        unit.kind,
        *page.span(first, stop),
        value.copy_negate() if negative and value else value,
        unit.name,
        step / 2,
        cues.approximate,
        cues.bound,
        cues.direction,
        _noun(page.folded, span, stop) if unit.kind == "number" else None,
    )
    return Found(claim, first, stop, unit, step)


def _noun(folded: str, span: tuple[int, int], stop: int) -> str | None:
    """The noun that a number counts; in Hebrew it may be part of the number, or stand before it."""
    run = folded[span[0] : span[1]]
    if "א" <= run[0] <= "ת":
        dual = dual_noun(run) or (span_before(folded, span[0]) if run in _ONE else None)
        if dual:
            return dual
    return noun_after(folded, stop)


_ONE = ("אחד", "אחת")


def _signed(
    folded: str, span: tuple[int, int], parsed: Parsed, unit: Unit, before: Before, after: After
) -> tuple[int, int, bool]:
    """Where a number begins and ends with its sign, brackets and unit, and whether it is negative."""
    start, end = span
    first = start - len(before.text)
    stop = end + (len(after.text) if unit.suffix else after.to_scale)
    negative = before.negative or (before.inner and after.closed)
    if not (before.outer or before.inner):
        return first, stop, negative
    enclosed = after.closed or folded[stop : stop + 1] == ")"
    if enclosed and not (before.currency and before.inner):
        enclosed = unit.kind != "ratio" and _accounted(folded, first, stop + 1, unit, parsed)
    if enclosed and not after.closed:
        stop += 1
    if before.outer and not enclosed:
        first += 1 + (folded[first + 1] == " ")
    elif not enclosed and not before.currency and not after.closed:
        first = start
    return first, stop, negative or enclosed


def _cues(folded: str, place: int, first: int, stop: int, after: After) -> Cues:
    """The words beside ``folded[first:stop]`` that qualify it."""
    cues = cues_after(folded[stop : stop + 24]) if cue_may_follow(folded, stop) else NO_CUES
    if cue_may_precede(folded, first):
        cues = cues_before(folded[max(place, first - 40) : first]).joined(cues)
    return cues.joined(_AT_LEAST) if after.over else cues


_AT_LEAST = Cues(bound="at_least")  # 1800多亿: and some


def _accounted(folded: str, first: int, stop: int, unit: Unit, parsed: Parsed) -> bool:
    """Whether brackets around a number are the accountant's minus: where the sentence states it (``was (5.2 %)``), in a
    cell of a table, or in a row of figures. ``Oak Plaza ($12.4M)`` only adds the amount."""
    if in_cell(folded, first, stop):
        return True
    if unit.kind == "number" and not parsed.grouped:
        return False
    if _STATES.match(folded, max(0, first - 24), first):
        return True
    return unit.kind == "number" and _ROW.match(folded, stop) is not None


_STATES = regex.compile(
    r"(?r)(?:(?<![a-z])(?:is|was|were|are|of|at|to|by|from|and|totaled|totalled|reached|equals|be|been|about)|[:=)]|(?<![א-ת])(?:היה|היתה|הייתה|היא|הוא|של|על|בסך)|[为為是达達到])\s{0,2}"
)
_ROW = regex.compile(r"[^\S\n]*(?:\n|\Z|[($€£₪0-9])")


def _joined(page: Page, whole: Found, part: Found, value: Decimal, step: Decimal) -> Found:
    """An amount and its hundredths as one claim."""
    text, start, end = page.span(whole.start, part.end)
    claim = replace(whole.claim, text=text, start=start, end=end, value=value, precision=step / 2)
    return whole._replace(claim=claim, end=part.end, step=step)
