"""Do probabilities mean what they say, and the maps that make them (quality §4, review-queue §5.4).

A calibrated confidence of 0.8 is right eight times of ten. Everything here takes ``scores`` in [0, 1], whether each
was ``right``, and ``weights`` (all 1 unless given). What has no finite score or no positive weight is left out.
Small code of our own, since the libraries that have it weigh a hundred megabytes (ADR 4); tests compare.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby, pairwise
from math import exp, isfinite, log, log1p
from typing import Any

from detection.core.types import Verdict

BINS = 10
EDGE = 1e-3
"""Log-odds are taken of scores within [EDGE, 1 − EDGE]: a stated confidence of 1 must not be infinite."""
STEPS = 100
Row = tuple[float, float, float]
"""Score, 1.0 for right or 0.0 for wrong, weight."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores from ``low`` to ``high``: how many (``n``), their weighted ``mean``, the weighted ``share`` that was
    right, their ``weight``, and ``effective``, how many equally weighted ones say as much (Kish 1965)."""

    low: float
    high: float
    n: int
    mean: float
    share: float
    weight: float
    effective: float

    @property
    def said(self) -> str:
        """Its range as people read it."""
        low, high = f"{self.low:.2f}", f"{self.high:.2f}"
        return low if low == high else f"{low}–{high}"


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A map that never falls: linear between the knots ``at`` → ``to``, constant outside them."""

    at: tuple[float, ...]
    to: tuple[float, ...]

    def __call__(self, score: float) -> float:
        """The calibrated score."""
        after = bisect_right(self.at, score)
        if after in (0, len(self.at)):
            return self.to[0 if after == 0 else -1]
        left, right = self.at[after - 1], self.at[after]
        part = (score - left) / (right - left)
        return self.to[after - 1] + part * (self.to[after] - self.to[after - 1])


@dataclass(frozen=True, slots=True)
class Platt:
    """A logistic curve over the score's log-odds; ``slope`` 1 and ``intercept`` 0 change nothing within the edges."""

    slope: float
    intercept: float

    def __call__(self, score: float) -> float:
        """The calibrated score."""
        return _logistic(self.slope * log_odds(score) + self.intercept)


Map = Isotonic | Platt
MAPS: dict[str, Callable[[Mapping[str, Any]], Map]] = {
    "isotonic": lambda given: Isotonic(tuple(map(float, given["at"])), tuple(map(float, given["to"]))),
    "platt": lambda given: Platt(float(given["slope"]), float(given["intercept"])),
}
"""How each kind of map is read from its coefficients."""


def dump(fitted: Map) -> dict[str, Any]:
    """A map as JSON values; :func:`load` reads them."""
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(fitted).items()
    }


def load(method: str, coefficients: Mapping[str, Any]) -> Map:
    """The map that :func:`dump` wrote. Raises :class:`ValueError` for one that is not a map: an unknown method,
    knots that do not rise, values outside [0, 1], a falling slope."""
    try:
        fitted = MAPS[method](coefficients)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not the coefficients of a map by {method}") from error
    if isinstance(fitted, Platt):
        if not (isfinite(fitted.slope) and isfinite(fitted.intercept) and fitted.slope >= 0):
            raise ValueError("the slope must be finite and not fall")
        return fitted
    if not fitted.at or len(fitted.at) != len(fitted.to) or not all(0 <= to <= 1 for to in fitted.to):
        raise ValueError("every knot needs a value in [0, 1]")
    if any(a >= b for a, b in pairwise(fitted.at)) or any(a > b for a, b in pairwise(fitted.to)):
        raise ValueError("the knots must rise")
    return fitted


def calibrated(verdict: Verdict, fitted: Map) -> Verdict:
    """A verdict whose adjusted confidence went through a map; what it was before stays beside it."""
    raw, original = verdict.uncalibrated_confidence, verdict.original_confidence
    if raw is None:
        return verdict
    adjusted = round(min(1.0, max(0.0, fitted(raw))), 6)
    change = None if original is None else round(adjusted - original, 6)
    return replace(verdict, adjusted_confidence=adjusted, confidence_adjustment=change)


def isotonic(
    scores: Sequence[float], right: Sequence[bool], weights: Sequence[float] | None = None
) -> Isotonic:
    """The rising map with the least squared error, by pooling adjacent violators (Ayer et al. 1955).

    Raises :class:`ValueError` without a usable score.
    """
    blocks: list[list[float]] = []  # first score, last score, share right, weight
    for score, share, weight in _distinct(_usable(scores, right, weights)):
        blocks.append([score, score, share, weight])
        while len(blocks) > 1 and blocks[-2][2] >= blocks[-1][2]:
            _first, last, share, weight = blocks.pop()
            before = blocks[-1]
            total = before[3] + weight
            before[1:] = [last, (before[2] * before[3] + share * weight) / total, total]
    knots = [(at, share) for first, last, share, _ in blocks for at in dict.fromkeys((first, last))]
    return Isotonic(tuple(at for at, _ in knots), tuple(min(1.0, max(0.0, to)) for _, to in knots))


