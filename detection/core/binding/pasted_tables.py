"""Tables pasted into an answer: which rows and columns there are, and which cells a number is named by.

A table is two or more lines in a row that are cut into cells by bars or by tabs. A number belongs to what its
own cell names, then to its row (the cells without numbers), then to the head of its column.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from detection.core.types import NumericClaim

Span = tuple[int, int]
_LINE = regex.compile(r"[^\n]+")
_RULE = regex.compile(r"[\s|:+=\-–—]*")
_MOST_CELLS = 400  # of a line; a longer one is no row anybody wrote
_MOST_LABELS = 8
_LONGEST = 160  # characters of a cell that are looked at for a number


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a number stands in a table: what may name it, nearest first."""

    own: Span
    row: tuple[Span, ...]
    head: Span | None


@dataclass(frozen=True, slots=True)
class _Row:
    start: int
    end: int
    cells: tuple[Span, ...]


def cells(text: str, numbers: Sequence[NumericClaim]) -> dict[int, Cell]:
    """The cell of each number, dates apart, that stands in a table: by place in ``numbers``. The work is linear."""
    if "|" not in text and "\t" not in text:
        return {}
    counted = [(place, number) for place, number in enumerate(numbers) if number.kind != "date"]
    starts = [number.start for _, number in counted]
    found: dict[int, Cell] = {}
    for table in _tables(text):
        head = None if _holding(table[0], starts) else table[0]
        for row in table:
            holding = _holding(row, starts)
            labels = [_clipped(cell) for place, cell in enumerate(row.cells) if place not in holding]
            for place, inside in holding.items():
                above = _clipped(head.cells[place]) if head and place < len(head.cells) else None
                for one in inside:
                    own = _around(row.cells[place], starts[one])
                    found[counted[one][0]] = Cell(own, tuple(labels[:_MOST_LABELS]), above)
    return found


def _clipped(cell: Span) -> Span:
    return cell[0], min(cell[1], cell[0] + _LONGEST)


def _around(cell: Span, place: int) -> Span:
    return max(cell[0], place - _LONGEST), min(cell[1], place + _LONGEST)


def _tables(text: str) -> list[list[_Row]]:
    tables: list[list[_Row]] = []
    current: list[_Row] = []
    delimiter, last = "", 0
    for line in _LINE.finditer(text):
        found = _delimiter(line.group())
        if current and (found != delimiter or line.start() - last > 1):
            tables.append(current)
            current = []
        delimiter, last = found, line.end()
        if found and not _RULE.fullmatch(line.group()):
            current.append(_Row(*line.span(), _cut(text, *line.span(), found)))
    return [table for table in (*tables, current) if len(table) > 1]


def _delimiter(line: str) -> str:
    stripped = line.strip()
    return next((mark for mark in "|\t" if mark in stripped), "")


def _cut(text: str, start: int, end: int, delimiter: str) -> tuple[Span, ...]:
    """The cells of a line; outer bars close it and make no cells of their own."""
    while start < end and text[start] in " |":
        start += 1
        if text[start - 1] == "|":
            break
    cuts = [start - 1]
    while len(cuts) <= _MOST_CELLS and (cut := text.find(delimiter, cuts[-1] + 1, end)) >= 0:
        cuts.append(cut)
    return tuple((low + 1, high) for low, high in zip(cuts, [*cuts[1:], end], strict=True))


def _holding(row: _Row, starts: Sequence[int]) -> dict[int, list[int]]:
    """The numbers of a row by cell."""
    firsts = [low for low, _ in row.cells]
    holding: dict[int, list[int]] = {}
    for place in range(bisect_right(starts, row.start - 1), bisect_right(starts, row.end - 1)):
        holding.setdefault(max(bisect_right(firsts, starts[place]) - 1, 0), []).append(place)
    return holding
