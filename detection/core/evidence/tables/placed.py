"""Rows whose marks tell the columns: bars, tabs, commas, slashes, HTML, aligned blanks."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import accumulate, pairwise
from unicodedata import east_asian_width

from detection.core import numbers
from detection.core.evidence.tables.heads import generic_label, split_times, spread, timed
from detection.core.evidence.tables.lines import Line, Piece, cells_of, with_commas
from detection.core.evidence.tables.misplaced import joined, with_codes
from detection.core.evidence.tables.model import Grid, GridRow, Text
from detection.core.evidence.tables.sections import Sections, goes_on
from detection.core.evidence.tables.units import declares, is_unit_line
from detection.core.evidence.tables.values import is_period

_MOST_COLUMNS = 60
_MARKED = frozenset(("bar", "tab", "comma", "slash", "dash", "html"))
_DAYS = frozenset(("date", "dash", "missing", "empty"))
_NEAR = 2  # lines above the first row that may head its columns


def grids(lines: Sequence[Line], text: str) -> Iterator[Grid]:
    """The tables of neighbouring lines of one cut, and the lines of words above and between them."""
    lines = [line._replace(pieces=tuple(joined(line.pieces, text))) for line in with_codes(lines)]
    lines = [_dated(line) for line in with_commas(lines)]
    keys = _keys(lines)
    if len(keys) < 2:
        return
    rows = [_row(line, keys) for line in lines]
    yield from _Reading(rows, len(keys)).grids()


_DECIMAL_YEAR = re.compile(r"(?:19|20)\d\d\.0")


def _dated(line: Line) -> Line:
    """A line of years that a spreadsheet wrote as numbers, ``2016.0 | 2015.0``, is one of years."""
    body = [piece for piece in line.pieces[1:] if piece.text]
    if len(body) < _LEAST_YEARS or not all(_DECIMAL_YEAR.fullmatch(piece.text) for piece in body):
        return line
    if not _follow(body):
        return line
    years = [
        piece._replace(said=piece.said._replace(sort="year")) if piece.text else piece
        for piece in line.pieces[1:]
    ]
    return line._replace(pieces=(line.pieces[0], *years))


_LEAST_YEARS = 2


def _is_single(line: Line) -> bool:
    return sum(1 for piece in line.pieces if piece.text) <= 1


def _keys(lines: Sequence[Line]) -> dict[int, int]:
    """The columns of a grid that hold anything, renumbered without gaps: spacers between cells are no columns."""
    counts: Counter[int] = Counter()
    for line in lines:
        if line.cut == "loose" and _is_single(line):
            continue
        values = any(piece.is_value or piece.said.sort == "year" for piece in line.pieces)
        for piece in line.pieces:
            if piece.text and (values or piece.right - piece.left == 1):
                counts[piece.right - 1 if piece.is_value or piece.is_time else piece.left] += 1
    html = any(line.cut == "html" for line in lines)
    if not html:
        return {key: key for key in range(min(_MOST_COLUMNS, max(counts, default=0) + 1))}
    return {key: index for index, key in enumerate(sorted(counts)[:_MOST_COLUMNS])}


class _Laid:
    """A line in its columns. ``spans`` are its pieces with the columns they stand over."""

    def __init__(self, line: Line, spans: list[tuple[int, int, Piece]]) -> None:
        self.line = line
        self.spans = spans
        self.cells = {low: piece for low, _, piece in spans}

    @property
    def has_values(self) -> bool:
        """Whether a cell beside the label holds a value or a dash."""
        return any(
            piece.said.sort in ("value", "dash")
            for low, piece in self.cells.items()
            if low or len(self.cells) == 1
        )


def _row(line: Line, keys: dict[int, int]) -> _Laid:
    spans: list[tuple[int, int, Piece]] = []
    last = len(keys)
    for piece in line.pieces:
        if not piece.text:
            continue
        if line.cut == "loose":
            low, high = (0, 1) if piece is line.pieces[0] else (-1, -1)
        elif piece.right - piece.left == 1:
            low = keys.get(piece.left, -1)
            high = low + 1
        elif piece.is_value or (
            piece.is_time and not piece.heading and piece.right - 1 in keys and not _over(piece, keys)
        ):
            low = keys.get(piece.right - 1, -1)
            high = low + 1
        else:
            within = [index for key, index in keys.items() if piece.left <= key < piece.right]
            low, high = (min(within), max(within) + 1) if within else (-1, -1)
        if 0 <= low < last:
            spans.append((low, high, piece))
    return _Laid(line, spans)


def _over(piece: Piece, keys: dict[int, int]) -> bool:
    """Whether a piece stands over several columns."""
    return sum(1 for key in keys if piece.left <= key < piece.right) > 1


class _Reading:
    """Reads rows top to bottom: headings, then rows; headings again begin the next table."""

    def __init__(self, rows: list[_Laid], columns: int) -> None:
        self._rows, self._columns = rows, columns
        self._texts = _text_columns(rows, columns)
        self._typed = _time_columns(rows, columns)
        self._done: list[Grid] = []
        self._grid = self._fresh()
        self._heads: list[_Laid] = []
        self._held: list[_Laid] = []
        self._sections = Sections()

    def _fresh(self) -> Grid:
        return Grid(texts=self._texts, columns=self._columns)

    def grids(self) -> list[Grid]:
        """The tables that the lines hold, in order."""
        drawn = max((index for index, row in enumerate(self._rows) if row.line.drawn), default=-1)
        first = next((index for index, row in enumerate(self._rows) if row.has_values), len(self._rows))
        for index, row in enumerate(self._rows):
            kind = self._kind(row, index <= drawn and index < first and not row.has_values)
            if kind == "values":
                self._values(row)
            elif kind == "head":
                self._heads.append(row)
            else:
                self._held.append(row)
        self._end()
        return self._done

    def _kind(self, row: _Laid, above: bool) -> str:
        filled = [piece for _, _, piece in row.spans]
        if not filled:
            return "words"
        if row.line.cut == "html" and all(piece.heading for piece in filled) and not row.has_values:
            low, high, _ = row.spans[0]
            alone = len(filled) == 1 and (bool(self._heads) or bool(self._grid.rows))
            return "words" if alone and not low and high in (1, self._columns) else "head"
        if above:
            return "head" if len(filled) > 1 or 0 not in row.cells else "words"
        if row.has_values:
            return "values"
        if row.line.drawn and len(filled) > 1:
            return "head"
        if len(filled) == 2 and self._columns == 2 and row.line.pieces[0].text[-1:] in ":：":
            return "values"
        if len(filled) == 1:
            if is_unit_line(filled[0].text):
                return "words"
            titled = not filled[0].is_time and (bool(self._grid.rows) or filled[0].text[-1:] in ":：")
            return "words" if 0 in row.cells or row.line.cut == "loose" or titled else "head"
        body = [piece for low, _, piece in row.spans if low]
        if self._is_vacant_or_dated(row, body):
            return "values"
        started = bool(self._grid.rows)
        timed = all(piece.is_time for piece in body)
        labelled = 0 in row.cells and not generic_label(row.cells[0].text) and not row.cells[0].is_time
        valued = timed and labelled and not _follow(body)
        if not started:
            return "values" if valued and self._heads else "head"
        if valued and not all(self._heads_again(row)):
            return "values"
        if timed or 0 not in row.cells or self._repeats(row):
            return "head"
        return "head" if row.line.gap and len(body) >= len(self._grid.values) else "values"

    def _is_vacant_or_dated(self, row: _Laid, body: list[Piece]) -> bool:
        """A row of a list without a number: dates where the column holds dates; nothing else only below names: filed, granted."""
        if row.line.cut == "blank" and not (self._heads or self._grid.rows):
            return False
        dated = [low for low, _, piece in row.spans if low in self._typed and piece.said.sort == "date"]
        if all(piece.is_time for piece in body):
            return 0 in row.cells and self._is_of_days(body)
        return bool(dated) and 0 in row.cells

    def _is_of_days(self, body: list[Piece]) -> bool:
        """Whether a row of dates is one of a table that holds nothing but days below its headings."""
        return self._holds_days_alone and all(piece.said.sort == "date" for piece in body)

    @cached_property
    def _holds_days_alone(self) -> bool:
        bodies = [[piece for low, _, piece in row.spans if low] for row in self._rows if len(row.spans) > 1]
        if not bodies or any(row.line.cut not in _MARKED for row in self._rows):
            return False
        days = all(piece.said.sort in _DAYS for others in bodies[1:] for piece in others)
        return days and not any(piece.is_time for piece in bodies[0])

    def _repeats(self, row: _Laid) -> bool:
        return any(self._heads_again(row))

    def _heads_again(self, row: _Laid) -> list[bool]:
        heads = self._grid.heads
        return [piece.text in heads.get(low, ()) for low, _, piece in row.spans if low]

    def _values(self, row: _Laid) -> None:
        row = self._whole(row)
        if self._heads:
            self._begin()
        elif not self._grid.rows:
            self._headed_by_line()
            self._grid.captions.extend(_text(held) for held in self._held)
        else:
            self._hold(self._held)
        self._held = []
        pieces = self._shifted(row)
        label = pieces[0].text if 0 in pieces else ""
        sections = self._sections.above(label, row.line.indent)
        self._grid.rows.append(GridRow(pieces, sections, row.line.start, row.line.end))
        self._sections.close(label)
        self._sections.row(label, row.line.indent)

    def _whole(self, row: _Laid) -> _Laid:
        """The row with the line of words above it that its label goes on from."""
        label = row.cells.get(0)
        above = self._held[-1].line if self._held else None
        if above is None or label is None or row.line.gap or row.line.cut in _MARKED:
            return row
        first = next(iter(above.pieces), None)
        if (
            first is None
            or len(above.pieces) > 1
            or label.said.sort != "text"
            or not goes_on(first.text, label.text)
        ):
            return row
        if self._heads and self._heads[-1].line.start > above.start:
            return row
        self._held.pop()
        whole = label._replace(text=f"{first.text} {label.text}")
        pieces = tuple(whole if one is label else one for one in row.line.pieces)
        spans = [(low, high, whole if one is label else one) for low, high, one in row.spans]
        return _Laid(row.line._replace(pieces=pieces, indent=above.indent), spans)

    def _headed_by_line(self) -> None:
        """A line of as many times as there are columns of values, right above the first row, heads them."""
        values = self._grid.values
        for held in reversed(self._held[-_NEAR:]):
            texts = [part for piece in held.line.pieces for part in split_times(piece.text)]
            heads = timed(texts, len(values)) if len(texts) == len(values) > 1 else None
            if heads and all(is_period(numbers.fold(text)[0]) for text in texts):
                self._grid.heads = {values[place - 1]: head for place, head in heads.items()}
                self._grid.start = held.line.start
                self._held.remove(held)
                return

    def _hold(self, lines: Sequence[_Laid]) -> None:
        """Lines of words inside a table: unit lines of the whole, else sections."""
        for held in lines:
            if is_unit_line(held.line.text):
                self._grid.captions.append(_text(held))
            else:
                self._sections.open(held.line.text, held.line.indent)

    def _shifted(self, row: _Laid) -> dict[int, Piece]:
        """The pieces by column; a row with fewer cells than the table is put where its values fit."""
        count = row.line.pieces[-1].right if row.line.pieces else 0
        if row.line.cut in ("html", "blank", "comma") or count >= self._columns or not count:
            return dict(row.cells)
        return _fitted(
            [piece for piece in row.line.pieces if piece.text], self._columns, self._texts, self._typed
        )

    def _begin(self) -> None:
        """Headings were read: they begin a table, or are those of the table once more."""
        self._unhead()
        before = [held for held in self._held if held.line.start < self._heads[0].line.start]
        after = [held for held in self._held if held.line.start > self._heads[0].line.start]
        heads = spread([self._placed(row) for row in self._heads], self._grid.values, self._columns)
        if (
            self._grid.rows
            and heads == self._grid.heads
            and not any(declares(held.line.text) for held in before)
        ):
            self._hold((*before, *after))
        else:
            if self._grid.rows:
                self._close()
                self._grid = self._fresh()
                self._sections = Sections()
            self._grid.heads = heads
            self._grid.start = min(row.line.start for row in (*before, *self._heads))
            self._grid.captions.extend(_text(held) for held in before)
            self._hold(after)
        self._heads = []

    def _unhead(self) -> None:
        """What stands above a line of words that stands above the headings heads the page, not the columns."""
        titles = [
            held.line.start
            for held in self._held
            if held.line.cut == "loose"
            and held.line.pieces
            and not held.line.pieces[0].is_time
            and (not declares(held.line.text) or self._is_titled(held.line.start))
        ]
        last = max((start for start in titles if start < self._heads[-1].line.start), default=-1)
        self._held = sorted(
            [*self._held, *(row for row in self._heads if row.line.start < last)],
            key=lambda row: row.line.start,
        )
        self._heads = [row for row in self._heads if row.line.start > last]
        while len(self._heads) > 1 and self._is_title(self._heads[0], self._heads[1:]):
            self._held.insert(0, self._heads.pop(0))

    def _is_title(self, row: _Laid, below: Sequence[_Laid]) -> bool:
        """Whether a line above headings is the title of the page: it begins where labels do, with a name, and every column
        has a heading of its own below."""
        first = row.cells.get(0)
        if first is None or first.is_time or generic_label(first.text) or len(row.spans) >= self._columns - 1:
            return False
        own = {low: piece for head in below for low, high, piece in head.spans if high - low == 1}
        told = [own[column] for column in self._grid.values if column in own]
        return 0 in own and len(told) == len(self._grid.values) and not any(one.is_time for one in told)

    def _is_titled(self, start: int) -> bool:
        """Whether all lines above a unit line begin where labels do, with the name of a company or a statement."""
        firsts = [row.cells.get(0) for row in self._heads if row.line.start < start]
        return all(one and not one.is_time and not generic_label(one.text) for one in firsts)

    def _placed(self, row: _Laid) -> list[tuple[int, int, str]]:
        """The texts of a line of headings with the columns they stand over; one that lacks the cell over the labels is
        moved over the values."""
        spans = [(low, high, piece.text) for low, high, piece in row.spans]
        count = len(row.line.pieces)
        moved = row.line.cut in ("bar", "tab", "slash", "dash") and count < self._columns and 0 in row.cells
        moved = moved and 0 in self._texts and not declares(row.cells[0].text)
        if moved and (count == self._columns - 1 or row.cells[0].is_time):
            lacking = self._columns - count if count == self._columns - 1 else 1
            spans = [(low + lacking, high + lacking, text) for low, high, text in spans]
        return spans

    def _waiting(self) -> None:
        """Headings that wait for rows; those that begin with a time lack the one over the labels."""
        grid = self._grid
        rows = [[(low, high, piece.text) for low, high, piece in row.spans] for row in self._heads]
        first = self._heads[-1].cells.get(0)
        if first is not None and first.is_time and any(sign.isdigit() for sign in first.text):
            rows = [[(low + 1, high + 1, text) for low, high, text in row] for row in rows]
            grid.columns = self._columns + 1
        grid.heads = spread(rows, list(range(1, grid.columns)), grid.columns)
        grid.captions = [_text(held) for held in self._held]

    def _close(self) -> None:
        grid = self._grid
        starts = [row.start for row in grid.rows] + [caption.start for caption in grid.captions]
        grid.start = min([grid.start, *starts]) if grid.heads else min(starts)
        grid.end = max(row.end for row in grid.rows)
        self._done.append(grid)

    def _end(self) -> None:
        if self._grid.rows:
            if not self._heads and not any(declares(text.text) for text in self._grid.captions):
                self._grid.captions.extend(_text(row) for row in self._held if is_unit_line(row.line.text))
            self._close()
            if not self._heads:
                return
            self._grid = self._fresh()
        if self._heads:  # headings without rows: those of the next chunk
            self._waiting()
            self._grid.start = self._heads[0].line.start
            self._grid.end = self._heads[-1].line.end
            self._done.append(self._grid)


def is_row_of_years(line: Line) -> bool:
    """Whether a line is a name and amounts that look like years: ``Units left  2024  1950``."""
    first, *rest = line.pieces
    named = first.said.sort == "text" and not generic_label(first.text)
    return named and len(rest) > 1 and all(piece.said.sort == "year" for piece in rest) and not _follow(rest)


def _follow(pieces: Sequence[Piece]) -> bool:
    """Whether years run up or down one by one, as those of headings do; dates and periods count as such."""
    years = [piece.said.value for piece in pieces]
    steps = {after - before for before, after in pairwise(years) if before is not None and after is not None}
    return None in years or not steps or steps in ({Decimal(1)}, {Decimal(-1)})


def _text(row: _Laid) -> Text:
    return Text(row.line.text, row.line.start, row.line.end)


def _text_columns(rows: Sequence[_Laid], columns: int) -> frozenset[int]:
    """The columns of words: the first, and those that hold more words than values."""
    words: Counter[int] = Counter()
    values: Counter[int] = Counter()
    for row in rows:
        if not row.has_values:
            continue
        for low, _, piece in row.spans:
            if piece.said.sort in ("text", "period"):
                words[low] += 1
            elif piece.said.sort != "missing":
                values[low] += 1
    if not values:
        return frozenset((0,))
    found = frozenset(column for column in range(columns) if words[column] > values[column])
    valued = max((column for column, count in values.items() if count > words[column]), default=columns)
    return found if found and min(found) > valued else found | {0}  # labels may stand at the right


def _time_columns(rows: Sequence[_Laid], columns: int) -> frozenset[int]:
    """The columns that hold dates in rows of values."""
    dates: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for row in rows:
        if row.has_values:
            for low, _, piece in row.spans:
                held = dates if piece.said.sort == "date" else others
                held[low] += piece.said.sort not in ("dash", "missing")
    return frozenset(column for column in range(1, columns) if dates[column] > others[column])


def _fitted(
    pieces: list[Piece], columns: int, texts: frozenset[int], dated: frozenset[int]
) -> dict[int, Piece]:
    """The pieces of a short row in the only columns that their sorts allow; the label alone where there are several."""
    found: dict[int, Piece] = {}
    body = [piece for piece in pieces if piece.is_value or piece.is_time]
    labels = [piece for piece in pieces if not (piece.is_value or piece.is_time)]
    for index, piece in enumerate(labels[: max(1, len(texts))]):
        found[sorted(texts)[index] if index < len(texts) else 0] = piece
    for sort in (False, True):
        own = [piece for piece in body if (piece.said.sort == "date") is sort]
        free = [column for column in range(1, columns) if column not in texts and (column in dated) is sort]
        if len(own) == len(free):
            found.update(zip(free, own, strict=True))
    return found


# --- aligned text ---

_LEAST_ROWS = 2
_MOST_ALIGNED = 60
_FAR = 40  # characters; a heading further from every column heads none


def aligned(lines: Sequence[Line], text: str) -> list[Line] | None:
    """The lines with their pieces counted in columns, None where the values are not aligned."""
    parted = _parted(lines, text)
    if parted is not None:
        return parted
    lines = [line._replace(pieces=tuple(joined(line.pieces, text))) for line in lines]
    body = [line for line in lines if len(line.pieces) > 1 and any(piece.is_value for piece in line.pieces)]
    wide = sum(line.cut == "blank" for line in body)
    if wide < _LEAST_ROWS or 3 * wide < 2 * len(body):
        return None
    if any(map(_is_wide, text)):
        wider = [_widened(line, text) for line in lines]
        seen = [
            line for line in wider if len(line.pieces) > 1 and any(piece.is_value for piece in line.pieces)
        ]
        if _extent(seen) <= _extent(body):
            lines, body = wider, seen
    columns = _stretches(body)
    if not columns or len(columns) > _MOST_ALIGNED or any(_crowded(line, columns) for line in body):
        return None
    return [line._replace(pieces=tuple(_counted(line, columns))) for line in lines]


def _parted(lines: Sequence[Line], text: str) -> list[Line] | None:
    """The lines counted in order where blanks only part them: headings above rows that all have as many cells, else None."""
    cut = [cells_of(line, text) if line.cut == "blank" else line for line in lines]
    several = [line for line in cut if len(line.pieces) > 1]
    as_many = len(several) > _LEAST_ROWS and len({(line.cut, len(line.pieces)) for line in several}) == 1
    valued = [any(piece.is_value for piece in line.pieces[1:]) for line in several]
    headed = as_many and all(valued[1:]) and not any(piece.is_value for piece in several[0].pieces)
    return cut if headed and several[0].cut == "blank" else None


def _is_wide(sign: str) -> bool:
    return sign > "\u2e7f" and east_asian_width(sign) in "WF"


def _widened(line: Line, text: str) -> Line:
    """A line counted in the places of a screen, on which a Chinese sign takes two."""
    taken = [0, *accumulate(1 + _is_wide(sign) for sign in text[line.start : line.end])]
    return line._replace(
        pieces=tuple(
            piece._replace(left=taken[piece.start - line.start], right=taken[piece.end - line.start])
            for piece in line.pieces
        )
    )


def _extent(body: Sequence[Line]) -> int:
    """How much of a line its columns of values take: the less, the better they are aligned."""
    kept = [one._replace(pieces=(one.pieces[0], *filter(_is_told, one.pieces[1:]))) for one in body]
    return sum(right - left for left, right in _stretches(kept))


def _is_told(piece: Piece) -> bool:
    return piece.is_value or piece.is_time


def _stretches(body: Sequence[Line]) -> list[tuple[int, int]]:
    """The stretches of the line in which pieces behind the label stand."""
    spans = sorted((piece.left, piece.right) for line in body for piece in _behind(line))
    merged: list[tuple[int, int]] = []
    for left, right in spans:
        if merged and left < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(right, merged[-1][1]))
        else:
            merged.append((left, right))
    return merged


def _behind(line: Line) -> list[Piece]:
    first = line.pieces[0]
    return [piece for piece in line.pieces if piece is not first or _stands_alone(line)]


def _stands_alone(line: Line) -> bool:
    """Whether the first piece is a value of a row without a label; a number before words names the row: ``100  Cobalt``."""
    return line.pieces[0].is_value and (len(line.pieces) == 1 or line.pieces[1].said.sort != "text")


def _crowded(line: Line, columns: Sequence[tuple[int, int]]) -> bool:
    places = [_at(piece, columns)[0] for piece in _behind(line)]
    return any(before == after for before, after in pairwise(places))


def _counted(line: Line, columns: Sequence[tuple[int, int]]) -> list[Piece]:
    if _is_stripped(line, columns):
        each = len(columns) // len(line.pieces)
        return [
            piece._replace(left=1 + each * place, right=2 + each * place)
            for place, piece in enumerate(line.pieces)
        ]
    found = []
    for index, piece in enumerate(line.pieces):
        over = piece.left > 0 and piece.right > columns[0][0] and not any(one.is_value for one in line.pieces)
        first = index == 0 and not _stands_alone(line) and piece.left < columns[0][0] and not over
        if first or piece.right <= columns[0][0] - _FAR:
            left, right = 0, 1
        else:
            low, high = _at(piece, columns)
            left, right = low + 1, high + 1
        found.append(piece._replace(left=left, right=right))
    return found


def _is_stripped(line: Line, columns: Sequence[tuple[int, int]]) -> bool:
    """Headings that lost the blanks before them, as chunkers take them from the first line of a chunk: they stand in order
    and no longer above their columns."""
    if (
        not line.pieces
        or line.pieces[0].left
        or any(piece.is_value for piece in line.pieces)
        or len(line.pieces) > len(columns)
    ):
        return False
    loose = line.pieces[-1].right < columns[-1][0] or line.pieces[0].right < columns[0][0]
    whole = len(line.pieces) == len(columns) > 1 and line.pieces[-1].right < columns[-1][0]
    return whole or (loose and all(piece.is_time for piece in line.pieces))


def _at(piece: Piece, columns: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The columns that a piece stands over, or the nearest one."""
    over = [index for index, (left, right) in enumerate(columns) if piece.left < right and left < piece.right]
    if over:
        return over[0], over[-1] + 1
    middle = (piece.left + piece.right) / 2
    nearest = min(
        range(len(columns)), key=lambda index: abs(middle - (columns[index][0] + columns[index][1]) / 2)
    )
    return nearest, nearest + 1
