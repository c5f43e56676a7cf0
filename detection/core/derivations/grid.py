"""The operands that a sentence names among the cells of one table, or among the numbers of one stretch of text.

Over time an operation takes cells that share their row (or, in a table with the years at its left, their
column); between two names it takes cells that share the column or the row which the rest of the sentence names.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from detection.core.chunks import Place, Words

_SLACK = 0.25
_BEST = 3  # rows or columns that fit a phrase equally well and are tried
_MOST = 64  # choices of cells on a line that are looked at
_MOST_NAMED = 9  # choices of rows or columns for the phrases of a sentence
_MOST_SHARED = 12  # columns or rows that such a choice is looked at in
_TEXT_SHARE = 0.5
_SECTION = 0.1  # what an unsaid word of a section costs, beside 0.5 for one of the row itself
_TOTAL = frozenset(("total",))  # what a row without a label is
Cells = tuple[Place, ...]
Scores = dict[int, float]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Cells that an operation may take as its operands, in order, and how well words name them."""

    cells: Cells
    score: float


class Grid:
    """Cells of one table by row and column; numbers of text have a row for each sentence and no columns.

    ``said`` are the words of the claim's sentence, ``named`` the years in it.
    """

    def __init__(self, places: Sequence[Place], said: Words, named: Words) -> None:
        self.said, self.named = said, named
        self.text = places[0].table < 0
        self.at: dict[tuple[int, int], Place] = {}
        self.rows: dict[int, list[Place]] = {}
        self.columns: dict[int, list[Place]] = {}
        for place in places:
            line = place.line
            cell = len(self.rows.get(line, ())) if self.text else place.cell
            self.at[line, cell] = place
            self.rows.setdefault(line, []).append(place)
            self.columns.setdefault(cell, []).append(place)
        self._rows = {line: (cells[0].row or _TOTAL) for line, cells in self.rows.items()}
        self._sections = {line: cells[0].section - cells[0].row for line, cells in self.rows.items()}
        self._columns = {cell: cells[0].column for cell, cells in self.columns.items()}

    @cached_property
    def _row_weights(self) -> dict[str, float]:
        return _weights(map(self.row_label, self._rows))

    @cached_property
    def _column_weights(self) -> dict[str, float]:
        return _weights(self._columns.values())

    def at_year(self, year: str) -> "Grid":
        """The same cells for a sentence that names only ``year``."""
        other = copy(self)
        other.named = frozenset((year,))
        return other

    def rows_named(self, said: Words) -> Scores:
        """The rows that the words ``said`` name best, with their scores; none when no word names one."""
        return _best(
            {line: self._row_score(line, said) for line, label in self._rows.items() if label & said}
        )

    def columns_named(self, said: Words) -> Scores:
        """The columns that the words ``said`` name best, with their scores; none when no word names one."""
        if self.text:
            return {}
        scores = {
            cell: _score(label, said, self._column_weights)
            for cell, label in self._columns.items()
            if label & said
        }
        return _best(scores)

    def row_label(self, line: int) -> Words:
        """The words of a row and of the section it stands in."""
        return self._rows[line] | self._sections[line]

    def column_label(self, cell: int) -> Words:
        """The words of a column's headings, its year not among them."""
        return self._columns[cell]

    def column_score(self, cell: int) -> float:
        """How well the whole sentence names a column."""
        return _score(self._columns[cell], self.said, self._column_weights)

    def row_score(self, line: int) -> float:
        """How well the whole sentence names a row."""
        return self._row_score(line, self.said)

    def _row_score(self, line: int, said: Words) -> float:
        section = _score(self._sections[line], said, self._row_weights, _SECTION)
        return _score(self._rows[line], said, self._row_weights) + section

    def year_fits(self, place: Place) -> bool:
        """Whether no year of the sentence speaks against a cell."""
        return not self.named or not place.years or bool(place.years & self.named)


def _weights(labels: Iterable[Words]) -> dict[str, float]:
    distinct = list(labels)
    counts = Counter(word for label in distinct for word in label)
    return {word: math.log(1 + len(distinct) / count) for word, count in counts.items()}


def _score(label: Words, said: Words, weights: Mapping[str, float], missing: float = 0.5) -> float:
    return math.fsum(
        weights[word] if word in said else -missing * weights[word]
        for word in label
        if word in said or not word.isdigit()  # a number nobody said is a note's
    )


def _best(scores: Scores) -> Scores:
    top = max(scores.values(), default=0.0)
    best = {place: score for place, score in scores.items() if score >= top - _SLACK}
    return best if len(best) <= _BEST else {}


