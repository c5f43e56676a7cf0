"""Reads the numbers a text states: amounts, percentages, ratios, dates, plain numbers (NUM-01…NUM-04).

One pass of one pattern finds where a number, a date or something that only looks like one stands; what
surrounds a number (sign, currency, scale, unit, cue words) is then read with patterns anchored at it, over
a bounded stretch, so that the whole stays linear in the length of the text whatever the text is.
"""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Context, Decimal
from typing import Any, Literal

import regex

from detection.core import dates, folding
from detection.core.number_cues import Cues, cues_after, cues_before
from detection.core.number_shapes import MARK, NOUN, PREFIX, RANGE, SUFFIX, not_a_claim, unit_of
from detection.core.number_values import Parsed, digits, spelled
from detection.core.types import Kind, NumericClaim

_LIMIT = 400  # digits; a longer run is no number anybody states
_EXACT = Context(prec=34)


@dataclass(slots=True)
class _Found:
    """A number being put together; offsets are in the folded text."""

    start: int
    end: int
    value: Decimal
    step: Decimal
    scale: Decimal
    scaled: bool
    kind: Kind
    unit: str
    stated: bool  # the text names the currency before or after the number
    cues: Cues
    noun: str | None = None


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
    for match in MARK.finditer(folded):
        if match.start() < place:
            continue
        kind = match.lastgroup
        if kind == "skip":
            continue
        if kind == "date":
            read = dates.read(match, day_first)
            if read is not None:
                claims.append(_date(match.start(), match.end(), read))
                last, place = None, match.end()
            continue
        found = _bare_year(folded, match, claims) or _number(folded, match, place)
        if isinstance(found, NumericClaim):
            claims.append(found)
            last, place = None, found.end
        elif found is not None:
            if last is not None and claims:
                claims[-1:] = [_claim(_share(folded, last, found))]
            claims.append(_claim(found))
            last, place = found, found.end
    return [_placed(claim, text, origin) for claim in claims]


def _placed(claim: NumericClaim, text: str, origin: list[int] | None) -> NumericClaim:
    start, end = claim.start, claim.end
    if origin is not None:
        start, end = origin[start], origin[end - 1] + 1
    return replace(claim, text=text[start:end], start=start, end=end)


def _date(start: int, end: int, read: dates.Stated) -> NumericClaim:
    return NumericClaim("date", "", start, end, read.iso, "", start_date=read.start, end_date=read.end)


def _bare_year(folded: str, match: Any, claims: list[NumericClaim]) -> NumericClaim | None:
    """A year that stands alone is a date, unless a counted noun, a unit or a currency says otherwise."""
    if match.lastgroup != "digits" or match.end() - match.start() != 4 or match.group()[:2] not in ("19", "20") or not match.group().isdigit():
        return None
    before, after = PREFIX.match(folded, max(0, match.start() - 16), match.start()), SUFFIX.match(folded, match.end())
    if before["sign"] or before["code"] or after.end() > match.end() or folded[match.end() : match.end() + 1].isalpha():
        return None
    if NOUN.match(folded, match.end()) and _counted(folded, match.end()):
        return None
    if not_a_claim(folded, match.start(), match.end(), Decimal(match.group())):
        return None
    return _date(match.start(), match.end(), dates.of_iso(match.group()))


_COUNTED = regex.compile(r"\s(?:units|employees|shares|people|tenants|leases|properties|square|sq|sf|homes|beds|customers|stores|rooms|spaces|jobs|options)\b")  # fmt: skip


def _counted(folded: str, end: int) -> bool:
    return _COUNTED.match(folded, end) is not None


def _number(folded: str, match: Any, place: int) -> _Found | None:
    start, end = match.span()
    if match.lastgroup == "words":
        parsed: Parsed | None = spelled(match.group())
    else:
        parsed = digits(match.group()) if end - start <= _LIMIT else None
    if parsed is None:
        return None
    before = PREFIX.match(folded, max(place, start - 16), start)
    after = SUFFIX.match(folded, end)
    unit = unit_of(before, after, parsed, folded, start)
    if unit is None or (unit.kind == "number" and not_a_claim(folded, start, after.end(), parsed.value)):
        return None
    if match.lastgroup == "words" and unit.kind == "number" and not (parsed.scaled and parsed.value >= 100):
        return None
    return _assemble(folded, before.start(), start, end, place, parsed, unit, before, after)


def _assemble(
    folded: str, first: int, start: int, end: int, place: int, parsed: Parsed, unit: Any, before: Any, after: Any
) -> _Found:
    """Sign, scale and cues put together with the unit. ``first`` is where the prefix begins."""
    stop = after.end() if unit.suffix else after.end("scale") if after["scale"] else end
    negative = before["minus"] is not None or before["minus2"] is not None or before["negative"] is not None
    opened, closed = before["open"] or before["open2"], folded[stop : stop + 1] == ")" or after["close"]
    enclosed = bool(opened and closed) and unit.scale == 1 and (unit.kind == "currency" or parsed.grouped)
    if enclosed and not after["close"]:
        stop += 1
    if before["open2"] and after["close"]:
        negative = True
    if before["open"] and not enclosed:
        first = start - len(before.group().split("(", 1)[1])
    value = _EXACT.multiply(parsed.value, unit.scale)
    step = _EXACT.multiply(parsed.step, unit.scale)
    cues = cues_before(folded[max(place, first - 40) : first]).joined(cues_after(folded[stop : stop + 24]))
    noun = NOUN.match(folded, stop) if unit.kind == "number" else None
    return _Found(
        start=first,
        end=stop,
        value=-value if negative or enclosed else value,
        step=step,
        scale=unit.scale,
        scaled=unit.scaled,
        kind=unit.kind,
        unit=unit.name,
        stated=unit.kind == "currency",
        cues=cues,
        noun=noun["noun"].strip() if noun else None,
    )


def _share(folded: str, first: _Found, second: _Found) -> _Found:
    """``$1.2–1.5M`` and ``85–90 %``: the two ends of a range have one scale and one unit."""
    gap = folded[first.end : second.start]
    if len(gap) > 6 or not (between := RANGE.fullmatch(gap)):
        return first
    dash = between["dash"] is not None
    if first.kind == "number" and second.kind in ("currency", "percentage", "ratio") and not first.noun:
        scale = second.scale if not first.scaled else Decimal(1)
        first = replace(
            first, kind=second.kind, unit=second.unit, value=first.value * scale, step=first.step * scale, scaled=True
        )
    elif first.kind == "currency" == second.kind or first.kind == "currency" and second.kind == "number":
        if first.kind == "currency" and second.kind == "number":
            second.kind, second.unit = "currency", first.unit
        if second.scaled and not first.scaled and (dash or abs(first.value) < 1000) and first.unit == second.unit:
            first = replace(first, value=first.value * second.scale, step=first.step * second.scale, scaled=True)
    return first


def _claim(found: _Found) -> NumericClaim:
    return NumericClaim(
        kind=found.kind,
        text="",
        start=found.start,
        end=found.end,
        value=found.value,
        unit=found.unit,
        precision=found.step / 2,
        approximate=found.cues.approximate,
        bound=found.cues.bound,
        direction=found.cues.direction,
        noun=found.noun,
    )
