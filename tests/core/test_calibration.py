"""Calibration maps and figures equal scikit-learn's, rise, stay within [0, 1] and leave alone what is calibrated."""

import math
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core import calibration
from detection.core.calibration import Isotonic, Platt
from detection.core.types import Coverage, Verdict
from tests.peers import peer

Labelled = tuple[list[float], list[bool], list[float]]
GRID = [n / 200 for n in range(201)]


def drawn(n: int, seed: int, digits: int = 6) -> Labelled:
    """Scores whose truth is likelier the higher they are, with unequal weights."""
    random = Random(seed)  # noqa: S311  # a seeded draw
    scores = [round(random.random(), digits) for _ in range(n)]
    right = [random.random() < 0.2 + 0.6 * score**2 for score in scores]
    return scores, right, [random.choice([1.0, 2.5, 30.0]) for _ in scores]


@st.composite
def labelled(draw: Any, least: int = 1) -> Labelled:
    rows = draw(
        st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.floats(0.01, 100)), min_size=least, max_size=60)
    )
    return [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]


@pytest.mark.parametrize(("n", "digits"), [(2, 6), (7, 1), (300, 2), (2000, 6)])
def test_isotonic_equals_scikit_learn(n: int, digits: int) -> None:
    scores, right, weights = drawn(n, n, digits)
    theirs = (
        peer("isotonic").IsotonicRegression(out_of_bounds="clip").fit(scores, right, sample_weight=weights)
    )
    ours = calibration.isotonic(scores, right, weights)
    assert np.allclose([ours(at) for at in GRID], theirs.predict(GRID), rtol=0, atol=1e-9)


@pytest.mark.parametrize("n", [20, 300, 2000])
def test_platt_equals_scikit_learn_on_smoothed_targets(n: int) -> None:
    scores, right, weights = drawn(n, n)
    yes = sum(w for w, truth in zip(weights, right, strict=True) if truth)
    no = sum(weights) - yes
    target = np.where(right, (yes + 1) / (yes + 2), 1 / (no + 2))
    odds = [[calibration.log_odds(score)] for score in scores]
    theirs = (
        peer("linear_model")
        .LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-13, max_iter=1000)
        .fit(odds + odds, [1] * n + [0] * n, sample_weight=[*(weights * target), *(weights * (1 - target))])
    )
    ours = calibration.platt(scores, right, weights)
    assert ours.slope == pytest.approx(theirs.coef_[0, 0], abs=1e-6)
    assert ours.intercept == pytest.approx(theirs.intercept_[0], abs=1e-6)


def test_brier_equals_scikit_learn() -> None:
    scores, right, weights = drawn(500, 1)
    theirs = peer("metrics").brier_score_loss(right, scores, sample_weight=weights)
    assert calibration.brier(scores, right, weights) == pytest.approx(theirs, abs=1e-12)


def test_the_calibration_error_equals_one_reckoned_by_hand() -> None:
    scores = [0.2, 0.2, 0.2, 0.8, 0.8, 0.8]
    right = [False, False, True, True, True, False]
    found = calibration.bins(scores, right, [1, 1, 2, 4, 4, 8], most=2)
    assert [(b.n, b.share) for b in found] == [(3, 0.5), (3, 0.5)]
    assert [b.mean for b in found] == pytest.approx([0.2, 0.8])
    assert calibration.calibration_error(found) == pytest.approx(0.3)
    assert found[1].effective == pytest.approx(16**2 / 96)


@given(labelled())
def test_maps_rise_and_stay_between_zero_and_one(rows: Labelled) -> None:
    for fitted in (calibration.isotonic(*rows), calibration.platt(*rows)):
        values = [fitted(at) for at in (-1.0, *GRID, 2.0)]
        assert all(0 <= value <= 1 for value in values)
        assert all(a <= b + 1e-12 for a, b in pairwise(values))


@given(labelled())
def test_a_second_isotonic_map_changes_nothing(rows: Labelled) -> None:
    scores, right, weights = rows
    once = [calibration.isotonic(*rows)(score) for score in scores]
    again = calibration.isotonic(once, right, weights)
    assert [again(score) for score in once] == pytest.approx(once, abs=1e-6)


def test_platt_leaves_what_is_calibrated() -> None:
    """Of a hundred that say x, x in a hundred are right."""
    scores = [n / 100 for n in range(5, 100, 5) for _ in range(10_000)]
    right = [each < n * 100 for n in range(5, 100, 5) for each in range(10_000)]
    fitted = calibration.platt(scores, right)
    assert max(abs(fitted(n / 100) - n / 100) for n in range(5, 100, 5)) < 1e-3


