"""Whether a place of the sources is of the period that a claim speaks of (NUM-06)."""

from datetime import date
from functools import lru_cache

from detection.core.chunks.places import Words
from detection.core.chunks.tables import year_of
from detection.core.numbers import dates

_DAY, _MONTH, _YEAR, _SLACK = 1, 31, 360, 7  # days

Span = tuple[date, date]


@lru_cache(maxsize=16_384)
def agreement(asked: str | None, periods: Words) -> int:
    """1 when one of ``periods`` (ISO forms) is the one ``asked``, −1 when all are others, 0 when that is open.

    A year says only that quarters and halves are others, a day nothing: years are weighed, not ruled
    by (fiscal ones differ). A period's last day is of that period, as a balance is; a longer period around the asked one
    leaves it open, as a day inside does.
    """
    wanted = _span(asked) if asked else None
    if asked is None or wanted is None or not periods:
        return 0
    spans = [(iso, span) for iso in periods if (span := _span(iso)) is not None]
    same = any(_same(asked, wanted, iso, span) for iso, span in spans)
    if not _DAY < _days(wanted) < _YEAR:
        finer = all(_MONTH < _days(span) < _YEAR for _, span in spans)
        return -1 if spans and finer and not same and _days(wanted) != _DAY else 0
    if same:
        return 1
    return 0 if not spans or any(_open(wanted, span) for _, span in spans) else -1


def is_short(period: str | None) -> bool:
    """Whether an ISO period is shorter than a year."""
    span = _span(period) if period else None
    return span is not None and _days(span) < _YEAR


def shortest(periods: Words) -> str | None:
    """The shortest of several ISO periods as people write it: ``Q3 2024``; None for none."""
    known = [(_days(span), iso) for iso in periods if (span := _span(iso)) is not None]
    iso = min(known)[1] if known else None
    return f"{iso[5:]} {iso[:4]}" if iso and iso[5:6] in ("Q", "H") else iso


def _span(iso: str) -> Span | None:
    stated = dates.of_iso(iso)
    return (stated.start, stated.end) if stated.start and stated.end else None


def _days(span: Span) -> int:
    return (span[1] - span[0]).days + 1


def _same(asked: str, wanted: Span, iso: str, span: Span) -> bool:
    lengths = _days(wanted), _days(span)
    if min(lengths) >= _YEAR and max(lengths) <= _YEAR + 14:
        return year_of(asked) == year_of(iso)
    if min(lengths) == _DAY < max(lengths):
        return abs((wanted[1] - span[1]).days) <= _SLACK
    return dates.same_period(wanted, span)


def _open(wanted: Span, span: Span) -> bool:
    around = span[0] <= wanted[0] and wanted[1] <= span[1]
    inside = wanted[0] <= span[0] and span[1] <= wanted[1]
    return around or (inside and _days(span) == _DAY)
