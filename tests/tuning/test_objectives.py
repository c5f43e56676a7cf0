"""Suggested thresholds: the best for a stated objective, chosen on earlier days and reported on later ones."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reviews.tuning.curves import Costs
from reviews.tuning.holdout import DAY, earlier_days
from reviews.tuning.labels import Labels
from reviews.tuning.objectives import Objective, Suggestion, suggest
from reviews.tuning.replay.measured import Measured
from tests.tuning.populations import amounts, labels_of, measured_of

TOLERANCE = "currency_tolerance"
VALUES: dict[str, Any] = {"base": {TOLERANCE: 8.0}, "overrides": []}


def window(size: int = 3_000, seed: int = 0) -> tuple[Measured, NDArray[np.bool_], NDArray[np.float64]]:
    """Amounts over 40 days that are wrong when they are off by more than 3 per cent, save for some noise."""
    random = np.random.default_rng(seed)
    off = random.exponential(4, size)
    wrong = (off > 3) ^ (random.random(size) < 0.02)
    return amounts(off, finished=np.linspace(0, 40 * DAY - 1, size)), wrong, off


def labelled(wrong: NDArray[np.bool_], off: NDArray[np.float64], **more: Any) -> Labels:
    audited = np.arange(len(off)) % 4 == 0
    return labels_of(wrong, sent=off > 8, audited=audited, probability=0.25, **more)


def suggested(objective: Objective, seed: int = 0) -> Suggestion:
    measured, wrong, off = window(seed=seed)
    return suggest(measured, labelled(wrong, off), VALUES, "information_budget", objective)


@pytest.mark.requirement("APP-05")
def test_the_least_cost_is_found_where_errors_begin() -> None:
    found = suggested(Objective("cost", Costs(missed=2)))
    assert list(found.changes) == [TOLERANCE]
    before, after = found.changes[TOLERANCE]
    assert before == 8.0
    assert 2 <= float(after) <= 4  # type: ignore[arg-type]
    assert found.reported_on is not None
    assert found.in_force is not None
    assert found.reported_on.cost < found.in_force.cost  # type: ignore[operator]
    assert not found.moved
    assert found.values["base"][TOLERANCE] == after


def test_it_is_chosen_on_earlier_days_and_reported_on_later_ones() -> None:
    measured, wrong, off = window()
    labels = labelled(wrong, off)
    found = suggest(measured, labels, VALUES, "information_budget", Objective("cost"))
    early = earlier_days(measured)
    assert found.chosen_on is not None
    assert found.reported_on is not None
    assert (found.chosen_on.days, found.reported_on.days) == (30, 10)
    assert found.chosen_on.performance.labelled == (labels.weight[early] > 0).sum()
    assert found.reported_on.performance.labelled == (labels.weight[~early] > 0).sum()
    recall = found.reported_on.performance.recall
    assert recall.low < recall.value < recall.high  # type: ignore[operator]


def test_the_later_labels_do_not_move_the_choice() -> None:
    measured, wrong, off = window()
    early = earlier_days(measured)
    turned = np.where(early, wrong, ~wrong)
    choices = [
        suggest(measured, labelled(truth, off), VALUES, "information_budget", Objective("cost", Costs(2)))
        for truth in (wrong, turned)
    ]
    assert choices[0].values == choices[1].values
    assert (choices[0].moved, choices[1].moved) == (False, True)


def test_precision_is_the_highest_that_still_finds_enough() -> None:
    measured, wrong, off = window()
    for wanted in (0.3, 0.9):
        found = suggest(
            measured,
            labelled(wrong, off),
            VALUES,
            "information_budget",
            Objective("precision", recall=wanted),
        )
        assert found.chosen_on is not None
        assert found.chosen_on.performance.recall.value >= wanted - 0.01  # type: ignore[operator]
    assert found.changes[TOLERANCE][1] < 8  # type: ignore[operator]


def test_a_fixed_load_is_kept() -> None:
    measured, wrong, off = window()
    found = suggest(measured, labelled(wrong, off), VALUES, "information_budget", Objective("load", load=20))
    assert found.chosen_on is not None
    # The search knows the load from the labelled answers alone, hence the margin.
    assert found.chosen_on.load <= 20 * 1.1
    before, after = found.changes[TOLERANCE]
    assert after < before  # type: ignore[operator]


def test_the_same_answers_give_the_same_suggestion() -> None:
    assert suggested(Objective("cost")) == suggested(Objective("cost"))


@pytest.mark.parametrize(
    ("labels", "why_not"),
    [
        (labels_of(np.zeros(40, bool), sent=True, labelled=False), "no_labels"),
        (labels_of(np.arange(40) < 5, sent=np.arange(40) < 9), "no_audits"),
        (labels_of(np.ones(40, bool), sent=True), "one_class"),
        (labels_of(np.zeros(40, bool), sent=False, audited=True), "one_class"),
    ],
)
def test_labels_that_cannot_tell_give_no_suggestion_and_the_reason(labels: Labels, why_not: str) -> None:
    found = suggest(amounts(np.arange(40)), labels, VALUES, "information_budget", Objective("cost"))
    assert (found.why_not, found.values, dict(found.changes)) == (why_not, VALUES, {})
    assert found.reported_on is None


def test_a_single_day_is_chosen_on_and_nothing_reported() -> None:
    random = np.random.default_rng(0)
    off = random.exponential(4, 400)
    labels = labels_of(off > 3, sent=off > 8, audited=True)
    found = suggest(amounts(off), labels, VALUES, "information_budget", Objective("cost"))
    assert found.chosen_on is not None
    assert found.reported_on is None
    assert not found.moved


def test_days_1_to_23_of_30_come_before_the_rest() -> None:
    measured = measured_of(range(1, 31), finished=np.arange(30) * DAY + 60)
    assert earlier_days(measured).sum() == 23
    assert earlier_days(measured)[:23].all()
    assert earlier_days(measured_of([])).tolist() == []