def in_time(grid: Grid, years: Sequence[str]) -> Iterator[Chosen]:
    """One cell for each of ``years``, along the rows that fit the sentence best, else down such columns."""
    wanted = frozenset(years)
    if len(wanted) < 2:
        return
    for cells, score, along in _lines(grid):
        of_year = [[cell for cell in cells if cell.years & wanted == {year}] for year in years]
        found = list(islice(product(*of_year), _MOST))
        least = min((_unlike(chosen, along) for chosen in found), default=0)
        for chosen in found:
            if _unlike(chosen, along) == least:
                yield Chosen(chosen, score + _headings(grid, chosen, along) - least / 2)


def years_of(grid: Grid) -> list[str]:
    """The years that the best-fitting rows or columns have, newest first; a cell of two years counts for none."""
    found = {
        year for cells, _, _ in _lines(grid) for cell in cells if len(cell.years) == 1 for year in cell.years
    }
    return sorted(found, reverse=True)


def between_names(grid: Grid, phrases: Sequence[Words], different: int) -> Iterator[Chosen]:
    """One cell for each of ``phrases``, which name rows of one column, or columns of one row; ``different`` of them.

    Rows or columns that no word tells apart are not two names.
    """
    if grid.text:
        return
    rows = [grid.rows_named(phrase) for phrase in phrases]
    for lines in islice(product(*rows), _MOST_NAMED):
        if len({grid.row_label(line) for line in lines}) >= different:
            score = sum(scores[line] for scores, line in zip(rows, lines, strict=True))
            yield from _sharing(score / len(lines), _down(grid, lines))
    columns = [grid.columns_named(phrase) for phrase in phrases]
    for places in islice(product(*columns), _MOST_NAMED):
        if len({grid.column_label(place) for place in places}) >= different:
            score = sum(scores[place] for scores, place in zip(columns, places, strict=True))
            yield from _sharing(score / len(places), _along(grid, places))


def _sharing(score: float, found: list[tuple[Cells, float]]) -> Iterator[Chosen]:
    top = max((shared for _, shared in found), default=0.0)
    best = ((cells, shared) for cells, shared in found if shared >= top - _SLACK)
    for cells, shared in islice(best, _MOST_SHARED):
        yield Chosen(cells, score + shared)


def _down(grid: Grid, lines: Sequence[int]) -> list[tuple[Cells, float]]:
    """The cells of ``lines`` in each column that no year of the sentence forbids, with how the column fits."""
    found = []
    for column in grid.columns:
        cells = tuple(grid.at[line, column] for line in lines if (line, column) in grid.at)
        if len(cells) == len(lines) and all(map(grid.year_fits, cells)):
            found.append((cells, grid.column_score(column)))
    return found


def _along(grid: Grid, columns: Sequence[int]) -> list[tuple[Cells, float]]:
    """The cells of ``columns`` in each row that the sentence names, with how the row fits."""
    found = []
    for line, score in grid.rows_named(grid.said).items():
        cells = tuple(grid.at[line, column] for column in columns if (line, column) in grid.at)
        if len(cells) == len(columns) and all(map(grid.year_fits, cells)):
            found.append((cells, score))
    return found


def _lines(grid: Grid) -> Iterator[tuple[list[Place], float, bool]]:
    """The rows that fit the sentence best (True), and the columns that do where years stand at their left (False)."""
    if grid.text:
        for cells in grid.rows.values():
            share = len(cells[0].row & grid.said) / (len(grid.said) or 1)
            if share >= _TEXT_SHARE:
                yield cells, share - 1, True
        return
    for line, score in grid.rows_named(grid.said).items():
        yield grid.rows[line], score, True
    for cell, score in grid.columns_named(grid.said).items():
        if len({place.years for place in grid.columns[cell]}) > 1:
            yield grid.columns[cell], score, False


def _headings(grid: Grid, cells: Cells, along: bool) -> float:
    """How the other headings of the cells fit the sentence."""
    if grid.text:
        return 0.0
    of_cell = grid.column_score if along else grid.row_score
    return sum(of_cell(cell.cell if along else cell.line) for cell in cells) / len(cells)


def _unlike(cells: Cells, along: bool) -> int:
    """How many words the headings of the cells differ by, the year left out: quarters go with quarters."""
    labels = [cell.column if along else cell.row for cell in cells]
    return len(frozenset.union(*labels) - frozenset.intersection(*labels))
