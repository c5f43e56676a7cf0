"""The cells of a table as facts: what each is of by its row, its column, the headings above and the caption."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import partial

import regex

from detection.core import lexicons, numbers, periods, text
from detection.core.evidence.facts import OPEN, Fact, Grid
from detection.core.evidence.labels import NAMED, Axis, Label, label, together
from detection.core.evidence.tables import Cell, Column, Row, Table, words
from detection.core.evidence.tables.sections import is_total
from detection.core.evidence.tables.units import declared, names, scales, tells_apart
from detection.core.evidence.times import (
    Side,
    crossed,
    is_month,
    is_part,
    month_of,
    moved,
    narrowest,
    one_year,
    so_far,
    stretch_of,
    stripped,
    told_apart,
    unnamed,
    when,
    within,
    without_events,
    without_periods,
    year_behind,
    years_of,
)
from detection.core.lexicons import Words
from detection.core.periods import Calendar, Span
from detection.core.quantities import basis
from detection.core.quantities.features import is_meaning
from detection.core.quantities.measures import AREAS

_SIGNS = regex.compile(r"[<>≤≥]=?")
_NEAR = 40  # characters beside a value that may bound it
_CELL_ENDS = regex.compile(r"[|\t\n<>;,]|\s{2}")
_TAG = regex.compile(r"<[^<>]*>\s*$")
_WORD, _LETTERS = 3, regex.compile(r"\p{L}+")  # letters: what is shorter is a unit: k, m, sf
_GREW, _MOVES = frozenset(("growth",)), frozenset(("growth", "difference"))
_EITHER, _STRIPPED = frozenset(("either", "up", "down")), " ,;:.()%-–—"
_SINCE = regex.compile(f"(?i){words.MOVED_SINCE}")
_LONGEST, _THOUSAND = 20_000, 1000  # characters of a chunk that are searched for a scale
_AROUND = 300  # characters at either end of a source that may declare its scale
_MONEY = frozenset(numbers.CURRENCY_CODES) | frozenset(("ILS", "CNY"))
_TO_THE_CENT = regex.compile(r"\d,\d{3}\.\d\d(?!\d)")
_YEAR = regex.compile(r"(?:19|20)\d\d")
_MOST = 0.6  # of the rows, that rows are periods


def of_table(table: Table, body: str, other: Decimal | None, calendar: Calendar, asked: Span | None) -> Grid:
    """The grid of a table; ``body`` is the text that it stands in, ``other`` the scale that the nearest chunk declares.

    The first axis says what the values are of, the second whose or which of them: in a list the columns and the rows,
    in a matrix the rows and the columns, and where the rows are periods the columns alone. A matrix with a column that is
    the total of the others is a list that lies on its side.
    """
    around = when(f"{table.caption}\n{table.title.replace('_', ' ')}", calendar, ())
    near = (*around, *((asked,) if asked else ())) or unnamed(table)
    is_list = table.shape == "list"
    columns = _columns(table, body, calendar, near)
    years = years_of(table, calendar, near)
    rows = {one.index: _row(one, table, calendar, near, years.get(one.index, ())) for one in table.rows}
    rows = told_apart(so_far(rows, {one.index: one.label for one in table.rows}, calendar, near))
    parts = crossed(table, calendar)
    dated = sum(1 for side in rows.values() if side.spans and not side.own.forms)
    by_column = is_list or dated > len(rows) * _MOST
    metric, entity = (columns, rows) if by_column else (rows, columns)
    sums = set() if by_column else _total_columns(table)
    axes = _axes(metric, entity, as_list=by_column or bool(sums))
    totals = {row.index for row in table.rows if row.is_total} or _summed(table)
    scale = _missed_scale(table, body, other)
    periodic = not by_column or any(side.spans and not side.own.forms for side in columns.values())
    row_scales = _row_scales(table) if periodic and scale == 1 else {}
    told = _told_scales(table, body) if scale == 1 else {}
    counts = _counting(rows, columns)
    facts = [
        _fact(
            _scaled(cell, told.get((cell.row, cell.column)) or row_scales.get(cell.row, scale), counts),
            axes,
            (rows[cell.row], columns[cell.column]),
            around,
            parts(cell.column, rows[cell.row].spans)
            or within(rows[cell.row], columns[cell.column].spans, calendar),
            cell.row in totals or cell.column in sums,
            body,
            by_column,
        )
        for cell in _signed(table.cells)
        if cell.column in columns
    ]
    return Grid(
        f"table {table.source}", axes, facts, calendar, scale=scale if scale != 1 else _own_scale(table)
    )


def _axes(metric: Mapping[int, Side], entity: Mapping[int, Side], *, as_list: bool) -> tuple[Axis, Axis]:
    """What the values are of, and whose; in a list the former are called columns."""
    first, second = ("column", "row") if as_list else ("row", "column")
    return _axis(first, metric, NAMED[0]), _axis(second, entity, NAMED[1])


def _total_columns(table: Table) -> set[int]:
    """The columns that are the total of the others, where the rows are of several kinds or units."""
    told = {(cell.kind, cell.unit) for cell in table.cells}
    return {one.index for one in table.columns if len(told) > 1 and is_total(" ".join(one.heads))}


def _summed(table: Table) -> set[int]:
    """The last row of a table where it is the sum of those above in most of the columns that hold amounts, and in two."""
    columns: dict[int, dict[int, Decimal]] = defaultdict(dict)
    for cell in table.cells:
        if cell.kind in ("currency", "number") and cell.value is not None:
            columns[cell.column][cell.row] = cell.value
    last = max((cell.row for cell in table.cells), default=-1)
    ends = [rows for rows in columns.values() if rows.get(last) and len(rows) > _LEAST_SUMMED]
    sums = [rows for rows in ends if sum(rows.values()) == 2 * rows[last]]
    return {last} if len(sums) > 1 and 2 * len(sums) > len(ends) else set()


def _columns(table: Table, body: str, calendar: Calendar, near: Sequence[Span]) -> dict[int, Side]:
    """The columns of values by what their headings say; a heading that names a part of a year is of the year that the
    others name, or of that behind it."""
    is_list = table.shape == "list"
    first = " ".join(table.columns[0].heads) if table.columns else ""
    corner = next(filter(None, map(stretch_of, (first, table.caption, table.title))), "")
    heads = (one for one in table.columns if not one.is_text)
    rates = {cell.column for cell in table.cells if cell.kind == "percentage"} if is_list else set()
    read = partial(_head, corner=corner, calendar=calendar, is_list=is_list, rates=rates)
    own = {one.index: read(one, near=near) for one in heads}
    year = one_year(own)
    years = {at: year or year_behind(own, at) for at, side in own.items() if not side.spans}
    lacking = [one for one in table.columns if years.get(one.index)]
    own |= {one.index: read(one, near=(*near, *years[one.index])) for one in lacking}
    bounded = {cell.column for cell in table.cells if _bound(body, cell.start, cell.end)}
    own = so_far(own, {one.index: " ".join(one.heads) for one in table.columns}, calendar, near)
    found = _tested(moved(told_apart(own)), bounded)
    return _named_beside(found) if is_list else _untested(found)


def _named_beside(columns: Mapping[int, Side]) -> dict[int, Side]:
    """Columns of a list that say only how far something moved are named by the one before them: ``Sales | YoY``."""
    found: dict[int, Side] = {}
    before = Label("", ())
    for at, one in columns.items():
        if one.moves and not one.own.forms and before.forms:
            one = replace(one, own=Label(f"{before.text} {one.own.text}", before.forms))
        elif one.own.forms:
            before = one.own
        found[at] = one
    return found


def _counting(rows: Mapping[int, Side], columns: Mapping[int, Side]) -> set[tuple[int, int]]:
    """The cells whose row or column says that they count something."""
    down, across = ({at for at, side in sides.items() if _counts(side.own.text)} for sides in (rows, columns))
    return {(r, c) for r in rows for c in columns if r in down or c in across}


def _missed_scale(table: Table, body: str, other: Decimal | None) -> Decimal:
    """The scale that title, caption, the text around a table or the nearest chunk declare, where no cell was read at
    any; 1 where cells were, 0 where nothing declares one."""
    amounts = [
        cell for cell in table.cells if cell.kind in ("currency", "number") and cell.value and not cell.per
    ]
    money = [cell for cell in amounts if cell.kind == "currency"]
    if not amounts or any(abs(cell.value or 0) != numbers.written(cell.text) for cell in amounts):
        return Decimal(1)
    if _is_full(table, money):
        return Decimal(1)
    lines = _lines_around(table, body)
    near = scale_of("\n".join(line for line in lines if not tells_apart(line)))
    if near is not None:
        return near
    if any(map(tells_apart, lines)):
        return Decimal(1)
    if other is not None:
        return other
    return Decimal(0) if money else Decimal(1)


def _lines_around(table: Table, body: str) -> list[str]:
    """Title, caption and the text around a table, line by line."""
    before, behind = body[: table.start][-_AROUND:], body[table.end :][:_AROUND]
    return "\n".join((table.title, table.caption, before, behind)).splitlines()


def _told_scales(table: Table, body: str) -> dict[tuple[int, int], Decimal]:
    """The scales of cells whose row or column a text around a table names: "Dues are in EUR thousand, cargo in tonnes"."""
    lines = filter(tells_apart, _lines_around(table, body))
    parts = [one for line in lines for one in declared(line) if one.subjects and one.scale]
    heads = {column.index: " ".join(column.heads) for column in table.columns}
    return {
        (row.index, column): one.scale
        for one in parts
        for row in table.rows
        for column, head in heads.items()
        if one.scale and (names(one.subjects, row.label) or names(one.subjects, head))
    }


def _is_full(table: Table, money: Sequence[Cell]) -> bool:
    """Whether amounts are in full: written to the hundredth, or the caption declares a currency and no scale."""
    said = [one for line in table.caption.splitlines() for one in declared(line) if not one.subjects]
    plain = any(one.currency for one in said) and not any(one.scale for one in said)
    large = [cell for cell in money if abs(cell.value or Decimal(0)) >= _THOUSAND]
    in_thousands = len(large) > 1 and all(_is_whole(cell.value or Decimal(0)) for cell in large)
    return plain or in_thousands or any(_TO_THE_CENT.search(cell.text) for cell in money)


def _signed(cells: Sequence[Cell]) -> Sequence[Cell]:
    """Amounts without a sign are of the one currency that others of the table are in."""
    units = {cell.unit for cell in cells if cell.kind == "currency" and cell.unit}
    if len(units) != 1:
        return cells
    unit = units.pop()
    return [replace(c, unit=unit) if c.kind == "currency" and not c.unit else c for c in cells]


def _row_scales(table: Table) -> dict[int, Decimal]:
    """The scale of each row of which some amounts were read at one: a heading may declare it over its own column alone,
    a unit line for what it names alone."""
    if any(map(tells_apart, (table.title, *table.caption.splitlines()))):
        return {}
    found: dict[int, set[Decimal]] = defaultdict(set)
    for cell in table.cells:
        if cell.value and cell.kind == "currency" and (written := numbers.written(cell.text)):
            found[cell.row].add(abs(cell.value) / written)
    told = {row: max(scales) for row, scales in found.items()}
    return {row: scale for row, scale in told.items() if scale > 1}


def _own_scale(table: Table) -> Decimal:
    """The scale at which most amounts were read."""
    read = Counter(
        abs(cell.value) / written
        for cell in table.cells
        if cell.value and cell.kind in ("currency", "number") and (written := numbers.written(cell.text))
    )
    return read.most_common(1)[0][0] if read else Decimal(1)


def _is_whole(value: Decimal) -> bool:
    """Whether a value is so many whole thousands; Decimal's own remainder ends at 28 digits."""
    return value == int(value) and int(value) % _THOUSAND == 0


