"""How far reviewers agree: per cent, Cohen's kappa, Krippendorff's alpha, Gwet's AC1 (review-queue F19).

Each comes with its 95 % interval by a bootstrap over items, and with the number of items that were rated twice.
Nothing is said where the ratings cannot tell: fewer than two ratings of every item, or one category alone.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reviews.tuning.estimates import Estimate

Ratings = NDArray[np.int64]
"""Items × raters: the code of the category that a rater gave, from 0 on; -1 for none."""
Column = NDArray[np.float64]

DRAWS = 400


def percent(ratings: Ratings) -> Estimate:
    """The share of pairs of ratings of an item that are equal (0–1), averaged over items."""
    return _estimate(_rated_twice(ratings), _observed)


def kappa(ratings: Ratings) -> Estimate:
    """Cohen's kappa of the first two raters over the items that both rated (Cohen 1960)."""
    pairs = ratings[:, :2]
    return _estimate(pairs[(pairs >= 0).all(axis=1)], _kappa)


def alpha(ratings: Ratings) -> Estimate:
    """Krippendorff's alpha for nominal data with missing ratings (Krippendorff 2011)."""
    return _estimate(_rated_twice(ratings), _alpha)


def ac1(ratings: Ratings, categories: int | None = None) -> Estimate:
    """Gwet's AC1, which stays sound when one category prevails (Gwet 2008). ``categories`` is how many there are
    to choose from; without it, those that were given. Items with a single rating count for prevalence."""
    rated = ratings[(ratings >= 0).any(axis=1)]
    chosen = categories or len(np.unique(rated[rated >= 0]))
    found = _estimate(rated, lambda counts, pairs, weight: _ac1(counts, weight, chosen))
    return Estimate(found.value, found.low, found.high, len(_rated_twice(ratings)))


Statistic = Callable[[Column, Ratings, Column], float]
"""From distinct rows of ratings as counts of categories (rows × categories), as they are, and how often each comes;
nan where the ratings do not tell."""


def _estimate(ratings: Ratings, statistic: Statistic) -> Estimate:
    """The statistic and its percentile interval. Items rated alike are drawn together."""
    if not len(ratings):
        return Estimate(None, None, None, 0)
    rows, times = np.unique(ratings, axis=0, return_counts=True)
    counts = (rows[:, :, None] == np.arange(rows.max() + 1)).sum(axis=1).astype(np.float64)
    value = statistic(counts, rows, times.astype(np.float64))
    if np.isnan(value):
        return Estimate(None, None, None, len(ratings))
    drawn = np.random.default_rng(0).multinomial(len(ratings), times / len(ratings), size=DRAWS)
    values = np.array([statistic(counts, rows, sample.astype(np.float64)) for sample in drawn])
    low, high = np.nanquantile(values, [0.025, 0.975])
    return Estimate(value, float(min(low, value)), float(max(high, value)), len(ratings))


def _rated_twice(ratings: Ratings) -> Ratings:
    twice: Ratings = ratings[(ratings >= 0).sum(axis=1) >= 2]
    return twice


def _observed(counts: Column, _rows: Ratings, weight: Column) -> float:
    """Mean share of equal pairs over the items with at least two ratings."""
    raters = counts.sum(axis=1)
    twice = raters >= 2
    equal = (counts * (counts - 1)).sum(axis=1)[twice] / (raters * (raters - 1))[twice]
    return _quotient(equal @ weight[twice], weight[twice].sum())


def _kappa(_counts: Column, rows: Ratings, weight: Column) -> float:
    codes = np.arange(rows.max() + 1)
    first, second = ((rows[:, rater, None] == codes).T @ weight / weight.sum() for rater in (0, 1))
    observed = weight[rows[:, 0] == rows[:, 1]].sum() / weight.sum()
    return _beyond_chance(observed, float(first @ second))


def _alpha(counts: Column, _rows: Ratings, weight: Column) -> float:
    """From the coincidences of values within items: 1 − (n − 1)(n − Σ o_cc) / (n² − Σ n_c²)."""
    raters = counts.sum(axis=1)
    alike = weight @ ((counts * (counts - 1)) / (raters - 1)[:, None])
    values = weight @ counts
    n = values.sum()
    return 1 - _quotient((n - 1) * (n - alike.sum()), n**2 - (values**2).sum())


def _ac1(counts: Column, weight: Column, categories: int) -> float:
    prevalence = weight @ (counts / counts.sum(axis=1)[:, None]) / weight.sum()
    if categories < 2:
        return float("nan")
    chance = float((prevalence * (1 - prevalence)).sum()) / (categories - 1)
    return _beyond_chance(_observed(counts, np.empty((0, 0), np.int64), weight), chance)


def _beyond_chance(observed: float, chance: float) -> float:
    return _quotient(observed - chance, 1 - chance)


def _quotient(above: float, below: float) -> float:
    return float(above / below) if below else float("nan")
