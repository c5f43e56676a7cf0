"""Precision, recall, load and cost along one threshold (review-queue §5.2)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detection.core.thresholds import Value
from reviews.tuning.estimates import Along, performance_along
from reviews.tuning.grids import grid, in_force, with_value
from reviews.tuning.holdout import earlier_days
from reviews.tuning.labels import Labels
from reviews.tuning.replay.deciding import Replays
from reviews.tuning.replay.scores import Scored, scores

Column = NDArray[np.float64]

FLAT = 1.05
"""A cost within 5 % of the least is as good."""


@dataclass(frozen=True)
class Costs:
    """What an error costs. ``missed``: a wrong answer that reaches a reader costs as much as this many reviews.
    ``capacity``: how many reviews a day the team can do; None when nobody said."""

    missed: float = 10.0
    capacity: float | None = None


@dataclass(frozen=True)
class Curve:
    """The outcome at each of at most 101 values of one threshold; nan where the labels do not tell.

    ``load`` is flagged answers a day, ``cost`` is counted in reviews over the whole window. ``active`` is the
    index of the value in force, ``optimum`` that of the least cost, ``flat`` the first and last index around it
    within 5 % of the least cost; None where the cost is unknown. ``early`` and ``late`` are the optima of the
    earlier three quarters of the days and of the rest; ``moved`` says that the later one lies outside the flat
    zone of the earlier days. ``capacity`` is a load.
    """

    name: str
    at: tuple[Value, ...]
    active: int
    precision: Column
    precision_low: Column
    precision_high: Column
    recall: Column
    recall_low: Column
    recall_high: Column
    missed: Column
    flagged: NDArray[np.int64]
    load: Column
    cost: Column
    labelled: int
    optimum: int | None
    flat: tuple[int, int] | None
    early: int | None
    late: int | None
    moved: bool
    capacity: float | None

    def rows(self) -> list[dict[str, Any]]:
        """One row a point, None for nan: for JSON and the table beside the chart."""
        columns = {
            f.name: getattr(self, f.name).tolist()
            for f in fields(self)
            if isinstance(getattr(self, f.name), np.ndarray)
        }
        return [
            {"at": at, **{name: _or_none(column[i]) for name, column in columns.items()}}
            for i, at in enumerate(self.at)
        ]


@dataclass(frozen=True)
class Histogram:
    """Counts of a score by bin: ``edges`` float64[bins + 1], the others int64[bins]. What lies beyond the
    outermost edges is counted in the outermost bins."""

    edges: Column
    wrong: NDArray[np.int64]
    right: NDArray[np.int64]
    unlabelled: NDArray[np.int64]


def curve(
    replays: Replays,
    labels: Labels,
    values: Mapping[str, Any],
    scoring: str,
    name: str,
    *,
    days: float,
    costs: Costs,
) -> Curve:
    """Replay a window of ``days`` under each value of the threshold ``name`` in the base of ``values``.

    cost = ``costs.missed`` × missed + flagged, in reviews. Raises :class:`KeyError` for an unknown threshold.
    """
    scored = scores(replays.measured, name)
    active = in_force(values, name)
    at, here = grid(active, name, scored.values if scored else None)
    tried = (values if point == here else with_value(values, name, value) for point, value in enumerate(at))
    flags = np.stack([replays.at(each, scoring).needs_review for each in tried], axis=1)
    along = performance_along(flags, labels)
    cost = _cost(along, costs)
    optimum = _least(cost, here)
    early, late, moved = _over_time(replays, labels, flags, here, costs)
    precision, recall = along.precision, along.recall
    return Curve(
        name=name,
        at=at,
        active=here,
        precision=precision.value,
        precision_low=precision.low,
        precision_high=precision.high,
        recall=recall.value,
        recall_low=recall.low,
        recall_high=recall.high,
        missed=along.missed.value,
        flagged=along.flagged,
        load=along.flagged / days,
        cost=cost,
        labelled=along.labelled,
        optimum=optimum,
        flat=_flat(cost, optimum),
        early=early,
        late=late,
        moved=moved,
        capacity=costs.capacity,
    )


def histogram(scored: Scored, labels: Labels, bins: int = 20) -> Histogram | None:
    """Scores by label, between their 2nd and 98th percentile; None when no score is finite."""
    label = (labels.claim if scored.of == "claim" else labels.answer)[scored.rows]
    finite = np.isfinite(scored.values)
    if not finite.any():
        return None
    values, label = scored.values[finite], label[finite]
    low, high = np.quantile(values, [0.02, 0.98])
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    inside = np.clip(values, edges[0], edges[-1])
    wrong, right, unlabelled = (np.histogram(inside[label == code], edges)[0] for code in (1, 0, -1))
    return Histogram(edges, wrong, right, unlabelled)


def _cost(along: Along, costs: Costs) -> Column:
    return costs.missed * along.missed.value + along.flagged


def _least(cost: Column, here: int) -> int | None:
    """The index of the least cost; of equal ones the nearest to the value in force."""
    if np.isnan(cost).all():
        return None
    least = np.flatnonzero(cost <= np.nanmin(cost) * (1 + 1e-12))
    return int(least[np.argmin(np.abs(least - here))])


def _flat(cost: Column, optimum: int | None) -> tuple[int, int] | None:
    """The first and last index of the stretch around the optimum that costs at most 5 % more."""
    if optimum is None:
        return None
    dear = np.flatnonzero(~(cost <= cost[optimum] * FLAT))
    first = dear[dear < optimum].max(initial=-1) + 1
    last = dear[dear > optimum].min(initial=len(cost)) - 1
    return int(first), int(last)


def _over_time(
    replays: Replays, labels: Labels, flags: NDArray[np.bool_], here: int, costs: Costs
) -> tuple[int | None, int | None, bool]:
    """The optima of the earlier and of the later days, None where their labels do not tell, and whether the later
    one lies outside the earlier one's flat zone."""
    optima, zones = [], []
    earlier = earlier_days(replays.measured)
    for days in (earlier, ~earlier):
        along = performance_along(flags[days], labels.part(replays.measured, days), draws=1)
        cost = _cost(along, costs)
        optima.append(_least(cost, here))
        zones.append(_flat(cost, optima[-1]))
    early, late = optima
    first, last = zones[0] or (0, len(flags.T))
    return early, late, late is not None and not first <= late <= last


def _or_none(number: float) -> float | None:
    return None if number != number else number
