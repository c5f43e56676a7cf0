"""Which scale the tables of an answer's sources are in, when they do not say so themselves (NUM-06).

A filing declares "(in thousands)" above or below a table, often in a chunk of its own. The nearest declaration
counts. Where nothing is declared, the scale that the running text uses for its own amounts is possible too.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

import regex

from detection.core.folding import fold
from detection.core.places import BILLION, MILLION, THOUSAND, Place
from detection.core.table_terms import declared_scales
from detection.core.types import Source

_NEIGHBOURS = 20  # chunks on either side of a table that may declare its scale
_USED = regex.compile(
    r"\d\s?(?:(?P<k>thousand|אלף)|(?P<m>millions?\b|m\b|mn\b|מיליון|百万)|(?P<b>billions?\b|bn\b|מיליארד|十亿))"
)
_POWERS = {"k": THOUSAND, "m": MILLION, "b": BILLION}
_CENTS = 2  # decimals
_ONE = Decimal(1)
_LONGEST = 20_000  # characters of a chunk that are searched for a scale


def _in_full(places: Sequence[Place]) -> frozenset[int]:
    """The tables that show full amounts: to the cent, or in whole thousands alone."""
    amounts: dict[int, list[Decimal]] = {}
    for place in places:
        if place.scale is None and abs(place.value) >= THOUSAND:
            amounts.setdefault(place.table, []).append(place.value)
    return frozenset(
        table
        for table, those in amounts.items()
        if any(-int(value.as_tuple().exponent) == _CENTS for value in those)
        or (len(those) > 1 and all(value % THOUSAND == 0 for value in those))
    )


class Scales:
    """What the chunks declare and use, each looked at once."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._declared: dict[int, Decimal | None] = {}
        self._used: dict[int, frozenset[Decimal]] = {}

    def used(self, chosen: Sequence[int]) -> frozenset[Decimal]:
        """The scales that the text of the chunks ``chosen`` uses for amounts."""
        return frozenset().union(*map(self._used_by, chosen))

    def resolved(self, places: Mapping[int, Sequence[Place]]) -> list[Place]:
        """All of ``places``, those of tables without a scale of their own at the nearest declared one
        unless they show full amounts.

        None is left where only the running text speaks of a scale; where nothing does, a figure is as written.
        """
        left = None if self.used(list(places)) else Decimal(1)
        found: list[Place] = []
        for index, those in places.items():
            if all(place.scale is not None for place in those):
                found += those
                continue
            scale, full = self._nearest(index) or left, _in_full(those)
            found += [
                place
                if place.scale is not None
                else place._replace(scale=_ONE if place.table in full else scale)
                for place in those
            ]
        return found

    def _nearest(self, index: int) -> Decimal | None:
        for away in range(_NEIGHBOURS + 1):
            for other in (index - away, index + away):
                if 0 <= other < len(self._sources) and (scale := self._declared_by(other)) is not None:
                    return scale
        return None

    def _declared_by(self, index: int) -> Decimal | None:
        if index not in self._declared:
            self._declared[index] = next(iter(declared_scales(self._folded(index))), None)
        return self._declared[index]

    def _used_by(self, index: int) -> frozenset[Decimal]:
        if index not in self._used:
            found = _USED.finditer(self._folded(index))
            self._used[index] = frozenset(_POWERS[match.lastgroup] for match in found if match.lastgroup)
        return self._used[index]

    def _folded(self, index: int) -> str:
        return fold(self._sources[index].text[:_LONGEST])[0]
