"""Reads the numbers a text states: amounts, percentages, ratios, dates, plain numbers (NUM-01…NUM-04).

One scan finds where a number, a date or something that only looks like one stands; what surrounds a number
(sign, currency, scale, unit, cue words) is then read with patterns anchored at it, over a bounded stretch, so that
the whole stays linear in the length of the text whatever the text is.
"""

import re
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from typing import NamedTuple

from detection.core import dates, folding
from detection.core.number_cues import NO_CUES, cues_after, cues_before
from detection.core.number_edges import cue_may_follow, cue_may_precede, lonely
from detection.core.number_marks import date_of, marks
from detection.core.number_shapes import RANGE, After, Before, Unit, around, not_a_claim, noun_after, unit_of
from detection.core.number_values import Parsed, digits, spelled
from detection.core.types import NumericClaim

_LIMIT = 400  # digits; a longer run is no number anybody states
_EXACT = Context(prec=34)
_NOTHING = Decimal(0)
_NEAR = 6  # characters at most between the two ends of a range


@dataclass(frozen=True, slots=True)
class _Page:
    """A text and its folded form; ``origin`` leads from an offset of the folded text back, None when they agree."""

    text: str
    folded: str
    origin: list[int] | None

    def span(self, start: int, end: int) -> tuple[str, int, int]:
        """The submitted text behind ``folded[start:end]`` and its offsets."""
        if self.origin is not None:
            start, end = self.origin[start], self.origin[end - 1] + 1
        return self.text[start:end], start, end


class _Found(NamedTuple):
    """A claim, its place in the folded text, its unit (None for a date) and the step of its last digit."""

    claim: NumericClaim
    start: int
    end: int
    unit: Unit | None = None
    step: Decimal = _NOTHING


def extract(text: str, language: str | None = None) -> list[NumericClaim]:
    """Every number that ``text`` claims, in order, not overlapping (NUM-01…NUM-04).

    ``language`` (``en``, ``he``, ``zh`` …) decides only what ``03/04/2024`` means: the day stands first except in
    English and where none is given. Offsets are code points of ``text``; ``text[start:end]`` is the claim's
    text. Any string is accepted; digits of any script are read, characters that cannot be seen are passed over.
    """
    page = _Page(text, *folding.fold(text))
    day_first = language is not None and not language.lower().startswith("en")
    claims: list[NumericClaim] = []
    last: _Found | None = None
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
        if found is None:
            continue
        if last is not None and found.start - last.end <= _NEAR:
            last, found = _shared(page.folded, last, found)
            claims[-1] = last.claim
        claims.append(found.claim)
        last, place = found, found.end
    return claims


def _date(page: _Page, start: int, end: int, read: dates.Stated | None) -> _Found | None:
    if read is None:
        return None
    text, first, stop = page.span(start, end)
    claim = NumericClaim("date", text, first, stop, read.iso, "", start_date=read.start, end_date=read.end)
    return _Found(claim, start, end)


_COUNTED = re.compile(
    r"\s(?:units|employees|shares|people|tenants|leases|properties|square|sq|sf|homes|beds|customers|stores|rooms|spaces|jobs|options)\b"
)


def _is_year(folded: str, start: int, end: int, before: Before, after: After) -> bool:
    """A year that stands alone is a date, unless a counted noun, a unit or a currency says otherwise."""
    run = folded[start:end]
    if end - start != 4 or run[:2] not in ("19", "20") or not run.isdigit():
        return False
    if before.text.strip("(") or after.text or folded[end : end + 1].isalpha():
        return False
    return _COUNTED.match(folded, end) is None


