"""How reliable a confidence is: bins, ECE and Brier score with their intervals, over labelled answers (quality §4)."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detection.core import calibration
from detection.core.calibration import Bin
from reviews.tuning.estimates import Estimate, wilson

DRAWS = 200
Column = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """``n`` labelled scores in [0, 1]: whether each was ``right``, for how many it speaks (``weight``), when its answer
    was judged (``finished``, POSIX seconds) and which answer it belongs to (``answer``, rows of one answer are
    correlated)."""

    score: Column
    right: NDArray[np.bool_]
    weight: Column
    finished: Column
    answer: NDArray[np.int64]

    def part(self, wanted: NDArray[np.bool_]) -> "Sample":
        """The rows that the mask ``wanted`` (bool[n]) names."""
        return Sample(
            self.score[wanted],
            self.right[wanted],
            self.weight[wanted],
            self.finished[wanted],
            self.answer[wanted],
        )

    def usable(self) -> "Sample":
        """The rows that have a score and count for something."""
        return self.part(np.isfinite(self.score) & (self.weight > 0))

    def mapped(self, fitted: Callable[[float], float]) -> "Sample":
        """The same with every score sent through a map."""
        score = np.array([fitted(score) for score in self.score.tolist()])
        return Sample(score, self.right, self.weight, self.finished, self.answer)


@dataclass(frozen=True)
class Figures:
    """``bins`` of about equally many scores, the calibration error and the Brier score, over ``n`` scores."""

    n: int
    ece: Estimate
    brier: Estimate
    bins: tuple[Bin, ...]

    def stored(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def figures(sample: Sample, *, draws: int = DRAWS, seed: int = 0) -> Figures:
    """The figures of a sample; None in them without a usable score.

    Intervals are of 95 % from a bootstrap over answers, turned round at the estimate (Davison and Hinkley 1997,
    §5.2): resampling adds noise to every bin, so that plain quantiles would lie above the error itself.
    """
    used = sample.usable()
    rows = (used.score.tolist(), used.right.tolist(), used.weight.tolist())
    bins, brier = calibration.bins(*rows), calibration.brier(*rows)
    ece = calibration.calibration_error(bins)
    if ece is None or brier is None:
        nothing = Estimate(None, None, None, 0)
        return Figures(0, nothing, nothing, ())
    drawn = _drawn(used, bins, draws, seed)
    n = len(used.score)
    return Figures(n, _around(ece, drawn[:, 0], n), _around(brier, drawn[:, 1], n), tuple(bins))


def stored(record: dict[str, Any]) -> Figures:
    """What :meth:`Figures.stored` wrote."""
    bins = tuple(Bin(**one) for one in record["bins"])
    return Figures(record["n"], Estimate(**record["ece"]), Estimate(**record["brier"]), bins)


def interval(one: Bin) -> Estimate:
    """The share of a bin that was right, with Wilson's 95 % interval at its effective size."""
    found = wilson(one.share * one.effective, one.effective)
    return Estimate(one.share, found.low, found.high, one.n)


def _drawn(used: Sample, bins: list[Bin], draws: int, seed: int) -> Column:
    """ECE and Brier score of each resample, float64[draws, 2]."""
    random = np.random.default_rng(seed)
    _, answer = np.unique(used.answer, return_inverse=True)
    answers = int(answer.max()) + 1
    place = np.searchsorted([one.low for one in bins], used.score, side="right") - 1
    excess, squared = used.right - used.score, (used.score - used.right) ** 2
    found = np.empty((draws, 2))
    for draw in range(draws):
        times = np.bincount(random.integers(0, answers, answers), minlength=answers)[answer]
        weight = used.weight * times
        total = weight.sum()
        found[draw, 0] = np.abs(np.bincount(place, weight * excess)).sum() / total
        found[draw, 1] = (weight * squared).sum() / total
    return found


def _around(value: float, drawn: Column, n: int) -> Estimate:
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(
        value,
        float(np.clip(2 * value - high, 0, value)),
        float(np.clip(2 * value - low, value, 1)),
        n,
    )
