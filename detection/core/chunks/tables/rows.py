"""What each row of a table is: a heading, a section, values; and which of its cells name it (NUM-06)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import regex

from detection.core.chunks.tables.cells import EMPTY, Cell, Written, european, written
from detection.core.chunks.tables.grids import Grid
from detection.core.chunks.tables.periods import named
from detection.core.chunks.tables.terms import LONGEST, terms
from detection.core.numbers import words

Kind = Literal["blank", "heading", "section", "values", "text"]
_YEAR = regex.compile(r"(?:fy\s?)?(?:19|20)\d\d(?:\.0+)?(?:\s?\(\w\)|\*|\s\d)?")
_FULL_YEAR = regex.compile(r"(?:19|20)\d\d")
_TITLED = 3  # cells of a row that may have a title in the middle
_TOLD = 40  # characters from which on a cell may be a sentence
_WIDEST = 40  # columns; beyond, no second block of labels is looked for
_DIGIT = regex.compile(r"\d")
_LETTER = regex.compile(r"\p{L}")
_SIGNS = frozenset((*words.CURRENCY_SIGNS, *(code.lower() for code in words.CURRENCY_CODES)))
_TAILS = {")": "", "%": "%", ")%": "%", "%)": "%", "x": "x", "×": "x"}
_UNIT_SIGNS = frozenset((*_SIGNS, *_TAILS))


class Row(NamedTuple):
    """A row with the number written in each of its cells, None where there is none."""

    line: int
    cells: Sequence[Cell]
    values: list[Written | None]

    @property
    def label(self) -> str:
        """The text of the first column."""
        return self.cells[0].text if self.cells and not self.cells[0].column else ""


class Columns(NamedTuple):
    """What columns of a table hold besides values: years that name their rows, and labels once more."""

    years: frozenset[int]
    labels: tuple[int, ...]


def rows_of(grid: Grid, chunk: str) -> list[Row]:
    """The rows of a grid of the folded ``chunk``, their cells read; with the labels first, where they stand last."""
    comma = european(chunk[grid.start : grid.end])
    cells = _mirrored(grid.rows) if _labels_last(grid.rows) else grid.rows
    return [Row(line, row, [_read(cell, len(row), comma) for cell in row]) for line, row in enumerate(cells)]


def _read(cell: Cell, width: int, comma: bool) -> Written | None:
    held = cell.text not in EMPTY and (cell.column or width == 1)
    return written(cell.text, comma) if held else None


def _labels_last(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether each row of values has its label at the right, as Hebrew tables have it on the page."""
    body = [row for row in rows[1:] if row and row[0].text not in EMPTY]
    if not body or any(_LETTER.search(row[0].text) for row in body):
        return False
    return all(
        len(row) == len(rows[0]) > 1
        and _LETTER.search(row[-1].text)
        and written(row[0].text)
        and not _YEAR.fullmatch(row[0].text)
        for row in body
    )


