"""Two numbers that belong together: the ends of a range, an amount with its hundredths, two years of one day
(NUM-01…NUM-04)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from detection.core.numbers import dates
from detection.core.numbers.nouns import is_counted
from detection.core.numbers.units import BETWEEN, LAST, LISTED, PART, RANGE, Unit
from detection.core.numbers.words import CENTED
from detection.core.types import NumericClaim

NEAR = 6  # characters at most between the two
MOST = 24  # numbers of a list


class Found(NamedTuple):
    """A claim, its place in the folded text, its unit (None for a date) and the step of its last digit."""

    claim: NumericClaim
    start: int
    end: int
    unit: Unit | None = None
    step: Decimal = Decimal(0)


def shared(folded: str, first: Found, second: Found) -> tuple[Found, Found]:
    """``$1.2–1.5M``, ``85–90 %``, ``between 5 and 7 percent``: both ends of a range have one scale and one unit."""
    one, other = first.unit, second.unit
    if one is None or other is None or folded[first.end : second.start].isspace():
        return first, second
    between = RANGE.fullmatch(folded, first.end, second.start)
    if between is None:
        return first, second
    apart = not BETWEEN.match(folded, max(0, first.start - 10), first.start)
    if between["between"] and apart and not _listed(first, second):
        return first, second
    if between["dash"] and "~" in between.group():
        second = second._replace(claim=replace(second.claim, approximate=first.claim.approximate))
    if one.kind == other.kind == "number" and not first.claim.noun and is_counted(folded, second.end):
        first = first._replace(claim=replace(first.claim, noun=second.claim.noun))
    if one.kind == "number" and other.kind != "number" and not first.claim.noun:
        first = _in_unit(first, other)
        if not second.claim.direction:
            second = second._replace(claim=replace(second.claim, direction=first.claim.direction))
        return _scaled(first, other) if other.scaled and not one.scaled else first, second
    counts = second.claim.noun and not (between["dash"] and other.scaled)
    if one.kind == "currency" and other.kind == "number" and not counts:
        second = _in_unit(second, one)
    alike = first.claim.unit == second.claim.unit and other.scaled and not one.scaled
    if alike and (between["dash"] or abs(Decimal(first.claim.value)) < 1000):
        first = _scaled(first, other)
    return first, second


def over_list(folded: str, run: Sequence[Found], last: Found) -> list[Found]:
    """The numbers of a list before its ``last``, the nearest last, in the scale and the unit, of the things, that only that states:
    ``$1.2, $1.3 and $1.5 million``, ``5, 6 and 7 percent``."""
    unit = last.unit
    if len(run) < 2 or unit is None or LAST.fullmatch(folded, run[-1].end, last.start) is None:
        return list(run)
    if not all(_listed(one, last, counted=True) for one in run):
        return list(run)
    same = [_in_unit(one, unit) if one.claim.unit != last.claim.unit else one for one in run]
    counted = [one._replace(claim=replace(one.claim, noun=last.claim.noun)) for one in same]
    return [_scaled(one, unit) for one in counted] if unit.scaled else counted


def in_money_of_list(folded: str, run: Sequence[Found], last: Found) -> Found:
    """The ``last`` number of a list in the currency that stands before its first alone: ``€151, 144, 169 and 178 million``."""
    if len(run) < 2 or last.unit is None or LAST.fullmatch(folded, run[-1].end, last.start) is None:
        return last
    first, *rest = run
    bare = all(one.claim.kind == "number" and not one.claim.noun for one in (*rest, last))
    opens = first.unit is not None and first.claim.kind == "currency" and not first.unit.scaled
    return _in_unit(last, first.unit) if bare and opens and first.unit and last.unit.scaled else last


_ALIKE = 20  # times as large: more than that, and two numbers of a list have scales of their own


def _listed(first: Found, second: Found, counted: bool = False) -> bool:
    """``$5 and $6 million``, ``5 and 6 %``: a list whose last number states the scale and the unit of both, of a longer
    one also what it counts (``counted``): "41, 44 and 52 thousand tonnes"."""
    one, other = first.unit, second.unit
    if one is None or other is None or one.scaled or first.claim.noun or (second.claim.noun and not counted):
        return False
    if one.kind != "number" and first.claim.unit != second.claim.unit:
        return False
    written = abs(Decimal(second.claim.value)) / (other.scale if other.scaled else 1)
    value = abs(Decimal(first.claim.value))
    return (other.scaled or other.kind == "percentage") and written <= value * _ALIKE <= written * _ALIKE**2


def _in_unit(found: Found, unit: Unit) -> Found:
    """The number in the unit that the other end of its range states."""
    claim = replace(found.claim, kind=unit.kind, unit=unit.name, noun=None)
    own = found.unit or unit
    return found._replace(claim=claim, unit=own._replace(kind=unit.kind, name=unit.name))


def _scaled(found: Found, unit: Unit) -> Found:
    """The number times the scale that the other end of its range states for both."""
    claim = found.claim
    value = Decimal(claim.value) * unit.scale
    return found._replace(claim=replace(claim, value=value, precision=found.step * unit.scale / 2))


def with_hundredths(folded: str, whole: Found, part: Found) -> tuple[Decimal, Decimal] | None:
    """The value and the step of ``13 dollars and 45 cents``; None when the two are not one amount."""
    if whole.unit is None or part.unit is None or whole.step != 1 or whole.claim.kind != "currency":
        return None
    if not part.unit.hundredths or not PART.fullmatch(folded, whole.end, part.start):
        return None
    value, cents = Decimal(whole.claim.value), Decimal(part.claim.value)
    return (value + cents, part.step) if value >= 0 and 0 <= cents < 1 else None


_CENTS = re.compile(r"(?i)(?:cents?|¢)$")


def of_the_texts_currency(claims: list[NumericClaim]) -> list[NumericClaim]:
    """Claims whose cents are those of the one currency that all other amounts of the text are in: "45 cents more, at €6.85"."""
    others = {one.unit for one in claims if one.kind == "currency" and not _is_cents(one)}
    if len(others) != 1 or not others <= CENTED:
        return claims
    (unit,) = others
    return [replace(one, unit=unit) if _is_cents(one) else one for one in claims]


def _is_cents(claim: NumericClaim) -> bool:
    return claim.kind == "currency" and claim.unit == "USD" and _CENTS.search(claim.text) is not None


def goes_on(folded: str, one: Found, other: Found) -> bool:
    """Whether a number follows right behind another in a list, behind a comma or an "and"."""
    return LISTED.fullmatch(folded, one.end, other.start) is not None


_DIGITS_OF_YEAR = 4
_YEAR = r"(?:19|20)\d\d"
_AND = re.compile(rf",?\s(?:and|or)\s|\sו-?|,\s(?=(?:{_YEAR},\s)*{_YEAR},?\s(?:and|or)\s{_YEAR})")
_SAYS = re.compile(r"\s(?:was|were|is|are|had|has|saw|will|brought|ended|closed|began|marked)\b")


def of_the_same_day(folded: str, last: Found, found: Found) -> Found:
    """``found``, where it is a bare year, as the day or quarter that the date before it names: "June 30, 2024 and 2023"
    are two days. A year that a verb follows stands for itself."""
    one, other = last.claim, found.claim
    if not one.kind == other.kind == "date" or found.end - found.start != _DIGITS_OF_YEAR:
        return found
    joint = _AND.match(folded, last.end)
    if joint is None or joint.end() != found.start or _SAYS.match(folded, found.end):
        return found
    stated = dates.Stated(str(one.value), one.start_date, one.end_date)
    day = dates.of_another_year(stated, int(str(other.value)))
    if day is None:
        return found
    return found._replace(claim=replace(other, value=day.iso, start_date=day.start, end_date=day.end))
