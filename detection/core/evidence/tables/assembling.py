"""A grid with its units told: what each value measures, in which unit and scale."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import regex

from detection.core import numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.heads import of_notes
from detection.core.evidence.tables.lines import Piece
from detection.core.evidence.tables.model import Cell, Column, Grid, GridRow, Row, Table
from detection.core.evidence.tables.scaling import Around, Told, told
from detection.core.evidence.tables.sections import is_total, is_vacant
from detection.core.evidence.tables.told.noted import without_marks
from detection.core.evidence.tables.units import (
    Declared,
    Measure,
    declared,
    measure,
    names,
    only_unit,
    stems,
    without_unit,
)
from detection.core.evidence.tables.values import bracketed, is_period, is_range
from detection.core.quantities.measures import is_length, is_physical, unit_in
from detection.core.types import Source

_ONE = Decimal(1)
_HALF = _ONE / 2
_ALL = Decimal(100)  # per cent
_BARE = regex.compile(r"[\s*_:：]+$|^[\s*_•▪●◦]+|^-\s+")
_NUMBER = regex.compile(r"[1-9]\d{0,2}")
_YEAR = regex.compile(r"^((?:19|20)\d\d)\.0$")  # a year that a spreadsheet wrote as a number
_MOST_ROWS = 20_000


def assemble(grid: Grid, source: Source, above: Sequence[str] = ()) -> Table:
    """The table of a grid; ``above`` are unit lines of chunks before it."""
    grid = without_marks(grid, source.text)
    unit_column = _unit_column(grid)
    rows = grid.rows[:_MOST_ROWS]
    _share_unit(grid, rows)
    caption = "\n".join(
        [
            *above,
            *(caption.text for caption in grid.captions),
            *_corner(grid),
            *filter(None, (grid.loose_head,)),
        ]
    )
    lines = [line for line in (source.title, caption) if line]
    columns = _columns(grid, rows, unit_column)
    shape = shape_of(columns, [row.label or _label(grid, row, unit_column) for row in rows])
    around = _around(grid, rows, lines)._replace(names=_are_names(columns))
    made = tuple(_row(grid, index, row, unit_column) for index, row in enumerate(rows))
    cells: list[Cell] = []
    why = grid.why or _untold(grid, rows)
    if not why:
        for line, row in zip(made, rows, strict=True):
            cells.extend(_cells(grid, source, line, row, columns, around, unit_column))
    return Table(
        source.ref, grid.start, grid.end, caption, source.title, made, tuple(_declared_units(columns, cells)), tuple(cells),
        shape, not why, why, grid.told,
    )  # fmt: skip


def _share_unit(grid: Grid, rows: Sequence[GridRow]) -> None:
    """Write the unit that one heading alone has behind all, where the last value of each row is what the others come to:
    ``Opening NAV ($m) | Subscriptions | Closing NAV``."""
    found = {column: _UNIT.search(" ".join(grid.heads.get(column, ()))) for column in grid.values}
    units = {one[0] for one in found.values() if one and only_unit(one[1])}
    if len(units) != 1 or all(found.values()) or len(found) <= _FEW_ROWS:
        return
    filled = [[row.pieces[c].said.value for c in grid.values if c in row.pieces] for row in rows]
    whole = [values for values in filled if len(values) == len(found)]
    if len(whole) < _FEW_ROWS or not all(map(_comes_out, whole)):
        return
    for column, unit in found.items():
        if grid.heads.get(column) and not unit:
            grid.heads[column] = [*grid.heads[column][:-1], f"{grid.heads[column][-1]} {next(iter(units))}"]


def _comes_out(values: Sequence[Decimal | None]) -> bool:
    """Whether the last value of a row is the sum of those before it."""
    *parts, last = [value or Decimal(0) for value in values]
    return bool(last) and sum(parts) == last


_UNIT = regex.compile(r"\(([^()]+)\)$")


def _untold(grid: Grid, rows: Sequence[GridRow]) -> str:
    """Why values that only their order places cannot be placed: no heading for any of several columns, or more rows
    without a label than with one; empty where they can."""
    if not grid.ordered:
        return ""
    if len(grid.values) > 1 and not any(grid.heads.get(column) for column in grid.values):
        return "its columns have no headings, or none that can be told apart"
    filled = [row for row in rows if row.pieces]
    if len(filled) > _FEW_ROWS and 2 * sum(not row.label for row in filled) > len(filled):
        return "its values stand apart from their labels"
    return ""


_FEW_ROWS = 2


def _corner(grid: Grid) -> list[str]:
    """A unit line in the cell above the labels."""
    return [text for text in grid.heads.get(0, ()) if declared(text)]


def _unit_column(grid: Grid) -> int:
    """The column that names the unit of each row, -1 where there is none."""
    for column in grid.texts - {0}:
        head = " ".join(grid.heads.get(column, ()))
        if numbers.fold(head)[0].strip() in words.UNIT_HEADS:
            return column
    return -1


def _around(grid: Grid, rows: Sequence[GridRow], lines: Sequence[str]) -> Around:
    found = [_of_things(one, line) for line in lines for one in declared(line)]
    shares = any(one.percent and not one.subjects for one in found) and not any(
        one.currency or one.scale for one in found
    )
    said = [*(text for texts in grid.heads.values() for text in texts), *(_first(row) for row in rows[:60])]
    timed = all(_is_axis(" ".join(grid.heads.get(column, ()))) for column in grid.values)
    heads = [_head(grid, column) for column in grid.values]
    found = [
        one
        for one in _of_amounts(_for_all(found, said, timed=timed), heads, lines)
        if one.subjects or one.scale or one.currency or one.size
    ]
    signs = Counter(
        (column, piece.said.unit)
        for row in rows
        for column, piece in row.pieces.items()
        if piece.said.unit and len(piece.said.unit) == 3
    )
    by_column = {column: unit for (column, unit), _ in reversed(signs.most_common())}
    whole = Counter(by_column.values())
    dates = Counter(
        column for row in rows for column, piece in row.pieces.items() if piece.said.sort == "date"
    )
    values = Counter(
        column for row in rows for column, piece in row.pieces.items() if piece.said.sort == "value"
    )
    dated = frozenset(column for column, count in dates.items() if count > values[column])
    sign = whole.most_common(1)[0][0] if whole else ""
    added = _added(rows)
    return Around(
        tuple(found), by_column, sign, dated, _shares(rows), _plain(grid, rows), shares, added=added
    )


def _of_things(one: Declared, line: str) -> Declared:
    """What a unit line declares for all; one that names a unit of measure is of no money: ``All figures in thousand tonnes``."""
    return one._replace(counted=one.counted or (not (one.subjects or one.currency) and is_physical(line)))


def _of_amounts(found: Sequence[Declared], heads: Sequence[str], lines: Sequence[str]) -> list[Declared]:
    """The unit lines; one that is for "amounts" is for what is headed so and for money, where other headings name neither:
    ``Amounts in EUR thousand`` over ``Applications | Amount paid``."""
    called = {
        word for head in heads if not is_total(head) for word in stems(head) if word in words.AMOUNTS
    }  # a total may be one of all columns
    others = [head for head in heads if not (called & stems(head) or measure(head).money or _is_axis(head))]
    if not (called and others and any(words.AMOUNTS & stems(line) for line in lines)):
        return list(found)
    subjects = tuple(frozenset((word,)) for word in sorted(called))
    split = [(one._replace(subjects=subjects), one._replace(money=True)) for one in found if _is_plain(one)]
    return [*(one for one in found if not _is_plain(one)), *(one for pair in split for one in pair)]


def _is_plain(one: Declared) -> bool:
    return bool(one.currency) and not one.subjects


def _plain(grid: Grid, rows: Sequence[GridRow]) -> tuple[bool, bool]:
    """Whether headings, and whether labels that name a currency alone are in full: beside others that name a scale too;
    of labels also where few name a currency."""
    heads = [measure(" ".join(texts)) for column, texts in grid.heads.items() if column]
    labels = [measure(_first(row)) for row in rows[:_MOST_LABELS]]
    scaled = [any(one.scale and one.currency for one in those) for those in (heads, labels)]
    few = 2 * sum(bool(one.currency) for one in labels) < len(labels)
    return scaled[0], scaled[1] or few


_MOST_LABELS = 200


def _shares(rows: Sequence[GridRow]) -> frozenset[int]:
    """The columns in which several values are written in per cent, one of them as the whole, and none as money."""
    signed: dict[int, list[Decimal | None]] = {}
    others: set[int] = set()
    for row in rows:
        for column, piece in row.pieces.items():
            if piece.said.unit == "%":
                signed.setdefault(column, []).append(piece.said.value)
            elif piece.said.unit:
                others.add(column)
    return frozenset(c for c, values in signed.items() if len(values) > 1 and _ALL in values) - others


def _added(rows: Sequence[GridRow]) -> frozenset[int]:
    """The columns whose last value is the sum of all above it, and no whole of shares."""
    found: dict[int, list[Decimal]] = {}
    for row in rows:
        for column, piece in row.pieces.items():
            if piece.said.value is not None:
                found.setdefault(column, []).append(piece.said.value)
    return frozenset(
        column
        for column, values in found.items()
        if len(values) > _FEW_ROWS + 1 and 2 * values[-1] == sum(values) and values[-1] not in (0, _ALL)
    )


def _for_all(found: Sequence[Declared], said: Sequence[str], *, timed: bool) -> list[Declared]:
    """The unit lines of a table of which headings and labels are ``said``. What one declares for names that the table has
    not is for all; where it has units of their own for others, for none but money, which takes the one unit of money,
    unless all columns are ``timed`` and the rows those of a statement."""
    named = [not one.subjects or any(names(one.subjects, text) for text in said) for one in found]
    kept = [
        one if own else one._replace(subjects=())
        for one, own in zip(found, named, strict=True)
        if own or not one.apart or (timed and one.currency and not one.per)
    ]
    units = {(one.currency, one.scale) for one in found if one.apart and one.currency and not one.per}
    if len(units) == 1 and all(one.subjects for one in kept):
        currency, scale = units.pop()
        kept.append(Declared(currency=currency, scale=scale, money=True))
    return kept


def _first(row: GridRow) -> str:
    return row.label or (row.pieces[0].text if 0 in row.pieces else "")


def plain(text: str) -> str:
    """A label without the marks around it, its line ends as blanks, its ligatures as letters."""
    return " ".join(_BARE.sub("", text if text.isascii() else text.translate(_SET)).split())


_SET = {0xAD: None, 0x200B: None, 0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl"}


def _label(grid: Grid, row: GridRow, unit_column: int) -> str:
    """The words of a row before its first value."""
    if row.label:
        return _called(grid, 0, row.label)
    first = min((column for column in row.pieces if column not in grid.texts), default=grid.columns)
    texts = [
        _called(grid, column, row.pieces[column].text)
        for column in sorted(row.pieces)
        if column < first and column != unit_column and column in grid.texts
        and not (column and is_range(row.pieces[column].text))
    ]  # fmt: skip
    return " ".join(texts)


def _called(grid: Grid, column: int, text: str) -> str:
    """A name as answers give it: a letter alone behind what its column holds, "Loan A", and a number where nothing else
    names the row, "Route 12"."""
    name, head = plain(text), plain(_head(grid, column))
    lettered = len(name) == 1 and "A" <= name <= "Z"
    lettered = lettered or (len(grid.texts) == 1 and _NUMBER.fullmatch(name) is not None)
    return f"{head} {name}" if lettered and head.isalpha() else name


def _row(grid: Grid, index: int, row: GridRow, unit_column: int) -> Row:
    label = _label(grid, row, unit_column)
    texts = [
        _called(grid, column, piece.text)
        for column, piece in sorted(row.pieces.items())
        if column != unit_column and (column in grid.texts or piece.said.sort == "text")
    ]
    if row.label:
        texts = [label, *texts[1:]] if 0 in row.pieces else [label, *texts]
    texts = [text for text in texts if text and text not in ("-", "–", "—")]
    vacant = any(is_vacant(text) for text in texts)
    return Row(
        index, label, tuple(plain(text) for text in row.sections), is_total(label), tuple(texts), vacant
    )


def _columns(grid: Grid, rows: Sequence[GridRow], unit_column: int) -> list[Column]:
    found = []
    for index in range(grid.columns):
        heads = tuple(
            dict.fromkeys(
                _YEAR.sub(r"\1", without_unit(plain(text)))
                for text in grid.heads.get(index, ())
                if not only_unit(plain(text))
            )
        )
        said = _head_measure(grid, index)
        unit = said.currency or ("%" if said.percent > 1 else said.unit if not said.per else "")
        is_text = index in grid.texts or index == unit_column or (of_notes(heads) and not unit)
        found.append(Column(index, heads, unit, said.per, is_text))
    return found


def _head_measure(grid: Grid, column: int) -> Measure:
    """What a heading says of its values; one that names a role alone speaks of money where another such does: "Actual" beside
    "Budget"."""
    sizes = {unit for text in grid.heads.get(column, ()) if (unit := unit_in(text))}
    own = measure(_head(grid, column))._replace(size=sizes.pop() if len(sizes) == 1 else "")
    if own.money or not _is_axis(_head(grid, column)):
        return own
    roles = (_head(grid, other) for other in grid.values if grid.heads.get(other))
    return own._replace(money=any(measure(head).money for head in roles if _is_axis(head)))


def _head(grid: Grid, column: int) -> str:
    return " ".join(grid.heads.get(column, ()))


def _declared_units(columns: Sequence[Column], cells: Sequence[Cell]) -> list[Column]:
    """The columns with the unit that all of their values have."""
    units: dict[int, set[tuple[str, str]]] = {}
    for cell in cells:
        if not cell.is_none and cell.kind != "date":
            units.setdefault(cell.column, set()).add((cell.unit, cell.per))
    found = []
    for column in columns:
        own = units.get(column.index, set())
        if len(own) == 1 and not column.unit:
            unit, per = next(iter(own))
            column = Column(column.index, column.heads, unit, column.per or per, column.is_text)
        found.append(column)
    return found


def _cells(
    grid: Grid,
    source: Source,
    line: Row,
    row: GridRow,
    columns: Sequence[Column],
    around: Around,
    unit_column: int,
) -> list[Cell]:
    unit_text = row.pieces[unit_column].text if unit_column in row.pieces else ""
    cells = []
    for index, piece in sorted(row.pieces.items()):
        if columns[index].is_text or piece.said.sort in ("text", "missing", "empty", "sign"):
            continue
        head = _head_measure(grid, index)
        for one in _several(piece, head):
            said = told(one.said, line, columns[index], head, unit_text, around, columns)
            if said is not None and _METRES.search(one.text) and is_length(line.label):
                said = said._replace(kind="number", value=numbers.written(one.text), unit="metre", scale=_ONE)
            cell = _cell(source, line, index, one, said)
            if cell is not None:
                cells.append(cell)
    return cells


_METRES = regex.compile(r"\d\s?m$")


def _several(piece: Piece, head: Measure) -> list[Piece]:
    """The value of a cell, and the one in brackets behind it where one of the two is per cent; the other counts, though
    the heading names the share: ``n (%)``."""
    pair = bracketed(piece.text)
    if pair is None or (pair[0].unit == "%") is (pair[1].unit == "%"):
        return [piece]
    return [
        piece._replace(said=one._replace(scale=_ONE) if head.percent and not one.unit else one)
        for one in pair
    ]


def _cell(source: Source, line: Row, column: int, piece: Piece, said: Told | None) -> Cell | None:
    if said is None:
        return None
    start, end = piece.start + piece.said.start, piece.start + piece.said.end
    if piece.said.end == 0 or source.text[start:end] != piece.text[piece.said.start : piece.said.end]:
        start, end = piece.start, piece.end
    precision = piece.said.step * _HALF * said.scale if said.value is not None else Decimal(0)
    return Cell(
        source.ref, start, end, source.text[start:end], line.index, column, said.kind, said.value, precision, said.unit, said.per,
        said.iso, piece.said.sort == "dash",
    )  # fmt: skip


# --- matrix or list ---


_WORD = regex.compile(r"[a-z][a-z'-]*|[א-ת][א-ת\"'-]*|[\u4e00-\u9fff]+|%")
_ROLES = words.ROLES
_ROLES_HAN = tuple(word for word in _ROLES if word[0] >= "\u4e00")
_NO_METRIC = words.PERIOD_WORDS | _ROLES


def shape_of(columns: Sequence[Column], labels: Sequence[str]) -> Literal["matrix", "list"]:
    """The shape of a table, from its heads and labels."""
    values = [column for column in columns if not column.is_text]
    if not values or not any(column.heads for column in values):
        return "matrix"
    shared = _dated_title(values)
    if 2 * sum(_is_axis(" ".join(one for one in c.heads if one not in shared)) for c in values) > len(values):
        return "matrix"
    if (labels and 2 * sum(is_axis_label(label) for label in labels) > len(labels)) or _are_names(columns):
        return "list"
    if len([column for column in columns if column.is_text and not of_notes(column.heads)]) > 1:
        return "list"
    heads = sum(_measures(" ".join(column.heads)) for column in values) / len(values)
    rows = sum(_measures(label) for label in labels) / max(1, len(labels))
    return "matrix" if rows > heads else "list"


def _are_names(columns: Sequence[Column]) -> bool:
    """Whether the rows are called by names, which say nothing of what their values are: ``Fund``, ``Tenant``."""
    first = next((column for column in columns if column.is_text), None)
    return first is not None and numbers.fold(" ".join(first.heads))[0].strip(" :*") in words.NAME_HEADS


_DAY = regex.compile(rf"(?<![a-z])(?:{words.MONTHS})(?![a-z])|\d[日/.]\d|年|月")


def _dated_title(values: Sequence[Column]) -> frozenset[str]:
    """The headings with a date that all columns have: the title of a statement, ``Balance sheet at 31 December``."""
    headed = [frozenset(column.heads) for column in values if column.heads]
    shared = frozenset.intersection(*headed) if len(headed) > 1 else frozenset()
    return frozenset(one for one in shared if _DAY.search(numbers.fold(one)[0]))


@lru_cache(maxsize=4096)
def _is_axis(head: str) -> bool:
    """Whether a head names a period or a role and no metric."""
    folded = numbers.fold(head)[0]
    if not folded or is_period(folded):
        return True
    said = _WORD.findall(folded)
    return all(word in _NO_METRIC or any(role in word for role in _ROLES_HAN) for word in said)


def is_axis_label(label: str) -> bool:
    """Whether a row is named by a period."""
    return bool(label) and is_period(numbers.fold(label)[0].strip(":* "))


@lru_cache(maxsize=4096)
def _measures(text: str) -> bool:
    said = measure(text)
    return bool(
        said.money or said.percent or said.times or said.counted or said.unit or said.per or said.scale
    )
