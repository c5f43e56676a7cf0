"""Units of what is counted: how long something takes, how large an area is, how much it weighs or holds."""

from detection.core import lexicons
from detection.core.types import NumericClaim

MONTHS = {"month": 1, "quarter": 3, "year": 12}
"""How many months there are in each unit of time that an amount may be per."""
AREAS = frozenset(("sf", "sqm", "acre", "hectare", "ping", "dunam"))
DURATIONS = frozenset(("day", "business_day", "week", "month", "quarter", "year", "decade", "hour", "times"))
_MASSES = frozenset(("ton", "kilogram", "pound", "ounce"))
_VOLUMES = frozenset(("litre", "hectolitre", "megalitre", "cubic_metre", "barrel", "gallon"))
_ENERGIES = frozenset(("kwh", "mwh", "gwh", "twh"))
_POWERS = frozenset(("kilowatt", "megawatt", "gigawatt"))
_LENGTHS = frozenset(("mile", "kilometre", "metre", "foot"))
DIMENSIONS = (DURATIONS, AREAS, _MASSES, _VOLUMES, _ENERGIES | _POWERS, _LENGTHS)
"""Units that measure one thing, or that are taken for each other: an amount in one of them is none in another."""
PHYSICAL = (_MASSES | _VOLUMES | _ENERGIES | _POWERS | _LENGTHS) - {"pound"}
"""What tables are in that hold no money; pounds may be."""
_BELOW = (frozenset(MONTHS), *DIMENSIONS[1:])  # what amounts are per, units of one dimension together
_MEASURES = frozenset().union(*DIMENSIONS)


def area_of(number: NumericClaim) -> str:
    """The unit of an area that the noun behind a number names; empty for any other count."""
    unit = measured_in(number)
    return unit if unit in AREAS else ""


def is_other_area(pers: frozenset[str], unit: str) -> bool:
    """Whether words that say what an amount is ``pers`` name an area in another unit than ``unit``."""
    return unit in AREAS and bool(pers & AREAS) and unit not in pers


def measured_in(number: NumericClaim) -> str:
    """The unit of measure that the noun behind a number names; empty for any other count."""
    marks = lexicons.phrases("units").find(lexicons.Words(number.noun)) if number.noun else ()
    return next((key for mark in marks for key in sorted(mark.value) if key in _MEASURES), "")


def is_other_measure(said: tuple[str, frozenset[str]], stated: tuple[str, frozenset[str]]) -> bool:
    """Whether two amounts, each as its unit and what it is per, are measured in other units of one dimension. A unit per
    itself is none: litres per litre are what hectolitres per hectolitre are."""
    (unit, pers), (other, others) = said, stated
    if unit in pers and other in others:
        return False
    return any(unit in kin and other in kin and unit != other for kin in DIMENSIONS) or any(
        pers & kin and others & kin and not pers & others & kin for kin in _BELOW
    )
