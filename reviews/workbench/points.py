"""The points of a threshold's curve with what each would change: everything that moving the slider shows."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from detection.core.thresholds import Value
from detection.models import ThresholdProfile
from reviews.tuning.curves import Column, Costs, Curve, curve
from reviews.tuning.estimates import Estimate, Performance
from reviews.tuning.gate import Gate, gate
from reviews.tuning.grids import in_force, with_value
from reviews.tuning.labels import Labels
from reviews.tuning.replay.deciding import Replayed, Replays
from reviews.tuning.replay.measured import Measured
from reviews.tuning.what_if import WhatIf, what_if
from reviews.workbench.asked import Wanted
from reviews.workbench.remembered import Remembered
from reviews.workbench.window import Window


@dataclass(frozen=True)
class Point:
    """One value of the threshold, what it would change against the value in force, and whether it may be activated.

    ``load`` is flagged answers a day, ``cost`` counted in reviews over the window, None without labels.
    """

    value: Value
    change: WhatIf
    gate: Gate
    cost: float | None

    @property
    def precision(self) -> Estimate:
        """The share of wrong answers among the flagged."""
        return self.change.after.precision

    @property
    def recall(self) -> Estimate:
        """The share of flagged answers among the wrong."""
        return self.change.after.recall

    @property
    def load(self) -> float:
        """Flagged answers a day."""
        return self.change.load_after


@dataclass(frozen=True)
class Points:
    """The points in order, with the places of the value in force, of the draft's and of the one chosen; ``optimum``
    and ``flat`` as in :class:`Curve`; ``moved`` says that the later days would choose outside the flat zone."""

    points: tuple[Point, ...]
    active: int
    draft: int | None
    chosen: int
    optimum: int | None
    flat: tuple[int, int] | None
    moved: bool

    @property
    def now(self) -> Point:
        """The point in force."""
        return self.points[self.active]

    @property
    def here(self) -> Point:
        """The chosen point."""
        return self.points[self.chosen]


CURVES: Remembered[tuple[Curve, tuple[Point, ...]]] = Remembered(32)
POINTS: Remembered[Point] = Remembered(32)


def points(
    window: Window, profile: ThresholdProfile, draft: ThresholdProfile | None, wanted: Wanted
) -> Points:
    """The curve of the threshold asked for, with the draft's value and the one asked for as points of their own."""
    found, regular = _regular(window, profile, wanted)
    now = scalar(profile, wanted.threshold)
    drafted = scalar(draft, wanted.threshold) if draft else now
    chosen = now if wanted.value is None else wanted.value
    extra = [value for value in dict.fromkeys((drafted, chosen)) if value not in found.at]
    whole = [*regular, *(_point(window, profile, wanted, value) for value in extra)]
    order = sorted(range(len(whole)), key=lambda at: _place(whole[at].value, at))
    at = {old: new for new, old in enumerate(order)}
    values = [whole[old].value for old in order]
    return Points(
        points=tuple(whole[old] for old in order),
        active=at[found.active],
        draft=values.index(drafted) if draft and drafted != now else None,
        chosen=values.index(chosen),
        optimum=None if found.optimum is None else at[found.optimum],
        flat=None if found.flat is None else (at[found.flat[0]], at[found.flat[1]]),
        moved=found.moved,
    )


def point(window: Window, profile: ThresholdProfile, wanted: Wanted) -> Point:
    """The chosen point alone; the value in force when none was chosen."""
    value = scalar(profile, wanted.threshold) if wanted.value is None else wanted.value
    return _point(window, profile, wanted, value)


def scalar(profile: ThresholdProfile, name: str) -> Value:
    """The base value of ``name`` in ``profile`` as a point of its curve: of a number for each of several names the
    largest."""
    value = in_force(profile.values, name)
    return max(value.values()) if isinstance(value, Mapping) and value else value


def costs(wanted: Wanted) -> Costs:
    """What errors cost as the form says."""
    return Costs(missed=wanted.wrong, capacity=wanted.capacity)


def _place(value: Value, at: int) -> float:
    return float(value) if isinstance(value, int | float) else float(at)


def _key(window: Window, profile: ThresholdProfile, wanted: Wanted) -> tuple[Any, ...]:
    return (window.key, profile.pk, wanted.threshold, wanted.wrong, wanted.capacity)


