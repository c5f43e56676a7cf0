"""The four rates of CIT-11 over time: mean risk, share of high risk, invalid citations, uncited claims.

The database adds up days; weeks are added up from days here, so that an answer is counted in one place only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from django.db.models import Count, Q, QuerySet, Sum

from detection.models import MonitoredRun

Every = Literal["day", "week"]
MOST_DAYS = 366
"""The longest stretch that is added up at once."""
USUAL_DAYS = 84
SUMS = ("answers", "risk", "high", "ids", "invalid", "sentences", "uncited")
Sums = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share or a mean between 0 and 1 over ``n`` things; None where there was nothing."""

    value: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days from ``start`` to ``end``, both inclusive, and what was found in the answers judged in them.

    ``mean_risk`` and ``high_risk`` are over answers, ``invalid_citations`` over cited ids, ``uncited_claims``
    over sentences that claim something; the last two look only at answers in which citation rules count.
    """

    start: date
    end: date
    answers: int
    mean_risk: Rate
    high_risk: Rate
    invalid_citations: Rate
    uncited_claims: Rate


def by_day(rows: QuerySet[MonitoredRun], first: date, last: date) -> dict[date, Sums]:
    """What is to be added up, for each day from ``first`` to ``last`` that has answers; one query."""
    found = (
        rows.filter(finished_on__range=(first, last))
        .order_by()
        .values("finished_on")
        .annotate(
            answers=Count("pk"),
            risk=Sum("risk_score"),
            high=Count("pk", filter=Q(high_risk=True)),
            ids=Sum("cited"),
            invalid=Sum("cited_invalid"),
            sentences=Sum("claims"),
            uncited=Sum("claims_uncited"),
        )
    )
    counted: list[Mapping[str, Any]] = list(found)
    return {day["finished_on"]: {name: day[name] or 0 for name in SUMS} for day in counted}


def stretches(days: Mapping[date, Sums], first: date, last: date, every: Every) -> list[Stretch]:
    """The rates of each day or week (from Monday) from ``first`` to ``last``, oldest first; empty ones too."""
    return [stretch(days, start, end) for start, end in _calendar(first, last, every)]


def stretch(days: Mapping[date, Sums], start: date, end: date) -> Stretch:
    """The rates of the days from ``start`` to ``end``, out of their sums."""
    inside = [sums for day, sums in days.items() if start <= day <= end]
    total = {name: sum(sums[name] for sums in inside) for name in SUMS}
    return Stretch(
        start,
        end,
        int(total["answers"]),
        mean_risk=_rate(total["risk"], total["answers"]),
        high_risk=_rate(total["high"], total["answers"]),
        invalid_citations=_rate(total["invalid"], total["ids"]),
        uncited_claims=_rate(total["uncited"], total["sentences"]),
    )


def _rate(part: float, whole: float) -> Rate:
    return Rate(round(part / whole, 4) if whole else None, int(whole))


def _calendar(first: date, last: date, every: Every) -> Iterable[tuple[date, date]]:
    start = first
    while start <= last:
        end = start if every == "day" else start + timedelta(days=6 - start.weekday())
        yield start, min(end, last)
        start = end + timedelta(days=1)
