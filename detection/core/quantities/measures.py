"""Units of what is counted: how long something takes, how large an area is."""

from detection.core import lexicons
from detection.core.types import NumericClaim

AREAS = frozenset(("sf", "sqm", "acre", "hectare", "ping", "dunam"))
DURATIONS = frozenset(("day", "business_day", "week", "month", "quarter", "year", "decade", "hour", "times"))
_MEASURES = AREAS | DURATIONS


def measured_in(number: NumericClaim) -> str:
    """The unit of an area or of a time that the noun behind a number names; empty for any other count."""
    marks = lexicons.phrases("units").find(lexicons.Words(number.noun)) if number.noun else ()
    return next((key for mark in marks for key in sorted(mark.value) if key in _MEASURES), "")