def _number(page: _Page, start: int, end: int, place: int, spelled_out: bool) -> _Found | None:
    """The number at ``folded[start:end]``, whose surroundings may reach back to ``place``."""
    folded = page.folded
    run = folded[start:end]
    parsed = spelled(run) if spelled_out else digits(run) if end - start <= _LIMIT else None
    if parsed is None:
        return None
    if not spelled_out and end - start != 4 and lonely(folded, start, end):
        noun = noun_after(folded, end) if folded[end + 1 : end + 2].isalpha() else None
        claim = NumericClaim("number", *page.span(start, end), parsed.value, "", parsed.step / 2, noun=noun)
        return _Found(claim, start, end, _LONELY, parsed.step)
    before, after = around(folded, max(place, start - 16), start, end)
    if not spelled_out and _is_year(folded, start, end, before, after):
        if not_a_claim(folded, start, end, parsed.value):
            return None
        return _date(page, start, end, dates.of_iso(run))
    unit = unit_of(before, after, parsed, folded, start, end)
    if unit is None:
        return None
    if unit.kind == "number" and not_a_claim(folded, start, end + len(after.text), parsed.value):
        return None
    if spelled_out and unit.kind == "number" and not (parsed.scaled and parsed.value >= 100):
        return None
    return _assembled(page, (start, end), place, parsed, unit, before, after)


_LONELY = Unit("number", "")


def _assembled(
    page: _Page, span: tuple[int, int], place: int, parsed: Parsed, unit: Unit, before: Before, after: After
) -> _Found:
    """Sign, scale and cues put together with the unit."""
    folded = page.folded
    start, end = span
    first = start - len(before.text)
    stop = end + (len(after.text) if unit.suffix else after.to_scale)
    negative = before.negative or (before.inner and after.closed)
    if before.outer or before.inner:
        enclosed = unit.scale == 1 and (unit.kind == "currency" or parsed.grouped)
        enclosed = enclosed and (after.closed or folded[stop : stop + 1] == ")")
        negative = negative or enclosed
        if enclosed and not after.closed:
            stop += 1
        if before.outer and not enclosed:
            first += 1 + (folded[first + 1] == " ")
    value, step = parsed.value, parsed.step
    if unit.scaled:
        value, step = _EXACT.multiply(value, unit.scale), step * unit.scale
    cues = cues_after(folded[stop : stop + 24]) if cue_may_follow(folded, stop) else NO_CUES
    if cue_may_precede(folded, first):
        cues = cues_before(folded[max(place, first - 40) : first]).joined(cues)
    text, shown, shown_end = page.span(first, stop)
    claim = NumericClaim(
        unit.kind,
        text,
        shown,
        shown_end,
        -value if negative else value,
        unit.name,
        step / 2,
        cues.approximate,
        cues.bound,
        cues.direction,
        noun_after(folded, stop) if unit.kind == "number" else None,
    )
    return _Found(claim, first, stop, unit, step)


def _shared(folded: str, first: _Found, second: _Found) -> tuple[_Found, _Found]:
    """``$1.2–1.5M`` and ``85–90 %``: the two ends of a range have one scale and one unit."""
    one, other = first.unit, second.unit
    if one is None or other is None or folded[first.end : second.start].isspace():
        return first, second
    between = RANGE.fullmatch(folded, first.end, second.start)
    if between is None:
        return first, second
    if one.kind == "number" and other.kind != "number" and not first.claim.noun:
        first = _in_unit(first, other)
        return _scaled(first, other) if other.scaled and not one.scaled else first, second
    if one.kind == "currency" and other.kind == "number" and not second.claim.noun:
        second = _in_unit(second, one)
    alike = first.claim.unit == second.claim.unit and other.scaled and not one.scaled
    if alike and (between["dash"] or abs(Decimal(first.claim.value)) < 1000):
        first = _scaled(first, other)
    return first, second


def _in_unit(found: _Found, unit: Unit) -> _Found:
    """The number in the unit that the other end of its range states."""
    claim = replace(found.claim, kind=unit.kind, unit=unit.name)
    own = found.unit or unit
    return found._replace(claim=claim, unit=own._replace(kind=unit.kind, name=unit.name))


def _scaled(found: _Found, unit: Unit) -> _Found:
    """The number times the scale that the other end of its range states for both."""
    claim = found.claim
    value = Decimal(claim.value) * unit.scale
    return found._replace(claim=replace(claim, value=value, precision=found.step * unit.scale / 2))
