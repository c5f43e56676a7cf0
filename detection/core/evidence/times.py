"""Which periods the rows and columns of a table are of, by what they are called and by what stands beside them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import pairwise

import regex

from detection.core import lexicons, numbers, periods, text
from detection.core.evidence.labels import Label, label
from detection.core.evidence.tables import Table, words
from detection.core.evidence.tables.values import is_period
from detection.core.patterns import late
from detection.core.periods import Calendar, Mention, Span
from detection.core.periods.spans import ended
from detection.core.quantities.measures import unit_in

_STRIPPED = " ,;:.()-–—|"
_ANY_YEAR = Calendar(None)
_YEAR = regex.compile(r"(?:19|20)\d\d")
_DIGIT = regex.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Side:
    """What a row or a column says of its cells: a label, the periods and the role that it names; ``moves``: they are how
    far each row moved."""

    own: Label
    spans: tuple[Span, ...] = ()
    role: str = ""
    moves: bool = False


def stretch_of(lead: str) -> str:
    """The last stretch of time in a line that only a year completes: "Three months ended September 30 (in millions)"; also
    one that ends on a day of a year, without that year: "For the year ended 30 April 2024"."""
    found = periods.find(lead, text.detect_language(lead), _ANY_YEAR)
    open_ = [lead[one.start : one.end] for one in found if one.span is None]
    if open_ and len(open_) == len(found):
        return open_[-1]
    ended_ = [_ENDS_IN_YEAR.fullmatch(lead[one.start : one.end]) for one in found if _is_long(one)]
    return ended_[0][1] if len(ended_) == 1 and ended_[0] else ""


_ENDS_IN_YEAR = regex.compile(
    r"(.+\b(?:\d{1,2}\s\p{L}{3,}|\p{L}{3,}\.?\s\d{1,2})),?\s(?:19|20)\d\d"
)  # a stretch with the day that it ends on


def _is_long(one: Mention) -> bool:
    """Whether a mention is of a stretch of quarters that ends on a day."""
    return one.span is not None and one.span[0] != one.span[1] and one.span[0].day == 1 and one.part is None


def year_behind(sides: Mapping[int, Side], column: int) -> tuple[Span, ...]:
    """The year of the next heading to the right that names a period, if it is a year: ``Q1 Q2 Q3 Q4 2024 2023``."""
    dated = [at for at, side in sides.items() if side.spans]
    behind = min((at for at in dated if at > column), default=None)
    if behind is None or any(at < column for at in dated):
        return ()
    return tuple(span for span in sides[behind].spans[:1] if periods.granularity(span) == "year")


def one_year(sides: Mapping[int, Side]) -> tuple[Span, ...]:
    """The year that all periods which headings name lie in, for headings that name a part of one: ``Rate Q3``."""
    spans = [span for side in sides.values() for span in side.spans]
    years = {day.year for span in spans for day in span}
    return (ended(date(years.pop(), 12, 31), 12),) if len(years) == 1 else ()


def told_apart(sides: Mapping[int, Side]) -> dict[int, Side]:
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


def moved(columns: Mapping[int, Side]) -> dict[int, Side]:
    """Moves that do not say of which period are of the latest of the columns before them, up to the moves before; of the
    latest of all where none stands before them: ``Q3 2024 | Q3 2023 | Change | 9M 2024 | 9M 2023 | Change``."""
    every = [one.spans for one in columns.values() if one.spans]
    found, group = dict(columns), list[tuple[Span, ...]]()
    for at, one in columns.items():
        if one.moves and not one.spans:
            found[at] = replace(one, spans=max(group or every, key=_latest, default=()))
            group = []
        elif one.spans:
            group.append(one.spans)
    return found


def _latest(spans: tuple[Span, ...]) -> tuple[date, ...]:
    return spans[0][::-1]


def so_far(
    sides: Mapping[int, Side], called: Mapping[int, str], calendar: Calendar, near: Sequence[Span]
) -> dict[int, Side]:
    """Rows or columns of a year so far end where the latest of the others does: ``Q1 Q2 YTD``."""
    open_ = {at for at in sides if _TO_DATE.search(numbers.fold(called.get(at, ""))[0])}
    others = [span for at, side in sides.items() if at not in open_ for span in side.spans[:1]]
    last = max(others, key=lambda one: one[::-1], default=None)
    if not open_ or last is None:
        return dict(sides)
    told = {at: when(called[at], calendar, (last, *near)) for at in open_}
    return {at: replace(side, spans=told.get(at) or side.spans) for at, side in sides.items()}


_TO_DATE = late(
    "|".join(
        rf"(?<![a-z])(?:{regex.escape(phrase)})(?![a-z])"
        for keys in lexicons.table("aggregations").values()
        for phrase in keys["cumulative"]
    )
)


def narrowest(heads: Sequence[str], calendar: Calendar, near: Sequence[Span]) -> tuple[Span, ...]:
    """The period that headings over each other name, read down, or up where that is part of it: ``2024`` over ``Jan``."""
    down = when(" ".join(heads), calendar, near)
    led = len(heads) > 1 and not _YEAR.search(heads[-1])
    up = when(" ".join(reversed(heads)), calendar, near) if led and down else ()
    return up if up and len(down) == 1 and up != down and periods.contains(down[0], up[0]) else down


def crossed(table: Table, calendar: Calendar) -> Callable[[int, tuple[Span, ...]], tuple[Span, ...]]:
    """The period of a cell whose column names a part of a year, ``Q2``, and whose row stands under the year."""
    heads = {column.index: " ".join(column.heads) for column in table.columns}

    @cache
    def at(column: int, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        head = heads[column]
        if not spans or not head or _YEAR.search(head) or when(head, calendar, ()):
            return ()
        return tuple(span for span in when(head, calendar, spans) if periods.contains(spans[0], span))

    return at


def within(row: Side, spans: tuple[Span, ...], calendar: Calendar) -> tuple[Span, ...]:
    """The period of a cell whose row names a part of a year, ``Q2``, and whose column the year."""
    if row.spans or row.own.forms or not spans or periods.granularity(spans[0]) != "year":
        return ()
    named = month_of(row.own.text, calendar, spans[:1]) or when(row.own.text, calendar, spans[:1])
    return tuple(one for one in named if periods.contains(spans[0], one))


def years_of(table: Table, calendar: Calendar, near: Sequence[Span]) -> dict[int, tuple[Span, ...]]:
    """The periods that a column of its own gives the rows: ``Property | Year | NOI``."""
    heads = {column.index: numbers.fold(" ".join(column.heads))[0] for column in table.columns}
    named = {index for index, head in heads.items() if index and is_period(head) and not _DIGIT.search(head)}
    return {
        cell.row: when(cell.text, calendar, near)
        for cell in table.cells
        if cell.column in named and (cell.kind == "date" or _YEAR.fullmatch(cell.text))
    }


def unnamed(table: Table) -> tuple[Span, ...]:
    """The year of a table whose rows or columns are parts of one that nothing in it says: ``April``, ``May``, ``June``."""
    rows = [row.label for row in table.rows]
    heads = [" ".join(column.heads) for column in table.columns]
    said = (table.title, table.caption, *rows, *heads, *(one for row in table.rows for one in row.sections))
    if any(_YEAR.search(one) for one in said):
        return ()
    parts = [sum(1 for one in side if is_month(one) or is_part(one)) for side in (rows, heads)]
    return (periods.UNNAMED,) if max(parts) >= _LEAST_PARTS else ()


_LEAST_PARTS = 2


def is_part(called: str) -> bool:
    """Whether a row is named by a part of a year that it does not name: ``Q2``, ``March``."""
    found = periods.find(called, text.detect_language(called), _ANY_YEAR)
    return bool(found) and all(one.span is None for one in found) and not without_periods(called).forms


def is_month(called: str) -> bool:
    """Whether a name is that of a month and nothing else."""
    return numbers.fold(called)[0].strip(" .:") in words.MONTH_NAMES


def month_of(called: str, calendar: Calendar, near: Sequence[Span]) -> tuple[Span, ...]:
    """A month by its name alone, which may also be a word: ``May``."""
    if not near or not is_month(called):
        return ()
    return when(called, calendar, near) or when(f"{called.strip(' .:')} {near[0][1].year}", calendar, near)


def without_periods(head: str) -> Label:
    """What a heading says beside the periods that it names: "Homes" of "Homes 2023"."""
    rest = head
    for one in reversed(periods.find(head, text.detect_language(head))):
        rest = rest[: one.start] + " " + rest[one.end :]
    return Label("", ()) if rest != head and _is_unit(rest.strip()) else label(stripped(rest))


def _is_unit(said: str) -> bool:
    """Whether a text is nothing but a unit in brackets."""
    return said.startswith("(") and said.endswith(")") and bool(unit_in(said))


def without_events(called: str) -> str:
    """A name without the brackets that say when something else happened: ``Tern House (opened in August)``."""
    return _IN_BRACKETS.sub(lambda group: " " if _is_event(group[1]) else group[0], called).strip()


_IN_BRACKETS = regex.compile(r"\(([^()]+)\)")


def _is_event(said: str) -> bool:
    marks = lexicons.phrases("date_roles").find(lexicons.Words(said))
    return bool(marks) or (
        bool(periods.find(said, text.detect_language(said))) and bool(without_periods(said).forms)
    )


def stripped(called: str) -> str:
    """A name without the signs around it, a bracket within it closed."""
    bare = called.strip(_STRIPPED)
    return f"{bare})" if bare.count("(") > bare.count(")") else bare


def when(head: str, calendar: Calendar, near: Sequence[Span]) -> tuple[Span, ...]:
    """The periods that a heading names, the likeliest meaning of each; what it compares with, ``YoY``, is none of them."""
    found = periods.find(head, text.detect_language(head), calendar)
    told = [one for one in found if not (one.is_base and one.away) and not _SERIES.match(head, one.end)]
    spans = [span for one in told for span in periods.resolve(one, near, calendar)[:1]]
    return tuple(dict.fromkeys(spans))


_SERIES = regex.compile(r"-[A-Z]\d{0,2}\b")  # a year in the name of a bond or a trust: "2022-A"


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
