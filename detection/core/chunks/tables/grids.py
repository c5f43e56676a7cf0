"""Where the tables of a chunk stand, and their cells: bars, tabs, CSV, aligned columns, HTML (NUM-06).

A chunk falls into grids of cells and stretches of text. What is only nearly a table stays text.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from detection.core.chunks.tables import columns, html
from detection.core.chunks.tables.cells import EMPTY, Cell, written

_DIVIDED = re.compile(r"[|\t]")
_DRAWN = re.compile(r"[\s|+:=-]*")
_BLANKS = " \u00a0\u3000\r"
_LETTER = re.compile(r"[^\W\d_]")


class Grid(NamedTuple):
    """The rows of one table of the folded chunk between ``start`` and ``end``; the first ``headed`` rows are known
    to be headings, ``caption`` is what the table itself says above its rows."""

    rows: list[list[Cell]]
    start: int
    end: int
    headed: int = 0
    caption: str = ""


Stretch = tuple[int, int]
_Line = tuple[int, str]
_MOST_BROKEN = 8  # lines of one row


def parts(chunk: str) -> Iterator[Grid | Stretch]:
    """The grids and the stretches of text of a folded chunk, in order; together they hold all of it."""
    last = 0
    for start, end, tables, outside in html.tables(chunk):
        yield from _of_lines(chunk, last, start)
        yield from (Grid(rows, low, high, headed, caption) for rows, low, high, headed, caption in tables)
        yield from outside
        last = end
    yield from _of_lines(chunk, last, len(chunk))


def _of_lines(chunk: str, low: int, high: int) -> Iterator[Grid | Stretch]:
    if low >= high:
        return
    lines = _mended(_lines(chunk, low, high))
    if _DIVIDED.search(chunk, low, high) is None:
        yield from _undivided(lines)
        return
    for divided, run in _runs(lines):
        yield from _divided(run) if divided else _undivided(run)


def _lines(chunk: str, low: int, high: int) -> list[_Line]:
    lines, place = [], low
    while place < high:
        stop = chunk.find("\n", place, high)
        stop = high if stop < 0 else stop
        lines.append((place, chunk[place:stop]))
        place = stop + 1
    return lines


def _mended(lines: list[_Line]) -> list[_Line]:
    """The lines with those put together that are one row whose cells have line ends in them: together they have as
    many bars as the row below has."""
    bars = [line.count("|") for _, line in lines]
    if len(set(bars) - {0}) < 2:
        return lines
    found: list[_Line] = []
    place = 0
    while place < len(lines):
        stop = _row_end(lines, bars, place)
        found.append((lines[place][0], " ".join(line for _, line in lines[place:stop])))
        place = stop
    return found


def _row_end(lines: list[_Line], bars: list[int], first: int) -> int:
    """The line behind the row that begins with the line ``first``: the next one, where the row is not broken."""
    total, stop = bars[first], first + 1
    while total and stop < min(len(lines), first + _MOST_BROKEN):
        if stop > first + 1 and bars[stop] == total > max(bars[first:stop]):
            return stop if not first or bars[first - 1] in (0, total) else first + 1
        if not lines[stop][1].strip() or written(lines[stop - 1][1].rpartition("|")[2].strip()):
            break
        total += bars[stop]
        stop += 1
    return first + 1


def _is_rule(line: str) -> bool:
    return ("-" in line or "=" in line) and _DRAWN.fullmatch(line) is not None


def _runs(lines: list[_Line]) -> Iterator[tuple[bool, list[_Line]]]:
    """Lines with bars or tabs and lines without, run by run. Blank lines do not end a table whose columns go on
    behind them, nor do drawn lines."""
    run: list[_Line] = []
    held: list[_Line] = []  # blank and drawn lines that may belong to the table before them
    divided = False
    for line in lines:
        bare = not line[1].strip()
        this = not bare and _DIVIDED.search(line[1]) is not None
        if divided and (bare or (not this and _is_rule(line[1]))):
            held.append(line)
        elif run and this and divided and _continues(run[-1][1], held, line[1]):
            run += [*held, line]
            held = []
        elif run and not this and not divided:
            run.append(line)
        else:
            if run:
                yield divided, run
            run, divided, held = [line] if this else [*held, line], this, []
    if run:
        yield divided, run


def _continues(last: str, held: list[_Line], line: str) -> bool:
    """Whether a line behind a gap is one more row of the table: as many columns, a label and a number."""
    if all(between.strip() for _, between in held):
        return True
    cells = [cell.strip() for cell in _DIVIDED.split(line.strip().strip("|"))]
    same = len(_DIVIDED.findall(last)) == len(_DIVIDED.findall(line))
    return same and _LETTER.search(cells[0]) is not None and any(written(cell) for cell in cells[1:])


def _divided(lines: list[_Line]) -> Iterator[Grid | Stretch]:
    bar = "|" if any("|" in line for _, line in lines) else "\t"
    filled = [line for _, line in lines if line.strip() and not _is_rule(line)]
    outer = bar == "|" and bool(filled) and all(line.lstrip(_BLANKS)[:1] == "|" for line in filled)
    rows: list[list[Cell]] = []
    headed = 0
    for start, line in lines:
        if _is_rule(line):
            headed = headed or (len(rows) if len(rows) == 1 or not _counted(rows) else 0)
        elif line.strip():
            rows.append(_cells(start, line.replace("\\|", "\\/"), bar, outer))
    stop = lines[-1][0] + len(lines[-1][1])
    if _tabular(rows):
        yield Grid(rows, lines[0][0], stop, headed)
    else:
        yield lines[0][0], stop


def _cells(start: int, line: str, bar: str, outer: bool) -> list[Cell]:
    """The cells of a line, trimmed; with ``outer`` bars the line begins and may end with one."""
    if outer:
        gap = line.find("|") + 1
        line = line.rstrip(_BLANKS)
        start, line = start + gap, line[gap : -1 if line.endswith("|") and len(line) > gap else None]
    cells = []
    for column, text in enumerate(line.split(bar)):
        plain = text.strip()
        left = len(text) - len(text.lstrip()) if plain else 0
        cells.append(Cell(plain, start + left, column, 1, None, False, 0 if column else left))
        start += len(text) + 1
    return cells


def _counted(rows: list[list[Cell]]) -> bool:
    return any(cell.text and written(cell.text) for row in rows for cell in row[1:])


def _tabular(rows: list[list[Cell]]) -> bool:
    """Rows are a table when a cell beside the first is a number, or two neighbouring rows have as many cells."""
    if _counted(rows):
        return True
    filled = sum(cell.text not in EMPTY for row in rows for cell in row[1:])
    return filled > 0 and any(len(one) == len(other) > 1 for one, other in pairwise(rows))


def _undivided(lines: list[_Line]) -> Iterator[Grid | Stretch]:
    """Lines without bars: what is CSV or stands in columns is a grid, the rest text."""
    first = 0
    for low, high, rows in columns.tables(lines):
        if low > first:
            yield lines[first][0], lines[low - 1][0] + len(lines[low - 1][1])
        yield Grid(rows, lines[low][0], lines[high - 1][0] + len(lines[high - 1][1]))
        first = high
    if first < len(lines):
        yield lines[first][0], lines[-1][0] + len(lines[-1][1])
