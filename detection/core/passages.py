"""What a source chunk says: the numbers of its tables and its text, its words, what stands around each number (NUM-06).

None of it depends on the answer, and the same few chunks answer many questions: what was read of a chunk is
remembered, each part of it from when it is first needed.
"""

from functools import cached_property, lru_cache

from detection.core import numbers, prose
from detection.core.chunk import chunk_of
from detection.core.places import Place, Words, words, years
from detection.core.source_labels import label_of
from detection.core.surroundings import Surroundings, surroundings
from detection.core.table_grids import Grid, parts
from detection.core.tables import Table
from detection.core.types import NumericClaim

_REMEMBERED = 4000  # characters; a longer chunk is read anew for each answer
_MOST = 256  # chunks
_LONGEST_DATED = 20_000  # characters of a chunk with tables that are read again for its dates
Dated = tuple[NumericClaim, int, int]


class Passage:
    """The chunk ``text`` of the source ``source``."""

    def __init__(self, source: str, text: str) -> None:
        self.source, self.text = source, text
        self._around: dict[int, Surroundings] = {}
        self._labels: dict[int, str | None] = {}

    @cached_property
    def places(self) -> list[Place]:
        """Every number of the chunk, dates among them."""
        return read(self.source, self.text)

    @cached_property
    def words(self) -> Words:
        """The words and years of the chunk."""
        return words(self.text) | years(self.text)

    @cached_property
    def period(self) -> Words:
        """The one period that the running text names."""
        named = {place.periods for place in self.places if place.table < 0 and place.periods}
        return named.pop() if len(named) == 1 else frozenset()

    @cached_property
    def dates(self) -> list[Dated]:
        """The dates of the chunk with their places, those in the headings of its tables among them."""
        dated = [(place.date, place.start, place.end) for place in self.places if place.date is not None]
        if any(place.table >= 0 for place in self.places):
            found = numbers.extract(self.text[:_LONGEST_DATED])
            dated = [one for one in dated if one[1] >= _LONGEST_DATED]
            dated += [(claim, claim.start, claim.end) for claim in found if claim.kind == "date"]
        return dated

    def around(self, place: Place) -> Surroundings:
        """What stands around ``place``, a number of this chunk."""
        if place.start not in self._around:
            self._around[place.start] = surroundings(self.text, place.start, place.end)
        return self._around[place.start]

    def label(self, place: Place) -> str | None:
        """The label of the row of ``place`` as the chunk writes it; None for running text and rows without one."""
        if place.start not in self._labels:
            self._labels[place.start] = label_of(place, self.text)
        return self._labels[place.start]


def passage(source: str, text: str) -> Passage:
    """The chunk ``text`` of ``source``, with what was read of it before."""
    return Passage(source, text) if len(text) > _REMEMBERED else _known(source, text)


@lru_cache(maxsize=_MOST)
def _known(source: str, text: str) -> Passage:
    return Passage(source, text)


def read(source: str, text: str) -> list[Place]:
    """Every number of a chunk: its tables' cells and its text's claims, dates among them. ``text[start:end]`` of a
    place is the number as written."""
    chunk = chunk_of(source, text)
    places: list[Place] = []
    tables = 0
    for part in parts(chunk.folded):
        if isinstance(part, Grid):
            table = Table(chunk, part, tables)
            places += table.places()
            tables += 1
            for start, end in table.texts:
                places += prose.places(chunk, start, end)
        else:
            places += prose.places(chunk, *part)
    return places
