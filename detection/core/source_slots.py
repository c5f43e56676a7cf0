"""The slots that sources have for numbers: rows, columns and sentences, ready to be held against a claim (NUM-06).

Words weigh by how rarely they occur among the lines of the sources that are read: a word that one row has
alone says more than one that they all share.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from detection.core.metric_words import ALIASES
from detection.core.places import Place, Words, words

TOTAL = words("total")


@dataclass(frozen=True, slots=True)
class Label:
    """The words of a row, a section or a column, with what they weigh together."""

    words: Words
    weight: float


@dataclass(slots=True)
class TableSlots:
    """One table: a label and a section for each line, a label for each column, and its cells."""

    rows: dict[int, Label] = field(default_factory=dict)
    sections: dict[int, Label] = field(default_factory=dict)
    columns: dict[Words, Label] = field(default_factory=dict)
    cells: list[Place] = field(default_factory=list)


class Slots:
    """Every place of the sources that were read, by table and by text; built once for many claims."""

    def __init__(self, places: Sequence[Place], chunks: dict[str, Words]) -> None:
        self.places, self.chunks = places, chunks
        self.texts = [
            place for place in places if place.table < 0 and place.date is None and not _is_mark(place)
        ]
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
        self.tables = [self._table(cells) for cells in grouped.values()]

    def names(self, metric: str | None) -> tuple[Words, ...]:
        """The names of ``metric``, in any language, that a line of the sources has."""
        if (metric or "") not in self._names:
            known = {words(name) for name in ALIASES.get(metric or "", ())}
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

    def _table(self, cells: list[Place]) -> TableSlots:
        headings = {place.column for place in cells}
        shared = frozenset.intersection(*headings) if len(headings) > 1 else frozenset()
        table = TableSlots(cells=cells)
        table.columns = {column: self._label(column - shared) for column in headings}
        for place in cells:
            if place.line not in table.rows:
                row = _row(place)
                table.rows[place.line] = self._label(row)
                table.sections[place.line] = self._label(place.section - row)
        return table

    def _label(self, said: Words) -> Label:
        return Label(said, self.weigh(said))


def _row(place: Place) -> Words:
    """The label of a place's row; a row without one is the total of what stands above it."""
    return place.row or (place.section | TOTAL if place.table >= 0 else place.row)


def _is_mark(place: Place) -> bool:
    """``(1)`` at the head of a note is no number."""
    return place.text.startswith("(") and not place.unit and abs(place.value) < 100 and place.value % 1 == 0