def _mirrored(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    last = max(cell.column + cell.width for row in rows for cell in row)
    return [[cell._replace(column=last - cell.column - cell.width) for cell in reversed(row)] for row in rows]


def kind_of(row: Row, headed: bool, started: bool, named_columns: bool) -> Kind:
    """What ``row`` is: ``headed`` when the table says it is a heading, ``started`` when rows of values came
    before, ``named_columns`` when headings did."""
    body = [(cell, value) for cell, value in zip(row.cells, row.values, strict=True) if cell.column]
    filled = [(cell, value) for cell, value in body if cell.text not in EMPTY]
    if not filled:
        if row.values and row.values[0] is not None:
            return "heading" if row.cells[0].heading else "values"
        return "blank" if row.label in EMPTY else "text" if any(cell.text for cell, _ in body) else "section"
    if headed or all(cell.heading for cell, _ in filled):
        return "heading"
    counted = sum(value is not None for _, value in filled)
    dated = all(value is None or _YEAR.fullmatch(cell.text) for cell, value in filled)
    blank = row.label in EMPTY
    if not counted:
        if any(_is_sentence(cell.text) for cell, _ in filled):
            return "text"
        if blank or all(_is_period(cell.text) for cell, _ in filled):
            return "heading"
        held = any(_holds_numbers(cell.text, started) for cell, _ in filled)
        if held and (started or named_columns):
            return "values"
        return "text" if started else "heading"
    first = not started and not named_columns
    if dated and (blank or first or _declares(row.label) or _in_order([cell.text for cell, _ in filled])):
        return "heading"
    return "values"


def _in_order(texts: Sequence[str]) -> bool:
    """Whether cells that hold only years count them up or down, as headings do and measured values do not."""
    years = [int(found.group()) for text in texts if (found := _FULL_YEAR.search(text))]
    steps = {after - before for before, after in pairwise(years)}
    return len(years) == len(texts) and steps in ({1}, {-1})


def is_title(row: Row, started: bool, after: Kind) -> bool:
    """Whether a row that has a text in one of its value columns alone, read as a heading, names the rows below it
    instead of a column: it ends with a colon, or follows values and has values below it."""
    filled = [cell.text for cell in row.cells if cell.text not in EMPTY]
    if len(filled) != 1 or row.cells[0].text or len(row.cells) < _TITLED:
        return False
    text = filled[0]
    said = terms(text[:LONGEST])
    named_column = _DIGIT.search(text) or _is_period(text) or said.scale is not None or not said.words
    return not named_column and (text[-1] in ":：" or (started and after == "values"))


def _is_sentence(text: str) -> bool:
    """A cell that tells something instead of heading a column."""
    return len(text) > _TOLD and text[-1] in ".!?。" and _DIGIT.search(text) is not None


def _holds_numbers(text: str, started: bool) -> bool:
    """``27% - 35%``; below rows of values also ``5 to 40 years``, which above them may be a heading."""
    return (
        _DIGIT.search(text) is not None and (started or _LETTER.search(text) is None) and not _is_period(text)
    )


def _is_period(text: str) -> bool:
    found = named(text[:LONGEST])
    return bool(found.periods or found.part)


def _declares(label: str) -> bool:
    """A label beside years that makes a heading of them: a scale or a date."""
    return terms(label[:LONGEST]).scale is not None or _is_period(label)


def columns_of(rows: Sequence[Row]) -> Columns:
    """The columns of years and of repeated labels among ``rows``."""
    years: dict[int, int] = {}
    others: dict[int, int] = {}
    texts: dict[int, int] = {}
    for row in rows[1:]:
        for cell, value in zip(row.cells, row.values, strict=True):
            if not cell.column or cell.text in EMPTY:
                continue
            held = (
                texts
                if value is None and _LETTER.search(cell.text)
                else years
                if _is_year(cell.text)
                else others
            )
            held[cell.column] = held.get(cell.column, 0) + 1
    last = max(others, default=0)
    dated = frozenset(
        column
        for column, count in years.items()
        if column < last and column not in others and column not in texts and count > 1
    )
    return Columns(dated, _repeated(rows[0], texts, others) if texts and others else ())


def _is_year(text: str) -> bool:
    text = text.removesuffix(".0")
    return len(text) == 4 and text.isdigit() and text[:2] in ("19", "20")


def _repeated(head: Row, texts: dict[int, int], numbers: dict[int, int]) -> tuple[int, ...]:
    """Columns of labels behind a column of values that begin a second block headed as the first is."""
    top = {cell.column: cell.text for cell in head.cells}
    found = []
    for column in range(max(2, min(numbers) + 1), min(_WIDEST, max(numbers))):
        if numbers.get(column, 0) * 4 >= texts.get(column, 0):
            continue
        block = [top.get(other, "") for other in range(1, column)]
        behind = [top.get(other, "") for other in range(column + 1, 2 * column)]
        if top.get(column, "") == top.get(0, "") or block == behind:
            found.append(column)
    return tuple(found)


def joined(row: Row) -> Row:
    """A row whose currency signs, percent signs and closing brackets stand in cells of their own, each put to its
    number."""
    if not any(cell.column and cell.text in _UNIT_SIGNS for cell in row.cells):
        return row
    values = list(row.values)
    sign, last = "", -1
    for place, cell in enumerate(row.cells):
        value = values[place]
        if value is not None:
            if sign and not value.unit:
                values[place] = value._replace(unit=_code(sign))
            sign, last = "", place
        elif cell.column and cell.text in _TAILS and last >= 0:
            before = values[last]
            if before is not None and not before.unit and _TAILS[cell.text]:
                values[last] = before._replace(unit=_TAILS[cell.text])
            last = -1
        elif cell.column and cell.text in _SIGNS:
            sign = cell.text
    return row._replace(values=values)


def _code(sign: str) -> str:
    code = sign.upper()
    return words.CURRENCY_SIGNS.get(sign) or words.CODE_MEANS.get(code, code)


def labels_of(row: Row, columns: Columns) -> list[tuple[int, str]]:
    """The labels of a row, each with the column from which it holds: the texts before its first value, and where
    the table has a second block of labels, those too."""
    texts, first = [], True
    found: list[tuple[int, str]] = []
    for cell, value in zip(row.cells, row.values, strict=True):
        if not cell.column or cell.column in columns.years:
            texts.append(cell.text)
        elif cell.column in columns.labels and cell.text not in EMPTY:
            found.append((cell.column, cell.text))
        elif value is not None:
            first = False
        elif first and cell.text not in EMPTY and cell.text not in _SIGNS and _names(cell.text):
            texts.append(cell.text)
    return [(-1, " ".join(texts)), *found]


def _names(text: str) -> bool:
    """Whether a cell of text names its row: it has no number but those of a period."""
    return len(text) <= LONGEST and (_DIGIT.search(text) is None or _is_period(text))
