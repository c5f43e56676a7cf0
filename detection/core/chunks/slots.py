"""The slots that sources have for numbers: rows, columns and sentences, ready to be held against a claim (NUM-06).

Words weigh by how rarely they occur among the lines of the sources that are read: a word that one row has
alone says more than one that they all share.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from detection.core.chunks.asked import names_total, operations
from detection.core.chunks.places import Place, Words, kind_of, units_meet, words
from detection.core.types import NumericClaim

TOTAL = words("total")
_MARKS = frozenset("$€£¥₪₹")
_Key = tuple[str, str, bool]  # of numbers that the same places can be compared with


class Head(NamedTuple):
    """What stands over a cell: the words of its column, and its years."""

    column: Words
    years: Words


class Label(NamedTuple):
    """The words of a row, a section or a column, what they weigh together, and whether they speak of a total."""

    words: Words
    weight: float
    total: bool


class Slot(NamedTuple):
    """A place with what its own words say: which operations they speak of, whether they make it a change, and
    whether the place itself names a currency (a cell may have its table's). ``amount`` is its value in major units.

    Cells of one ``head`` have their column and years in common, those of one ``kind`` year, unit and operation; both
    are counted within their table.
    """

    place: Place
    operations: frozenset[str]
    moves: bool
    marked: bool
    head: int
    kind: int
    amount: Decimal | None


class Cells(NamedTuple):
    """Cells of a table that a number can be compared with, and the heads of each line of them."""

    table: "TableSlots"
    cells: list[Slot]
    heads: dict[int, frozenset[int]]


class TableSlots:
    """One table: the words of the label and the section of each line, its heads, each with the words that its column
    has alone, a cell of each kind, and all cells."""

    def __init__(self, cells: Sequence[Place]) -> None:
        headings = {place.column for place in cells}
        shared = frozenset.intersection(*headings) if len(headings) > 1 else frozenset()
        self.newest = max((year for place in cells for year in place.years), default="")
        heads: dict[Head, int] = {}
        kinds: dict[Hashable, int] = {}
        self.cells = [_slot(place, heads, kinds) for place in cells]
        self.heads = [Head(column - shared, years) for column, years in heads]
        self.kinds = [next(cell for cell in self.cells if cell.kind == kind) for kind in kinds.values()]
        self.rows: dict[int, Words] = {}
        self.sections: dict[int, Words] = {}
        for place in cells:
            if place.line not in self.rows:
                self.rows[place.line] = row = _row(place)
                self.sections[place.line] = place.section - row

    def comparable(self, number: NumericClaim) -> Cells:
        """The cells whose unit can be that of ``number``."""
        cells = [cell for cell in self.cells if units_meet(cell.place, number)]
        heads: dict[int, set[int]] = {}
        for cell in cells:
            heads.setdefault(cell.place.line, set()).add(cell.head)
        return Cells(self, cells, {line: frozenset(those) for line, those in heads.items()})


class Comparable(NamedTuple):
    """What numbers of one unit can be compared with: cells by their tables, and the slots of running text."""

    tables: list[Cells]
    texts: list[Slot]


class ChunkSlots:
    """Every place of one chunk, by table and by text; ``counts`` tells how many lines and columns have a word."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places
        texts = [place for place in places if place.table < 0 and place.date is None]
        self.texts = [_slot(place, {}, {}) for place in texts if not _is_mark(place)]
        grouped: dict[int, list[Place]] = {}
        for place in places:
            if place.table >= 0 and place.date is None:
                grouped.setdefault(place.table, []).append(place)
        self.tables = [TableSlots(cells) for cells in grouped.values()]
        lines = {(p.table, p.line): _row(p) | p.section for p in places}
        columns = {(p.table, p.cell): p.column for p in places if p.table >= 0}
        self.said = frozenset(lines.values())
        self.lines = len(lines) + len(columns)
        self.counts = Counter(word for said in (*lines.values(), *columns.values()) for word in said)
        self._comparable: dict[_Key, Comparable] = {}

    def comparable(self, number: NumericClaim) -> Comparable:
        """The slots whose unit can be that of ``number``."""
        key = number.kind, number.unit, number.noun is None
        if key not in self._comparable:
            tables = [table.comparable(number) for table in self.tables]
            texts = [slot for slot in self.texts if units_meet(slot.place, number)]
            self._comparable[key] = Comparable([table for table in tables if table.cells], texts)
        return self._comparable[key]


class _Weights(dict[str, float]):
    """How much each word says: the logarithm of how rare it is among lines and columns."""

    def __init__(self, counts: Mapping[str, int], lines: int) -> None:
        self._counts, self._lines = counts, lines

    def __missing__(self, word: str) -> float:
        self[word] = weight = math.log(1 + (self._lines + 1) / (self._counts.get(word, 0) + 0.5))
        return weight


class Slots:
    """The slots of the chunks that were read, together; built once for many claims."""

    def __init__(self, chunks: Sequence[ChunkSlots], words_of: Mapping[str, Words]) -> None:
        self._chunks, self.words_of = chunks, words_of
        self._counts: Counter[str] = Counter()
        for chunk in chunks:
            self._counts.update(chunk.counts)
        self._lines = sum(chunk.lines for chunk in chunks)
        self._said = frozenset[Words]().union(*(chunk.said for chunk in chunks))
        self._names: dict[str, tuple[Words, ...]] = {}
        self._weights = _Weights(self._counts, self._lines)
        self._labels: dict[Words, Label] = {}

    @property
    def places(self) -> list[Place]:
        """Every place of the chunks."""
        return [place for chunk in self._chunks for place in chunk.places]

    def names(self, metric: str | None, names: Mapping[str, tuple[Words, ...]]) -> tuple[Words, ...]:
        """Those of the ``names`` of ``metric``, in any language, that a line of the sources has."""
        if (metric or "") not in self._names:
            known = [name for name in names.get(metric or "", ()) if name <= self._counts.keys()]
            self._names[metric or ""] = tuple(name for name in known if any(map(name.issubset, self._said)))
        return self._names[metric or ""]

    def known(self, word: str) -> bool:
        """Whether any line or column has ``word``."""
        return word in self._counts

    def weigh(self, said: Iterable[str]) -> float:
        """What some words weigh together."""
        return math.fsum(map(self._weights.__getitem__, said))

    def label(self, said: Words) -> Label:
        """Some words as a label."""
        if said not in self._labels:
            self._labels[said] = Label(said, self.weigh(said), names_total(said))
        return self._labels[said]

    def comparable(self, number: NumericClaim) -> Comparable:
        """The cells of each table and the slots of the text whose unit can be that of ``number``."""
        found = [chunk.comparable(number) for chunk in self._chunks]
        return Comparable(
            [table for one in found for table in one.tables], [slot for one in found for slot in one.texts]
        )


def _slot(place: Place, heads: dict[Head, int], kinds: dict[Hashable, int]) -> Slot:
    """A cell with a year is a change only where its column says so; its row may name a movement of its own."""
    own = operations(place.row) | operations(place.section) | operations(place.column)
    spoken = operations(place.column) if place.table >= 0 and place.years else own
    moves = "change" in spoken
    marked = (place.table < 0 or not _MARKS.isdisjoint(place.text)) and kind_of(place) == "currency"
    head = heads.setdefault(Head(place.column, place.years), len(heads))
    kind = kinds.setdefault((place.years, own, moves, marked, place.unit), len(kinds))
    amount = None if place.scale is None else place.value * place.scale
    return Slot(place, own, moves, marked, head, kind, amount)


def _row(place: Place) -> Words:
    """The label of a place's row; a row of a section without one is the total of what stands above it."""
    return place.row or (place.section | TOTAL if place.section else place.row)


def _is_mark(place: Place) -> bool:
    """``(1)`` at the head of a note is no number."""
    return place.text.startswith("(") and not place.unit and abs(place.value) < 100 and place.value % 1 == 0