def scale_of(text: str) -> Decimal | None:
    """The first scale that a text declares for its tables: "(in thousands, except per share data)"."""
    found = scales(numbers.fold(text[:_LONGEST])[0])
    return found[0] if found else None


def _scaled(cell: Cell, scale: Decimal, counts: Set[tuple[int, int]]) -> Cell:
    """An amount in major units; what is per share, per area, or counts something stays."""
    if (
        scale in (0, 1)
        or cell.value is None
        or cell.per
        or cell.kind not in ("currency", "number")
        or cell.unit not in ("", *_MONEY)
        or abs(cell.value) != numbers.written(cell.text)
    ):
        return cell
    if cell.kind == "number" and (cell.row, cell.column) in counts:
        return cell
    return replace(cell, value=cell.value * scale, precision=cell.precision * scale)


def _counts(called: str) -> bool:
    """Whether a row or column counts something that is no money: staff, rooms, square metres."""
    return any(mark.value for mark in lexicons.phrases("units").find(Words(called.replace("_", " "))))


def _axis(name: str, sides: Mapping[int, Side], least: float) -> Axis:
    """The labels of rows or columns; those that are called alike are one."""
    return Axis(
        name,
        list(
            {(side.own.text, side.own.above): side.own for side in sides.values() if side.own.forms}.values()
        ),
        least,
    )


