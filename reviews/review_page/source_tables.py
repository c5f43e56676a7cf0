"""Tables in a source as tables: cells read by the detector's own reader, the matching cell marked (F01).

What is shown is text cut from the source; nothing of a source is ever markup.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import accumulate

from detection.core.chunks import Cell as Read
from detection.core.chunks import Chunk, Grid, chunk_of, parts
from reviews.display.highlights import Piece, Span, cut

FIGURE = re.compile(r"[\s(+\-−–$€£¥₪₹]*[\d０-９][\d０-９.,，．\s]*[%％x×)\s]*(?:[$€£¥₪元]|[A-Z]{3})?\s*")
"""A cell that is a value and stands at the end of its column."""
MOST_READ = 20_000
"""Code points of a source that are looked through for tables around what is shown."""
MOST_ROWS, BESIDE = 24, 8
"""Rows of a table that are shown whole; of a longer one, so many on both sides of what matches."""
MOST_COLUMNS = 40
CAPTION, TAG, LONGEST_CAPTION = (
    re.compile(r"<caption[^<>]*>([^\0]*?)(?:</caption|<t[rhd])", re.IGNORECASE),
    re.compile(r"<[^<>]*>"),
    300,
)


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
    read = _read(text[low:high])
    chunk = read.chunk
    inside = [Span(s.start - low, s.end - low, s.key) for s in spans]
    blocks: list[Block] = []
    first, last = start, end
    for part in read.parts:
        if isinstance(part, Grid):
            here, there, _ = chunk.original(part.start, part.end)
            if here + low < end and there + low > start:
                first, last = min(first, here + low), max(last, there + low)
                blocks.append(_table(read, part, inside))
        elif part[0] < part[1]:
            here, there, _ = chunk.original(*part)
            blocks += _prose(chunk.text, max(here, start - low), min(there, end - low), inside)
    return Excerpt(first, last, tuple(blocks)) if any(b.rows for b in blocks) else Excerpt(start, end)


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


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its tables; ``rows`` remembers those that were shown without a mark, by grid and number, each
    with the place that it stands at."""

    chunk: Chunk
    parts: tuple[Grid | tuple[int, int], ...]
    rows: dict[tuple[int, int], tuple[Row, int, int]]

    def row(self, grid: Grid, n: int, spans: Sequence[Span]) -> Row:
        """Row ``n`` of ``grid`` with its marks."""
        if (grid.start, n) not in self.rows:
            self.rows[grid.start, n] = (
                tuple(_cells(self.chunk, grid.rows[n], ())),
                *self._place(grid.rows[n]),
            )
        plain, start, end = self.rows[grid.start, n]
        here = [span for span in spans if span.start < end and span.end > start]
        return tuple(_cells(self.chunk, grid.rows[n], here)) if here else plain

    def _place(self, row: Sequence[Read]) -> tuple[int, int]:
        own = [cell.span(0, len(cell.text)) for cell in row if cell.text and not cell.again]
        if not own:
            return 0, 0
        start, end, _ = self.chunk.original(min(low for low, _ in own), max(high for _, high in own))
        return start, end


@lru_cache(maxsize=64)
def _read(text: str) -> Text:
    """The tables of a text; the claims of a page mostly share their sources."""
    chunk = chunk_of("", text)
    return Text(chunk, tuple(parts(chunk.folded)), {})


def _prose(text: str, low: int, high: int, spans: Sequence[Span]) -> list[Block]:
    part = text[low:high] if low < high else ""
    if not part.strip():
        return []
    low += len(part) - len(part.lstrip("\r\n"))
    part = part.strip("\r\n")
    inside = [Span(s.start - low, s.end - low, s.key) for s in spans if s.start < high and s.end > low]
    return [Block(pieces=tuple(cut(part, inside)))]


