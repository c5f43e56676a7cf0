"""What labelled answers say of all answers: precision, recall and missed answers, each with its 95 % interval
(review-queue §5.3).

Verdicts exist mostly for flagged answers, so every labelled answer counts with its weight
(:mod:`reviews.tuning.labels`). Intervals come from a bootstrap over answers, since claims of one answer are
correlated. Where fewer than :data:`FEW` labelled answers are wrong or right, a bootstrap is too narrow, and none
at all for zero; there Wilson's interval holds: for none of 300 it says at most 1.3 %, a little more than the rule
of three.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reviews.tuning.bootstrap import samples
from reviews.tuning.labels import Labels

Column = NDArray[np.float64]
Mask = NDArray[np.bool_]

Z = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""
FEW = 30


@dataclass(frozen=True)
class Estimate:
    """A figure, its 95 % interval and how many labelled answers it rests on; None where nothing is known."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True)
class Performance:
    """How well a set of flags agrees with the labels.

    ``precision`` is the share of wrong answers among the flagged, ``recall`` the share of flagged among the
    wrong, ``missed`` the number of wrong answers that are not flagged; ``flagged`` counts all answers,
    ``labelled`` those whose label counts.
    """

    precision: Estimate
    recall: Estimate
    missed: Estimate
    flagged: int
    labelled: int


@dataclass(frozen=True)
class Band:
    """A figure with its 95 % interval at each of T points; float64[T], nan where nothing is known."""

    value: Column
    low: Column
    high: Column
    n: NDArray[np.int64]

    def at(self, point: int) -> Estimate:
        """The figure at one point."""
        value, low, high = (_or_none(column[point]) for column in (self.value, self.low, self.high))
        return Estimate(value, low, high, int(self.n[point]))


@dataclass(frozen=True)
class Along:
    """Performance at each of T points of a threshold."""

    precision: Band
    recall: Band
    missed: Band
    flagged: NDArray[np.int64]
    labelled: int


@dataclass(frozen=True)
class Part:
    """The labelled answers on one side of the flag at each of T points: how many, how many of them wrong, the
    sums of their weights, of the wrong ones' and of the squares. ``some`` says that answers lie there at all."""

    n: Column
    wrong: Column
    weight: Column
    weight_wrong: Column
    squares: Column
    some: Mask

    def share(self) -> Column:
        """The weighted share of wrong answers; nan without a labelled one."""
        return _ratio(self.weight_wrong, self.weight)

    def limits(self) -> tuple[Column, Column]:
        """Wilson's limits of the weighted number of wrong answers, at Kish's effective size (Σw)² / Σw²; 0
        where no answer lies."""
        low, high = _wilson(self.share(), _ratio(self.weight**2, self.squares))
        return np.where(self.some, low * self.weight, 0), np.where(self.some, high * self.weight, 0)

    def is_few(self) -> Mask:
        """Where too few labelled answers are wrong, or right, for a bootstrap."""
        few: Mask = np.minimum(self.wrong, self.n - self.wrong) < FEW
        return few

    def is_unknown(self) -> Mask:
        """Where answers lie on this side and none of them is labelled."""
        unknown: Mask = self.some & (self.n == 0)
        return unknown


def wilson(k: float, n: float) -> Estimate:
    """``k`` of ``n`` with Wilson's 95 % score interval (Wilson 1927); all None for ``n`` = 0."""
    if not n:
        return Estimate(None, None, None, 0)
    low, high = _wilson(np.array([k / n]), np.array([float(n)]))
    return Estimate(k / n, float(low[0]), float(high[0]), int(n))


def share(wrong: Mask, weight: Column) -> Estimate:
    """The weighted share of ``wrong`` answers with Wilson's interval at Kish's effective size. Answers of weight
    0 do not count."""
    counted = weight > 0
    flags = np.ones((int(counted.sum()), 1))
    part = _part(flags, wrong[counted], weight[counted], np.ones(1, bool))
    value, (low, high) = part.share(), part.limits()
    limits = (_ratio(low, part.weight), _ratio(high, part.weight))
    return Band(value, *limits, part.n.astype(np.int64)).at(0)


def performance(flagged: Mask, labels: Labels, *, draws: int = 400, seed: int = 0) -> Performance:
    """Precision, recall and missed answers of ``flagged`` (bool[A]). The same input gives the same figures."""
    along = performance_along(flagged[:, None], labels, draws=draws, seed=seed)
    return Performance(
        along.precision.at(0), along.recall.at(0), along.missed.at(0), int(along.flagged[0]), along.labelled
    )