def _at(side: Side, axis: Axis) -> int:
    return axis.place(side.own) if side.own.forms else OPEN


def _fact(
    cell: Cell,
    axes: tuple[Axis, Axis],
    own: tuple[Side, Side],
    around: Sequence[Span],
    crossed: Sequence[Span],
    is_total: bool,
    body: str,
    by_column: bool,
) -> Fact:
    row, column = own
    at = tuple(
        _at(side, axis)
        for side, axis in zip((column, row) if by_column else (row, column), axes, strict=True)
    )
    spans = crossed or column.spans or row.spans or around[:1]
    days = numbers.of_iso(cell.iso) if cell.iso else None
    said = _said_role(body[max(cell.start - _NEAR, 0) : cell.start])
    role = _called(said, row, column, by_column)
    return Fact(
        cell.kind,
        cell.value,
        cell.precision,
        cell.unit,
        at,
        spans[0] if spans else None,
        "" if role == "actual" else role,
        cell.per,
        (days.start, days.end) if days and days.start and days.end else None,
        cell.text,
        cell.source,
        cell.start,
        cell.end,
        is_none=cell.is_none,
        is_total=is_total,
        bound=_bound(body, cell.start, cell.end),
        roles=_happened(f"{column.own.text}" if by_column else f"{row.own.text} {column.own.text}")
        if days
        else frozenset(),
        direction=_way(
            cell.value, column.own.text if by_column else f"{row.own.text} {column.own.text}", column.moves
        ),
        basis=basis.settled(basis.of_name(row.own.text) | basis.of_name(column.own.text)),
    )


