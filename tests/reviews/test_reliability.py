"""Reliability figures with intervals that cover the truth, and weekly shares with their control limits."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from reviews.calibration import drift, reliability
from reviews.calibration.reliability import Sample, figures
from tests.calibration_maps import sample

DAY = 86400.0
MONDAY = 1767571200.0  # 5 January 2026


def calibrated(n: int, seed: int) -> Sample:
    """Scores that mean what they say."""
    given = sample(n, seed)
    right = np.random.default_rng(seed + 10_000).random(n) < given.score
    return replace(given, right=right)


def test_the_error_of_a_few_scores_is_the_one_reckoned_by_hand() -> None:
    score = np.array([0.5] * 4 + [0.9] * 4)
    right = np.array([True, False, False, False, True, True, False, False])
    found = figures(Sample(score, right, np.ones(8), np.zeros(8), np.arange(8)))
    assert found.ece.value == pytest.approx((0.25 + 0.4) / 2)
    assert found.brier.value == pytest.approx((4 * 0.25 + 2 * 0.01 + 2 * 0.81) / 8)
    assert (found.n, found.ece.n, len(found.bins)) == (8, 8, 2)


def test_weights_move_the_figures_as_repeating_the_rows_does() -> None:
    once = sample(40)
    heavy = replace(once, weight=np.where(np.arange(40) < 10, 3.0, 1.0))
    rows = np.concatenate([np.arange(40), np.arange(10), np.arange(10)])
    brier = figures(once.part(rows)).brier.value
    assert figures(heavy).brier.value == pytest.approx(brier)


def test_the_interval_of_the_error_covers_that_of_the_population() -> None:
    """An overconfident score, 150 labels; the truth is the error of 200,000."""
    truth = figures(sample(200_000), draws=1).ece.value
    assert truth is not None
    inside = 0
    for seed in range(100):
        found = figures(sample(150, seed + 2), seed=seed).ece
        assert found.low is not None
        assert found.high is not None
        inside += found.low <= truth <= found.high
    assert inside >= 88


def test_an_interval_is_wider_when_scores_of_one_answer_say_the_same() -> None:
    given = sample(60, 4)
    repeated = given.part(np.repeat(np.arange(60), 10))
    apart = replace(repeated, answer=np.arange(600))

    def width(of: Sample) -> float:
        found = figures(of).brier
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    assert width(repeated) > 2 * width(apart)


@pytest.mark.parametrize(
    "given",
    [
        sample(0),
        replace(sample(5), score=np.full(5, np.nan)),
        replace(sample(5), weight=np.zeros(5)),
    ],
)
def test_without_usable_scores_there_are_no_figures(given: Sample) -> None:
    found = figures(given)
    assert (found.n, found.ece.value, found.brier.value, found.bins) == (0, None, None, ())


def test_equal_scores_and_labels_of_one_class_have_figures() -> None:
    found = figures(replace(sample(20), score=np.full(20, 0.8), right=np.ones(20, bool)))
    assert found.ece.value == pytest.approx(0.2)
    assert len(found.bins) == 1
    share = reliability.interval(found.bins[0])
    assert share.value == 1
    assert share.low is not None
    assert 0.8 < share.low < 1


def test_figures_are_read_as_they_were_stored() -> None:
    found = figures(sample())
    assert reliability.stored(found.stored()) == found


# --- drift ------------------------------------------------------------------------------------------
def test_a_week_far_from_the_others_lies_outside_its_limits() -> None:
    finished = (MONDAY + np.repeat(np.arange(8) * 7, 100) * DAY).astype(np.float64)
    hit = np.tile(np.arange(100) < 10, 8)
    hit[700:740] = True
    found = drift.weekly(finished, hit)
    assert found.centre == pytest.approx((70 + 40) / 800)
    assert [week.outside for week in found.weeks] == [False] * 7 + [True]
    first = found.weeks[0]
    assert (first.start, first.n, first.value) == (date(2026, 1, 5), 100, 0.1)
    centre = 110 / 800
    assert first.high == pytest.approx(centre + 3 * (centre * (1 - centre) / 100) ** 0.5)


def test_weeks_without_labels_are_there_and_say_nothing() -> None:
    found = drift.weekly(np.array([MONDAY, MONDAY + 21 * DAY]), np.array([True, False]))
    assert [(week.n, week.value) for week in found.weeks] == [(1, 1.0), (0, None), (0, None), (1, 0.0)]
    assert not any(week.outside for week in found.weeks)


def test_weeks_begin_on_monday_in_utc() -> None:
    found = drift.weekly(np.array([MONDAY - 1, MONDAY]), np.array([True, True]))
    assert [week.start for week in found.weeks] == [date(2025, 12, 29), date(2026, 1, 5)]


def test_a_share_counts_weights_and_its_limits_the_labels_they_are_worth() -> None:
    weight = np.array([1.0, 1.0, 2.0])
    found = drift.weekly(np.full(3, MONDAY), np.array([True, False, False]), weight)
    assert found.centre == found.weeks[0].value == 0.25
    assert found.weeks[0].high == pytest.approx(min(1.0, 0.25 + 3 * (0.1875 / (16 / 6)) ** 0.5))


def test_without_labels_there_is_no_drift() -> None:
    assert drift.weekly(np.array([]), np.array([], bool)) == drift.Drift((), None)
