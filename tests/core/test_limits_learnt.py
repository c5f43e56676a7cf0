"""The limit of doubt that correct answers teach: what it promises of them, and how sure it is."""

from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.verdict.doubt import HALF
from detection.core.verdict.learning import EXACT, effective, exceeded, learn, needed

DOUBTS = st.lists(st.floats(0, 1), min_size=25, max_size=200)
SHARES = st.floats(0, 50)


def drawn(n: int, seed: int = 1) -> list[float]:
    """Doubts that lie evenly between 0 and 1."""
    random = Random(seed)  # noqa: S311  # test data
    return [random.random() for _ in range(n)]


@given(DOUBTS, SHARES, st.randoms(use_true_random=False))
def test_no_more_of_the_sample_exceed_the_limit_than_may_and_it_is_never_under_one_half(
    doubts: list[float], share: float, random: Random
) -> None:
    weights = [random.choice((1.0, 2.0, 20.0)) for _ in doubts]
    found = learn(doubts, weights, share)
    if found is None:
        assert effective(weights) < needed(share)
        return
    assert HALF <= found.low <= found.limit <= found.high <= 1
    assert found.exceeded == exceeded(doubts, weights, found.limit) <= share / 100 + 10 * EXACT


@given(DOUBTS, SHARES, SHARES)
def test_the_more_may_be_flagged_the_lower_the_limit(doubts: list[float], one: float, other: float) -> None:
    low, high = (learn(doubts, [1.0] * len(doubts), share) for share in sorted((one, other)))
    assert low is None or high is None or low.limit >= high.limit


@given(DOUBTS, SHARES, st.randoms(use_true_random=False))
def test_answers_that_are_doubted_more_lower_no_limit(
    doubts: list[float], share: float, random: Random
) -> None:
    raised = [doubt + (1 - doubt) * random.choice((0, 0.5)) for doubt in doubts]
    before, after = (learn(each, [1.0] * len(each), share) for each in (doubts, raised))
    if before and after:
        assert (after.low, after.limit, after.high) >= (before.low, before.limit, before.high)


@given(DOUBTS, SHARES, st.floats(0.1, 50))
def test_it_is_the_proportion_of_the_weights_that_counts(
    doubts: list[float], share: float, times: float
) -> None:
    assert (learn(doubts, [1.0] * len(doubts), share) is None) == (
        learn(doubts, [times] * len(doubts), share) is None
    )


def test_a_heavier_answer_counts_for_as_many_as_it_stands_for() -> None:
    doubts = [0.2] * 900 + [0.9] * 60
    assert learn(doubts, [1.0] * 960, 10).limit == HALF  # type: ignore[union-attr]
    assert learn(doubts, [1.0] * 900 + [2.0] * 60, 10).limit == 0.9  # type: ignore[union-attr]


@pytest.mark.parametrize(("share", "answers"), [(50, 30), (10, 36), (5, 72), (1, 368), (0, inf)])
def test_so_many_are_needed_that_the_interval_ends_within_the_sample(share: float, answers: float) -> None:
    assert needed(share) == answers
    if answers < inf and share < 50:
        assert (1 - share / 100) ** answers <= 0.025 < (1 - share / 100) ** (answers - 1)


def test_with_one_fewer_nothing_is_learnt() -> None:
    assert learn(drawn(35), [1.0] * 35, 10) is None
    assert learn(drawn(36), [1.0] * 36, 10) is not None


def test_answers_that_weigh_otherwise_say_as_much_as_fewer_equal_ones() -> None:
    weights = [1.0] * 36 + [30.0]
    assert effective(weights) < 5
    assert learn(drawn(37), weights, 10) is None


def test_the_interval_holds_the_quantile_in_ninety_five_of_a_hundred_samples() -> None:
    found = [learn(drawn(80, seed), [1.0] * 80, 20) for seed in range(2000)]
    held = sum(one is not None and one.low <= 0.8 <= one.high for one in found)
    assert 0.95 <= held / len(found) <= 0.985