_SNAKE_DAY = regex.compile(r"((?:19|20)\d\d)_(\d\d)_(\d\d)")
_SHORT_YEAR = regex.compile(
    rf"(?i)(?<![a-z\d])((?:\d{{1,2}}[ -])?(?:{words.MONTHS})\.?[ -]|Q[1-4] )'?(1\d|2[0-7])(?=$|[);]| [^\d\s])"
)
_SEASON = regex.compile(r"(?<![\d/.,-])(\d\d)/(\d\d)(?![\d/.,-])")
_DOTS = regex.compile(r"(?<=\d)\s?\.\.\.?\s?(?=\d)")


def _head(
    column: Column, near: Sequence[Span], *, corner: str, calendar: Calendar, is_list: bool, rates: Set[int]
) -> Side:
    """A column by all its headings; years under a day in the corner are those of that day: ``As of June 30,``, ``2024``; one of
    ``rates`` may say how far another moved."""
    heads = _spelled(column.heads)
    whole = " ".join(heads)
    year = _only_year(whole) if column.index and corner and not _YEAR.search(corner) else ""
    dated = f"{corner} {year}" if year else ""
    role = role_of(whole)
    month = month_of(whole, calendar, near)
    spans = month or (dated and when(dated, calendar, near)) or narrowest(heads, calendar, near)
    lowest = [span for span in when(heads[-1], calendar, near) if span in spans] if heads else []
    own = tuple(dict.fromkeys((*lowest, *spans)))
    called = without_periods(_without_units(whole))
    bare = _without_role(called.text) if role and is_list else Label("", ())
    is_role = bool(role) and not bare.forms
    moves = _only(whole, "operations", _MOVES) or _only(whole, "directions", _EITHER)
    moved_on = _what_moved(whole) if column.index in rates and not moves else Label("", ())
    if (moves or moved_on.forms) and _is_against(whole, calendar):
        own = ()
    forms = (*called.forms, *moved_on.forms) or (
        _plainly(whole).forms if is_list and column.unit in AREAS else ()
    )
    called = Label(called.text or whole, tuple(dict.fromkeys((*forms, *bare.forms))))
    is_base = bool(own) and called.text.strip(" ()[]").lower() in words.BASES
    bare_name = is_role or is_base or bool(month) or (moves and not is_list)
    role = "" if moves and role == "prior" else role  # "Change on the year before"
    return Side(Label(whole, ()) if bare_name else called, own, role, moves or bool(moved_on.forms))


