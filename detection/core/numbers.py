"""Reads the numbers a text states: amounts, percentages, ratios, dates, plain numbers (NUM-01…NUM-04).

One pass of one pattern finds where a number, a date or something that only looks like one stands; what
surrounds a number (sign, currency, scale, unit, cue words) is then read with patterns anchored at it, over
a bounded stretch, so that the whole stays linear in the length of the text whatever the text is.
"""

from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any

import regex

from detection.core import dates, folding
from detection.core.number_cues import NO_CUES, Cues, cues_after, cues_before
from detection.core.number_edges import CUE, lonely, may_precede
from detection.core.number_shapes import NOUN, RANGE, Unit, around, marks, not_a_claim, unit_of
from detection.core.number_values import Parsed, digits, spelled
from detection.core.types import Kind, NumericClaim

_LIMIT = 400  # digits; a longer run is no number anybody states
_EXACT = Context(prec=34)
_NOTHING = Decimal(0)
_ONE = Decimal(1)


@dataclass(slots=True)
class _Found:
    """A number or a date being put together; offsets are in the folded text."""

    start: int
    end: int
    kind: Kind
    value: Decimal | str
    unit: str = ""
    step: Decimal = _NOTHING
    scale: Decimal = _ONE
    scaled: bool = False
    cues: Cues = NO_CUES
    noun: str | None = None
    read: dates.Stated | None = None

    def multiplied(self, scale: Decimal) -> None:
        """Take a scale that another number stated for both."""
        if isinstance(self.value, Decimal):
            self.value, self.step, self.scaled = self.value * scale, self.step * scale, True


def extract(text: str, language: str | None = None) -> list[NumericClaim]:
    """Every number that ``text`` claims, in order, not overlapping (NUM-01…NUM-04).

    ``language`` (``en``, ``he``, ``zh`` …) decides only what ``03/04/2024`` means: the day stands first except in
    English and where none is given. Offsets are code points of ``text``; ``text[start:end]`` is the claim's
    text. Any string is accepted; digits of any script are read, characters that cannot be seen are passed over.
    """
    folded, origin = folding.fold(text)
    day_first = language is not None and not language.lower().startswith("en")
    claims: list[NumericClaim] = []
    last: _Found | None = None
    place = 0
    for match in marks(folded):
        one = _found(folded, match, place, day_first)
        if one is not None:
            if last is not None:
                _share(folded, last, one)
                claims.append(_claim(last, text, origin))
            last, place = one, one.end
        elif match.lastgroup == "skip":
            place = match.end()
    if last is not None:
        claims.append(_claim(last, text, origin))
    return claims


def _found(folded: str, match: Any, place: int, day_first: bool) -> _Found | None:
    if match.lastgroup == "skip" or match.start() < place:
        return None
    if match.lastgroup == "date":
        read = dates.read(match, day_first)
        return _Found(match.start(), match.end(), "date", read.iso, read=read) if read else None
    return _number(folded, match, place)


def _claim(found: _Found, text: str, origin: list[int] | None) -> NumericClaim:
    start, end = found.start, found.end
    if origin is not None:
        start, end = origin[start], origin[end - 1] + 1
    return NumericClaim(
        found.kind,
        text[start:end],
        start,
        end,
        found.value,
        found.unit,
        found.step / 2 if found.step else _NOTHING,
        found.cues.approximate,
        found.cues.bound,
        found.cues.direction,
        found.noun,
        found.read.start if found.read else None,
        found.read.end if found.read else None,
    )


_COUNTED = regex.compile(
    r"\s(?:units|employees|shares|people|tenants|leases|properties|square|sq|sf|homes|beds|customers|stores|rooms|spaces|jobs|options)\b"
)


def _is_year(folded: str, start: int, end: int, before: Any, after: Any) -> bool:
    """A year that stands alone is a date, unless a counted noun, a unit or a currency says otherwise."""
    run = folded[start:end]
    if end - start != 4 or run[:2] not in ("19", "20") or not run.isdigit():
        return False
    if before.group().strip("(") or after.end() > end or folded[end : end + 1].isalpha():
        return False
    return _COUNTED.match(folded, end) is None