def platt(scores: Sequence[float], right: Sequence[bool], weights: Sequence[float] | None = None) -> Platt:
    """The logistic map of the greatest likelihood, by Newton's method, with Platt's (1999) targets, which keep it
    finite where scores part right from wrong.

    A score that tells the opposite of the truth gets a flat map, since a map must never turn the order round.
    Raises :class:`ValueError` without a usable score.
    """
    rows = _usable(scores, right, weights)
    yes = sum(weight for _, truth, weight in rows if truth)
    no = sum(weight for _, truth, weight in rows if not truth)
    high, low = (yes + 1) / (yes + 2), 1 / (no + 2)
    given = [(log_odds(score), high if truth else low, weight) for score, truth, weight in rows]
    slope, intercept = _newton(given)
    if slope > 0:
        return Platt(slope, intercept)
    return Platt(0.0, log_odds((yes * high + no * low) / (yes + no)))


def log_odds(score: float) -> float:
    """ln(score / (1 − score)) within the edges."""
    inside = min(1 - EDGE, max(EDGE, score))
    return log(inside / (1 - inside))


def bins(
    scores: Sequence[float], right: Sequence[bool], weights: Sequence[float] | None = None, most: int = BINS
) -> list[Bin]:
    """Bins of about equally many scores, at most ``most``; equal scores share a bin. Empty without a usable score."""
    rows = _rows(scores, right, weights)
    found: dict[int, list[Row]] = {}
    before = 0
    for _, same in groupby(rows, key=lambda row: row[0]):
        group = list(same)
        middle = before + len(group) / 2
        found.setdefault(int(most * middle / len(rows)), []).extend(group)
        before += len(group)
    return [_bin(group) for group in found.values()]


def calibration_error(found: Sequence[Bin]) -> float | None:
    """ECE: the mean distance between what was said and what was right, over bins by weight; None without any."""
    total = sum(one.weight for one in found)
    return sum(one.weight * abs(one.share - one.mean) for one in found) / total if total else None


def brier(
    scores: Sequence[float], right: Sequence[bool], weights: Sequence[float] | None = None
) -> float | None:
    """The mean squared distance between score and truth (Brier 1950); None without a usable score."""
    rows = _rows(scores, right, weights)
    total = sum(weight for _, _, weight in rows)
    return sum(weight * (score - truth) ** 2 for score, truth, weight in rows) / total if rows else None


def _bin(rows: Sequence[Row]) -> Bin:
    weight = sum(w for _, _, w in rows)
    return Bin(
        low=rows[0][0],
        high=rows[-1][0],
        n=len(rows),
        mean=sum(s * w for s, _, w in rows) / weight,
        share=sum(t * w for _, t, w in rows) / weight,
        weight=weight,
        effective=weight**2 / sum(w * w for _, _, w in rows),
    )


def _rows(scores: Sequence[float], right: Sequence[bool], weights: Sequence[float] | None) -> list[Row]:
    """What counts, by rising score."""
    given = [1.0] * len(scores) if weights is None else weights
    rows = zip(scores, right, given, strict=True)
    usable = [(float(s), float(t), float(w)) for s, t, w in rows if isfinite(s) and isfinite(w) and w > 0]
    return sorted(usable, key=lambda row: row[0])


def _usable(scores: Sequence[float], right: Sequence[bool], weights: Sequence[float] | None) -> list[Row]:
    rows = _rows(scores, right, weights)
    if not rows:
        raise ValueError("there is no score to fit a map to")
    return rows


def _distinct(rows: Sequence[Row]) -> list[Row]:
    """One row for each score: the share that was right, the weights together."""
    pooled = [_bin(list(same)) for _, same in groupby(rows, key=lambda row: row[0])]
    return [(one.low, one.share, one.weight) for one in pooled]


def _newton(rows: Sequence[Row]) -> tuple[float, float]:
    """Slope and intercept; slope 0 where all log-odds are the same."""
    slope, intercept = 0.0, 0.0
    loss = _loss(rows, slope, intercept)
    for _ in range(STEPS):
        step = _step(rows, slope, intercept)
        if step is None:
            return 0.0, 0.0
        size = 1.0
        while (
            after := _loss(rows, slope - size * step[0], intercept - size * step[1])
        ) > loss and size > 1e-10:
            size /= 2
        slope, intercept, done = (
            slope - size * step[0],
            intercept - size * step[1],
            loss - after <= 1e-15 * loss,
        )
        loss = after
        if done:
            break
    return slope, intercept


def _step(rows: Sequence[Row], slope: float, intercept: float) -> tuple[float, float] | None:
    """The Newton step, None where the scores do not determine it."""
    g1 = g0 = h11 = h10 = h00 = 0.0
    for x, target, weight in rows:
        p = _logistic(slope * x + intercept)
        pull, curve = weight * (p - target), weight * p * (1 - p)
        g1, g0 = g1 + pull * x, g0 + pull
        h11, h10, h00 = h11 + curve * x * x, h10 + curve * x, h00 + curve
    determinant = h11 * h00 - h10 * h10
    if determinant <= 1e-12 * h00 * max(h11, h00):
        return None
    return (h00 * g1 - h10 * g0) / determinant, (h11 * g0 - h10 * g1) / determinant


def _loss(rows: Sequence[Row], slope: float, intercept: float) -> float:
    total = 0.0
    for x, target, weight in rows:
        z = slope * x + intercept
        total += weight * (log1p(exp(-abs(z))) + max(z, 0.0) - target * z)
    return total


def _logistic(z: float) -> float:
    return 1 / (1 + exp(-z)) if z >= 0 else exp(z) / (1 + exp(z))
