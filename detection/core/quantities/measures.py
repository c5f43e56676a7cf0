"""Units of what is counted: how long something takes, how large an area is, how much it weighs or holds."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import reduce
from itertools import product
from typing import Literal, NamedTuple

from detection.core import lexicons
from detection.core.numbers import plain
from detection.core.types import NumericClaim

MONTHS = {"month": 1, "quarter": 3, "year": 12}
"""How many months there are in each unit of time that an amount may be per."""
AREAS = frozenset(("sf", "sqm", "acre", "hectare", "ping", "dunam"))
DURATIONS = frozenset(("day", "business_day", "week", "month", "quarter", "year", "decade", "hour", "times"))
_CLOCK = {
    "second": "1", "minute": "60", "hour": "3600", "day": "86400", "calendar_day": "86400", "week": "604800",
    "fortnight": "1209600",
}  # fmt: skip
CLOCK = frozenset(_CLOCK)
"""Units of time that are always as long."""
_CALENDAR = {"month": "1", "quarter": "3", "year": "12", "decade": "120"}
_AREAS = {
    "sqm": "1", "hectare": "10000", "square_kilometre": "1000000", "dunam": "1000", "acre": "4046.8564224",
    "sf": "0.09290304", "square_mile": "2589988.110336", "ping": "3.305785",
}  # fmt: skip
_MASSES = {
    "kilogram": "1",
    "ton": "1000",
    "kiloton": "1000000",
    "short_ton": "907.18474",
    "long_ton": "1016.0469088",
}
_VOLUMES = {"litre": "1", "hectolitre": "100", "cubic_metre": "1000", "megalitre": "1000000"}
_ENERGIES = {"kwh": "1", "mwh": "1000", "gwh": "1000000", "twh": "1000000000"}
_POWERS = {"kilowatt": "1", "megawatt": "1000", "gigawatt": "1000000"}
_LENGTHS = {"metre": "1", "kilometre": "1000", "mile": "1609.344", "foot": "0.3048"}
_SIZES = tuple(
    {unit: Decimal(size) for unit, size in sizes.items()}
    for sizes in (_CLOCK, _CALENDAR, _AREAS, _MASSES, _VOLUMES, _ENERGIES, _POWERS, _LENGTHS)
)
"""How large the units are that measure one thing, each beside the others of its table."""
_SECONDS = 86400
_SIGNS: dict[str, Literal["up", "down"]] = {"+": "up", "＋": "up", "-": "down", "−": "down", "–": "down"}
_DAYS = {
    "business_day": ("1.4",), "month": ("30", "31", "28"), "quarter": ("91", "90", "92"),
    "year": ("365", "360", "366"), "decade": ("3650", "3652", "3653"),
}  # fmt: skip
"""How many days there may be in what has no one length."""
_DAYS_OF = {
    **{unit: (Decimal(size) / _SECONDS,) for unit, size in _CLOCK.items()},
    **{unit: tuple(map(Decimal, days)) for unit, days in _DAYS.items()},
}
_TIMES = DURATIONS | CLOCK
_HEAVY, _FULL = _MASSES.keys() | {"pound", "ounce"}, _VOLUMES.keys() | {"barrel", "gallon"}
_ELECTRIC = _ENERGIES.keys() | _POWERS.keys()
DIMENSIONS = (_TIMES, frozenset(_AREAS), _HEAVY, _FULL, _ELECTRIC, frozenset(_LENGTHS))
"""Units that measure one thing, or that are taken for each other: an amount in one of them is none in another."""
PHYSICAL = (_HEAVY | _FULL | _ELECTRIC | _LENGTHS.keys()) - {"pound"}
"""What tables are in that hold no money; pounds may be."""
_BELOW = (CLOCK | MONTHS.keys(), *DIMENSIONS[1:])  # what amounts are per, units of one dimension together
MEASURES = frozenset().union(*DIMENSIONS)
"""Units of how long, large, heavy or far something is."""

Measure = tuple[str, frozenset[str]]
"""What an amount is in: its unit, and what it is per."""


class Factor(NamedTuple):
    """What an amount is multiplied by, and divided by, to be one in another unit."""

    times: Decimal = Decimal(1)
    by: Decimal = Decimal(1)

    def of(self, value: Decimal) -> Decimal:
        """An amount in the other unit."""
        return value * self.times / self.by

    def joined(self, other: "Factor") -> "Factor":
        """This one and another behind it."""
        return Factor(self.times * other.times, self.by * other.by)

    @property
    def inverse(self) -> "Factor":
        """The way back."""
        return Factor(self.by, self.times)

    def shown(self, amount: str) -> str:
        """The arithmetic with an amount, the numbers as people write them."""
        if not self.by % self.times:
            return f"{amount} / {plain(self.by / self.times)}"
        if not self.times % self.by:
            return f"{amount} × {plain(self.times / self.by)}"
        return f"{amount} × {plain(self.times)} / {plain(self.by)}"


def factors(unit: str, other: str) -> tuple[Factor, ...]:
    """What turns amounts in one unit into those in another: one factor, several where a month or a year may be of several
    lengths, none where the two measure different things."""
    for sizes in _SIZES:
        if unit in sizes and other in sizes:
            return (Factor(sizes[unit], sizes[other]),)
    return tuple(Factor(one, two) for one in _DAYS_OF.get(unit, ()) for two in _DAYS_OF.get(other, ()))


def conversions(stated: Measure, said: Measure) -> tuple[Factor, ...]:
    """What turns a stated amount into one in what is said: of kilometres an hour into metres a second."""
    apart = [factors(*pair) for pair in _units_apart(stated, said)]
    apart += [tuple(one.inverse for one in factors(*pair)) for pair in _pers_apart(stated, said)]
    return tuple(reduce(Factor.joined, some, Factor()) for some in product(*apart)) if apart else ()


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
    return next((key for mark in marks for key in sorted(mark.value) if key in MEASURES), "")


def is_other_measure(said: Measure, stated: Measure) -> bool:
    """Whether two amounts are measured in other units of one dimension. A unit per itself is none: litres per litre are
    what hectolitres per hectolitre are."""
    return any((*_units_apart(stated, said), *_pers_apart(stated, said)))


def _units_apart(stated: Measure, said: Measure) -> Iterator[tuple[str, str]]:
    """The units of two amounts, where they are two of one dimension."""
    (unit, _), (other, _) = stated, said
    if unit != other and not _is_of_itself(stated, said) and any({unit, other} <= kin for kin in DIMENSIONS):
        yield unit, other


def _pers_apart(stated: Measure, said: Measure) -> Iterator[tuple[str, str]]:
    """The units that two amounts are per, where they are others of one dimension."""
    for kin in () if _is_of_itself(stated, said) else _BELOW:
        own, others = stated[1] & kin, said[1] & kin
        if own and others and not own & others:
            yield min(own), min(others)


def _is_of_itself(stated: Measure, said: Measure) -> bool:
    return stated[0] in stated[1] and said[0] in said[1]


def of_hundred(number: NumericClaim) -> NumericClaim:
    """ "21.4 cents in each dollar" as the share that it is."""
    value, by = Decimal(number.value), Decimal(100)
    return replace(number, kind="percentage", unit="%", value=value * by, precision=number.precision * by)


def signed(number: NumericClaim) -> NumericClaim:
    """A share with the sign before it as its direction: "Revenue: +4.4%"."""
    said = _SIGNS.get(number.text[:1]) if number.kind == "percentage" else None
    return replace(number, direction=said) if said and not number.direction else number
