"""Tables in source text: headings above, labels left, values in the cells (NUM-06).

A cell knows the words of its row and its column, the years and periods they name, and the scale and the unit
that the table declares for it.
"""

from decimal import Decimal
from typing import NamedTuple

import regex

from detection.core import numbers
from detection.core.chunks.chunk import Chunk
from detection.core.chunks.places import Place
from detection.core.chunks.tables.cells import EMPTY, Cell, Written
from detection.core.chunks.tables.grids import Grid, Stretch
from detection.core.chunks.tables.headings import Heading, Headings
from detection.core.chunks.tables.periods import UNNAMED, Named, named, period_of
from detection.core.chunks.tables.rows import (
    Columns,
    Row,
    columns_of,
    is_title,
    joined,
    kind_of,
    labels_of,
    rows_of,
)
from detection.core.chunks.tables.sections import Label, Sections
from detection.core.chunks.tables.terms import LONGEST, declared_currencies, declared_scales
from detection.core.types import NumericClaim

_ONE = Decimal(1)
_MOST_PERCENT = 1000
_MOST_RATE = 100
_TEXT = 40  # characters from which on a cell with a number in it is read as text
_CAPTION = 300
_UNNAMED_TOTAL = "total"  # what books leave unwritten beside a sum
_SHARES = regex.compile(r"\bshares\b")
_OTHER_TIME = regex.compile(
    r"\bprior\b|\bprevious\b|\blast\b|\bago\b|\bchange|\bvariance|上期|上年|去年|同期|变动|变化|增减|קודמ|אשתקד|שינוי"
)  # headings of columns that are not of the period of the caption
_DIGIT = regex.compile(r"\d")


class _Entry(NamedTuple):
    """A value with its row and its column; ``signed`` when a currency sign stands in its row."""

    cell: Cell
    value: Written
    label: Label
    heading: Heading
    line: int
    signed: bool


class Table:
    """One table of a chunk, read row by row. ``texts`` are the cells that turned out to be sentences."""

    def __init__(self, chunk: Chunk, grid: Grid, number: int) -> None:
        self.texts: list[Stretch] = []
        self._chunk, self._grid, self._number = chunk, grid, number
        self._headings, self._sections = Headings(), Sections()
        self._columns = Columns(frozenset(), ())
        self._entries: list[_Entry] = []
        self._labelled = False
        self._corner = UNNAMED
        self._caption = self._captioned()
        self._dated = _dated(self._caption)

    def places(self) -> list[Place]:
        """The value cells with their words, in the order of the rows."""
        rows = rows_of(self._grid, self._chunk.folded)
        self._columns = columns_of(rows)
        started = False
        for row, below in zip(rows, [*rows[1:], None], strict=True):
            headed = row.line < self._grid.headed
            kind = kind_of(row, headed, started, bool(self._headings))
            if kind == "heading" and not headed and below is not None:
                kind = "section" if is_title(row, started, kind_of(below, False, started, True)) else kind
            if kind == "heading":
                self._head(row, started)
                started = False
            elif kind == "section":
                self._section(row)
            elif kind == "values":
                started = True
                self._values(joined(row))
            elif kind == "text":
                self._text(row)
        return self._placed()

    def _captioned(self) -> str:
        """What stands right above the table, and the line below it that only declares a scale."""
        folded, grid = self._chunk.folded, self._grid
        above = folded[max(0, grid.start - _CAPTION) : grid.start]
        below = folded[grid.end : grid.end + _CAPTION].lstrip().partition("\n")[0]
        if not declared_scales(above) and len(below) <= 120 and below[:1] in "(*" and below:
            above = f"{below}\n{above}"
        return f"{above}\n{grid.caption}" if grid.caption else above

    def _head(self, row: Row, restart: bool) -> None:
        if restart:
            self._headings.restart()
            if row.label and row.label != self._headings.corner:
                self._sections.open(row.label, row.cells[0].indent)
        self._headings.add(row.cells)

    def _section(self, row: Row) -> None:
        label = next(cell for cell in row.cells if cell.text not in EMPTY)
        self._headings.declare(label.text[:LONGEST])
        self._sections.open(label.text, label.indent)
        self._sentence(label)

    def _text(self, row: Row) -> None:
        for cell in row.cells:
            self._sentence(cell)

    def _sentence(self, cell: Cell) -> None:
        if len(cell.text) > _TEXT and not cell.again and _DIGIT.search(cell.text):
            self.texts.append(cell.span(0, len(cell.text)))

    def _values(self, row: Row) -> None:
        indent = row.cells[0].indent
        blocks = labels_of(row, self._columns)
        own = blocks[0][1].strip()
        self._labelled = self._labelled or bool(own)
        label = self._sections.label(own or (_UNNAMED_TOTAL if self._labelled else ""), indent)
        signed = any(value is not None and value.unit not in ("", "%", "x", "pp") for value in row.values)
        for cell, value in zip(row.cells, row.values, strict=True):
            if len(blocks) > 1 and cell.column > blocks[1][0]:
                label = self._sections.label(blocks.pop(1)[1], indent)
            if cell.again or cell.column in self._columns.years or cell.text in EMPTY:
                continue
            if value is not None:
                heading = self._headings.over(cell.column)
                self._entries.append(_Entry(cell, value, label, heading, row.line, signed))
            elif cell.column and _DIGIT.search(cell.text):
                self._inside(cell, label, row.line, signed)

    def _inside(self, cell: Cell, label: Label, line: int, signed: bool) -> None:
        """The numbers of a cell that holds more than one number: ``27% - 35%``, ``5 to 40 years``."""
        if len(cell.text) > _TEXT:
            self._sentence(cell)
            return
        heading = self._headings.over(cell.column)
        for claim in numbers.extract(cell.text):
            if claim.kind != "date" and isinstance(claim.value, Decimal):
                self._entries.append(_Entry(cell, _as_written(claim), label, heading, line, signed))

    def _placed(self) -> list[Place]:
        scales = declared_scales(self._caption)
        currencies = declared_currencies(self._caption)
        scale = self._headings.scale or (scales[-1] if scales else None)
        currency = self._headings.currency or (currencies[-1] if scales and currencies else "")
        percents = _percent_columns(self._entries)
        turned = _is_turned(self._entries)
        self._corner = named(self._headings.corner)
        places = []
        for entry in self._entries:
            unit = "%" if not entry.value.unit and entry.heading in percents else _unit(entry, currency)
            places.append(self._place(entry, unit, self._scale(entry, unit, scale), turned))
        return places

    def _scale(self, entry: _Entry, unit: str, declared: Decimal | None) -> Decimal | None:
        """The cell's own scale, 1 for what is counted for each share or in per cent, else what is declared nearest."""
        label, heading = entry.label.terms, entry.heading.terms
        if entry.value.scale is not None:
            return entry.value.scale
        if unit in ("%", "pp", "x"):
            return _ONE
        if label.scale is not None:
            return label.scale
        if label.each or heading.each or entry.label.each or max(label.percent, heading.percent) > 1:
            return _ONE
        if self._headings.spared and self._is_spared(entry):
            return _ONE
        return heading.scale or declared

    def _is_spared(self, entry: _Entry) -> bool:
        """``except per share data``: what the row or the column names is not in the scale of the table."""
        said = entry.label.terms.words | entry.heading.terms.words
        text = f"{entry.label.text} {entry.heading.text}"
        return any(
            words <= said and (words != {"share"} or (_SHARES.search(text) is not None and not entry.signed))
            for words in self._headings.spared
        )

    def _place(self, entry: _Entry, unit: str, scale: Decimal | None, turned: bool) -> Place:
        cell, value, label, heading, line, _ = entry
        start, end, text = self._chunk.original(*cell.span(value.start, value.end))
        row, column, across = label.terms.words, heading.terms.words, cell.column
        if turned:
            row, column, line, across = column, row, across, line
        dated = UNNAMED if _OTHER_TIME.search(heading.text) else self._dated
        years = heading.terms.years or label.terms.years or label.section_named.years or dated.years
        others = (label.named, label.section_named, self._corner, dated)
        return Place(
            self._chunk.source, start, end, text, value.value, unit, scale, row, column, years,
            self._number, line, across, label.section, None, period_of(heading.named, others),
        )  # fmt: skip


