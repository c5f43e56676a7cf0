"""Which scale the tables of an answer's sources are in, when they do not say so themselves (NUM-06).

A filing declares "(in thousands)" above or below a table, often in a chunk of its own. The nearest declaration
counts. Where nothing is declared, the scale that the running text uses for its own amounts is possible too, and the
one at which the table's amounts are as large as those of the text.
"""

from collections.abc import Sequence
from decimal import Decimal
from statistics import median_low

from detection.core.chunks import BILLION, MILLION, THOUSAND, Passage, kind_of

_NEIGHBOURS = 20  # chunks on either side of a table that may declare its scale
_FEWEST_TOLD, _FEWEST_SHOWN = 2, 4  # amounts of text and tables that a comparison of sizes needs
_SMALLEST = 10  # a cell that is likely to be an amount
_AS_LARGE = 6  # times that the middle amount of the text may be that of the tables, or the other way round


class Scales:
    """What the chunks of an answer declare and use."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages

    def used(self, chosen: Sequence[int]) -> frozenset[Decimal]:
        """The scales that the text of the chunks ``chosen`` uses for amounts."""
        return frozenset().union(*(self._passages[index].scales_used for index in chosen))

    def of(self, chosen: Sequence[int]) -> list[Decimal | None]:
        """The scale of each of the chunks ``chosen`` where its tables state none: the nearest declared one.

        It is None, open, where only the running text speaks of a scale; where nothing does, a figure is as written.
        """
        left = None if self.used(chosen) else Decimal(1)
        return [self._nearest(index) or left for index in chosen]

    def as_large(self, chosen: Sequence[int]) -> frozenset[Decimal]:
        """The scale that makes the middle amount of tables without one about as large as that of the text."""
        if not self.used(chosen):
            return frozenset()
        read = [self._passages[index] for index in chosen]
        texts = (place for one in read for place in one.places if place.table < 0)
        told = [abs(place.value * (place.scale or 1)) for place in texts if kind_of(place) == "currency"]
        bare = [one for one, scale in zip(read, self.of(chosen), strict=True) if scale is None]
        cells = (place for one in bare for place in one.places if place.table >= 0 and place.scale is None)
        shown = [abs(place.value) for place in cells if abs(place.value) >= _SMALLEST]
        if len(told) < _FEWEST_TOLD or len(shown) < _FEWEST_SHOWN:
            return frozenset()
        middle, large = median_low(shown), median_low(told)
        scales = (THOUSAND, MILLION, BILLION)
        return frozenset(s for s in scales if large / _AS_LARGE <= middle * s <= large * _AS_LARGE)

    def _nearest(self, index: int) -> Decimal | None:
        near = range(max(index - _NEIGHBOURS, 0), min(index + _NEIGHBOURS + 1, len(self._passages)))
        declaring = (other for other in near if self._passages[other].scale is not None)
        nearest = min(declaring, key=lambda other: abs(other - index), default=None)
        return None if nearest is None else self._passages[nearest].scale
