"""The cells of a table as facts: what each is of by its row, its column, the headings above and the caption."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import pairwise

import regex

from detection.core import lexicons, numbers, periods, text
from detection.core.evidence.facts import OPEN, Fact, Grid
from detection.core.evidence.labels import NAMED, Axis, Label, label, together
from detection.core.evidence.tables import Cell, Column, Row, Table, words
from detection.core.evidence.tables.units import declared, scales
from detection.core.evidence.tables.values import is_period
from detection.core.lexicons import Words
from detection.core.periods import Calendar, Span
from detection.core.periods.spans import ended
from detection.core.quantities.features import is_meaning
from detection.core.quantities.measures import AREAS

_SIGNS = regex.compile(r"[<>≤≥]=?")
_NEAR = 40  # characters beside a value that may bound it
_CELL_ENDS = regex.compile(r"[|\t\n<>;,]|\s{2}")
_TAG = regex.compile(r"<[^<>]*>\s*$")
_WORD, _LETTERS = 3, regex.compile(r"\p{L}+")  # letters: what is shorter is a unit: k, m, sf
_MOVES, _EITHER = frozenset(("growth", "difference")), frozenset(("either", "up", "down"))
_STRIPPED = " ,;:.-–—|"
_HOLLOW = regex.compile(r"\(\W*\)|^\)|\($")
_LONGEST, _THOUSAND = 20_000, 1000  # characters of a chunk that are searched for a scale
_AROUND = 300  # characters at either end of a source that may declare its scale
_MONEY = frozenset(numbers.CURRENCY_CODES) | frozenset(("ILS", "CNY"))
_ANY_YEAR = Calendar(None)
_TO_THE_CENT = regex.compile(r"\d,\d{3}\.\d\d(?!\d)")
_YEAR = regex.compile(r"(?:19|20)\d\d")
_DIGIT = regex.compile(r"\d")
_MOST = 0.6  # of the rows, that rows are periods


@dataclass(frozen=True, slots=True)
class Side:
    """What a row or a column says of its cells: a label, the periods and the role that it names; ``moves``: they are how
    far each row moved."""

    own: Label
    spans: tuple[Span, ...] = ()
    role: str = ""
    moves: bool = False


def of_table(table: Table, body: str, other: Decimal | None, calendar: Calendar, asked: Span | None) -> Grid:
    """The grid of a table; ``body`` is the text that it stands in, ``other`` the scale that the nearest chunk declares.

    The first axis says what the values are of, the second whose or which of them: in a list the columns and the rows,
    in a matrix the rows and the columns, and where the rows are periods the columns alone.
    """
    around = when(f"{table.caption}\n{table.title}", calendar, ())
    near = (*around, *((asked,) if asked else ()))
    is_list = table.shape == "list"
    columns = _columns(table, body, calendar, near)
    years = _years(table, calendar, near)
    rows = _dated(
        {one.index: _row(one, table, calendar, near, years.get(one.index, ())) for one in table.rows}
    )
    crossed = _crossed(table, calendar)
    dated = sum(1 for side in rows.values() if side.spans and not side.own.forms)
    by_column = is_list or dated > len(rows) * _MOST
    metric, entity = (columns, rows) if by_column else (rows, columns)
    axes = (
        _axis("column" if by_column else "row", metric, NAMED[0]),
        _axis("row" if by_column else "column", entity, NAMED[1]),
    )
    totals = {row.index for row in table.rows if row.is_total}
    scale = _missed_scale(table, body, other)
    periodic = not by_column or any(side.spans and not side.own.forms for side in columns.values())
    row_scales = _row_scales(table) if periodic and scale == 1 else {}
    counts = _counting(rows, columns)
    facts = [
        _fact(
            _scaled(cell, scale if scale != 1 else row_scales.get(cell.row, scale), counts),
            axes,
            (rows[cell.row], columns[cell.column]),
            around,
            crossed(cell.column, rows[cell.row].spans)
            or _within(rows[cell.row], columns[cell.column].spans, calendar),
            cell.row in totals,
            body,
            by_column,
        )
        for cell in _signed(table.cells)
        if cell.column in columns
    ]
    return Grid(
        f"table {table.source}", axes, facts, calendar, scale=scale if scale != 1 else _own_scale(table)
    )


def _columns(table: Table, body: str, calendar: Calendar, near: Sequence[Span]) -> dict[int, Side]:
    """The columns of values by what their headings say; a heading that names a part of a year is of the year that the
    others name, or of that behind it."""
    is_list = table.shape == "list"
    corner = _stretch(" ".join(table.columns[0].heads) if table.columns else "") or _stretch(table.caption)
    heads = (one for one in table.columns if not one.is_text)
    own = {one.index: _head(one, corner, calendar, near, is_list) for one in heads}
    year = _one_year(own)
    years = {at: year or _year_behind(own, at) for at, side in own.items() if not side.spans}
    lacking = [one for one in table.columns if years.get(one.index)]
    own |= {one.index: _head(one, corner, calendar, (*near, *years[one.index]), is_list) for one in lacking}
    bounded = {cell.column for cell in table.cells if _bound(body, cell.start, cell.end)}
    found = _tested(_of_latest(_dated(own)), bounded)
    return found if is_list else _untested(found)


def _stretch(lead: str) -> str:
    """The last stretch of time in a line that only a year completes: "Three months ended September 30 (in millions)"."""
    found = periods.find(lead, text.detect_language(lead), _ANY_YEAR)
    open_ = [lead[one.start : one.end] for one in found if one.span is None]
    return open_[-1] if open_ and len(open_) == len(found) else ""


def _counting(rows: Mapping[int, Side], columns: Mapping[int, Side]) -> set[tuple[int, int]]:
    """The cells whose row or column says that they count something."""
    down, across = ({at for at, side in sides.items() if _counts(side.own.text)} for sides in (rows, columns))
    return {(r, c) for r in rows for c in columns if r in down or c in across}


def _year_behind(sides: Mapping[int, Side], column: int) -> tuple[Span, ...]:
    """The year of the next heading to the right that names a period, if it is a year: ``Q1 Q2 Q3 Q4 2024 2023``."""
    dated = [at for at, side in sides.items() if side.spans]
    behind = min((at for at in dated if at > column), default=None)
    if behind is None or any(at < column for at in dated):
        return ()
    return tuple(span for span in sides[behind].spans[:1] if periods.granularity(span) == "year")


def _one_year(sides: Mapping[int, Side]) -> tuple[Span, ...]:
    """The year that all periods which headings name lie in, for headings that name a part of one: ``Rate Q3``."""
    spans = [span for side in sides.values() for span in side.spans]
    years = {day.year for span in spans for day in span}
    return (ended(date(years.pop(), 12, 31), 12),) if len(years) == 1 else ()


def _dated(sides: Mapping[int, Side]) -> dict[int, Side]:
    """Columns or rows by what tells their periods apart; months that are three apart are the quarters that they end."""
    named = [set(side.spans) for side in sides.values() if side.spans]
    common = set.intersection(*named) if len(named) > 1 else set()
    apart = {
        place: replace(side, spans=tuple(span for span in side.spans if span not in common) or side.spans)
        for place, side in sides.items()
    }
    ends = sorted({side.spans[0] for side in apart.values() if side.spans})
    months = [second[1].month - first[1].month for first, second in pairwise(ends)]
    by_quarter = len(months) > 1 and all(one in (3, -9) for one in months)
    if not by_quarter or any(periods.granularity(span) != "month" for span in ends):
        return apart
    return {
        place: replace(side, spans=tuple(ended(span[1], 3) for span in side.spans))
        for place, side in apart.items()
    }


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
    before, behind = body[: table.start][-_AROUND:], body[table.end :][:_AROUND]
    near = scale_of("\n".join((table.title, table.caption, before, behind)))
    if near is not None:
        return near
    if other is not None:
        return other
    return Decimal(0) if money else Decimal(1)


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
    """The scale of each row of which some amounts were read at one: a heading may declare it over its own column alone."""
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
    if not side.own.forms:
        return OPEN
    return next(
        place
        for place, one in enumerate(axis.labels)
        if (one.text, one.above) == (side.own.text, side.own.above)
    )


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
    role = column.role or ("" if by_column else row.role)
    if not by_column and column.role == "limit" and row.role.startswith("limit_"):
        role = row.role
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
    )


_SNAKE_DAY = regex.compile(r"((?:19|20)\d\d)_(\d\d)_(\d\d)")
_SHORT_YEAR = regex.compile(
    rf"(?i)(?<![a-z\d])((?:\d{{1,2}}[ -])?(?:{words.MONTHS})\.?[ -]|Q[1-4] )'?(1\d|2[0-7])(?=$|[);]| [^\d\s])"
)
_DOTS = regex.compile(r"(?<=\d)\s?\.\.\.?\s?(?=\d)")


def _of_latest(columns: Mapping[int, Side]) -> dict[int, Side]:
    """Moves that do not say of which period are of the latest that stands beside them."""
    last = max((one.spans for one in columns.values() if one.spans), key=lambda own: own[0][::-1], default=())
    return {i: replace(one, spans=last) if one.moves and not one.spans else one for i, one in columns.items()}


def _head(column: Column, corner: str, calendar: Calendar, near: Sequence[Span], is_list: bool) -> Side:
    """A column by all its headings; years under a day in the corner are those of that day: ``As of June 30,``, ``2024``."""
    heads = _spelled(column.heads)
    whole = " ".join(heads)
    dated = corner if column.index and not _YEAR.search(corner) and _YEAR.fullmatch(whole) else ""
    role = role_of(whole)
    spans = (dated and when(f"{dated} {whole}", calendar, near)) or _narrowest(heads, calendar, near)
    lowest = [span for span in when(heads[-1], calendar, near) if span in spans] if heads else []
    own = tuple(dict.fromkeys((*lowest, *spans)))
    called = _without_periods(_without_units(whole))
    bare = _without_role(called.text) if role and is_list else Label("", ())
    is_role = bool(role) and not bare.forms
    moves = _only(whole, "operations", _MOVES) or _only(whole, "directions", _EITHER)
    forms = called.forms or (_plainly(whole).forms if is_list and column.unit in AREAS else ())
    called = Label(called.text or whole, tuple(dict.fromkeys((*forms, *bare.forms))))
    return Side(Label(whole, ()) if is_role or (moves and not is_list) else called, own, role, moves)


def _spelled(heads: Sequence[str]) -> list[str]:
    """Headings with their times as they are written elsewhere: ``2024_06_30``, ``30 Sep 24``, ``2023-09..2023-11``."""
    dated = [_DOTS.sub(" – ", _SNAKE_DAY.sub(r"\1-\2-\3", one).replace("_", " ")) for one in heads]
    if any(_YEAR.search(one) for one in dated):
        return dated
    return [_SHORT_YEAR.sub(r"\g<1>20\2", one) for one in dated]


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
    return label(_bare(called))


def _bare(called: str) -> str:
    """What is left of a name that parts were taken out of."""
    return _HOLLOW.sub(" ", called.strip(_STRIPPED)).strip(_STRIPPED)


def _only(head: str, table: str, keys: Set[str]) -> bool:
    """Whether a heading says nothing but phrases of a table of the lexicons, periods and units: "Change", "Change, $k"."""
    told = [(m.start, m.end) for m in lexicons.phrases(table).find(Words(head)) if m.value & keys]
    spoken = [(one.start, one.end) for one in periods.find(head, text.detect_language(head))]
    rest = [" " if any(a <= n < b for a, b in (*told, *spoken)) else sign for n, sign in enumerate(head)]
    return bool(told) and all(len(w) < _WORD or w.upper() in _MONEY for w in _LETTERS.findall("".join(rest)))


def _narrowest(heads: Sequence[str], calendar: Calendar, near: Sequence[Span]) -> tuple[Span, ...]:
    """The period that headings over each other name, read down, or up where that is part of it: ``2024`` over ``Jan``."""
    down = when(" ".join(heads), calendar, near)
    led = len(heads) > 1 and not _YEAR.search(heads[-1])
    up = when(" ".join(reversed(heads)), calendar, near) if led and down else ()
    return up if up and len(down) == 1 and up != down and periods.contains(down[0], up[0]) else down


def _crossed(table: Table, calendar: Calendar) -> Callable[[int, tuple[Span, ...]], tuple[Span, ...]]:
    """The period of a cell whose column names a part of a year, ``Q2``, and whose row stands under the year."""
    heads = {column.index: " ".join(column.heads) for column in table.columns}

    @cache
    def at(column: int, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        head = heads[column]
        if not spans or not head or _YEAR.search(head) or when(head, calendar, ()):
            return ()
        return tuple(span for span in when(head, calendar, spans) if periods.contains(spans[0], span))

    return at


def _within(row: Side, spans: tuple[Span, ...], calendar: Calendar) -> tuple[Span, ...]:
    """The period of a cell whose row names a part of a year, ``Q2``, and whose column the year."""
    if row.spans or row.own.forms or not spans or periods.granularity(spans[0]) != "year":
        return ()
    return tuple(one for one in when(row.own.text, calendar, spans[:1]) if periods.contains(spans[0], one))


def _years(table: Table, calendar: Calendar, near: Sequence[Span]) -> dict[int, tuple[Span, ...]]:
    """The periods that a column of its own gives the rows: ``Property | Year | NOI``."""
    heads = {column.index: numbers.fold(" ".join(column.heads))[0] for column in table.columns}
    named = {index for index, head in heads.items() if index and is_period(head) and not _DIGIT.search(head)}
    return {
        cell.row: when(cell.text, calendar, near)
        for cell in table.cells
        if cell.column in named and (cell.kind == "date" or _YEAR.fullmatch(cell.text))
    }


def _row(
    row: Row, table: Table, calendar: Calendar, near: Sequence[Span], dated: tuple[Span, ...] = ()
) -> Side:
    """A row by all its words; one that is called "first" under "quarter" is a period."""
    sections = " ".join(row.sections)
    first = " ".join(table.columns[0].heads) if table.columns else ""
    spans = _month(row.label, calendar, near)
    if spans:
        return Side(Label(row.label, ()), spans)
    for lead in ("", first, table.caption.splitlines()[-1] if table.caption else ""):
        called = f"{lead} {row.label}".strip()
        if not spans and len(lead) < len(row.label) + _LEAD:
            spans = when(called, calendar, near)
            if spans and not _without_periods(called).forms:
                return Side(Label(row.label, ()), spans)
    if not spans and _is_part(row.label):
        return Side(Label(row.label, ()), dated or when(sections, calendar, near))
    parts = [label(one) for one in row.texts] or [label(row.label)]
    dateless = _without_periods(row.label) if spans else Label("", ())
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


def _is_part(called: str) -> bool:
    """Whether a row is named by a part of a year that it does not name: ``Q2``, ``March``."""
    found = periods.find(called, text.detect_language(called), _ANY_YEAR)
    return bool(found) and all(one.span is None for one in found) and not _without_periods(called).forms


def _month(called: str, calendar: Calendar, near: Sequence[Span]) -> tuple[Span, ...]:
    """A month by its name alone, which may also be a word: ``May``."""
    if not near or numbers.fold(called)[0].strip(" .:") not in words.MONTH_NAMES:
        return ()
    return when(called, calendar, near) or when(f"{called.strip(' .:')} {near[0][1].year}", calendar, near)


_LEAD = 12  # characters of a heading over the rows that may belong to their names


def _without_periods(head: str) -> Label:
    rest = head
    for one in reversed(periods.find(head, text.detect_language(head))):
        rest = rest[: one.start] + " " + rest[one.end :]
    return label(_bare(rest))


def when(head: str, calendar: Calendar, near: Sequence[Span]) -> tuple[Span, ...]:
    """The periods that a heading names, the likeliest meaning of each."""
    found = periods.find(head, text.detect_language(head), calendar)
    spans = [span for one in found for span in periods.resolve(one, near, calendar)[:1]]
    return tuple(dict.fromkeys(spans))


def leans(table: Table) -> bool:
    """Whether a heading names a period that another one completes: a quarter without its year."""
    first = " ".join(table.columns[0].heads) if table.columns else ""
    last = table.caption.splitlines()[-1] if table.caption else ""
    called = {f"{table.caption}\n{table.title}", *(" ".join(one.heads) for one in table.columns)}
    called |= {one.heads[-1] for one in table.columns if one.heads}
    for row in table.rows:
        called |= {" ".join(row.sections), *(f"{lead} {row.label}".strip() for lead in ("", first, last))}
    return any(
        one.span is None
        for head in called
        for one in periods.find(head, text.detect_language(head), _ANY_YEAR)
    )


_MINUTES = regex.compile(r"(?i)(?<=\d)\s?mins?\b")


def role_of(words: str) -> str:
    """What a heading makes of the values under it: a budget, a limit, last year's; empty for actual ones."""
    named = _MINUTES.sub(" ", words)
    keys = {key for mark in lexicons.phrases("roles").find(Words(named)) for key in mark.value}
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


def _happened(called: str) -> frozenset[str]:
    """What happened on the dates of a row or column, by what it is called."""
    return frozenset(key for mark in lexicons.phrases("date_roles").find(Words(called)) for key in mark.value)


def _way(value: Decimal | None, called: str, moves: bool) -> str:
    """Where a change went that a cell states; empty for a cell that states none."""
    moves = moves or any(mark.value & _MOVES for mark in lexicons.phrases("operations").find(Words(called)))
    return "" if not moves or not value else "up" if value > 0 else "down"
