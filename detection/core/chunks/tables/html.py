"""Tables written in HTML, read by one pass over their tags; nothing is ever too broken to read (NUM-06).

Unclosed cells, rows and tables end where the next begins or the chunk ends; a table in a cell is a table of
its own. Entities and tags inside a cell are taken out of its text, and each character keeps its place.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from detection.core.chunks.tables.cells import Cell
from detection.core.numbers import fold

_OPENING = re.compile(r"<t(?:able|r|d|h|head|body)\b")
_TAG = re.compile(r"<(?:(!--)|(/?[a-z][a-z0-9]*)([^<>]*)>?)")
_SPAN = re.compile(r"\b(colspan|rowspan)\s{0,9}=\s{0,9}[\"']?\s{0,9}(\d{1,4})")
_INDENT = re.compile(r"(?:padding-left|text-indent|margin-left)\s{0,9}:\s{0,9}(\d{1,3})")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,31});?")
_SPACE = frozenset(("br", "p", "/p", "div", "/div", "li", "/li"))
_WIDEST = 1000  # columns or rows that one cell may span, as browsers have it
_COPIES = 10_000  # cells of a table that stand in a row because they span several
_DEEPEST = 20  # tables inside tables; a deeper one is read as part of the table around it

Stretch = tuple[int, int]
_Character = tuple[str, int, int]


class Table(NamedTuple):
    """Rows, where the table stands, how many rows are its head, and its caption."""

    rows: list[list[Cell]]
    start: int
    end: int
    headed: int
    caption: str


def tables(chunk: str) -> Iterator[tuple[int, int, list[Table], list[Stretch]]]:
    """Each stretch of tables in a folded chunk: its start and end, its tables, and the text outside all cells."""
    place = 0
    while opening := _OPENING.search(chunk, place):
        stretch = _Stretch(chunk, opening.start())
        place = stretch.read()
        yield opening.start(), place, stretch.tables, stretch.outside


class _Stretch:
    """A table with the tables inside it, from its first tag on."""

    def __init__(self, chunk: str, start: int) -> None:
        self.tables: list[Table] = []
        self.outside: list[Stretch] = []
        self._chunk, self._start = chunk, start
        self._open: list[_Rows] = []

    def read(self) -> int:
        """Read up to the end of the outermost table; returns where that is."""
        place, comments = self._start, True
        for tag in _TAG.finditer(self._chunk, self._start):
            if tag.start() < place:
                continue
            self._text(place, tag.start())
            place = tag.end()
            if tag[1]:
                closing = self._chunk.find("-->", place) if comments else -1
                comments, place = closing >= 0, max(place, closing + 3)
            elif tag[2] in ("script", "style"):
                closing = self._chunk.find(f"</{tag[2]}", place)
                place = len(self._chunk) if closing < 0 else closing
            elif self._tag(tag[2], tag[3], tag.start(), place):
                return place
        self._text(place, len(self._chunk))
        while self._open:
            self._close(len(self._chunk))
        return len(self._chunk)

    def _text(self, start: int, end: int) -> None:
        if start < end and not self._open[-1].text(start, end) and not self._chunk[start:end].isspace():
            self.outside.append((start, end))

    def _tag(self, name: str, attributes: str, start: int, end: int) -> bool:
        """Take a tag in; whether it ends the stretch."""
        if not self._open or (name == "table" and len(self._open) < _DEEPEST):
            self._open.append(_Rows(self._chunk, start))
        if name == "/table":
            self._close(end)
            return not self._open
        self._open[-1].tag(name, attributes, start)
        return False

    def _close(self, end: int) -> None:
        done = self._open.pop()
        done.end_row()
        if done.rows:
            self.tables.append(Table(done.rows, done.start, end, done.headed, done.caption))


class _Rows:
    """A table being read: its rows so far, the row and the cell that are open."""

    def __init__(self, chunk: str, start: int) -> None:
        self.start, self.rows, self.headed, self.caption = start, list[list[Cell]](), 0, ""
        self._chunk = chunk
        self._row: list[Cell] | None = None
        self._column = 0
        self._cell: tuple[str, str] | None = None  # tag and attributes
        self._pieces: list[Stretch] = []
        self._above: dict[int, tuple[Cell, int]] = {}  # cells that reach down from rows before, by column
        self._reaching: list[tuple[Cell, int]] = []
        self._copies = 0
        self._place = ""  # head or caption, where one is open
        self._raised = False

    def text(self, start: int, end: int) -> bool:
        """Take text in; whether it belongs to a cell or the caption."""
        if self._cell is not None:
            if not self._raised:
                self._pieces.append((start, end))
            return True
        if self._place == "caption":
            self.caption += f" {self._chunk[start:end][:300]}" if len(self.caption) < 300 else ""
            return True
        return False

    def tag(self, name: str, attributes: str, start: int) -> None:
        """Take a tag in that begins at ``start``."""
        if name in ("td", "th"):
            self._end_cell()
            self._cell, self._pieces = (name, attributes), []
        elif name in ("/td", "/th"):
            self._end_cell()
        elif name in ("tr", "/tr"):
            self.end_row()
        elif name in ("thead", "caption"):
            self._place = name
        elif name in ("/thead", "tbody", "/caption", "tfoot"):
            self.end_row()
            self._place = ""
        elif name in ("sup", "/sup"):
            self._raised = name == "sup"
        elif name in _SPACE:
            self._pieces.append((start, start))

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        (name, attributes), self._cell, self._raised = self._cell, None, False
        self._row = [] if self._row is None else self._row
        while self._column in self._above:
            self._repeat(self._column)
        spans = {key: min(int(count), _WIDEST) or 1 for key, count in _SPAN.findall(attributes)}
        cell = self._built(name == "th", spans.get("colspan", 1), attributes)
        self._row.append(cell)
        if spans.get("rowspan", 1) > 1 and self._copies < _COPIES:
            self._reaching.append((cell, spans["rowspan"]))
        self._column += cell.width

    def _repeat(self, column: int) -> None:
        """Let the cell of a row above stand in the open row too."""
        cell, rows = self._above.pop(column)
        if self._row is not None:
            self._row.append(cell._replace(again=True))
        self._copies += 1
        self._column = column + cell.width
        self._reaching.append((cell, rows))

    def end_row(self) -> None:
        """End the row that is open, if any."""
        self._end_cell()
        if self._row is None:
            return
        for column in sorted(self._above):
            if column >= self._column:
                self._repeat(column)
        self.rows.append(self._row)
        self.headed = len(self.rows) if self._place == "thead" else self.headed
        self._above = {cell.column: (cell, rows - 1) for cell, rows in self._reaching if rows > 1}
        if self._copies >= _COPIES:
            self._above = {}
        self._row, self._column, self._reaching = None, 0, []

    def _built(self, heading: bool, width: int, attributes: str) -> Cell:
        """The open cell: its text without tags and entities, trimmed."""
        start, end = (self._pieces[0][0], self._pieces[-1][1]) if self._pieces else (0, 0)
        text = self._chunk[start:end]
        padded = _INDENT.search(attributes)
        indent = int(padded[1]) if padded else 0
        places: list[Stretch] | None = None
        if len(self._pieces) > 1 or "&" in text:
            characters = [one for low, high in self._pieces for one in self._characters(low, high)]
            text = "".join(one[0] for one in characters)
            places = [one[1:] for one in characters]
        plain = text.strip()
        left = len(text) - len(text.lstrip()) if plain else 0
        if places is not None:
            places, start = places[left : left + len(plain)], 0
        indent += left if "\u00a0" in text[:left] else 0
        return Cell(plain, start + left, self._column, width, places, heading, indent)

    def _characters(self, start: int, end: int) -> Iterator[_Character]:
        """The characters of a piece with the stretch each stands for; an entity is one, an end of line a blank."""
        if start == end:
            yield " ", start, start
        place = start
        for entity in _ENTITY.finditer(self._chunk, start, end):
            yield from ((self._chunk[at], at, at + 1) for at in range(place, entity.start()))
            meant = fold(unescape(entity.group()))[0]
            yield from ((character, entity.start(), entity.end()) for character in meant)
            place = entity.end()
        yield from ((self._chunk[at], at, at + 1) for at in range(place, end))