def _number(folded: str, match: Any, place: int) -> _Found | None:
    start, end = match.span()
    spelled_out = match.lastgroup == "words"
    if spelled_out:
        parsed: Parsed | None = spelled(match.group())
    else:
        parsed = digits(match.group()) if end - start <= _LIMIT else None
    if parsed is None:
        return None
    if not spelled_out and end - start != 4 and lonely(folded, start, end):
        noun = NOUN.match(folded, end) if folded[end + 1 : end + 2].isalpha() else None
        counted = noun["noun"].strip() if noun else None
        return _Found(start, end, "number", parsed.value, step=parsed.step, noun=counted)
    before, after = around(folded, max(place, start - 16), start, end)
    if not spelled_out and _is_year(folded, start, end, before, after):
        if not_a_claim(folded, start, end, parsed.value):
            return None
        read = dates.of_iso(match.group())
        return _Found(start, end, "date", read.iso, read=read)
    unit = unit_of(before, after, parsed, folded, start)
    if unit is None or (unit.kind == "number" and not_a_claim(folded, start, after.end(), parsed.value)):
        return None
    if spelled_out and unit.kind == "number" and not (parsed.scaled and parsed.value >= 100):
        return None
    return _assembled(folded, (start, end), place, parsed, unit, before, after)


def _assembled(
    folded: str, span: tuple[int, int], place: int, parsed: Parsed, unit: Unit, before: Any, after: Any
) -> _Found:
    """Sign, scale and cues put together with the unit."""
    first, stop = (
        before.start(),
        after.end() if unit.suffix else after.end("scale") if after["scale"] else span[1],
    )
    negative = bool(
        before["minus"] or before["minus2"] or before["negative"] or (before["open2"] and after["close"])
    )
    opened = before["open"] or before["open2"]
    enclosed = bool(opened) and unit.scale == 1 and (unit.kind == "currency" or parsed.grouped)
    enclosed = enclosed and (after["close"] is not None or folded[stop : stop + 1] == ")")
    if enclosed and not after["close"]:
        stop += 1
    if before["open"] and not enclosed:
        first += len(before["open"]) + (folded[first + 1] == " ")
    value = _EXACT.multiply(parsed.value, unit.scale) if unit.scale != 1 else parsed.value
    step = parsed.step * unit.scale if unit.scale != 1 else parsed.step
    cues = cues_after(folded[stop : stop + 24])
    if may_precede(folded, first, CUE):
        cues = cues_before(folded[max(place, first - 40) : first]).joined(cues)
    noun = NOUN.match(folded, stop) if unit.kind == "number" else None
    return _Found(
        first,
        stop,
        unit.kind,
        -value if negative or enclosed else value,
        unit.name,
        step,
        unit.scale,
        unit.scaled,
        cues,
        noun["noun"].strip() if noun else None,
    )


def _share(folded: str, first: _Found, second: _Found) -> None:
    """``$1.2–1.5M`` and ``85–90 %``: the two ends of a range have one scale and one unit."""
    if second.start - first.end > 6 or first.kind == "date" or second.kind == "date":
        return
    if folded[first.end : second.start].isspace():
        return
    between = RANGE.fullmatch(folded, first.end, second.start)
    if between is None:
        return
    if first.kind == "number" and second.kind != "number" and not first.noun:
        first.kind, first.unit = second.kind, second.unit
        if not first.scaled and second.scaled:
            first.multiplied(second.scale)
        return
    if first.kind == "currency" and second.kind == "number" and not second.noun:
        second.kind, second.unit = "currency", first.unit
    if first.unit != second.unit or first.scaled or not second.scaled or isinstance(first.value, str):
        return
    if between["dash"] or abs(first.value) < 1000:
        first.multiplied(second.scale)
