"""Stretches of time and what is done with them: pieces, the one before, the same a year back, names."""

from calendar import month_abbr, monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

Span = tuple[date, date]
"""Both ends inclusive."""

Granularity = Literal["day", "month", "quarter", "half", "year", "other"]

_DAY = timedelta(days=1)
_YEAR_DAYS = 366
_SLACK = 7  # days that a year of 52 weeks may end before or after its month
_LENGTHS: tuple[tuple[int, int, Granularity], ...] = (
    (1, 1, "day"), (28, 35, "month"), (83, 99, "quarter"), (174, 191, "half"), (357, 378, "year"),
)  # fmt: skip
_MONTHS_OF: dict[Granularity, int] = {"day": 0, "month": 1, "quarter": 3, "half": 6, "year": 12, "other": 0}
_MOST = 4096  # months and spans that are kept: an answer asks the same few of every candidate
_NAMES = {1: "{:02}", 3: "Q{}", 6: "H{}"}


def days(span: Span) -> int:
    """How many days the span has."""
    return (span[1] - span[0]).days + 1


@lru_cache(maxsize=_MOST)
def month_end(year: int, month: int) -> date:
    """The last day of a month; ``month`` may lie outside 1…12 and then means one of another year."""
    count = year * 12 + month - 1
    year, month = min(max(count // 12, date.min.year), date.max.year), count % 12 + 1
    return date(year, month, monthrange(year, month)[1])


def month_start(year: int, month: int) -> date:
    """The first day of a month; ``month`` may lie outside 1…12."""
    return month_end(year, month).replace(day=1)


def stretch(year: int, month: int, months: int) -> Span:
    """So many whole ``months`` that begin with a month of a year."""
    return month_start(year, month), month_end(year, month + months - 1)


def ended(day: date, months: int) -> Span:
    """So many ``months`` that end with ``day``."""
    if day.day == monthrange(day.year, day.month)[1]:
        return month_start(day.year, day.month - months + 1), day
    return after(shifted_day(day, -months)), day


def after(day: date) -> date:
    """The next day."""
    return day + _DAY if day < date.max else day


def ago(day: date, count: int = 1) -> date:
    """The day so many days before."""
    return date.fromordinal(max(day.toordinal() - count, 1))


def shifted_day(day: date, months: int) -> date:
    """The same day so many months later, at the latest the last of that month."""
    end = month_end(day.year, day.month + months)
    return end.replace(day=min(day.day, end.day))


def shifted(span: Span, months: int) -> Span:
    """The span so many months later; an end on the last of a month stays on the last."""
    start, end = shifted_day(span[0], months), shifted_day(span[1], months)
    if span[1].day == monthrange(span[1].year, span[1].month)[1] and (span[0] != span[1] or span[1].day > 1):
        end = month_end(end.year, end.month)
    return (end if span[0] == span[1] else min(start, end)), end


@lru_cache(maxsize=_MOST)
def whole_months(span: Span) -> int:
    """The number of whole months that the span consists of; 0 where it does not."""
    start, end = span
    if start.day == 1 and end.day == monthrange(end.year, end.month)[1]:
        return (end.year - start.year) * 12 + end.month - start.month + 1
    follows = after(end)
    count = (follows.year - start.year) * 12 + follows.month - start.month
    return count if count > 0 and follows.day == start.day and start.day <= 28 else 0


@lru_cache(maxsize=_MOST)
def granularity(span: Span) -> Granularity:
    """What people call a span of this length; years of 52 weeks and quarters of 13 count as what they stand for."""
    length = days(span)
    return next((name for least, most, name in _LENGTHS if least <= length <= most), "other")


def months_of(span: Span) -> int:
    """The length in months, also for spans counted in weeks; 0 for days and stretches that are no months."""
    return whole_months(span) or _MONTHS_OF[granularity(span)] or _by_weeks(span)


def _by_weeks(span: Span) -> int:
    months = round(days(span) * 12 / 365.25)
    return months if months and abs(days(span) - months * 365.25 / 12) <= _SLACK else 0


def pieces(span: Span, months: int) -> tuple[Span, ...]:
    """The consecutive pieces of so many ``months`` that make up the span, in order; none where they do not fit."""
    total = months_of(span)
    if months <= 0 or not total or total % months:
        return ()
    starts = [shifted_day(span[0], months * place) for place in range(total // months)]
    ends = [*(ago(start) for start in starts[1:]), span[1]]
    found = tuple(zip(starts, ends, strict=True))
    return found if all(start <= end for start, end in found) else ()


def before(span: Span) -> Span:
    """The span of the same length that ends where this one begins; itself at the beginning of the calendar."""
    if span[0].toordinal() <= days(span) + _YEAR_DAYS:
        return span
    months = whole_months(span)
    if months:
        return shifted_day(span[0], -months), ago(span[0])
    return ago(span[0], days(span)), ago(span[0])


def behind(span: Span) -> Span:
    """The span of the same length that begins where this one ends."""
    months = whole_months(span)
    start = after(span[1])
    if months:
        return start, ago(shifted_day(start, months))
    return start, date.fromordinal(min(span[1].toordinal() + days(span), date.max.toordinal()))


def year_back(span: Span) -> Span:
    """The same span of the year before; itself at the beginning of the calendar."""
    if span[0].toordinal() <= 2 * _YEAR_DAYS:
        return span
    return shifted(span, -12)


def same(first: Span, second: Span, slack: int = _SLACK) -> bool:
    """Whether both ends lie within ``slack`` days of each other; single days must be the same day."""
    if first[0] == first[1] or second[0] == second[1]:
        return first == second
    return abs((first[0] - second[0]).days) <= slack and abs((first[1] - second[1]).days) <= slack


def contains(first: Span, second: Span) -> bool:
    """Whether the second lies within the first."""
    return first[0] <= second[0] and second[1] <= first[1]


def _number(span: Span, months: int) -> int:
    """Which quarter, half or month of its calendar year the span is; 0 for none."""
    if whole_months(span) != months or span[0].day != 1 or (span[0].month - 1) % months:
        return 0
    return (span[0].month - 1) // months + 1


@lru_cache(maxsize=4096)
def iso(span: Span) -> str:
    """The shortest form: ``2024-09-30``, ``2024-09``, ``2024-Q3``, ``2024-H1``, ``2024`` or ``first/last``."""
    if span[0] == span[1]:
        return span[0].isoformat()
    for months, name in _NAMES.items():
        number = _number(span, months)
        if number:
            return f"{span[0].year:04}-{name.format(number)}"
    if _number(span, 12):
        return f"{span[0].year:04}"
    return f"{span[0].isoformat()}/{span[1].isoformat()}"


@lru_cache(maxsize=4096)
def of_iso(form: str) -> Span:
    """The span of what :func:`iso` gave. Raises ValueError when it is none."""
    if "/" in form:
        first, last = form.split("/")
        return date.fromisoformat(first), date.fromisoformat(last)
    if len(form) == 10:
        return date.fromisoformat(form), date.fromisoformat(form)
    year = int(form[:4])
    if len(form) == 4:
        return stretch(year, 1, 12)
    months = {"Q": 3, "H": 6}.get(form[5], 1)
    return stretch(year, (int(form[5 + (months > 1) :]) - 1) * months + 1, months)


UNNAMED = date(1901, 1, 1), date(1901, 12, 31)
"""Stands for the year of a table that names parts of one and never says of which."""


def in_unnamed(span: Span) -> Span:
    """A span moved to the year that a table never names."""
    start, end = span
    first = month_end(UNNAMED[0].year + start.year - end.year, start.month)
    last = month_end(UNNAMED[0].year, end.month)
    closed = end == month_end(end.year, end.month)
    return first.replace(day=min(start.day, first.day)), last if closed else last.replace(
        day=min(end.day, last.day)
    )


def label(span: Span) -> str:
    """The span as people write it: ``Q3 2024``, ``Sep 2024``, ``30 Sep 2024``, ``Oct 2023 – Sep 2024``; ``Q3`` of a year
    that nothing names, ``Q3 (−1Y)`` of the one before it."""
    year = span[1].year
    if year > UNNAMED[1].year:
        return _dated(span)
    back = f" (−{UNNAMED[1].year - year}Y)" if year < UNNAMED[1].year else ""
    plain = _dated(span).replace(f" {span[0].year}", "").replace(f" {year}", "")
    return ("12M" if plain == f"{year}" else plain) + back


def _dated(span: Span) -> str:
    start, end = span
    if start == end:
        return f"{start.day} {month_abbr[start.month]} {start.year}"
    for months in (3, 6):
        number = _number(span, months)
        if number:
            return f"{_NAMES[months].format(number)} {start.year}"
    if _number(span, 12):
        return f"{start.year}"
    if start.day == 1 and whole_months(span):
        first, last = (f"{month_abbr[one.month]} {one.year}" for one in span)
        return first if whole_months(span) == 1 else f"{first} – {last}"
    return f"{_dated((start, start))} – {_dated((end, end))}"


_MONTHS_OF_YEAR, _OF_ONE_LENGTH, _FEW_DAYS = 12, 1.2, 8


def as_long(first: Span, second: Span) -> bool:
    """Whether two periods are of one length, but for the days that months and leap years differ by."""
    return abs((first[1] - first[0]) - (second[1] - second[0])).days <= _FEW_DAYS


def parts_of(inside: Sequence[Span], span: Span) -> list[Span]:
    """Of what lies in a stretch the whole years where it is made of years, else the shortest."""
    if (
        months_of(span) >= _MONTHS_OF_YEAR
        and months_of(span) % _MONTHS_OF_YEAR == 0
        and (years := [one for one in inside if months_of(one) == _MONTHS_OF_YEAR])
    ):
        return years
    least = min((one[1] - one[0] for one in inside), default=None)
    return [one for one in inside if least is not None and one[1] - one[0] <= least * _OF_ONE_LENGTH]


def meet(stated: Span, claimed: Span) -> bool:
    """Whether a fact of one period can be of another: the same, or a day of it."""
    if same(stated, claimed):
        return True
    short, long = sorted((stated, claimed), key=lambda span: span[1] - span[0])
    return short[0] == short[1] and contains(long, short)
