"""The values of one threshold that are tried, and a profile's values with one of them changed."""

import math
from collections.abc import Mapping
from dataclasses import Field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detection.core.thresholds import DEFAULTS, Value, form_fields

POINTS = 101
"""How many values of a threshold are tried at most."""

NO_RANGE = 1e-6
"""Scores that lie closer together than this are all the same: no step between them can be written."""

DECLARED: Mapping[str, Field[Any]] = {declared.name: declared for declared in form_fields()}


def in_force(values: Mapping[str, Any], name: str) -> Value:
    """The value of a threshold in the base of a profile's ``values``. Raises :class:`KeyError` for an unknown
    name."""
    given: Value = values.get("base", {}).get(name, getattr(DEFAULTS, DECLARED[name].name))
    return given


def with_value(values: Mapping[str, Any], name: str, value: Value) -> dict[str, Any]:
    """A profile's ``values`` with another value in the base; overrides stay. A threshold that has a number for
    each of several names gets ``value`` for all of them."""
    active = in_force(values, name)
    if isinstance(active, Mapping) and not isinstance(value, Mapping):
        value = dict.fromkeys(active, float(value))  # type: ignore[arg-type]
    return {**values, "base": {**values.get("base", {}), name: value}}


def grid(active: Value, name: str, scores: NDArray[np.float64] | None) -> tuple[tuple[Value, ...], int]:
    """The values to try, ascending, at most :data:`POINTS`, and the position of the active one.

    Switches and choices are tried whole, a list of phrases with and without its phrases. Numbers lie on a round
    step between the 2nd and the 98th percentile of ``scores``, widened to the active value; without scores that
    differ, between the declared bounds.
    """
    declared = DECLARED[name]
    if isinstance(active, bool):
        return (False, True), int(active)
    if declared.metadata["choices"]:
        choices = tuple(declared.metadata["choices"])
        return choices, choices.index(active)
    if isinstance(active, tuple | list):
        return (((), tuple(active)), 1) if active else (((),), 0)
    if isinstance(active, Mapping):
        if not active:
            return ({},), 0
        active = max(active.values())
    if isinstance(active, str):
        return (active,), 0
    return _numbers(declared, active, scores)


def _numbers(
    declared: Field[Any], active: float, scores: NDArray[np.float64] | None
) -> tuple[tuple[Value, ...], int]:
    low, high = _range(declared, active, scores)
    whole = isinstance(getattr(DEFAULTS, declared.name), int)
    step = _round_step((high - low) / (POINTS - 3), whole)
    lowest, highest = declared.metadata["low"], declared.metadata["high"]
    steps = np.arange(math.floor(low / step), math.ceil(high / step) + 1) * step
    # Decimal steps such as 0.1 * 3 are written back as they are read: 0.3.
    tried = {min(max(round(float(number), 10), lowest), highest) for number in steps} | {active}
    points = sorted(int(number) if whole else float(number) for number in tried)
    return tuple(points), points.index(active)


def _range(declared: Field[Any], active: float, scores: NDArray[np.float64] | None) -> tuple[float, float]:
    lowest, highest = declared.metadata["low"], declared.metadata["high"]
    finite = scores[np.isfinite(scores)] if scores is not None else np.zeros(0)
    if finite.size:
        low, high = np.clip(np.quantile(finite, [0.02, 0.98]), lowest, highest)
        low, high = min(float(low), active), max(float(high), active)
        if high - low > NO_RANGE:
            return low, high
    return float(lowest), float(highest)


def _round_step(least: float, whole: bool) -> float:
    """The smallest of 1, 2, 5 × 10^k that is at least ``least``; a whole number when asked."""
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return max(1.0, step) if whole else step