@given(labelled())
def test_scores_keep_their_order_and_each_is_in_one_bin(rows: Labelled) -> None:
    found = calibration.bins(*rows)
    assert len(found) <= calibration.BINS
    assert sum(one.n for one in found) == len(rows[0])
    assert all(a.high < b.low for a, b in pairwise(found))
    assert all(one.low - 1e-9 <= one.mean <= one.high + 1e-9 for one in found)


def test_bins_hold_about_equally_many() -> None:
    scores, right, weights = drawn(1000, 3)
    assert {one.n for one in calibration.bins(scores, right, weights)} <= {99, 100, 101}


def test_equal_scores_share_one_bin_and_give_a_flat_map() -> None:
    scores, right = [0.76] * 40, [True] * 30 + [False] * 10
    assert [(b.n, b.share) for b in calibration.bins(scores, right)] == [(40, 0.75)]
    assert calibration.isotonic(scores, right) == Isotonic((0.76,), (0.75,))
    flat = calibration.platt(scores, right)
    assert flat.slope == 0
    assert flat(0.1) == flat(0.9) == pytest.approx(0.75, abs=0.03)


def test_a_score_that_tells_the_opposite_gets_a_flat_map() -> None:
    scores = [n / 100 for n in range(100)]
    right = [n < 50 for n in range(100)]
    assert calibration.platt(scores, right).slope == 0
    assert len(set(calibration.isotonic(scores, right).to)) == 1


def test_scores_that_part_right_from_wrong_get_a_finite_curve() -> None:
    fitted = calibration.platt([0.1] * 50 + [0.9] * 50, [False] * 50 + [True] * 50)
    assert math.isfinite(fitted.slope)
    assert 0 < fitted(0.1) < 0.05 < 0.95 < fitted(0.9) < 1


def test_what_has_no_score_or_no_weight_is_left_out() -> None:
    scores = [0.5, float("nan"), float("inf"), 0.9, 0.9]
    right = [True, False, False, False, True]
    weights = [1.0, 1.0, 1.0, 0.0, float("nan")]
    assert calibration.isotonic(scores, right, weights) == Isotonic((0.5,), (1.0,))
    assert calibration.brier(scores, right, weights) == 0.25
    assert [one.n for one in calibration.bins(scores, right, weights)] == [1]


def test_without_scores_there_is_no_figure_and_no_map() -> None:
    assert calibration.bins([], []) == []
    assert calibration.brier([float("nan")], [True]) is None
    assert calibration.calibration_error([]) is None
    for fit in (calibration.isotonic, calibration.platt):
        with pytest.raises(ValueError, match="no score"):
            fit([float("nan")], [True])


@pytest.mark.parametrize("fitted", [Isotonic((0.2, 0.8), (0.1, 0.7)), Platt(0.8, -0.4)])
def test_a_stored_map_is_read_as_it_was_written(fitted: calibration.Map) -> None:
    method = "platt" if isinstance(fitted, Platt) else "isotonic"
    assert calibration.load(method, calibration.dump(fitted)) == fitted


@pytest.mark.parametrize(
    ("method", "coefficients"),
    [
        ("spline", {"at": [0.5], "to": [0.5]}),
        ("isotonic", {"at": [], "to": []}),
        ("isotonic", {"at": [0.5, 0.4], "to": [0.1, 0.2]}),
        ("isotonic", {"at": [0.4, 0.5], "to": [0.3, 0.2]}),
        ("isotonic", {"at": [0.4], "to": [1.3]}),
        ("isotonic", {"slope": 1, "intercept": 0}),
        ("platt", {"slope": -1.0, "intercept": 0.0}),
        ("platt", {"slope": float("nan"), "intercept": 0.0}),
    ],
)
def test_what_is_no_map_is_refused(method: str, coefficients: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"map|knot|slope|value"):
        calibration.load(method, coefficients)


VERDICT = Verdict(
    False, "success", 0.1, "low", "accept", False, 0.95, 0.9, 0.9, -0.05, (), Coverage(0, 0, 0, 0)
)


def test_a_verdict_shows_the_calibrated_and_the_raw_confidence() -> None:
    shown = calibration.calibrated(VERDICT, Isotonic((0.0, 1.0), (0.0, 0.5)))
    assert (shown.adjusted_confidence, shown.uncalibrated_confidence) == (0.45, 0.9)
    assert shown.confidence_adjustment == -0.5
    assert replace(shown, adjusted_confidence=0.9, confidence_adjustment=-0.05) == VERDICT


def test_without_a_confidence_there_is_nothing_to_calibrate() -> None:
    none = replace(VERDICT, adjusted_confidence=None, uncalibrated_confidence=None)
    assert calibration.calibrated(none, Platt(1.0, 0.0)) == none
