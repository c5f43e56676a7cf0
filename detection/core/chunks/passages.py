"""What a source chunk says: the numbers of its tables and its text, its words, what stands around each number (NUM-06).

None of it depends on the answer, and the same few chunks answer many questions: what was read of a chunk is
remembered, each part of it from when it is first needed.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from detection.core import numbers
from detection.core.binding import Names
from detection.core.binding import Words as Cut
from detection.core.chunks import prose, scale_words, source_units
from detection.core.chunks.chunk import chunk_of
from detection.core.chunks.introductions import introduction
from detection.core.chunks.labels import label_of, with_unit
from detection.core.chunks.metric_names import Vocabulary
from detection.core.chunks.places import Place, Words, words, years
from detection.core.chunks.slots import ChunkSlots
from detection.core.chunks.surroundings import Surroundings, surroundings
from detection.core.chunks.tables import Grid, Table, parts
from detection.core.types import NumericClaim

_REMEMBERED = 4000  # characters; a longer chunk is read anew for each answer
_MOST = 512  # chunks
_MOST_READINGS = 4  # of one chunk, in answers that take its bare cells for different amounts
_LONGEST = 20_000  # characters of a chunk that are read for its property, and with tables again for its dates
Dated = tuple[NumericClaim, int, int]
K = TypeVar("K")
V = TypeVar("V")


class Amounts(NamedTuple):
    """The places of a chunk with their scales and units, and the currencies that the text and each table name."""

    places: Sequence[Place]
    currencies: Mapping[int, frozenset[str]]


class Passage:
    """The chunk ``text`` of the source ``source``."""

    def __init__(self, source: str, text: str) -> None:
        self.source, self.text = source, text
        self._amounts: dict[tuple[Decimal | None, Vocabulary], Amounts] = {}
        self._slots: dict[tuple[Decimal | None, Vocabulary, str], ChunkSlots] = {}
        self._owners: dict[Names[str | None], str | None] = {}
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
    def scale(self) -> Decimal | None:
        """The scale that the chunk declares."""
        return scale_words.declared(self.text)

    @cached_property
    def scales_used(self) -> frozenset[Decimal]:
        """The scales that the chunk uses for amounts."""
        return scale_words.used(self.text)

    @cached_property
    def introduces(self) -> Words:
        """The words of the sentence that introduces a table."""
        return introduction(self.text)

    @cached_property
    def is_tabular(self) -> bool:
        """Whether the chunk has a table."""
        return any(place.table >= 0 for place in self.places)

    @cached_property
    def period(self) -> Words:
        """The one period that the running text names."""
        named = {place.periods for place in self.places if place.table < 0 and place.periods}
        return named.pop() if len(named) == 1 else frozenset()

    @cached_property
    def dates(self) -> list[Dated]:
        """The dates of the chunk with their places, those in the headings of its tables among them."""
        dated = [(place.date, place.start, place.end) for place in self.places if place.date is not None]
        if self.is_tabular:
            found = numbers.extract(self.text[:_LONGEST])
            dated = [one for one in dated if one[1] >= _LONGEST]
            dated += [(claim, claim.start, claim.end) for claim in found if claim.kind == "date"]
        return dated

    def amounts(self, scale: Decimal | None, known: Vocabulary) -> Amounts:
        """The numbers of the chunk where its tables, if they state none, are in ``scale``."""
        key = scale, known
        if key not in self._amounts:
            places = source_units.with_scale(self.places, scale)
            places = [with_unit(place, known.metrics, self.text) for place in places]
            _keep(self._amounts, key, Amounts(places, source_units.currencies(places)))
        return self._amounts[key]

    def slots(self, scale: Decimal | None, known: Vocabulary, currency: str) -> ChunkSlots:
        """The slots of the chunk where amounts without a sign are in ``currency``."""
        key = scale, known, currency
        if key not in self._slots:
            amounts = self.amounts(scale, known)
            places = source_units.with_currency(amounts.places, amounts.currencies, currency)
            _keep(self._slots, key, ChunkSlots(places))
        return self._slots[key]

    def owner(self, properties: Names[str | None]) -> str | None:
        """The one property that the chunk names; None where it names none or several."""
        if properties not in self._owners:
            named = {mark.value for mark in properties.find(Cut(self.text[:_LONGEST]))}
            _keep(self._owners, properties, named.pop() if len(named) == 1 else None)
        return self._owners[properties]

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


def _keep(readings: dict[K, V], key: K, reading: V) -> None:
    """Add a reading; the oldest goes when there are too many."""
    if len(readings) >= _MOST_READINGS:
        readings.pop(next(iter(readings)))
    readings[key] = reading


def passage(source: str, text: str) -> Passage:
    """The chunk ``text`` of ``source``, with what was read of it before."""
    return Passage(source, text) if len(text) > _REMEMBERED else _known(source, text)


@lru_cache(maxsize=_MOST)
def _known(source: str, text: str) -> Passage:
    return Passage(source, text)


def forget() -> None:
    """Forget every chunk, for whoever measures how long reading them takes."""
    _known.cache_clear()


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
