"""Agreement of reviewers, equal to published values."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from reviews.tuning.agreement import ac1, alpha, kappa, percent
from reviews.tuning.estimates import Estimate

KRIPPENDORFF = (
    np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ]
    ).T
    - 1
)
"""Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: 12 units, 4 observers, values missing.
The same table is cac.raw4raters of the R package irrCAC, which gives Gwet's AC1 for it."""


def table(counts: list[list[int]]) -> NDArray[np.int64]:
    """Pairs of ratings from a matrix of how often the two raters gave each pair."""
    return np.array(
        [[i, j] for i, row in enumerate(counts) for j, times in enumerate(row) for _ in range(times)]
    )


ABSTRACTORS = table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
"""cont3x3abstractors of the R package irrCAC (Gwet 2014, Handbook of Inter-Rater Reliability), whose vignette prints
all four figures with their intervals."""
COHEN = table([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
"""Cohen 1960, "A coefficient of agreement for nominal scales": two clinicians, 200 patients, three categories."""
GWET = table([[118, 5], [2, 0]])
"""Gwet 2002, "Kappa statistic is not satisfactory for assessing the extent of agreement between raters": nearly all
125 subjects in one category, so that kappa says there is no agreement."""


def test_krippendorffs_alpha_equals_his_nominal_example() -> None:
    found = alpha(KRIPPENDORFF)
    assert found.value == pytest.approx(0.743, abs=0.0005)
    assert found.n == 11


def test_cohens_kappa_equals_his_example() -> None:
    assert kappa(COHEN).value == pytest.approx(0.492, abs=0.0005)
    assert percent(COHEN).value == pytest.approx(0.70)


def test_gwets_ac1_equals_the_published_values() -> None:
    assert ac1(GWET).value == pytest.approx(0.941, abs=0.0005)
    assert kappa(GWET).value == pytest.approx(-0.023, abs=0.0005)
    assert ac1(KRIPPENDORFF).value == pytest.approx(0.775, abs=0.0005)
    assert percent(KRIPPENDORFF).value == pytest.approx(0.818, abs=0.0005)


@pytest.mark.parametrize(
    ("statistic", "value", "low", "high"),
    [(kappa, 0.7964, 0.680, 0.913), (alpha, 0.7973, 0.680, 0.914), (ac1, 0.8493, 0.764, 0.935)],
)
def test_all_figures_of_one_table_equal_those_of_another_program(
    statistic: Callable[[NDArray[np.int64]], Estimate], value: float, low: float, high: float
) -> None:
    found = statistic(ABSTRACTORS)
    assert found.value == pytest.approx(value, abs=0.00005)
    # There the interval is from a standard error, here from a bootstrap.
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.025)
    assert found.n == 100


def test_categories_that_nobody_chose_lessen_what_chance_explains() -> None:
    two, five = ac1(GWET, 2), ac1(GWET, 5)
    assert two.value is not None
    assert five.value is not None
    assert five.value > two.value


def test_ratings_that_cannot_tell_give_no_figure() -> None:
    nothing, once = np.empty((0, 2), np.int64), np.array([[0, -1], [-1, 1]])
    same = np.zeros((40, 2), np.int64)
    for statistic in (percent, kappa, alpha):
        assert statistic(nothing) == Estimate(None, None, None, 0)
        assert statistic(once) == Estimate(None, None, None, 0)
    assert ac1(once).value is None
    assert kappa(same) == Estimate(None, None, None, 40)
    assert alpha(same) == Estimate(None, None, None, 40)
    assert percent(same) == Estimate(1, 1, 1, 40)
    assert ac1(same, 5) == Estimate(1, 1, 1, 40)


def test_the_interval_holds_the_figure_and_narrows_with_more_items() -> None:
    few, many = kappa(COHEN), kappa(np.tile(COHEN, (20, 1)))
    assert few.low < few.value < few.high  # type: ignore[operator]
    assert many.low < many.value < many.high  # type: ignore[operator]
    assert many.high - many.low < (few.high - few.low) / 3  # type: ignore[operator]
