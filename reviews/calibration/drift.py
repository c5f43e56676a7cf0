"""Do figures drift? Shares week by week with the control limits of a p-chart (Shewhart 1931; review-queue §5.4)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from reviews.tuning.labels import Labels
from reviews.tuning.replay.measured import Measured

SIGMAS = 3


@dataclass(frozen=True, slots=True)
class Week:
    """A week from Monday (UTC): of ``n`` the share ``value``, the control limits for that many; None for no n.
    ``outside`` says that the share lies beyond them."""

    start: date
    n: int
    value: float | None
    low: float | None
    high: float | None
    outside: bool


@dataclass(frozen=True, slots=True)
class Drift:
    """Weeks without gaps, oldest first, around the share of all of them together, None without any."""

    weeks: tuple[Week, ...]
    centre: float | None

    @property
    def n(self) -> int:
        """How many there were in all weeks."""
        return sum(week.n for week in self.weeks)


def precision(measured: Measured, labels: Labels) -> Drift:
    """The share of wrong answers among those that detectors sent to review and people judged."""
    counted = (labels.stratum == 0) & (labels.answer >= 0) & (labels.weight > 0)
    return weekly(measured.finished[counted], labels.answer[counted] == 1)


def missed(measured: Measured, labels: Labels) -> Drift:
    """The share of wrong answers among the audited, which no detector had sent to review; weighted within each week
    by what an audited answer speaks for."""
    counted = (labels.stratum > 0) & labels.audited & (labels.answer >= 0)
    return weekly(measured.finished[counted], labels.answer[counted] == 1, labels.weight[counted])


def weekly(
    finished: NDArray[np.float64], hit: NDArray[np.bool_], weight: NDArray[np.float64] | None = None
) -> Drift:
    """The share of ``hit`` in each week; ``finished`` are POSIX seconds.

    Limits are p ± 3 √(p (1 − p) / n) around the share p of all weeks, within [0, 1]; with weights n is Kish's
    effective number.
    """
    if not len(finished):
        return Drift((), None)
    given = np.ones(len(finished)) if weight is None else weight
    monday = np.array([_monday(at) for at in finished.tolist()])
    centre = float((given * hit).sum() / given.sum())
    first, last = min(monday), max(monday)
    starts = [first + timedelta(weeks=n) for n in range((last - first).days // 7 + 1)]
    return Drift(
        tuple(_week(start, hit[monday == start], given[monday == start], centre) for start in starts), centre
    )


def _week(start: date, hit: NDArray[np.bool_], weight: NDArray[np.float64], centre: float) -> Week:
    total = weight.sum()
    if not total:
        return Week(start, 0, None, None, None, False)
    value = float((weight * hit).sum() / total)
    effective = float(total**2 / (weight**2).sum())
    reach = SIGMAS * sqrt(centre * (1 - centre) / effective)
    low, high = max(0.0, centre - reach), min(1.0, centre + reach)
    return Week(start, len(hit), value, low, high, not low - 1e-12 <= value <= high + 1e-12)


def _monday(seconds: float) -> date:
    day = datetime.fromtimestamp(seconds, UTC).date()
    return day - timedelta(days=day.weekday())