def _only_year(head: str) -> str:
    """The year of a heading that names no other time: "2021 restated"; empty for any other."""
    found = periods.find(head, text.detect_language(head))
    told = head[found[0].start : found[0].end] if len(found) == 1 else ""
    return told if _YEAR.fullmatch(told) else ""


def _is_against(head: str, calendar: Calendar) -> bool:
    """Whether a heading names no period but the one that others are compared with: "Change against 2019", "on 2022/23"."""
    found = periods.find(head, text.detect_language(head), calendar)
    return bool(found) and all(one.is_base or _SINCE.search(head, 0, one.start) for one in found)


def _what_moved(head: str) -> Label:
    """What a heading says moved by its values: "Change in landings on 2022/23", "Sales growth", "On time: change on the
    quarter before"; nothing of one that neither begins nor ends with a word for a move."""
    name, colon, said = head.rpartition(": ")
    marks = [
        *(one for one in lexicons.phrases("operations").find(Words(said)) if one.value & _GREW),
        *(one for one in lexicons.phrases("directions").find(Words(said)) if "either" in one.value),
    ]
    leads = any(not said[: mark.start].strip() for mark in marks)
    ends = any(not said[mark.end :].strip(_STRIPPED) for mark in marks)
    if not leads and (colon or not ends):
        return Label("", ())
    for mark in marks:
        said = said[: mark.start] + " " * (mark.end - mark.start) + said[mark.end :]
    return without_periods(name if colon else said)


def _spelled(heads: Sequence[str]) -> list[str]:
    """Headings with their times as they are written elsewhere: ``2024_06_30``, ``30 Sep 24``, ``2023-09..2023-11``."""
    dated = [_DOTS.sub(" – ", _SNAKE_DAY.sub(r"\1-\2-\3", one).replace("_", " ")) for one in heads]
    if any(_YEAR.search(one) for one in dated):
        return dated
    years = [_SHORT_YEAR.sub(lambda told: f"{told[1][:-1]} 20{told[2]}", one) for one in dated]
    return [
        _SEASON.sub(lambda told: f"20{told[0]}" if _follow(*told.groups()) else told[0], one) for one in years
    ]


def _follow(first: str, second: str) -> bool:
    """Whether the second of two short years is the one behind the first: "23/24"."""
    return (int(first) + 1) % 100 == int(second)


