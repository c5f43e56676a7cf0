"""The operands that a sentence names among the cells of one table, or among the numbers of one stretch of text.

Over time an operation takes cells that share their row (or, in a table with the years at its left, their
column); between two names it takes cells that share the column or the row which the rest of the sentence names.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from detection.core.places import Words
from detection.core.slots import Fit

SLACK = 0.25
_BEST = 3  # rows or columns that fit a phrase equally well and are tried
_MOST = 64  # choices of cells on a line that are looked at
_TEXT_SHARE = 0.5
Cells = tuple[Fit, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cells that an operation may take as its operands, in order, and how well words name them."""

    cells: Cells
    score: float


class Grid:
    """Cells of one table by row and column; numbers of text have a row for each sentence and no columns."""

    def __init__(self, fits: Sequence[Fit]) -> None:
        self.text = fits[0].place.table < 0
        self.at: dict[tuple[int, int], Fit] = {}
        self.rows: dict[int, list[Fit]] = {}
        self.columns: dict[int, list[Fit]] = {}
        for fit in fits:
            line = fit.place.line
            cell = len(self.rows.get(line, ())) if self.text else fit.place.cell
            self.at[line, cell] = fit
            self.rows.setdefault(line, []).append(fit)
            self.columns.setdefault(cell, []).append(fit)
        self._row_words = {
            line: cells[0].place.row | cells[0].place.section for line, cells in self.rows.items()
        }
        self._column_words = {cell: cells[0].place.column for cell, cells in self.columns.items()}
        self._row_weights = _weights(self._row_words.values())
        self._column_weights = _weights(self._column_words.values())

    def rows_named(self, said: Words) -> list[tuple[int, float]]:
        """The rows that the words ``said`` name best, with their scores; none when no word names one."""
        return _best(self._row_words, said, self._row_weights)

    def columns_named(self, said: Words) -> list[tuple[int, float]]:
        """The columns that the words ``said`` name best, with their scores; none when no word names one."""
        return [] if self.text else _best(self._column_words, said, self._column_weights)


def _weights(labels: Iterable[Words]) -> dict[str, float]:
    distinct = list(labels)
    counts = Counter(word for label in distinct for word in label)
    return {word: math.log(1 + len(distinct) / count) for word, count in counts.items()}


def _best(labels: Mapping[int, Words], said: Words, weights: Mapping[str, float]) -> list[tuple[int, float]]:
    scored = []
    for place, label in labels.items():
        if label & said:
            scored.append((place, sum(weights[word] * (1 if word in said else -0.5) for word in label)))
    top = max((score for _, score in scored), default=0.0)
    return [(place, score) for place, score in scored if score > 0 and score >= top - SLACK][:_BEST]


def in_time(grid: Grid, years: Sequence[str]) -> Iterator[Chosen]:
    """One cell for each of ``years``, along the rows that fit the sentence best, else down such columns."""
    wanted = frozenset(years)
    if len(wanted) < 2:
        return
    for cells, along in _lines(grid):
        of_year = [[fit for fit in cells if fit.place.years & wanted == {year}] for year in years]
        for chosen in islice(product(*of_year), _MOST):
            yield Chosen(chosen, _fitness(chosen) - _unlike(chosen, along))


def years_of(grid: Grid) -> list[str]:
    """The years that the best-fitting rows or columns have, newest first; a cell of two years counts for none."""
    found = {
        year
        for cells, _ in _lines(grid)
        for fit in cells
        if len(fit.place.years) == 1
        for year in fit.place.years
    }
    return sorted(found, reverse=True)


def between_names(grid: Grid, phrases: Sequence[Words]) -> Iterator[Chosen]:
    """One cell for each of ``phrases``, which name rows of one column, or columns of one row."""
    if grid.text:
        return
    rows = [grid.rows_named(phrase) for phrase in phrases]
    columns = [grid.columns_named(phrase) for phrase in phrases]
    for named in islice(product(*rows), _MOST):
        lines = [line for line, _ in named]
        if len(set(lines)) == len(lines):
            yield from _sharing(sum(score for _, score in named), _down(grid, lines))
    for named in islice(product(*columns), _MOST):
        places = [place for place, _ in named]
        if len(set(places)) == len(places):
            yield from _sharing(sum(score for _, score in named), _along(grid, places))


def _sharing(score: float, found: list[tuple[Cells, float]]) -> Iterator[Chosen]:
    top = max((shared for _, shared in found), default=0.0)
    for cells, shared in found:
        if shared >= top - SLACK:
            yield Chosen(cells, score + shared)


def _down(grid: Grid, lines: Sequence[int]) -> list[tuple[Cells, float]]:
    """The cells of ``lines`` in each column that no year of the sentence forbids, with how the column fits."""
    found = []
    for column in grid.columns:
        cells = tuple(grid.at[line, column] for line in lines if (line, column) in grid.at)
        if len(cells) == len(lines) and all(fit.year for fit in cells):
            found.append((cells, cells[0].column))
    return found


def _along(grid: Grid, columns: Sequence[int]) -> list[tuple[Cells, float]]:
    """The cells of ``columns`` in each row that the sentence names, with how the row fits."""
    found = []
    for line in grid.rows:
        cells = tuple(grid.at[line, column] for column in columns if (line, column) in grid.at)
        if len(cells) == len(columns) and all(fit.year and fit.sure for fit in cells):
            found.append((cells, cells[0].row))
    return found


def _lines(grid: Grid) -> list[tuple[list[Fit], bool]]:
    """The rows that fit the sentence best (True), else the columns that do and have years at their left (False)."""
    if grid.text:
        return [(cells, True) for cells in grid.rows.values() if cells[0].row >= _TEXT_SHARE][:_BEST]
    rows = [cells for cells in grid.rows.values() if cells[0].sure]
    best = max((cells[0].row for cells in rows), default=0.0)
    chosen = [(cells, True) for cells in rows if cells[0].row >= best - SLACK][:_BEST]
    top = max((cells[0].column for cells in grid.columns.values()), default=0.0)
    columns = [cells for cells in grid.columns.values() if cells[0].column >= top - SLACK and _dated(cells)]
    return chosen + [(cells, False) for cells in columns[:_BEST]]


def _dated(cells: Sequence[Fit]) -> bool:
    """Whether the cells of a column differ in the years they belong to."""
    return len({fit.place.years for fit in cells}) > 1


def _fitness(cells: Cells) -> float:
    return sum(fit.row + fit.column for fit in cells) / len(cells)


def _unlike(cells: Cells, along: bool) -> float:
    """How much the headings of the cells differ beside the year: quarters belong to quarters."""
    labels = [fit.place.column if along else fit.place.row for fit in cells]
    return 0.5 * len(frozenset.union(*labels) - frozenset.intersection(*labels))
