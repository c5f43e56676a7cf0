"""Tables in a source as tables: cells parted by ``|`` or tabs, the matching cell marked (F01)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from reviews.highlights import Piece, Span, cut

BAR = re.compile(r"[|\t]")
RULE = re.compile(r"[\s|:=\-–—+]*")
"""A line that only parts heading and body."""
FIGURE = re.compile(r"[\s(+\-−–$€£¥₪₹]*[\d０-９][\d０-９.,，．\s]*[%％x×)\s]*(?:[$€£¥₪元]|[A-Z]{3})?\s*")
"""A cell that is a value and stands at the end of its column."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its slices, and whether it is a value and whether the match is in it."""

    pieces: tuple[Piece, ...]
    figure: bool = False
    matched: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a source: running text in ``pieces``, or a table in ``head`` and ``rows``."""

    pieces: tuple[Piece, ...] = ()
    head: tuple[Cell, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()


Line = tuple[int, str]


def blocks(text: str, spans: Sequence[Span]) -> tuple[Block, ...]:
    """``text`` as running text and tables in turn; two lines with cells in a row make a table.

    Every span stays exactly on its characters; a span over several cells is marked in each.
    """
    runs = [(bars, list(lines)) for bars, lines in groupby(_lines(text), lambda line: _has_cells(line[1]))]
    found: list[Block] = []
    pending: list[Line] = []
    for bars, lines in runs:
        if bars and len(lines) > 1:
            found += [*_prose(pending, spans), _table(lines, spans)]
            pending = []
        else:
            pending += lines
    return (*found, *_prose(pending, spans))


def is_table(text: str) -> bool:
    """Whether some two lines that follow each other have cells."""
    return any(
        bars and len(list(lines)) > 1
        for bars, lines in groupby(_lines(text), lambda line: _has_cells(line[1]))
    )


def whole_lines(text: str, start: int, end: int, reach: int = 600) -> tuple[int, int]:
    """``start`` and ``end`` moved out to the borders of their lines, by at most ``reach``."""
    before = text.rfind("\n", max(0, start - reach), start) + 1
    after = text.find("\n", end, end + reach)
    first = before if before or start <= reach else start
    last = after if after >= 0 else len(text) if len(text) - end <= reach else end
    return first, last


def _lines(text: str) -> Iterable[Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line
        at += len(line)


def _has_cells(line: str) -> bool:
    return bool(BAR.search(line.strip()))


def _within(start: int, end: int, spans: Sequence[Span]) -> list[Span]:
    return [Span(s.start - start, s.end - start, s.key) for s in spans if s.start < end and s.end > start]


def _prose(lines: Sequence[Line], spans: Sequence[Span]) -> list[Block]:
    text = "".join(line for _, line in lines)
    if not text.strip():
        return []
    start = lines[0][0]
    return [Block(pieces=tuple(cut(text, _within(start, start + len(text), spans))))]


def _table(lines: Sequence[Line], spans: Sequence[Span]) -> Block:
    filled = [(start, line) for start, line in lines if not RULE.fullmatch(line)]
    framed = all(line.strip()[:1] == "|" == line.strip()[-1:] for _, line in filled)
    rows = [_row(start, line, spans, framed) for start, line in filled]
    headed = len(rows) > 1 and not any(cell.matched or cell.figure for cell in rows[0])
    return Block(head=rows[0] if headed else (), rows=tuple(rows[1:] if headed else rows))


def _row(start: int, line: str, spans: Sequence[Span], framed: bool) -> tuple[Cell, ...]:
    """The cells of a line. In a table ``framed`` by bars the outer ones part nothing; elsewhere a bar at the
    edge has an empty cell beside it, as above the labels of a statement."""
    body = line.rstrip("\r\n")
    edges = [bar.start() for bar in BAR.finditer(body)]
    bounds = list(zip([0, *[e + 1 for e in edges]], [*edges, len(body)], strict=True))
    if framed and len(bounds) > 2:
        bounds = bounds[1:-1]
    return tuple(_cell(start, body, low, high, spans) for low, high in bounds)


def _cell(start: int, body: str, low: int, high: int, spans: Sequence[Span]) -> Cell:
    text = body[low:high]
    low += len(text) - len(text.lstrip())
    text = text.strip()
    inside = _within(start + low, start + low + len(text), spans)
    return Cell(tuple(cut(text, inside)), bool(FIGURE.fullmatch(text)), bool(inside))
