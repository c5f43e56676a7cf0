"""Rows whose columns only their order tells, and which have fewer values than the others: totals of a list without dates,
single figures below it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import regex

from detection.core.evidence.tables.lines import Piece
from detection.core.evidence.tables.model import Grid, GridRow
from detection.core.evidence.tables.sections import is_furniture

_AMOUNT = regex.compile(r"\d,\d{3}")
_LEAST_ROWS = 2
_MOST_COLUMNS = 12
_MOST_WAYS = 64


class Sort(NamedTuple):
    """What the values of a column have in common: whether they are dates, in which unit, and the place of their last
    digit, None where it differs; ``signed``: a currency stands at some of them."""

    is_time: bool
    unit: str
    step: Decimal | None
    signed: bool


def _sort(piece: Piece) -> Sort | None:
    """The sort of a value, None of one that stands for none."""
    if piece.said.sort in ("dash", "missing"):
        return None
    unit = piece.said.unit
    rate = unit if unit in ("%", "x", "pp") else ""
    is_time = piece.is_time and piece.said.sort != "year"
    return Sort(is_time, rate, piece.said.step, bool(unit) and not rate)


def fitted(grid: Grid, short: Mapping[int, Sequence[Piece]]) -> None:
    """Put the values of ``short`` rows, by their place, into the only columns that their sorts and their order allow; of
    several ways into those that they are the sums of."""
    columns = _columns(grid)
    if len(columns) < _LEAST_ROWS or len(columns) > _MOST_COLUMNS:
        return
    for place, values in short.items():
        if len(values) < _LEAST_ROWS:
            continue
        sorts = [_sort(piece) for piece in values]
        ways = _ways(sorts, columns)
        if not ways:
            ways = _ways(sorts, {column: own._replace(step=None) for column, own in columns.items()})
        if len(ways) > 1:
            summed = [_sums(grid, place, dict(zip(way, values, strict=True))) for way in ways]
            most = max(summed)
            ways = [way for way, own in zip(ways, summed, strict=True) if most >= _LEAST_ROWS and own == most]
        if len(ways) == 1:
            pieces = dict(zip(ways[0], values, strict=True))
            grid.rows[place] = grid.rows[place]._replace(pieces=pieces)


def _columns(grid: Grid) -> dict[int, Sort]:
    """The sort of each column of values, by most of them."""
    found: dict[int, list[Sort]] = {}
    for row in grid.rows:
        for column, piece in row.pieces.items():
            sort = _sort(piece)
            if sort is not None:
                found.setdefault(column, []).append(sort)
    return {column: _common(found[column]) for column in sorted(found)}


def _common(sorts: Sequence[Sort]) -> Sort:
    (is_time, unit), _ = Counter((one.is_time, one.unit) for one in sorts).most_common(1)[0]
    steps = {one.step for one in sorts}
    return Sort(is_time, unit, steps.pop() if len(steps) == 1 else None, any(one.signed for one in sorts))


def _ways(sorts: Sequence[Sort | None], columns: Mapping[int, Sort]) -> list[tuple[int, ...]]:
    """The ways to give values to columns in order."""
    found: list[tuple[int, ...]] = [()]
    for sort in sorts:
        found = [
            (*way, column)
            for way in found
            for column, own in columns.items()
            if column > max(way, default=0) and (sort is None or _fits(sort, own))
        ][:_MOST_WAYS]
    return found


def _fits(sort: Sort, column: Sort) -> bool:
    alike = (sort.is_time, sort.unit) == (column.is_time, column.unit)
    return alike and column.step in (None, sort.step) and column.signed >= sort.signed


def _sums(grid: Grid, place: int, values: Mapping[int, Piece]) -> int:
    """How many values are what those above them come to."""
    amounts = {column: one.said.value for column, one in values.items()}
    return sum(bool(value) and value == _sum(grid, place, column) for column, value in amounts.items())


def _sum(grid: Grid, place: int, column: int) -> Decimal:
    above = (row.pieces[column].said.value for row in grid.rows[:place] if column in row.pieces)
    return sum((one for one in above if one is not None), Decimal(0))


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
