"""How much doubt correct answers meet, learnt from those that people judged (conclusion §4).

Each judged answer counts for as many as its sampling weight says. The limit is a quantile of their doubts; its interval lies
between two of the doubts themselves, whose ranks are binomial whatever the doubts are like (David and Nagaraja, *Order
Statistics*, 3rd ed. 2003, §7.1), at Kish's effective number (Σw)² / Σw² of answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, exp, floor, fsum, inf, lgamma, log, log1p

from detection.core.verdict.doubt import HALF

TAIL = 0.025
"""What either side of the 95 % interval leaves out."""
FEW = 30
"""Answers under which an interval is told of no share, however large it is."""
PLACES = 10_000
"""Limits are kept to so many parts of one."""
LEAST = 0.001
"""Shares, in per cent, of which nobody judges enough answers."""
EXACT = 1e-9
"""By how much sums of weights may differ and be the same."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """The ``limit`` with its 95 % interval, none of them under one half; ``exceeded`` is the weighted share of the judged correct
    answers above it, ``answers`` how many there are and ``effective`` how many equal ones say as much."""

    limit: float
    low: float
    high: float
    exceeded: float
    answers: int
    effective: float


def needed(share: float) -> float:
    """So many judged correct answers are needed for ``share`` per cent: with fewer, the upper end of the interval would lie beyond
    the greatest of their doubts. Infinitely many for as good as none at all."""
    if share < LEAST:
        return inf
    return max(FEW, ceil(log(TAIL) / log1p(-share / 100)))


def effective(weights: Sequence[float]) -> float:
    """Kish's effective number of answers."""
    squares = fsum(weight * weight for weight in weights)
    return fsum(weights) ** 2 / squares if squares else 0.0


def exceeded(doubts: Sequence[float], weights: Sequence[float], limit: float) -> float:
    """The weighted share of ``doubts`` above a limit; 0 of none."""
    above = fsum(weight for doubt, weight in zip(doubts, weights, strict=True) if doubt > limit)
    return above / fsum(weights) if above else 0.0


def learn(doubts: Sequence[float], weights: Sequence[float], share: float) -> Learnt | None:
    """The least limit that ``share`` per cent of correct answers exceed at most, from the ``doubts`` of judged ones and their
    positive ``weights``; None for fewer than :func:`needed`."""
    size = effective(weights)
    if size + EXACT < needed(share):
        return None
    within = 1 - share / 100
    low, high = _ranks(floor(size + EXACT), within)
    least, limit, most = _quantiles(doubts, weights, (min(low, within), within, max(high, within)))
    return Learnt(limit, least, most, exceeded(doubts, weights, limit), len(doubts), size)


def _quantiles(doubts: Sequence[float], weights: Sequence[float], shares: Sequence[float]) -> list[float]:
    """The least doubt that each of ``shares`` (0–1) of the weights does not exceed, written as a limit."""
    ordered = sorted(zip(doubts, weights, strict=True))
    sums = list(accumulate(weight for _, weight in ordered))
    found = []
    for share in shares:
        reached = (
            doubt
            for (doubt, _), sum_ in zip(ordered, sums, strict=True)
            if sum_ >= (share - EXACT) * sums[-1]
        )
        found.append(_written(next(reached)))
    return found


def _written(doubt: float) -> float:
    """A doubt as a limit: never under one half, and rounded up, so that no more exceed it."""
    return max(HALF, min(1.0, ceil(doubt * PLACES) / PLACES))


def _ranks(n: int, within: float) -> tuple[float, float]:
    """The ranks, as shares of ``n``, of the doubts that enclose the quantile ``within`` in 95 % of samples."""
    least, total = 0, 0.0
    for hits in range(n + 1):
        total += _chance(hits, n, within)
        if total <= TAIL:
            least = hits + 1
        if total >= 1 - TAIL:
            return least / n, min(hits + 1, n) / n
    return least / n, 1.0


def _chance(hits: int, n: int, within: float) -> float:
    """The chance of so many of ``n`` below the quantile."""
    ways = lgamma(n + 1) - lgamma(hits + 1) - lgamma(n - hits + 1)
    return exp(ways + hits * log(within) + (n - hits) * log1p(-within))
