"""Periods that texts name: found, read by the calendar of a property, and resolved to spans of days."""

from detection.core.periods.calendars import CALENDAR_YEAR, Calendar, learnt
from detection.core.periods.finding import find
from detection.core.periods.mentions import Away, Mention, Part, each_of, resolve, spoken_of
from detection.core.periods.spans import (
    UNNAMED,
    Granularity,
    Span,
    as_long,
    before,
    behind,
    contains,
    granularity,
    in_unnamed,
    iso,
    label,
    meet,
    of_iso,
    parts_of,
    pieces,
    same,
    shifted,
    year_back,
)
from detection.core.periods.stating import dated_in, stated_in

__all__ = [
    "CALENDAR_YEAR", "UNNAMED", "Away", "Calendar", "Granularity", "Mention", "Part", "Span", "as_long", "before", "behind", "contains", "dated_in", "each_of", "find",
    "granularity", "in_unnamed", "iso", "label", "learnt", "meet", "of_iso", "parts_of", "pieces", "resolve", "same", "shifted", "spoken_of", "stated_in", "year_back",
]  # fmt: skip