def _regular(window: Window, profile: ThresholdProfile, wanted: Wanted) -> tuple[Curve, tuple[Point, ...]]:
    return CURVES.get(_key(window, profile, wanted), lambda: _computed(window, profile, wanted))


def _computed(window: Window, profile: ThresholdProfile, wanted: Wanted) -> tuple[Curve, tuple[Point, ...]]:
    replays = _Once(window.measured, window.replays)
    found = curve(
        replays,
        window.labels,
        profile.values,
        profile.scoring,
        wanted.threshold,
        days=wanted.days,
        costs=costs(wanted),
    )
    flags = [replays.at(values, profile.scoring) for values in _tried(profile, found)]
    known = [_performance(found, window.labels, at, each) for at, each in enumerate(flags)]
    before = found.active
    each = []
    for at, after in enumerate(flags):
        change = what_if(
            window.measured,
            window.labels,
            flags[before],
            after,
            days=wanted.days,
            name=wanted.threshold,
            known=(known[before], known[at]),
        )
        each.append(_point_of(window, wanted, found.at[at], _without_rows(change)))
    return found, tuple(each)


def _tried(profile: ThresholdProfile, found: Curve) -> list[Mapping[str, Any]]:
    """The values that the points of a curve were replayed under."""
    return [
        profile.values if at == found.active else with_value(profile.values, found.name, value)
        for at, value in enumerate(found.at)
    ]


class _Once(Replays):
    """Replays each set of values once while a curve is computed: the curve and the card need the same."""

    def __init__(self, measured: Measured, replays: Replays) -> None:
        self.measured, self._replays = measured, replays
        self._done: dict[str, Replayed] = {}

    def at(self, values: Mapping[str, Any], scoring: str) -> Replayed:
        """What ``values`` would have decided."""
        key = json.dumps(values, sort_keys=True)
        if key not in self._done:
            self._done[key] = self._replays.at(values, scoring)
        return self._done[key]


def _performance(found: Curve, labels: Labels, at: int, after: Replayed) -> Performance:
    """The figures of one point of a curve."""
    counted = labels.weight > 0
    inside = int((counted & after.needs_review).sum())
    return Performance(
        precision=_estimate(found.precision, found.precision_low, found.precision_high, at, inside),
        recall=_estimate(found.recall, found.recall_low, found.recall_high, at, found.labelled),
        missed=_estimate(found.missed, found.missed, found.missed, at, found.labelled - inside),
        flagged=int(found.flagged[at]),
        labelled=found.labelled,
    )


def _estimate(value: Column, low: Column, high: Column, at: int, n: int) -> Estimate:
    return Estimate(_told(value[at]), _told(low[at]), _told(high[at]), n)


def _told(figure: float) -> float | None:
    return None if np.isnan(figure) else float(figure)


def _without_rows(change: WhatIf) -> WhatIf:
    """A hundred points need the counts; the answers themselves are listed for the chosen one alone."""
    return replace(
        change, rows=change.rows[:0], row_newly=change.row_newly[:0], row_label=change.row_label[:0]
    )


def _point(window: Window, profile: ThresholdProfile, wanted: Wanted, value: Value) -> Point:
    return POINTS.get(
        (*_key(window, profile, wanted), str(value)), lambda: _found(window, profile, wanted, value)
    )


def _found(window: Window, profile: ThresholdProfile, wanted: Wanted, value: Value) -> Point:
    before = window.replays.at(profile.values, profile.scoring)
    same = value == scalar(profile, wanted.threshold)
    tried = profile.values if same else with_value(profile.values, wanted.threshold, value)
    after = window.replays.at(tried, profile.scoring)
    change = what_if(window.measured, window.labels, before, after, days=wanted.days, name=wanted.threshold)
    return _point_of(window, wanted, value, change)


def _point_of(window: Window, wanted: Wanted, value: Value, change: WhatIf) -> Point:
    """The point with its cost: a review for each flagged answer, ``wrong`` reviews for each missed one."""
    missed = change.after.missed.value
    cost = None if missed is None else wanted.wrong * missed + change.after.flagged
    return Point(value, change, gate(change, window.labels, whole=window.whole), cost)
