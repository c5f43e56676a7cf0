"""How long it is from one date to another, as people count: in years, months, weeks or days."""

import re
from calendar import monthrange
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from detection.core.periods.calendars import CALENDAR_YEAR
from detection.core.periods.finding import find
from detection.core.periods.spans import Span, after, months_of, shifted_day, stretch

_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAYS = {"day": 1, "calendar_day": 1, "week": 7, "fortnight": 14}
UNITS = frozenset((*_MONTHS, *_DAYS))
"""The units in which lengths of time are told here."""
_JOINED = re.compile(
    r"\s(?:to|until|till|through|and)\s|\s?[–—至到~～]\s?|\s-\s|(?<=\d{4})-(?=\d{4})|\sעד\s?-?", re.IGNORECASE
)
_TO = re.compile(r"\s?(?:to|until|till|through|[–—-]|至|到|[~～]|עד)\s?-?(?:the\s)?", re.IGNORECASE)


def leads_on(between: str) -> bool:
    """Whether what stands between two dates makes them the ends of a stretch."""
    return _TO.fullmatch(between) is not None


class Ends(NamedTuple):
    """The two dates between which something lies, each as finely as it is told."""

    first: Span
    last: Span

    def length(self, unit: str) -> tuple[Decimal, Decimal]:
        """The shortest and the longest that may be meant: without and with the last day, month or year; where one end is told
        less finely than the other, from its end on too."""
        (start, latest), (low, high) = self
        pairs = [(start, low), (start, after(high))]
        if months_of(self.first) != months_of(self.last):
            pairs.append((latest, low))
        found = [_length(one, other, unit) for one, other in pairs]
        return min(found), max(found)


def ends_of(text: str, span: Span, language: str) -> Ends | None:
    """The ends of a stretch that a text names: "1 July 2022 to 30 June 2030"; None for what names one period alone."""
    parts = [part for part in _JOINED.split(text) if any(map(str.isalnum, part))]
    if len(parts) != 2:
        return None
    first, last = (_grain(part, language) for part in parts)
    if first is None and last == 0 and parts[0].strip().isdigit():
        first = last  # "3 to 28 June"
    if first is None or last is None:
        return None
    return Ends(_begun(span[0], first), _closed(span[1], last))


def _grain(part: str, language: str) -> int | None:
    """How many months an end is long, none for a day; None for what names no date."""
    for one in find(part, language, CALENDAR_YEAR)[-1:]:
        if one.span is not None:
            return months_of(one.span)
        if one.part is not None:
            return 0 if one.part.day else one.part.months
    return None


def _begun(day: date, months: int) -> Span:
    return stretch(day.year, day.month, months) if months else (day, day)


def _closed(day: date, months: int) -> Span:
    return stretch(day.year, day.month - months + 1, months) if months else (day, day)


def _length(start: date, end: date, unit: str) -> Decimal:
    """How long it is from the morning of one day to that of another."""
    if unit in _DAYS:
        return Decimal((end - start).days) / _DAYS[unit]
    months = (end.year - start.year) * 12 + end.month - start.month
    if shifted_day(start, months) > end:
        months -= 1
    rest = (end - shifted_day(start, months)).days
    whole = monthrange(end.year, end.month)[1]
    return (months + Decimal(rest) / whole) / _MONTHS[unit]