def _as_written(claim: NumericClaim) -> Written:
    value = claim.value if isinstance(claim.value, Decimal) else Decimal(0)
    scaled = claim.precision >= _ONE and claim.kind == "currency"
    return Written(claim.start, claim.end, value, claim.unit, _ONE if scaled else None)


def _dated(caption: str) -> Named:
    """The one period that the line right above a table names."""
    last = caption.strip().rpartition("\n")[2]
    found = named(last) if len(last) <= LONGEST else UNNAMED
    return found if len(found.periods) == 1 else UNNAMED


def _percent_columns(entries: list[_Entry]) -> set[Heading]:
    """The columns of shares of a whole, which write the percent sign only at their first and their last number:
    the first is 100 %, or most have no sign."""
    columns: dict[Heading, list[Written]] = {}
    for entry in entries:
        columns.setdefault(entry.heading, []).append(entry.value)
    found = set()
    for heading, values in columns.items():
        bare = sum(not value.unit for value in values)
        if values[0].unit != "%" or values[-1].unit != "%" or not bare:
            continue
        if values[0].value != _MOST_RATE and 2 * bare <= len(values):
            continue
        if all(value.unit in ("", "%") and abs(value.value) <= _MOST_PERCENT for value in values):
            found.add(heading)
    return found


def _unit(entry: _Entry, declared: str) -> str:
    """The unit written in the cell, else what the row or the column declares, else the table's currency."""
    value, label, heading = entry.value, entry.label.terms, entry.heading.terms
    if value.unit:
        return value.unit
    size = abs(value.value)
    if heading.percent > 1 or ((label.percent > 1 or entry.label.percent) and size <= _MOST_PERCENT):
        return "%"
    if (heading.percent or label.percent) and size <= _MOST_RATE and not entry.signed:
        return "%"
    if (label.times or heading.times) and size <= _MOST_RATE:
        return "x"
    if label.counted or heading.counted:
        return ""
    own = label.currency if len(label.words) > 1 else ""
    return own or heading.currency or declared


_DATE_WORDS = frozenset((
    "q", "h", "fiscal", "fy", "quarter", "half", "month", "period", "ended", "ending", "december",
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "first", "second", "third", "fourth", "end", "total", "thereafter", "רבעון", "שנת", "חודש",
    "年", "第", "季", "度", "月", "半", "上", "下", "一", "二", "三", "四",
))  # fmt: skip


def _is_turned(entries: list[_Entry]) -> bool:
    """Whether rows are periods and columns are what is measured, so that rows and columns change places."""
    labels = {entry.line: entry.label for entry in entries}
    headings = {entry.heading for entry in entries}
    if any(heading.named.periods or heading.named.part for heading in headings):
        return False
    pure = sum(_is_date(label) for label in labels.values())
    return 2 * pure > len(labels) and any(heading.terms.words for heading in headings)


def _is_date(label: Label) -> bool:
    rest = {word for word in label.terms.words if not word[0].isdigit()} - _DATE_WORDS
    return bool(label.named.periods or label.named.part) and not rest