def _table(read: Text, grid: Grid, spans: Sequence[Span]) -> Block:
    """The table's head and its rows; of a long one those around the first that is marked."""
    chunk, first_row = read.chunk, read.row(grid, 0, spans)
    headed = grid.headed or int(len(grid.rows) > 1 and _is_heading(first_row))
    low, high = headed, len(grid.rows)
    if high - low > MOST_ROWS:
        own = [span for span in spans if isinstance(span.key, str)] or spans
        row = _row_of(chunk, grid, min((span.start for span in own), default=0))
        low, high = max(low, row - BESIDE), min(high, row + BESIDE + 1)
    head = [read.row(grid, n, spans) for n in range(min(headed, MOST_ROWS))]
    rows = [read.row(grid, n, spans) for n in range(low, high)]
    matched = {column for row in rows for column in _columns(row, lambda cell: cell.matched)}
    return Block(
        head=tuple(_headed(row, matched) for row in head),
        rows=tuple(_named(row) for row in rows),
        caption=_caption(chunk, grid),
        above=low - headed,
        below=len(grid.rows) - high,
    )


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


def _is_heading(row: Row) -> bool:
    """Whether a first row has neither values nor anything marked."""
    return not any(cell.matched or cell.slipped or cell.figure for cell in row)


def _row_of(chunk: Chunk, grid: Grid, place: int) -> int:
    """The number of the row that ``place`` of the source stands in; the first when it is before the table."""
    found = 0
    for n, row in enumerate(grid.rows):
        own = next((cell for cell in row if cell.text and not cell.again), None)
        if own is not None and chunk.original(*own.span(0, 1))[0] <= place:
            found = n
    return found


def _caption(chunk: Chunk, grid: Grid) -> str:
    """What an HTML table says above its rows, where its scale may stand; other tables have it in the text."""
    if not grid.caption:
        return ""
    _, _, text = chunk.original(grid.start, grid.end)
    found = CAPTION.search(text, 0, 4 * LONGEST_CAPTION)
    return unescape(TAG.sub(" ", found[1])).strip()[:LONGEST_CAPTION] if found else ""


def _cells(chunk: Chunk, row: Sequence[Read], spans: Sequence[Span]) -> Iterator[Cell]:
    """The cells of a row in their columns; what columns nobody wrote into get an empty one."""
    column = 0
    for read in row:
        if column >= MOST_COLUMNS:
            return
        for _ in range(min(read.column, MOST_COLUMNS) - column):
            yield Cell(())
        column = max(column, read.column) + read.width
        text, marks = _text(chunk, read, () if read.again else spans)
        width = max(1, min(read.width, MOST_COLUMNS))
        keys = {mark.key for mark in marks}
        yield Cell(
            tuple(cut(text, marks)), bool(FIGURE.fullmatch(text)), "match" in keys, "slip" in keys, width
        )


def _text(chunk: Chunk, read: Read, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    """A cell's text as submitted, entities resolved, with the spans that lie in it."""
    if not read.text:
        return "", []
    if read.places is None:
        start, end, text = chunk.original(*read.span(0, len(read.text)))
        return text, [
            Span(s.start - start, s.end - start, s.key) for s in spans if s.start < end and s.end > start
        ]
    signs: list[tuple[str, int, int]] = []
    for low, high in read.places:
        start, end, text = chunk.original(low, high) if low < high else (low, low, " ")
        if not signs or (start, end) != signs[-1][1:] or low == high:
            signs.append((unescape(text), start, end))
    return "".join(text for text, _, _ in signs), list(_spread(signs, spans))


def _spread(signs: Sequence[tuple[str, int, int]], spans: Sequence[Span]) -> Iterator[Span]:
    """``spans`` of the source as spans of the cell's text, whose signs know where they came from."""
    for span in spans:
        place, covered = 0, list[int]()
        for text, start, end in signs:
            if start < span.end and end > span.start:
                covered += [place, place + len(text)]
            place += len(text)
        if covered:
            yield Span(covered[0], covered[-1], span.key)
