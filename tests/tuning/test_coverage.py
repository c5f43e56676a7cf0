"""Intervals cover the truth as often as they say, with all labels hidden but the flagged and the sampled."""

import numpy as np
import pytest
from numpy.typing import NDArray

from reviews.tuning.estimates import Estimate, performance
from reviews.tuning.labels import Labels
from tests.tuning.populations import labels_of

REPETITIONS = 200


def population(size: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """A score in [0, 1) for each answer, and whether it is wrong: the likelier, the higher its score."""
    random = np.random.default_rng(seed)
    score = random.beta(1.2, 5, size)
    return score, random.random(size) < 0.01 + 0.9 * score**1.5


def hidden(
    score: NDArray[np.float64], wrong: NDArray[np.bool_], rates: tuple[float, float], seed: int
) -> Labels:
    """The labels of the flagged (score above 0.4) and of a sample of the others, at one rate far from the limit
    and one near it."""
    sent, near = score > 0.4, score > 0.32
    probability = np.where(near, rates[1], rates[0])
    audited = np.random.default_rng(seed).random(len(score)) < probability
    return labels_of(wrong, sent=sent, audited=audited, probability=probability, stratum=np.where(near, 2, 1))


def covers(interval: Estimate, truth: float) -> bool:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= truth <= interval.high


@pytest.mark.requirement("GOV-11")
@pytest.mark.parametrize(
    ("size", "rates"), [(10_000, (0.03, 0.15)), (3_000, (0.03, 0.15)), (10_000, (0.3, 0.5))]
)
def test_the_interval_covers_the_true_recall_in_at_least_nine_of_ten_repetitions(
    size: int, rates: tuple[float, float]
) -> None:
    covered, estimates, truths = 0, [], []
    for seed in range(REPETITIONS):
        score, wrong = population(size, seed)
        flagged = score > 0.4
        truth = float((wrong & flagged).sum() / wrong.sum())
        recall = performance(flagged, hidden(score, wrong, rates, seed + 1_000)).recall
        covered += covers(recall, truth)
        estimates.append(recall.value)
        truths.append(truth)
    assert covered >= 0.9 * REPETITIONS
    assert np.mean(np.array(estimates, float)) == pytest.approx(np.mean(truths), abs=0.03)


def test_a_tighter_limit_than_the_one_in_force_is_covered_as_well() -> None:
    covered = 0
    for seed in range(REPETITIONS):
        score, wrong = population(8_000, seed)
        draft = score > 0.33
        truth = float((wrong & draft).sum() / wrong.sum())
        labels = hidden(score, wrong, (0.03, 0.15), seed + 5_000)
        covered += covers(performance(draft, labels).recall, truth)
    assert covered >= 0.9 * REPETITIONS


def test_counting_manual_reviews_as_a_sample_would_mislead() -> None:
    """People send in what looks wrong: were those labels taken for a sample, the truth would be missed."""
    score, wrong = population(10_000, 0)
    flagged = score > 0.4
    sent_in = wrong & ~flagged & (np.random.default_rng(1).random(10_000) < 0.3)
    misled = labels_of(wrong, sent=flagged, audited=sent_in)
    honest = hidden(score, wrong, (0.03, 0.15), 1)
    truth = float((wrong & flagged).sum() / wrong.sum())
    assert not covers(performance(flagged, misled).recall, truth)
    assert covers(performance(flagged, honest).recall, truth)