_MEASURES = frozenset(("sf", "sqm", "percent"))
_SPANS = frozenset(("month", "year"))
_HAN = regex.compile(r"\p{Han}")
_CODE = regex.compile(
    rf"(?i)\b(?:{'|'.join(sorted(numbers.CURRENCY_CODES))}|per)\b|[$€£₪¥₹/]|(?<!\w)ש\"ח(?!\w)|\(\s*\)"
)


def _without_units(head: str) -> str:
    """A heading without the units that it measures in: ``asking rent usd sqft month`` is ``asking rent``."""
    marks = [m for m in lexicons.phrases("units").find(Words(head)) if m.value & (_MEASURES | _SPANS)]
    if not any(mark.value & _MEASURES for mark in marks) or _HAN.search(head):
        return head
    rest = list(head)
    for before, mark in zip([None, *marks], marks, strict=False):
        follows = before is not None and mark.start - before.end <= 1
        if mark.value & _MEASURES or follows:
            rest[mark.start : mark.end] = " " * (mark.end - mark.start)
    bare = _CODE.sub(" ", "".join(rest))
    return " ".join(bare.split()) if _LETTERS.search(bare) else ""


def _tested(columns: Mapping[int, Side], bounded: Set[int]) -> dict[int, Side]:
    """Beside columns whose cells are bounds, those that name a test hold what was tested."""
    limits = {i for i, one in columns.items() if one.role == "limit"}
    tested = limits - bounded if limits & bounded else frozenset[int]()
    return {i: replace(one, role="actual") if i in tested else one for i, one in columns.items()}


def _untested(columns: Mapping[int, Side]) -> dict[int, Side]:
    """Beside a column of limits, those that name no role hold what came about, though a row is called a minimum."""
    limited = any(one.role.startswith("limit") for one in columns.values())
    return {i: replace(one, role=one.role or "actual") if limited else one for i, one in columns.items()}


def _without_role(called: str) -> Label:
    """What a heading that makes its values a budget or last year's says beside that: "vacancy last year"."""
    marks = [mark for mark in lexicons.phrases("roles").find(Words(called)) if mark.value]
    for mark in sorted(marks, key=lambda one: -one.start):
        called = called[: mark.start] + " " + called[mark.end :]
    return label(stripped(called))


def _only(head: str, table: str, keys: Set[str]) -> bool:
    """Whether a heading says nothing but phrases of a table of the lexicons, periods and units: "Change", "Change, $k"."""
    told = [(m.start, m.end) for m in lexicons.phrases(table).find(Words(head)) if m.value & keys]
    spoken = [(one.start, one.end) for one in periods.find(head, text.detect_language(head))]
    rest = [" " if any(a <= n < b for a, b in (*told, *spoken)) else sign for n, sign in enumerate(head)]
    left = (word for word in _LETTERS.findall("".join(rest)) if len(word) >= _WORD)
    return bool(told) and all(word.upper() in _MONEY or word.lower() in words.AGAINST for word in left)


def _row(
    row: Row, table: Table, calendar: Calendar, near: Sequence[Span], dated: tuple[Span, ...] = ()
) -> Side:
    """A row by all its words; one that is called "first" under "quarter" is a period."""
    sections = " ".join(row.sections)
    first = " ".join(table.columns[0].heads) if table.columns else ""
    named = without_events(row.label)
    spans = month_of(row.label, calendar, near)
    if spans or is_month(row.label):
        return Side(Label(row.label, ()), spans or dated)
    for lead in ("", first, table.caption.splitlines()[-1] if table.caption else ""):
        called = f"{lead} {named}".strip()
        if not spans and len(lead) < len(row.label) + _LEAD:
            spans = when(called, calendar, near)
            if spans and not without_periods(called).forms:
                return Side(Label(row.label, ()), spans)
    if not spans and is_part(row.label):
        return Side(Label(row.label, ()), dated or when(sections, calendar, near))
    parts = [label(one) for one in row.texts] or [label(row.label)]
    dateless = without_periods(row.label) if spans else Label("", ())
    own = together(row.label, [label(row.label), *parts, dateless])
    if not own.forms:
        own = _plainly(row.label)
    above = _heading(sections or table.caption)
    return Side(
        Label(own.text, own.forms, above),
        spans or dated or when(sections, calendar, near),
        role_of(row.label) or role_of(sections),
    )


