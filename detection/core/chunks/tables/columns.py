"""Tables that lines of text draw without bars: CSV, and columns held apart by two or more blanks (NUM-06).

Both are taken for tables only where nothing else fits: prose with commas or double blanks stays prose.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from detection.core.chunks.tables.cells import EMPTY, Cell, written

_Line = tuple[int, str]
_Table = tuple[int, int, list[list[Cell]]]
_FIELDS = {
    bar: re.compile(rf'[ ]*"((?:[^"]|""){{0,300}}+)"[ ]*(?=$|{bar})|([^{bar}]*)') for bar in (",", ";")
}
_ENDS_IN_DIGITS = re.compile(r"(?<!\d)\d{1,3}$")
_GAP = re.compile(r"\S(?:  |\u3000)|^ {4}")
_PIECE = re.compile(r"\S+(?:[ \u00a0]\S+)*")
_LONGEST = 60  # characters of a line or field inside a table; a longer one is prose
_RULE = re.compile(r"[\s=_-]*")
_MOST = 100  # pieces of a line; more are no columns anybody reads
_INSET = 4  # characters before a line that has no label
_HEADINGS = 6  # lines above the first row of values
_COLON = (":", "：")


def tables(lines: Sequence[_Line]) -> Iterator[_Table]:
    """The first line, the line behind the last, and the rows of each table among ``lines``, in order."""
    first = 0
    for low, high, rows in _csv(lines):
        yield from _aligned(lines, first, low)
        yield low, high, rows
        first = high
    yield from _aligned(lines, first, len(lines))


def _csv(lines: Sequence[_Line]) -> Iterator[_Table]:
    low = 0
    while low < len(lines):
        text = lines[low][1]
        bar = ";" if ";" in text else ","
        high = low + 1
        if bar in text and high < len(lines) and bar in lines[high][1]:
            rows = [_fields(lines[low], bar)]
            while high < len(lines) and bar in lines[high][1]:
                row = _fields(lines[high], bar)
                if len(row) != len(rows[0]):
                    break
                rows.append(row)
                high += 1
            if _is_csv(rows, bar):
                yield low, high, rows
        low = high


def _fields(line: _Line, bar: str) -> list[Cell]:
    start, text = line
    cells: list[Cell] = []
    place = 0
    while place <= len(text):
        field = _FIELDS[bar].match(text, place)
        if field is None:
            break
        group = 1 if field[1] is not None else 2
        plain = field[group].strip()
        left = field.start(group) + len(field[group]) - len(field[group].lstrip())
        cells.append(Cell(plain, start + left, len(cells), indent=left - field.start()))
        place = field.end() + 1
    return cells


def _is_csv(rows: list[list[Cell]], bar: str) -> bool:
    """Rows of as many short fields, most with a number beside the first; with blanks behind the commas, as prose
    has them, every field must be a number."""
    if len(rows) < 2 or any(
        len(cell.text) > _LONGEST or cell.text.endswith(".") for row in rows for cell in row
    ):
        return False
    comma = bar == ";"  # what is divided so often has decimals behind a comma
    grouped = not comma and sum(any(_is_group(one, other) for one, other in pairwise(row)) for row in rows)
    if grouped and grouped == len(rows):
        return False
    body = [
        [written(cell.text, comma) is not None or cell.text in EMPTY for cell in row[1:]] for row in rows[1:]
    ]
    spaced = sum(cell.indent > 0 for row in rows[1:] for cell in row[1:]) > len(body)
    if spaced and not all(all(row) for row in body):
        return False
    counted = [any(written(cell.text, comma) for cell in row[1:]) for row in rows[1:]]
    return 2 * sum(counted) > len(counted)


def _is_group(one: Cell, other: Cell) -> bool:
    """``1,234`` may be one number or two."""
    return (
        other.text.isdigit()
        and len(other.text) == 3
        and not other.indent
        and _ENDS_IN_DIGITS.search(one.text) is not None
    )


class _Drawn(NamedTuple):
    """A line cut at its gaps: the pieces with their columns of characters, and how many are values."""

    pieces: list[tuple[int, int, str]]
    values: int


def _drawn(text: str) -> _Drawn:
    pieces = [(*found.span(), found.group()) for found in islice(_PIECE.finditer(text), _MOST + 1)]
    if len(pieces) > _MOST:
        return _Drawn([], 0)
    if pieces and pieces[0][0] >= _INSET and written(pieces[0][2]):
        return _Drawn(pieces, 0)  # years above columns
    numbers = [written(piece[2]) for piece in pieces]
    first = next((place for place, number in enumerate(numbers) if place and number), len(pieces))
    whole = all(
        number or piece[2] in EMPTY for number, piece in zip(numbers[first:], pieces[first:], strict=True)
    )
    return _Drawn(pieces, len(pieces) - first if whole else 0)


def _aligned(lines: Sequence[_Line], low: int, high: int) -> Iterator[_Table]:
    gaps = [_GAP.search(lines[place][1]) is not None for place in range(low, high)]
    if not any(gaps):
        return
    drawn = [_drawn(lines[low + place][1]) if gap else _Drawn([], 0) for place, gap in enumerate(gaps)]
    texts = [lines[place][1].strip() for place in range(low, high)]
    place, behind = 0, 0
    while place < len(drawn):
        end = _run_end(drawn, texts, place)
        if end is None:
            place += 1
            continue
        first = _heading_start(drawn, texts, place, behind)
        rows = _rows(lines, low, drawn, first, place, end)
        yield low + first, low + end, rows
        place = behind = end


def _run_end(drawn: list[_Drawn], texts: list[str], first: int) -> int | None:
    """The line behind the last of the values that begin at ``first``; None when fewer than two lines have them."""
    count = drawn[first].values
    if not count:
        return None
    last, lines = first, 1
    for place in range(first + 1, len(drawn)):
        if drawn[place].values and _mapped(drawn[place], drawn[first]) is not None:
            last, lines = place, lines + 1
        elif (
            drawn[place].values
            or len(texts[place]) > _LONGEST
            or texts[place].endswith(".")
            or place > last + 2
        ):
            break
    return last + 1 if lines > 1 else None


def _mapped(line: _Drawn, model: _Drawn) -> list[int] | None:
    """The column of each piece of ``line``, by the pieces of ``model`` it shares characters with or ends with."""
    if (len(line.pieces), line.values) == (len(model.pieces), model.values):
        return list(range(len(line.pieces)))
    columns = [0]
    for start, end, _ in line.pieces[1:]:
        meets = [
            c for c, (low, high, _) in enumerate(model.pieces) if c and start < high + 2 and low < end + 2
        ]
        if len(meets) != 1 or meets[0] <= columns[-1]:
            return None
        columns.append(meets[0])
    return columns


def _heading_start(drawn: list[_Drawn], texts: list[str], first: int, behind: int) -> int:
    place = first
    while place > behind and first - place < _HEADINGS:
        pieces, text = drawn[place - 1].pieces, texts[place - 1]
        if any(len(piece[2]) > _LONGEST for piece in pieces) or not (
            pieces or text[:_LONGEST].endswith(_COLON)
        ):
            break
        place -= 1
    return place


def _rows(
    lines: Sequence[_Line], low: int, drawn: list[_Drawn], head: int, first: int, end: int
) -> list[list[Cell]]:
    rows = []
    for place in range(head, end):
        start, text = lines[low + place]
        columns = _mapped(drawn[place], drawn[first]) if drawn[place].values else None
        if columns is not None:
            pieces = drawn[place].pieces
            rows.append([_cell(start, piece, column) for piece, column in zip(pieces, columns, strict=True)])
        elif _RULE.fullmatch(text) is None:
            pieces = drawn[place].pieces or [
                (len(text) - len(text.lstrip()), len(text.rstrip()), text.strip())
            ]
            rows.append([_heading(start, piece, drawn[first]) for piece in pieces])
    return rows


def _cell(start: int, piece: tuple[int, int, str], column: int, width: int = 1) -> Cell:
    return Cell(piece[2], start + piece[0], column, width, indent=0 if column else piece[0])


def _heading(start: int, piece: tuple[int, int, str], model: _Drawn) -> Cell:
    """A heading stands over the columns whose characters it covers."""
    meets = [c for c, (low, high, _) in enumerate(model.pieces) if piece[0] < high and low < piece[1]]
    over = [column for column in meets if column]
    if not over and piece[0] >= model.pieces[1][0]:
        ends = [abs(high - piece[1]) for _, high, _ in model.pieces[1:]]
        over = [1 + ends.index(min(ends))]
    if not over or 0 in meets:
        return _cell(start, piece, 0)
    return _cell(start, piece, over[0], over[-1] - over[0] + 1)
