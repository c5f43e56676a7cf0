"""Units of what is counted: how long something takes, how large an area is, how much it weighs or holds."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, reduce
from itertools import product
from typing import Literal, NamedTuple

import regex

from detection.core import lexicons, numbers
from detection.core.numbers import plain
from detection.core.types import NumericClaim

MONTHS = {"month": 1, "quarter": 3, "year": 12}
"""How many months there are in each unit of time that an amount may be per."""
DURATIONS = frozenset(("day", "business_day", "week", "month", "quarter", "year", "decade", "hour", "times"))
_SIZES = lexicons.measures()
"""How large the units are that measure one thing, each beside the others of its table."""
_DIMENSIONS = {unit: name.partition("_")[0] for name, units in _SIZES.items() for unit in units} | {
    "times": "time"
}
CLOCK = frozenset(_SIZES["time"])
"""Units of time that are always as long."""
AREAS = frozenset(_SIZES["area"])
PER_TIMES = CLOCK | MONTHS.keys()
"""Units of time that amounts are per."""
MEASURES = frozenset(_DIMENSIONS)
"""Units of how long, large, heavy or far something is."""
SIZED = frozenset(unit for unit, dimension in _DIMENSIONS.items() if dimension != "time")
"""Those that are not of time."""
PHYSICAL = SIZED - AREAS - {"pound"}
"""What tables are in that hold no money; pounds may be."""
_BELOW = (PER_TIMES, SIZED)  # what amounts are per, units that exclude each other together
_UNSURE = frozenset(("times", "minute"))
"""Words that mean something else beside units of another dimension: a minimum."""
_FOR_AREAS = frozenset(("foot", "metre"))  # "12,000 feet of office space"
_IN_LETTERS = lexicons.measure_signs()
_SIGNS: dict[str, Literal["up", "down"]] = {"+": "up", "＋": "up", "-": "down", "−": "down", "–": "down"}

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
        if self.times == 1 or not self.by % self.times:
            return f"{amount} / {plain(self.by / self.times)}"
        if self.by == 1 or not self.times % self.by:
            return f"{amount} × {plain(self.times / self.by)}"
        return f"{amount} × {plain(self.times)} / {plain(self.by)}"


def factors(unit: str, other: str) -> tuple[Factor, ...]:
    """What turns amounts in one unit into those in another: one factor, several where a unit may be of several sizes, as
    a month is, none where the two measure different things."""
    for sizes in _SIZES.values():
        if unit in sizes and other in sizes:
            return tuple(Factor(one, two) for one in sizes[unit] for two in sizes[other])
    return ()


def conversions(stated: Measure, said: Measure) -> tuple[Factor, ...]:
    """What turns a stated amount into one in what is said: of kilometres an hour into metres a second."""
    apart = [factors(*pair) for pair in _units_apart(stated, said)]
    apart += [tuple(one.inverse for one in factors(*pair)) for pair in _pers_apart(stated, said)]
    return tuple(reduce(Factor.joined, some, Factor()) for some in product(*apart)) if apart else ()


def area_of(number: NumericClaim) -> str:
    """The unit of an area that the noun behind a number names; empty for any other count."""
    unit = measured_in(number)
    return unit if unit in AREAS else ""


def is_other_per(pers: frozenset[str], unit: str) -> bool:
    """Whether words that say what an amount is ``pers`` name another unit of what ``unit`` measures."""
    alike = {one for one in pers & SIZED if _DIMENSIONS[one] == _DIMENSIONS.get(unit)}
    return bool(alike) and unit not in alike


def measured_in(number: NumericClaim) -> str:
    """The unit of measure that the noun behind a number names; empty for any other count."""
    return _measure_of(number.noun) if number.noun else ""


@lru_cache(maxsize=4096)
def _measure_of(noun: str) -> str:
    named = (unit for units in units_in(noun) for unit in sorted(units) if unit in MEASURES)
    return next(named, "") or _IN_LETTERS.get(noun, "")


def units_in(text: str) -> list[frozenset[str]]:
    """What each word for a unit in a text may mean, in their order."""
    return [mark.value for mark in lexicons.phrases("units").find(lexicons.Words(text))]


def is_physical(text: str) -> bool:
    """Whether a text names a unit of energy, mass, volume or length: ``2024/25 MWh``; what may be part of a name, as in
    ``Oak Yard``, only where it ends as units do."""
    return unit_in(text) in PHYSICAL or any(units & PHYSICAL - _NAMES_TOO for units in units_in(text))


@lru_cache(maxsize=4096)
def unit_in(text: str) -> str:
    """The unit of measure with which a heading or a label ends: in brackets, a note mark behind them or none, behind a
    comma, or as its last word: ``Weight, kg``; of lengths also a bare ``m``."""
    folded = numbers.fold(text[:_LONGEST])[0]
    ends = _IN_BRACKETS.search(folded) or _APART.search(folded)
    if ends is None:
        return _last_word(folded)
    if ends[1] == "m":
        return "metre" if METRES.search(folded) else ""
    written = text[slice(*ends.span(1))] if len(folded) == len(text[:_LONGEST]) else ""
    return _IN_LETTERS.get(written) or _unit_alone(ends[1])


def _unit_alone(name: str) -> str:
    """The unit that a few words say and nothing else, whatever its scale."""
    found = set().union(*units_in(_unscaled(name)))
    return min(found) if len(found) == 1 and len(name.split()) <= _FEW_WORDS and found <= _MEASURED else ""


def _unscaled(name: str) -> str:
    while name and name[0] in _HAN_SCALES and not name.startswith(numbers.PREFIXED_UNITS):
        name = name[1:]
    return name


def _last_word(folded: str) -> str:
    """The unit that the last words of a text are, where nothing says that something is per it."""
    marks = lexicons.phrases("units").find(lexicons.Words(folded))
    if not marks or marks[-1].end < len(folded.rstrip()) or _PER_IT.search(folded, 0, marks[-1].start):
        return ""
    found = marks[-1].value
    return min(found) if len(found) == 1 and found <= PHYSICAL - _NAMES_TOO else ""


@lru_cache(maxsize=2048)
def unit_of_all(text: str) -> str:
    """The one unit of mass, volume, energy, power or length that a unit line names: ``in thousand tonnes``."""
    found = {unit for units in units_in(text) for unit in units}
    return min(found) if len(found) == 1 and found <= PHYSICAL else ""


_LENGTHS = "|".join(name for keys in lexicons.table("lengths").values() for name in keys["long"])
METRES = regex.compile(rf"(?:{_LENGTHS})\s?[,(\[]\s?mm?(?!\w)")
"""A length in ``m`` or ``mm``, which are no millions."""
_IS_LENGTH = regex.compile(rf"(?<!\p{{L}})(?:{_LENGTHS})$")


def is_length(name: str) -> bool:
    """Whether a name ends in a word for a length: ``Eaves height``."""
    return _IS_LENGTH.search(numbers.fold(name)[0].rstrip(" :")) is not None


_LONGEST = 300  # characters of a text that are looked at
_IN_BRACKETS = regex.compile(r"[(\[]\s*([^()\[\],/%]{1,24}?)\s*[)\]](?:\s?(?:\p{L}|\d|\*{1,3}))?\s*$")
_APART = regex.compile(r"(?:,|(?<=\w)\s[-–])\s*([^()\[\],/%]{1,24}?)\s*$")
_PER_IT = regex.compile(r"(?:\bper\b|\ban?\b|\beach\b|/|每|(?<![א-ת])ל-?)[^,;]{0,12}$")
_HAN_SCALES, _FEW_WORDS = "百千万萬亿億", 3
_MEASURED = MEASURES - {"times"}
_NAMES_TOO = frozenset(("foot", "yard", "inch", "mile", "metre"))  # Mile End, a yard of lorries


def is_other_measure(said: Measure, stated: Measure) -> bool:
    """Whether two amounts are measured in units that are not the same: two of one dimension, or of two. A unit per itself
    is none: litres per litre are what hectolitres per hectolitre are."""
    return any((*_units_apart(stated, said), *_pers_apart(stated, said)))


def _units_apart(stated: Measure, said: Measure) -> Iterator[tuple[str, str]]:
    """The units of two amounts, where they are two and no other names of one."""
    (unit, _), (other, _) = stated, said
    two = unit != other and {unit, other} <= MEASURES and not _is_of_itself(stated, said)
    if two and (_DIMENSIONS[unit] == _DIMENSIONS[other] or _exclude(unit, other)):
        yield unit, other


def _exclude(unit: str, other: str) -> bool:
    """Whether words of two dimensions are sure to mean two."""
    area = _FOR_AREAS & {unit, other} and AREAS & {unit, other}
    return not (area or _UNSURE & {unit, other})


def _pers_apart(stated: Measure, said: Measure) -> Iterator[tuple[str, str]]:
    """The units that two amounts are per, where they are others."""
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
