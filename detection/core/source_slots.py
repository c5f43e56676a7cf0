"""The slots that sources have for numbers: rows, columns and sentences, ready to be held against a claim (NUM-06).

Words weigh by how rarely they occur among the lines of the sources that are read: a word that one row has
alone says more than one that they all share.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from detection.core.comparison import units_meet
from detection.core.places import Place, Words, kind_of, words
from detection.core.types import NumericClaim
from detection.core.wording import names_total, operations

TOTAL = words("total")
_MARKS = frozenset("$€£¥₪₹")


class Label(NamedTuple):
    """The words of a row, a section or a column, what they weigh together, and whether they speak of a total."""

    words: Words
    weight: float
    total: bool


class Slot(NamedTuple):
    """A place with what its own words say: which operations they speak of, whether they make it a change, and
    whether the place itself names a currency (a cell may have its table's).

    Cells of one ``head`` have their column and years in common, those of one ``kind`` year, unit and operation.
    """

    place: Place
    operations: frozenset[str]
    moves: bool
    marked: bool
    head: tuple[Words, Words]
    kind: tuple[object, ...]


@dataclass(slots=True)
class TableSlots:
    """One table: a label and a section for each line, a label for each column, and its cells."""

    rows: dict[int, Label] = field(default_factory=dict)
    sections: dict[int, Label] = field(default_factory=dict)
    columns: dict[Words, Label] = field(default_factory=dict)
    cells: list[Slot] = field(default_factory=list)
    newest: str = ""


Comparable = tuple[list[tuple[TableSlots, list[Slot]]], list[Slot]]


class Slots:
    """Every place of the sources that were read, by table and by text; built once for many claims."""

    def __init__(self, places: Sequence[Place], chunks: dict[str, Words]) -> None:
        self.places, self.chunks = places, chunks
        self.texts = [_slot(p) for p in places if p.table < 0 and p.date is None and not _is_mark(p)]
        grouped: dict[tuple[str, int], list[Place]] = {}
        for place in places:
            if place.table >= 0 and place.date is None:
                grouped.setdefault((place.source, place.table), []).append(place)
        lines = {(p.source, p.table, p.line): _row(p) | p.section for p in places}
        columns = {(p.source, p.table, p.cell): p.column for p in places if p.table >= 0}
        self._counts = Counter(word for said in (*lines.values(), *columns.values()) for word in said)
        self._said = frozenset(lines.values())
        self._names: dict[str, tuple[Words, ...]] = {}
        self._lines = len(lines) + len(columns)
        self._weights: dict[str, float] = {}
        self._labels: dict[Words, Label] = {}
        self._comparable: dict[tuple[str, str, bool], Comparable] = {}
        self.tables = [self._table(cells) for cells in grouped.values()]

    def names(self, metric: str | None, names: Mapping[str, tuple[Words, ...]]) -> tuple[Words, ...]:
        """Those of the ``names`` of ``metric``, in any language, that a line of the sources has."""
        if (metric or "") not in self._names:
            known = names.get(metric or "", ())
            there = [name for name in known if any(name <= line for line in self._said)]
            self._names[metric or ""] = tuple(there)
        return self._names[metric or ""]

    def known(self, word: str) -> bool:
        """Whether any line or column has ``word``."""
        return word in self._counts

    def weight(self, word: str) -> float:
        """How much ``word`` says: the logarithm of how rare it is among lines and columns."""
        if word not in self._weights:
            self._weights[word] = math.log(1 + (self._lines + 1) / (self._counts[word] + 0.5))
        return self._weights[word]

    def weigh(self, said: Iterable[str]) -> float:
        """What some words weigh together."""
        return sum(map(self.weight, said))

    def label(self, said: Words) -> Label:
        """Some words as a label."""
        if said not in self._labels:
            self._labels[said] = Label(said, self.weigh(said), names_total(said))
        return self._labels[said]

    def comparable(self, number: NumericClaim) -> Comparable:
        """The cells of each table and the slots of the text whose unit can be that of ``number``."""
        key = number.kind, number.unit, number.noun is None
        if key not in self._comparable:
            found = [
                (table, [cell for cell in table.cells if units_meet(cell.place, number)])
                for table in self.tables
            ]
            texts = [slot for slot in self.texts if units_meet(slot.place, number)]
            self._comparable[key] = [(table, cells) for table, cells in found if cells], texts
        return self._comparable[key]

    def _table(self, cells: list[Place]) -> TableSlots:
        headings = {place.column for place in cells}
        shared = frozenset.intersection(*headings) if len(headings) > 1 else frozenset()
        newest = max((year for place in cells for year in place.years), default="")
        table = TableSlots(cells=[_slot(place, newest) for place in cells], newest=newest)
        table.columns = {column: self.label(column - shared) for column in headings}
        for place in cells:
            if place.line not in table.rows:
                row = _row(place)
                table.rows[place.line] = self.label(row)
                table.sections[place.line] = self.label(place.section - row)
        return table


def _slot(place: Place, newest: str = "") -> Slot:
    """A cell with a year is a change only where its column says so; its row may name a movement of its own."""
    own = operations(place.row) | operations(place.section) | operations(place.column)
    spoken = operations(place.column) if place.table >= 0 and place.years else own
    moves = "change" in spoken
    marked = (place.table < 0 or not _MARKS.isdisjoint(place.text)) and kind_of(place) == "currency"
    kind = place.years, newest, own, moves, marked, place.unit
    return Slot(place, own, moves, marked, (place.column, place.years), kind)


def _row(place: Place) -> Words:
    """The label of a place's row; a row without one is the total of what stands above it."""
    return place.row or (place.section | TOTAL if place.table >= 0 else place.row)


def _is_mark(place: Place) -> bool:
    """``(1)`` at the head of a note is no number."""
    return place.text.startswith("(") and not place.unit and abs(place.value) < 100 and place.value % 1 == 0
