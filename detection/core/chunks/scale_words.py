"""Which scales a chunk declares, uses or does without (NUM-06)."""

import re
from collections.abc import Sequence
from decimal import Decimal

from detection.core.chunks.places import BILLION, MILLION, THOUSAND, Place
from detection.core.chunks.tables import declared_scales
from detection.core.numbers import fold

_USED = re.compile(
    r"\d\s?(?:(?P<k>thousand|אלף)|(?P<m>millions?\b|m\b|mn\b|מיליון|百万)|(?P<b>billions?\b|bn\b|מיליארד|十亿))"
)
_POWERS = {"k": THOUSAND, "m": MILLION, "b": BILLION}
_CENTS = 2  # decimals
_LONGEST = 20_000  # characters of a chunk that are searched for a scale


def declared(text: str) -> Decimal | None:
    """The first scale that a chunk declares: ``(in thousands)``."""
    return next(iter(declared_scales(_folded(text))), None)


def used(text: str) -> frozenset[Decimal]:
    """The scales that a chunk uses for amounts: ``1.2 million``."""
    found = _USED.finditer(_folded(text))
    return frozenset(_POWERS[match.lastgroup] for match in found if match.lastgroup)


def _folded(text: str) -> str:
    return fold(text[:_LONGEST])[0]


def in_full(places: Sequence[Place]) -> frozenset[int]:
    """The tables that show full amounts: to the cent, or in whole thousands alone."""
    amounts: dict[int, list[Decimal]] = {}
    for place in places:
        if place.scale is None and abs(place.value) >= THOUSAND:
            amounts.setdefault(place.table, []).append(place.value)
    return frozenset(
        table
        for table, those in amounts.items()
        if any(-int(value.as_tuple().exponent) == _CENTS for value in those)
        or (len(those) > 1 and all(_is_in_thousands(value) for value in those))
    )


def _is_in_thousands(value: Decimal) -> bool:
    """Whether a value is so many whole thousands; Decimal's own remainder ends at 28 digits."""
    return value == int(value) and int(value) % 1000 == 0
