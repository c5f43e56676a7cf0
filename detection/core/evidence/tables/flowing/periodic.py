"""Lists with one cell a line: the sorts of the cells repeat with every row."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from detection.core.evidence.tables.lines import Piece
from detection.core.evidence.tables.model import Grid, GridRow, text_of
from detection.core.evidence.tables.sections import is_furniture, is_total
from detection.core.evidence.tables.units import declares, is_unit_line

_MOST_COLUMNS = 16
_LEAST_ROWS = 3
_LONGEST = 4000  # pieces looked at


def period(pieces: Sequence[Piece]) -> tuple[int, int, frozenset[int]] | None:
    """How many cells a row has, the first piece of the first row, and the columns of words; None where nothing repeats, or
    where a label and its values tell the rows already."""
    sorts = "".join(_sort(piece) for piece in pieces[:_LONGEST])
    for own in dict.fromkeys(
        (sorts, sorts.replace("T", "L"))
    ):  # rows may be named by months, and one "total"
        for size in range(3, min(_MOST_COLUMNS, len(own) // _LEAST_ROWS) + 1):
            first = _first(own, size)
            rows = (len(own) - first) // size
            if rows < _LEAST_ROWS or (len(own) - first) % size or first < size - 1:
                continue
            if own[first::2].strip("L") == own[first + 1 :: 2].strip("V.") == "":
                return None  # a label and a value, over and over
            columns = [_column(own[first + place :: size]) for place in range(size)]
            if "L" not in columns[1:] and columns[0] == "L" and "T" not in sorts[first::size]:
                return None
            if "V" in columns and _headed(own, first, size):
                return size, first, frozenset(place for place, sort in enumerate(columns) if sort == "L")
    return None


def without_notes(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces up to the last value that is no number of a page behind the lines of words below the rows."""
    last = len(pieces)
    if last > _FEW and pieces[-1].is_value and is_furniture(pieces[-1].text):
        words = [piece.said.sort == "text" for piece in pieces[-_FEW - 1 : -1]]
        last -= all(words)
    while last and pieces[last - 1].said.sort == "text":
        last -= 1
    return pieces[:last]


_FEW = 2  # lines of words in a row, that no row has


def declared_behind(grid: Grid, notes: Sequence[Piece]) -> None:
    """Add the unit lines below the rows to a table above which none stands: ``All figures in thousand tonnes``."""
    if not any(declares(one.text) for one in grid.captions):
        grid.captions.extend(text_of(piece) for piece in notes if is_unit_line(piece.text))


def without_total(pieces: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """The pieces before a last row of a label that names a total and values only, and that row."""
    first = len(pieces) - 1
    while first > 0 and pieces[first].is_value:
        first -= 1
    row = pieces[first:]
    is_last = 1 < len(row) <= _MOST_COLUMNS and is_total(row[0].text) and not row[0].is_time
    return (pieces[:first], row) if is_last else (pieces, ())


def summed(grid: Grid, row: Sequence[Piece]) -> None:
    """Add a row of totals that lacks cells: each value under the one column that it is the sum of."""
    found: dict[int, Piece] = {}
    sums = {
        column: sum((one.pieces[column].said.value or Decimal(0) for one in grid.rows), Decimal(0))
        for column in grid.values
        if all(column in one.pieces for one in grid.rows)
    }
    for piece in row[1:]:
        under = [column for column, own in sums.items() if own == piece.said.value]
        if len(under) == 1:
            found[under[0]] = piece
    if found:
        grid.rows.append(GridRow({0: row[0], **found}, (), row[0].start, row[-1].end))
        grid.end = row[-1].end


def _sort(piece: Piece) -> str:
    if piece.said.sort in ("dash", "missing"):
        return "."
    return "V" if piece.is_value else "T" if piece.is_time else "L"


def _first(sorts: str, size: int) -> int:
    """Where the repeating begins: behind the last piece that differs from the one a row below."""
    for place in range(len(sorts) - size - 1, -1, -1):
        one, other = sorts[place], sorts[place + size]
        if one != other and "." not in (one, other):
            return place + 1
    return 0


def _column(sorts: str) -> str:
    return max("LVT", key=sorts.count)


def _headed(sorts: str, first: int, size: int) -> bool:
    """Whether words stand above every column, but perhaps the first."""
    return first >= size - 1 and set(sorts[max(0, first - size) : first]) <= {"L", "T"}


def list_of(pieces: Sequence[Piece], size: int, first: int, texts: frozenset[int]) -> Iterator[Grid]:
    """A list whose rows all have ``size`` cells, read from the piece ``first`` on."""
    grid = Grid(texts=texts | {0}, columns=size, start=pieces[0].start)
    lines = [piece for piece in pieces[:first] if declares(piece.text) and piece.text[:1] in "(（"]
    above = [piece for piece in pieces[:first] if piece not in lines]
    heads = above[-size:]
    lacking = size - len(heads)
    grid.heads = {index + lacking: [piece.text] for index, piece in enumerate(heads)} if lacking < 2 else {}
    grid.captions = [text_of(piece) for piece in (*lines, *above[: len(above) - len(heads)])]
    for low in range(first, len(pieces) - size + 1, size):
        row = pieces[low : low + size]
        grid.rows.append(GridRow(dict(enumerate(row)), (), row[0].start, row[-1].end))
    grid.end = grid.rows[-1].end
    yield grid


def by_columns(pieces: Sequence[Piece]) -> Grid | None:
    """A table that was written column by column: all labels, then each heading with its values. None where it was not."""
    sorts = "".join(_sort(piece) for piece in pieces[:_LONGEST]).replace(".", "V")
    runs = [found.span() for found in _VALUES.finditer(sorts)]
    if len(runs) < _LEAST_COLUMNS or len({last - first for first, last in runs}) != 1:
        return None
    size = runs[0][1] - runs[0][0]
    between = [sorts[last:first] for (_, last), (first, _) in pairwise(runs)]
    lead = sorts[: runs[0][0]].rstrip("T")
    if (
        size < _LEAST_COLUMNS
        or not all(between)
        or set("".join(between)) != {"T"}
        or not lead.endswith("L" * size)
    ):
        return None
    return _turned(pieces, runs, len(lead), size)


_VALUES = re.compile("V+")
_LEAST_COLUMNS = 2


def _turned(pieces: Sequence[Piece], runs: Sequence[tuple[int, int]], lead: int, size: int) -> Grid:
    grid = Grid(
        texts=frozenset((0,)), columns=len(runs) + 1, start=pieces[0].start, end=pieces[runs[-1][1] - 1].end
    )
    grid.captions = [text_of(piece) for piece in pieces[: lead - size]]
    low = lead
    shared = pieces[lead : runs[0][0] - (runs[1][0] - runs[0][1])]
    for column, (first, last) in enumerate(runs, start=1):
        grid.heads[column] = list(dict.fromkeys(piece.text for piece in (*shared, *pieces[low:first])))
        low = last
    for row in range(size):
        cells = {column: pieces[first + row] for column, (first, _) in enumerate(runs, start=1)}
        label = pieces[lead - size + row]
        grid.rows.append(GridRow(cells, (), label.start, label.end, label.text))
    return grid
