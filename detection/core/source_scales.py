"""Which scale the tables of an answer's sources are in, when they do not say so themselves (NUM-06).

A filing declares "(in thousands)" above or below a table, often in a chunk of its own. The nearest declaration
counts. Where nothing is declared, the scale that the running text uses for its own amounts is possible too.
"""

from collections.abc import Sequence
from decimal import Decimal

from detection.core.passages import Passage

_NEIGHBOURS = 20  # chunks on either side of a table that may declare its scale


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

    def _nearest(self, index: int) -> Decimal | None:
        for away in range(_NEIGHBOURS + 1):
            for other in (index - away, index + away):
                if 0 <= other < len(self._passages) and (scale := self._passages[other].scale) is not None:
                    return scale
        return None
