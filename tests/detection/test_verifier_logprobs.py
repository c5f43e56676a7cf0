"""Probabilities from the log-probabilities of a first word (contracts: variants, unseen mass, label mass)."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.verifiers.endpoints.failures import Malformed, NoLabel, NoLogprobs
from detection.verifiers.endpoints.logprobs import LABELS, read_labels


def listed(**masses: float) -> list[tuple[str, float]]:
    return [(token, log(p)) for token, p in masses.items()]


@pytest.mark.requirement("GOV-03")
@pytest.mark.requirement("SPEC-08.13")
def test_three_seen_labels_give_points_that_sum_to_one() -> None:
    labels = read_labels([listed(YES=0.6, NO=0.2, UNKNOWN=0.1)])
    assert labels["yes"] == pytest.approx((2 / 3, 2 / 3))
    assert sum(low for low, _ in labels.values()) == pytest.approx(1)


def test_spellings_of_a_label_are_summed() -> None:
    rows = [
        ("YES", log(0.4)),
        (" yes", log(0.2)),
        ("**Yes**", log(0.1)),
        ("NO", log(0.2)),
        ("Unknown", log(0.1)),
    ]
    assert read_labels([rows])["yes"] == pytest.approx((0.7, 0.7))


def test_an_unseen_label_has_an_upper_bound_and_not_zero() -> None:
    labels = read_labels([listed(YES=0.9, NO=0.05, MAYBE=0.001)])
    hidden = 4 * 0.001
    assert labels["unknown"] == pytest.approx((0.0, hidden / (hidden + 0.95)))
    assert labels["yes"] == pytest.approx((0.9 / (0.95 + hidden), 0.9 / 0.95))


def test_unseen_mass_is_never_more_than_the_list_leaves_over() -> None:
    labels = read_labels([listed(YES=0.7, NO=0.2999)])
    assert labels["unknown"][1] == pytest.approx(0.0001, rel=1e-3)


def test_the_label_may_stand_behind_spaces_quotes_and_markdown() -> None:
    labels = read_labels([[("\n", -0.1)], [('"**', -0.1)], listed(NO=0.8, YES=0.1, UNKNOWN=0.1)])
    assert labels["no"] == pytest.approx((0.8, 0.8))


def test_beyond_three_positions_nothing_is_looked_for() -> None:
    with pytest.raises(NoLabel):
        read_labels([[(" ", -0.1)]] * 3 + [listed(YES=0.99)])


def test_an_absent_token_is_no_token() -> None:
    labels = read_labels([[("YES", log(0.99)), ("NO", -9999.0), ("x", log(0.001))]])
    assert labels["no"][1] == pytest.approx(0.004 / 0.994, rel=1e-6)


@pytest.mark.parametrize(
    ("positions", "error"),
    [
        ([], NoLogprobs),
        ([[]], NoLogprobs),
        ([listed(Sure=0.9, YES=0.05)], NoLabel),
        ([[("YES", float("nan"))]], Malformed),
        ([[("YES", 0.5)]], Malformed),
        ([[("YES", float("inf"))]], Malformed),
    ],
)
def test_what_is_no_probability_is_an_error(positions: list, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_labels(positions)


@given(st.lists(st.floats(-30, 0), min_size=1, max_size=6))
def test_intervals_are_ordered_and_inside_zero_and_one(values: list[float]) -> None:
    total = sum(exp(value) for value in values)
    tokens = ("YES", "NO", "UNKNOWN", "yes", "Maybe", "The")
    rows = [(token, value - log(total)) for token, value in zip(tokens, values, strict=False)]
    try:
        labels = read_labels([rows])
    except NoLabel:
        return
    for label in LABELS:
        low, high = labels[label]
        assert 0 <= low <= high + 1e-12
        assert high <= 1 + 1e-12
