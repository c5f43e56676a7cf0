"""HTML as hints: its tags say where cells, rows and tables end, and how many columns a cell spans."""

import html
import re

from detection.core.evidence.tables.lines import Line, Piece, lines_of, valued
from detection.core.evidence.tables.values import said

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,9})((?:[^<>\"']|\"[^\"<>]{0,400}\"|'[^'<>]{0,400}'){0,400})>")
_ANY = re.compile(r"<[!/]?[a-zA-Z][^<>]{0,2000}>|<!--")
_SPAN = re.compile(r"(col|row)span\s?=\s?[\"']?(\d{1,3})", re.IGNORECASE)
_INSET = re.compile(r"(?:padding-left|margin-left|text-indent)\s?:\s?(\d{1,3})", re.IGNORECASE)
_HAS_TABLE = re.compile(r"<(?:table|tr|td)\b", re.IGNORECASE)
_BLOCKS = frozenset(
    (
        "p",
        "div",
        "br",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "li",
        "ul",
        "ol",
        "section",
        "hr",
        "body",
        "html",
        "title",
    )
)
_PARTS = frozenset(("table", "tr", "td", "th", "caption"))
_MOST_SPAN = 60
_MOST_KEPT = 4  # columns of a cell that goes on into the rows below


def has_table(text: str) -> bool:
    """Whether ``text`` holds a table of HTML."""
    return "<" in text and _HAS_TABLE.search(text) is not None


class _Open:
    """What is being read: the cells of the current row and the columns that cells of rows above still fill."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.cells: list[Piece] = []
        self.kept: dict[int, tuple[int, Piece]] = {}
        self.group = self.row_start = self.cell_start = self.outside = self.indent = 0
        self.width = self.height = 1
        self.cell = ""


def lines_of_markup(text: str) -> list[Line]:
    """The lines of a text with tables of HTML: one for each row, and the lines of text outside of them."""
    state = _Open()
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if name not in _PARTS:
            continue
        if state.cell:
            _close_cell(state, text, tag.start())
        if name == "table":
            _close_row(state, tag.start())
            if not tag[1]:
                _outside(state, text, tag.start())
                state.group += 1
                state.kept = {}
            state.outside = tag.end()
        elif name == "tr":
            _close_row(state, tag.start())
            state.row_start, state.outside = tag.start(), tag.end()
        elif not tag[1]:
            _open_cell(state, tag, name)
        state.outside = tag.end()
    if state.cell:
        _close_cell(state, text, len(text))
    _close_row(state, len(text))
    _outside(state, text, len(text))
    return state.lines


def _open_cell(state: _Open, tag: re.Match[str], name: str) -> None:
    spans = {kind.lower(): min(int(count), _MOST_SPAN) for kind, count in _SPAN.findall(tag[3])}
    state.cell, state.cell_start = name, tag.end()
    if not state.cells:
        inset = _INSET.search(tag[3])
        state.indent = int(inset[1]) if inset else 0
    state.width, state.height = max(1, spans.get("col", 1)), max(1, spans.get("row", 1))


def _close_cell(state: _Open, text: str, end: int) -> None:
    plain, start, stop = _plain(text, state.cell_start, end)
    if state.cell == "caption":
        piece = Piece(plain, start, stop, 0, 1, said(plain))
        if plain:
            state.lines.append(Line((piece,), "loose", start, stop, True))
    else:
        left = _free(state)
        piece = Piece(plain, start, stop, left, left + state.width, said(plain), state.cell == "th")
        if state.cells and piece.said.sort == "text" and not piece.heading:
            piece = valued(piece)
        state.cells.append(piece)
        if state.height > 1:
            for column in range(left, left + min(state.width, _MOST_KEPT)):
                state.kept[column] = (state.height, piece._replace(left=column, right=column + 1))
    state.cell = ""


def _free(state: _Open) -> int:
    """The first column that no cell fills yet."""
    column = state.cells[-1].right if state.cells else 0
    while column in state.kept and column < 2 * _MOST_SPAN:
        state.cells.append(state.kept[column][1])
        column += 1
    return column


def _close_row(state: _Open, end: int) -> None:
    if not state.cells:
        return
    _free(state)
    start = min(state.row_start or state.cells[0].start, state.cells[0].start)
    state.lines.append(Line(tuple(state.cells), "html", start, end, indent=state.indent, group=state.group))
    state.indent = 0
    state.kept = {column: (rows - 1, piece) for column, (rows, piece) in state.kept.items() if rows > 1}
    state.cells = []


_NOTE = re.compile(r"<sup\b[^<>]*>[^<>]{0,6}</sup\s*>", re.IGNORECASE)
_INLINE = re.compile(
    r"</?(?:a|abbr|b|big|em|font|i|ins|ix:\w+|mark|s|small|span|strong|u)\b[^<>]{0,2000}>", re.IGNORECASE
)


def _plain(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The words of a cell without its tags and footnotes, and where they stand."""
    raw = text[start:end]
    if "<" in raw:
        raw = _NOTE.sub(lambda note: " " * len(note[0]), raw)
    bare = _ANY.sub(lambda tag: " " * len(tag[0]), raw) if "<" in raw else raw
    left = len(bare) - len(bare.lstrip())
    right = left + len(bare.strip())
    body = _ANY.sub(" ", _INLINE.sub("", raw[left:right])) if "<" in raw else raw[left:right]
    plain = " ".join(html.unescape(body).split())
    return plain, start + left, start + right


def _outside(state: _Open, text: str, end: int) -> None:
    """The lines between two tables."""
    if not text[state.outside : end].strip():
        return
    bare = unmarked(text[state.outside : end])
    state.lines.extend(line._replace(group=-state.group) for line in lines_of(bare, state.outside))


def unmarked(text: str) -> str:
    """``text`` of the same length with its tags taken out; those of blocks become line ends."""

    def blank(tag: re.Match[str]) -> str:
        name = re.sub(r"[^a-z0-9]", "", tag[0][:12].lower().split(" ")[0])
        return "\n" + " " * (len(tag[0]) - 1) if name in _BLOCKS else " " * len(tag[0])

    return _ANY.sub(blank, text) if "<" in text else text
