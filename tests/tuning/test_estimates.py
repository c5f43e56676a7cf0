"""Precision, weighted recall and missed answers, with intervals that hold (review-queue §5.3)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.tuning.estimates import (
    Estimate,
    performance,
    performance_along,
    share,
    wilson,
)
from tests.tuning.populations import audited_window, labels_of


@pytest.mark.requirement("GOV-11")
def test_the_designs_example_finds_that_a_quarter_is_missed() -> None:
    flagged, labels = audited_window(6)
    found = performance(flagged, labels)
    assert found.missed.value == pytest.approx(184)
    assert found.recall.value == pytest.approx(0.75, abs=0.005)
    assert found.precision.value == pytest.approx(0.70)
    assert (found.flagged, found.labelled) == (800, 1100)
    # 2 % of 300, Wilson 0.9–4.3 %, is 85–393 of 9,200 answers; 560 found beside them is a recall of 0.59–0.87.
    audited = wilson(6, 300)
    assert (audited.low, audited.high) == pytest.approx((0.0092, 0.0429), abs=0.0001)
    assert (found.recall.low, found.recall.high) == pytest.approx((0.59, 0.87), abs=0.005)


def test_flagged_answers_alone_say_nothing_of_what_was_missed() -> None:
    flagged, labels = audited_window(0, audits=0)
    found = performance(flagged, labels)
    assert found.precision.value == pytest.approx(0.70)
    assert found.recall == Estimate(None, None, None, 800)
    assert found.missed == Estimate(None, None, None, 0)


def test_an_audit_that_finds_nothing_bounds_what_was_missed() -> None:
    flagged, labels = audited_window(0)
    found = performance(flagged, labels)
    assert wilson(0, 300).high == pytest.approx(0.013, abs=0.0005)
    assert found.missed.value == 0
    assert found.missed.high is not None
    assert 100 < found.missed.high <= 120
    assert found.recall.value == 1
    assert found.recall.low == pytest.approx(0.83, abs=0.005)


def test_wilsons_interval_equals_its_published_values() -> None:
    """Newcombe 1998, Statistics in Medicine 17, 857–872, table I, method 3."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (k, n), limits in published.items():
        found = wilson(k, n)
        assert (found.low, found.high) == pytest.approx(limits, abs=0.00005)
    assert wilson(0, 0) == Estimate(None, None, None, 0)


def test_a_share_counts_each_answer_with_its_weight() -> None:
    wrong = np.array([True, False, False, True])
    found = share(wrong, np.array([1.0, 1.0, 2.0, 0.0]))
    assert found.value == pytest.approx(0.25)
    assert found.n == 3
    assert share(wrong, np.zeros(4)) == Estimate(None, None, None, 0)


def test_oversampled_answers_count_for_no_more_than_they_stand_for() -> None:
    # Near the limit half of 200 answers are wrong and half are looked at; far from it none of 1,800 is wrong.
    near = np.arange(2_000) < 200
    wrong = near & (np.arange(2_000) % 4 < 2)
    audited = near & (np.arange(2_000) % 2 == 0) | (~near & (np.arange(2_000) % 30 == 0))
    labels = labels_of(
        wrong,
        sent=False,
        audited=audited,
        probability=np.where(near, 0.5, 1 / 30),
        stratum=np.where(near, 1, 2),
    )
    found = performance(np.zeros(2_000, bool), labels)
    assert found.missed.value == pytest.approx(100)
    assert found.precision == Estimate(None, None, None, 0)


def test_the_same_input_gives_the_same_interval() -> None:
    flagged, labels = audited_window(120)
    assert performance(flagged, labels) == performance(flagged, labels)
    assert performance(flagged, labels, seed=1).recall != performance(flagged, labels).recall


def test_a_bootstrap_over_many_answers_agrees_with_the_binomial_interval() -> None:
    flagged, labels = audited_window(120)
    found = performance(flagged, labels, draws=4000)
    limits = (found.precision.low, found.precision.high)
    assert limits == pytest.approx((wilson(560, 800).low, wilson(560, 800).high), abs=0.003)
    missed = wilson(120, 300)
    assert found.missed.low == pytest.approx((missed.low or 0) * 9200, rel=0.02)
    assert found.missed.high == pytest.approx((missed.high or 0) * 9200, rel=0.02)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()), max_size=80))
def test_every_figure_lies_within_its_interval_and_its_bounds(rows: list[tuple[bool, ...]]) -> None:
    flagged, sent, wrong, audited = np.array(rows, bool).reshape(-1, 4).T
    found = performance(flagged, labels_of(wrong, sent=sent, audited=audited), draws=20)
    for figure in (found.precision, found.recall, found.missed):
        if figure.value is None:
            assert figure.low is None
            assert figure.high is None
        else:
            assert figure.low is not None
            assert figure.high is not None
            assert figure.low - 1e-9 <= figure.value <= figure.high + 1e-9
            assert figure.low >= 0
    for part in (found.precision, found.recall):
        assert part.high is None or part.high <= 1


def test_many_points_at_once_equal_each_by_itself() -> None:
    random = np.random.default_rng(5)
    score, wrong = random.random(3_000), random.random(3_000) < 0.3
    sent = score > 0.7
    labels = labels_of(wrong, sent=sent, audited=random.random(3_000) < 0.2, probability=0.2)
    flags = score[:, None] > np.array([0.5, 0.7, 0.9])
    along = performance_along(flags, labels)
    for point in range(3):
        alone = performance(flags[:, point], labels)
        assert along.precision.at(point).value == pytest.approx(alone.precision.value)
        assert along.recall.at(point).value == pytest.approx(alone.recall.value)
        assert along.missed.at(point).value == pytest.approx(alone.missed.value)
