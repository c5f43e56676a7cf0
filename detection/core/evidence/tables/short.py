"""Rows whose columns only their order tells, and which have fewer values than the others: totals of a list without dates,
single figures below it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import regex

from detection.core.evidence.tables.lines import Piece
from detection.core.evidence.tables.model import Grid, GridRow
from detection.core.evidence.tables.sections import is_furniture

_AMOUNT = regex.compile(r"\d,\d{3}")
_LEAST_ROWS = 2
_MOST_COLUMNS = 12


class Sort(NamedTuple):
    """What the values of a column have in common: whether they are dates, and in which unit."""

    is_time: bool
    unit: str


def _sort(piece: Piece) -> Sort | None:
    """The sort of a value, None of one that stands for none."""
    if piece.said.sort in ("dash", "missing"):
        return None
    unit = piece.said.unit if piece.said.unit in ("%", "x", "pp") else ""
    return Sort(piece.is_time and piece.said.sort != "year", unit)


def fitted(grid: Grid, short: Mapping[int, Sequence[Piece]]) -> None:
    """Put the values of ``short`` rows, by their place, into the only columns that their sorts and their order allow."""
    columns = _columns(grid)
    if len(columns) < _LEAST_ROWS or len(columns) > _MOST_COLUMNS:
        return
    for place, values in short.items():
        ways = _ways([_sort(piece) for piece in values], columns)
        if len(values) > 1 and len(ways) == 1:
            pieces = dict(zip(ways[0], values, strict=True))
            grid.rows[place] = grid.rows[place]._replace(pieces=pieces)


def _columns(grid: Grid) -> dict[int, Sort]:
    """The sort of each column of values, by most of them."""
    counts: dict[int, Counter[Sort]] = {}
    for row in grid.rows:
        for column, piece in row.pieces.items():
            sort = _sort(piece)
            if sort is not None:
                counts.setdefault(column, Counter())[sort] += 1
    return {column: counts[column].most_common(1)[0][0] for column in sorted(counts)}


def _ways(sorts: Sequence[Sort | None], columns: Mapping[int, Sort]) -> list[tuple[int, ...]]:
    """The ways to give values to columns in order, no more than two."""
    found: list[tuple[int, ...]] = [()]
    for sort in sorts:
        found = [
            (*way, column)
            for way in found
            for column, own in columns.items()
            if column > max(way, default=0) and sort in (own, None)
        ]
    return found[:2]


def below(grid: Grid, short: Mapping[int, Sequence[Piece]]) -> Grid | None:
    """The single figures below a list as a table of their own, taken out of it; None where there are not several."""
    first = len(grid.rows)
    while first and len(short.get(first - 1, ())) == 1 and not grid.rows[first - 1].pieces:
        first -= 1
    rows = [row for row in grid.rows[first:] if not is_furniture(row.label)]
    if len(grid.values) < _LEAST_ROWS or len(rows) < _LEAST_ROWS or not first:
        return None
    if any(_AMOUNT.search(row.label) for row in rows):
        return None
    made = [row._replace(pieces={1: short[first + index][0]}) for index, row in enumerate(rows)]
    del grid.rows[first:]
    grid.end = grid.rows[-1].end
    return Grid(
        captions=list(grid.captions),
        rows=[GridRow(*row) for row in made],
        texts=grid.texts,
        columns=2,
        start=made[0].start,
        end=made[-1].end,
    )
