"""Tables in a source as tables: cells read by the detector's own reader, the matching cell marked (F01).

What is shown is text cut from the source; nothing of a source is ever markup. A table with a mark that lies in none of
its cells is shown as the text that it is, since a mark is never left out.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, groupby

from detection.core.evidence.tables.lines import Piece as Read
from detection.core.evidence.tables.model import Grid, GridRow
from detection.core.evidence.tables.reading import grids_of
from reviews.display.highlights import Piece, Span, cut

MOST_READ = 20_000
"""Code points of a source that are looked through for tables around what is shown."""
MOST_ROWS, BESIDE = 24, 8
"""Rows of a table that are shown whole; of a longer one, so many on both sides of what matches."""
MOST_COLUMNS = 40
LONGEST_CAPTION = 300
MARKUP = re.compile(r"</?(?:table|thead|tbody|tfoot|tr|t[dh]|caption)\b[^<>]*>|^[^<]*>", re.IGNORECASE)
BETWEEN = re.compile(r"<[^<>]*>?|&[a-z#0-9]+;|[\s|*_`~:=+\-,;/\"$€£¥₪]")
"""What stands between cells and is none of their text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its slices, how many columns it spans, whether it is a value, whether the match is in it or the
    figure that was taken instead (a slip), and whether it is the ``label`` of the row or column of a match."""

    pieces: tuple[Piece, ...]
    figure: bool = False
    matched: bool = False
    slipped: bool = False
    width: int = 1
    label: bool = False


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Part of a source: running text in ``pieces``, or a table in ``head`` and ``rows``, with its ``caption``;
    ``above`` and ``below`` count the rows that are left out."""

    pieces: tuple[Piece, ...] = ()
    head: tuple[Row, ...] = ()
    rows: tuple[Row, ...] = ()
    caption: str = ""
    above: int = 0
    below: int = 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a source from ``start`` to ``end``, as blocks; none where it has no table."""

    start: int
    end: int
    blocks: tuple[Block, ...] = ()


def excerpt(text: str, spans: Sequence[Span], start: int, end: int) -> Excerpt:
    """``text`` from ``start`` to ``end`` with its tables: one that begins or ends outside is shown whole.

    Every span stays on its characters; a span over several cells is marked in each.
    """
    low, high = _region(text, start, end)
    part = text[low:high]
    inside = [Span(s.start - low, s.end - low, s.key) for s in spans]
    blocks: list[Block] = []
    first, last, behind = start, end, 0
    for grid in _read(part):
        if grid.start + low >= end or grid.end + low <= start or not _holds(part, grid, inside):
            continue
        begin = grid.start - (part[grid.start - 1 : grid.start] == "<")
        blocks += _prose(part, max(behind, start - low), begin, inside)
        blocks.append(_table(part, grid, inside))
        behind = grid.end
        first, last = min(first, grid.start + low), max(last, grid.end + low)
    if not blocks:
        return Excerpt(start, end)
    blocks += _prose(part, behind, end - low, inside)
    return Excerpt(first, last, tuple(blocks))


def words_of(blocks: Sequence[Block]) -> str:
    """The text of ``blocks`` without what only marks tables up; its direction is theirs."""
    found = [piece for block in blocks for piece in block.pieces]
    found += [
        piece
        for block in blocks
        for row in (*block.head, *block.rows)
        for cell in row
        for piece in cell.pieces
    ]
    return " ".join(piece.text for piece in found)


def _region(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of ``text`` that is read for tables: all of a short one, else what is around, by whole lines."""
    if len(text) <= MOST_READ:
        return 0, len(text)
    low = max(0, (start + end - MOST_READ) // 2)
    high = min(len(text), low + MOST_READ)
    before, after = text.find("\n", low, start) if low else -1, text.rfind("\n", end, high)
    return (before + 1 if before >= 0 else low), (after if after >= 0 else high)


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[Grid, ...]:
    """The tables of a text whose columns can be told; the claims of a page mostly share their sources."""
    return tuple(grid for grid in grids_of(text) if grid.rows and not grid.why)


def _holds(text: str, grid: Grid, spans: Sequence[Span]) -> bool:
    """Whether all that is marked inside a table lies in its cells."""
    marked = [Span(max(s.start, grid.start), min(s.end, grid.end), s.key) for s in spans]
    marked = [span for span in marked if span.start < span.end]
    if not marked:
        return True
    cells = sorted(place for row in grid.rows for place in _places(text, row))
    for span in marked:
        place = span.start
        for start, end in (*cells, (span.end, span.end)):
            if end <= place and start < span.end:
                continue
            if BETWEEN.sub("", text[place : min(start, span.end)]):
                return False
            place = max(place, end)
            if place >= span.end:
                break
    return True


def _places(text: str, row: GridRow) -> Iterator[tuple[int, int]]:
    """Where the cells of a row stand, its label among them."""
    yield from ((piece.start, piece.end) for piece in row.pieces.values())
    label = _label_of(text, row)
    if label is not None:
        yield label


def _label_of(text: str, row: GridRow) -> tuple[int, int] | None:
    """Where the label of a row stands that was put together from lines; None where it is no single stretch."""
    start = text.find(row.label, row.start, row.end) if row.label else -1
    return (start, start + len(row.label)) if start >= 0 else None


def _prose(text: str, low: int, high: int, spans: Sequence[Span]) -> list[Block]:
    part = text[low:high] if low < high else ""
    if not MARKUP.sub("", part).strip():
        return []
    low += len(part) - len(part.lstrip("\r\n"))
    part = part.strip("\r\n")
    inside = [Span(s.start - low, s.end - low, s.key) for s in spans if s.start < high and s.end > low]
    return [Block(pieces=tuple(cut(part, inside)))]


def _table(text: str, grid: Grid, spans: Sequence[Span]) -> Block:
    """The table's head and its rows; of a long one those around the first that is marked."""
    low, high = 0, len(grid.rows)
    if high > MOST_ROWS:
        own = [span for span in spans if isinstance(span.key, str)] or spans
        row = _row_of(grid, min((span.start for span in own), default=0))
        low, high = max(low, row - BESIDE), min(high, row + BESIDE + 1)
    here = [span for span in spans if span.start < grid.end and span.end > grid.start]
    rows = [shown for n in range(low, high) for shown in _rows(text, grid, n, here, is_first=n == low)]
    matched = {column for row in rows for column in _columns(row, lambda cell: cell.matched)}
    return Block(
        head=tuple(_headed(row, matched) for row in _heads(grid.heads, _width(grid))),
        rows=tuple(_named(row) for row in rows),
        caption=" · ".join(caption.text for caption in grid.captions)[:LONGEST_CAPTION],
        above=low,
        below=len(grid.rows) - high,
    )


def _width(grid: Grid) -> int:
    return min(MOST_COLUMNS, max((*grid.heads, *(n for row in grid.rows for n in row.pieces)), default=0) + 1)


def _heads(heads: Mapping[int, Sequence[str]], width: int) -> Iterator[Row]:
    """The headings line by line, the lowest one right above the values; one over several columns spans them."""
    deep = max((len(lines) for lines in heads.values()), default=0)
    for level in range(deep, 0, -1):
        line = [heads[n][-level] if n in heads and len(heads[n]) >= level else "" for n in range(width)]
        found = ((text, len(list(same))) for text, same in groupby(line))
        yield tuple(
            cell
            for text, count in found
            for cell in ([Cell((Piece(text),), width=count)] if text else [Cell(())] * count)
        )


def _rows(text: str, grid: Grid, n: int, spans: Sequence[Span], *, is_first: bool) -> Iterator[Row]:
    """Row ``n``, below the headings of the section that begins with it."""
    row = grid.rows[n]
    above = grid.rows[n - 1].sections if n and not is_first else ()
    for level, section in enumerate(row.sections):
        if row.sections[: level + 1] != above[: level + 1]:
            yield (Cell((Piece(section),), width=_width(grid)),)
    yield tuple(_cells(text, row, spans, _width(grid)))


def _cells(text: str, row: GridRow, spans: Sequence[Span], width: int) -> Iterator[Cell]:
    """The cells of a row in their columns; what columns nobody wrote into get an empty one."""
    for column in range(width):
        piece = row.pieces.get(column)
        if piece is not None:
            yield _cell(text[piece.start : piece.end], piece.start, spans, piece)
        elif column == 0 and row.label:
            place = _label_of(text, row)
            yield _cell(text[slice(*place)], place[0], spans) if place else Cell((Piece(row.label),))
        else:
            yield Cell(())


def _cell(shown: str, start: int, spans: Sequence[Span], piece: Read | None = None) -> Cell:
    """A cell's text as submitted, with the spans that lie in it; one with markup inside is marked as a whole."""
    marks = [Span(s.start - start, s.end - start, s.key) for s in spans]
    marks = [span for span in marks if span.start < len(shown) and span.end > 0]
    if piece is not None and ("<" in shown or "&" in shown):
        shown = piece.text
        marks = [Span(0, len(shown), span.key) for span in marks]
    keys = {mark.key for mark in marks}
    is_figure = piece is not None and piece.is_value
    return Cell(tuple(cut(shown, marks)), is_figure, "match" in keys, "slip" in keys)


def _row_of(grid: Grid, place: int) -> int:
    """The number of the row that ``place`` of the source stands in; the first when it is before the table."""
    return max((n for n, row in enumerate(grid.rows) if row.start <= place), default=0)


def _columns(row: Row, wanted: Callable[[Cell], bool]) -> Iterator[int]:
    """The columns that the wanted cells of a row stand in."""
    column = 0
    for cell in row:
        if wanted(cell):
            yield from range(column, column + cell.width)
        column += cell.width


def _headed(row: Row, columns: set[int]) -> Row:
    """A row of the head with the labels of ``columns`` marked."""
    labels = set(_columns(row, lambda cell: bool(cell.pieces))) & columns
    places = accumulate((cell.width for cell in row), initial=0)
    return tuple(
        replace(cell, label=any(column in labels for column in range(place, place + cell.width)))
        for cell, place in zip(row, places, strict=False)
    )


def _named(row: Row) -> Row:
    """A row with its label marked when the match is in it."""
    name = next((n for n, cell in enumerate(row) if cell.pieces and not cell.figure), None)
    if name is None or not any(cell.matched for cell in row) or row[name].matched:
        return row
    return (*row[:name], replace(row[name], label=True), *row[name + 1 :])