def _heading(text: str) -> tuple[frozenset[str], ...]:
    """What stands above a row: its words, and the metrics that they name."""
    forms = label(text).forms
    metrics = frozenset(word for form in forms for word in form if is_meaning(word))
    return (*forms[:1], metrics) if metrics else forms[:1]


def _plainly(called: str) -> Label:
    """A row that only words name which carry nothing elsewhere: ``Other``, ``A``."""
    words = frozenset(numbers.fold(one)[0] for one in _LETTERS.findall(called))
    return Label(called, (words,) if words else ())


_LEAST_SUMMED = 2  # rows above a sum, at least
_LEAD = 12  # characters of a heading over the rows that may belong to their names


_MINUTES = regex.compile(r"(?i)(?<=\d)\s?mins?\b")


def role_of(words: str) -> str:
    """What a heading makes of the values under it: a budget, a limit, last year's; empty for actual ones. A part of a
    metric's name makes nothing of them: "Claims incurred"."""
    named = Words(_MINUTES.sub(" ", words))
    metrics = lexicons.phrases("metrics").find(named)
    keys = {
        key
        for mark in lexicons.phrases("roles").find(named)
        if not any(one.start <= mark.start and mark.end <= one.end and one[:2] != mark[:2] for one in metrics)
        for key in mark.value
    }
    return min(keys - {"actual"} or keys) if keys else ""


def _bound(body: str, start: int, end: int) -> str:
    """The bound that signs at a cell state: ``<= 62.5 %``."""
    said = _said_bound(body[max(start - _NEAR, 0) : start], body[end : end + _NEAR])
    if said:
        return said
    found = _SIGNS.search(body, max(start - 4, 0), end)
    if found is None or _TAG.search(body, max(start - 60, 0), start):
        return ""
    return "at_most" if found.group()[0] in "<≤" else "at_least"


def _said_bound(before: str, behind: str) -> str:
    """The bound that the words of a cell state around its value: ``not less than 1.35x``, ``1.75x min``."""
    for beside in (_CELL_ENDS.split(before)[-1], _CELL_ENDS.split(behind.lstrip("%xX倍 "))[0]):
        if beside.strip() and len(beside) < _NEAR:
            bound = words.bound_of(numbers.fold(beside)[0].strip(" :-"))
            if bound:
                return bound
    return ""


def _called(said: str, row: Side, column: Side, by_column: bool) -> str:
    """The role of a value: what its cell said, else its heading or its label; of a limit which one it is, the label says."""
    if not by_column and column.role == "limit" and row.role.startswith("limit_"):
        return row.role
    return said or column.role or ("" if by_column else row.role)


def _said_role(before: str) -> str:
    """What the words of a cell before its value make of it: a limit, a target; empty for words that say more."""
    called = numbers.fold(_CELL_ENDS.split(before)[-1])[0].strip(" :-.")
    marks = lexicons.phrases("roles").find(Words(called)) if called else ()
    whole = (mark for mark in marks if mark.start == 0 and mark.end == len(called))
    return min(next((mark.value for mark in whole), ()), default="")


def _happened(called: str) -> frozenset[str]:
    """What happened on the dates of a row or column, by what it is called."""
    return frozenset(key for mark in lexicons.phrases("date_roles").find(Words(called)) for key in mark.value)


def _way(value: Decimal | None, called: str, moves: bool) -> str:
    """Where a change went that a cell states; empty for a cell that states none."""
    moves = moves or any(mark.value & _MOVES for mark in lexicons.phrases("operations").find(Words(called)))
    return "" if not moves or not value else "up" if value > 0 else "down"