def performance_along(flags: Mask, labels: Labels, *, draws: int = 400, seed: int = 0) -> Along:
    """:func:`performance` at T points at once; ``flags`` is bool[A, T].

    Recall and missed answers are nan as long as no answer that passed unflagged was audited. The ``n`` of
    precision counts labelled flagged answers, that of missed labelled unflagged ones, that of recall both.
    """
    counted = labels.weight > 0
    hit, wrong, weight = flags[counted], labels.answer[counted] == 1, labels.weight[counted]
    inside = _part(hit, wrong, weight, np.asarray(flags.any(axis=0)))
    outside = _part(~hit, wrong, weight, np.asarray(~flags.all(axis=0)))
    bands = _wilson_bands(inside, outside)
    if not (inside.is_few() & outside.is_few()).all():
        drawn = samples(hit, wrong, weight, labels.stratum[counted], draws=draws, seed=seed)
        bands = _bootstrapped(bands, drawn, inside, outside)
    precision, recall, missed = bands
    silent = is_unaudited(labels) or not counted.any()
    blank = outside.is_unknown() | silent
    return Along(
        precision,
        _blanked(recall, blank | inside.is_unknown()),
        _blanked(missed, blank),
        flags.sum(axis=0),
        int(counted.sum()),
    )


def is_unaudited(labels: Labels) -> bool:
    """Whether answers passed unflagged and none of them was audited, so that nobody knows what was missed."""
    passed = labels.stratum > 0
    return bool(passed.any() and not (passed & (labels.weight > 0)).any())


def _part(hit: NDArray[Any], wrong: Mask, weight: Column, some: Mask) -> Part:
    columns = hit.astype(np.float64)
    return Part(
        n=np.ones_like(weight) @ columns,
        wrong=wrong.astype(np.float64) @ columns,
        weight=weight @ columns,
        weight_wrong=(weight * wrong) @ columns,
        squares=weight**2 @ columns,
        some=some,
    )


def _wilson_bands(inside: Part, outside: Part) -> tuple[Band, Band, Band]:
    """Precision, recall and missed answers with Wilson's limits.

    Those of recall are carried over from the limits of the found and of the missed answers: the deviation that
    each causes by itself, joined by root of squares as in Zou and Donner 2008 (MOVER).
    """
    found, missed = inside.weight_wrong, outside.weight_wrong
    found_low, found_high = inside.limits()
    missed_low, missed_high = outside.limits()
    recall = _ratio(found, found + missed)
    down = np.hypot(recall - _recall(found_low, missed, recall), recall - _recall(found, missed_high, recall))
    up = np.hypot(_recall(found_high, missed, recall) - recall, _recall(found, missed_low, recall) - recall)
    low, high = _ratio(found_low, inside.weight), _ratio(found_high, inside.weight)
    n_in, n_out = inside.n.astype(np.int64), outside.n.astype(np.int64)
    return (
        Band(inside.share(), low, high, n_in),
        Band(recall, np.clip(recall - down, 0, 1), np.clip(recall + up, 0, 1), n_in + n_out),
        Band(missed, missed_low, missed_high, n_out),
    )


def _recall(found: Column, missed: Column, otherwise: Column) -> Column:
    """found / (found + missed); ``otherwise`` where a part is unknown or both are 0."""
    recall = _ratio(found, found + missed)
    return np.where(np.isnan(recall), otherwise, recall)


def _bootstrapped(
    bands: tuple[Band, Band, Band], drawn: tuple[Column, Column, Column], inside: Part, outside: Part
) -> tuple[Band, Band, Band]:
    """The bands with the bootstrap's limits where both parts that a figure rests on are large enough."""
    few = inside.is_few(), inside.is_few() | outside.is_few(), outside.is_few()
    replaced = []
    for band, draws, small in zip(bands, drawn, few, strict=True):
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)
        low, high = np.minimum(low, band.value), np.maximum(high, band.value)
        replaced.append(
            Band(band.value, np.where(small, band.low, low), np.where(small, band.high, high), band.n)
        )
    return replaced[0], replaced[1], replaced[2]


def _blanked(band: Band, where: Mask) -> Band:
    value, low, high = (np.where(where, np.nan, column) for column in (band.value, band.low, band.high))
    return Band(value, low, high, band.n)


def _wilson(share: Column, n: Column) -> tuple[Column, Column]:
    """Wilson's limits of a share of ``n``, elementwise; nan where either is nan."""
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * np.sqrt(np.maximum(share * (1 - share), 0) / n + Z**2 / (4 * n**2))
    return np.maximum(centre - half, 0), np.minimum(centre + half, 1)


def _ratio(above: Column, below: Column) -> Column:
    """Elementwise quotient; nan where ``below`` is 0."""
    return np.divide(above, below, out=np.full_like(below, np.nan), where=below != 0)


def _or_none(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
