"""Curves along one threshold: equal to a plain reckoning, and honest where the labels do not tell."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reviews.tuning.curves import Costs, Curve, curve, histogram
from reviews.tuning.holdout import DAY
from reviews.tuning.labels import Labels
from reviews.tuning.replay.deciding import Replays
from reviews.tuning.replay.scores import Scored
from tests.tuning.populations import amounts, labels_of

TOLERANCE = "currency_tolerance"
VALUES: dict[str, Any] = {"base": {TOLERANCE: 5.0}, "overrides": []}
CLAIMS, EACH = 2_000, 2


def fixture(
    seed: int = 0, *, days: int = 30, **labels: Any
) -> tuple[Replays, NDArray[np.float64], NDArray[np.bool_], Labels]:
    """1,000 answers with 2,000 amounts over ``days``: the larger one's deviation, whether the answer is wrong, and
    the labels of those flagged at 5 per cent and of a fifth of the others."""
    random = np.random.default_rng(seed)
    off = random.exponential(4, CLAIMS)
    largest = off.reshape(-1, EACH).max(axis=1)
    wrong = random.random(len(largest)) < np.clip(largest / 12, 0, 0.9)
    finished = np.sort(random.random(len(largest))) * days * DAY
    audited = random.random(len(largest)) < 0.2
    given = labels_of(wrong, sent=largest > 5, audited=audited, probability=0.2, each=EACH, **labels)
    return Replays(amounts(off, each=EACH, finished=finished)), largest, wrong, given


def drawn(replays: Replays, labels: Labels, values: dict[str, Any] = VALUES, name: str = TOLERANCE) -> Curve:
    return curve(replays, labels, values, "information_budget", name, days=30, costs=Costs(10, 40))


@pytest.mark.requirement("APP-05")
def test_precision_recall_and_cost_equal_a_plain_reckoning() -> None:
    replays, largest, wrong, labels = fixture()
    found = drawn(replays, labels)
    places = np.linspace(0, len(found.at) - 1, 11).astype(int)
    for place in places:
        flagged = missed = caught = counted = 0.0
        for off, is_wrong, weight in zip(largest, wrong, labels.weight, strict=True):
            is_flagged = off > found.at[place]
            flagged += is_flagged
            counted += weight * is_flagged
            caught += weight * (is_flagged and is_wrong)
            missed += weight * (is_wrong and not is_flagged)
        assert found.flagged[place] == flagged
        assert found.load[place] == pytest.approx(flagged / 30, abs=1e-9)
        assert found.cost[place] == pytest.approx(10 * missed + flagged, abs=1e-9)
        assert found.recall[place] == pytest.approx(caught / (caught + missed), abs=1e-9)
        if counted:
            assert found.precision[place] == pytest.approx(caught / counted, abs=1e-9)
    assert found.capacity == 40
    assert found.labelled == (labels.weight > 0).sum()


def test_the_value_in_force_is_a_point_and_the_optimum_the_least_cost() -> None:
    replays, _, _, labels = fixture()
    values = {"base": {TOLERANCE: 5.37}, "overrides": []}
    found = drawn(replays, labels, values)
    assert found.at[found.active] == 5.37
    assert len(found.at) <= 101
    assert list(found.at) == sorted(set(found.at))  # type: ignore[type-var]
    assert found.optimum is not None
    assert found.flat is not None
    assert found.cost[found.optimum] == np.nanmin(found.cost)
    first, last = found.flat
    assert first <= found.optimum <= last
    assert (found.cost[first : last + 1] <= 1.05 * found.cost[found.optimum]).all()
    for beyond in (first - 1, last + 1):
        assert not 0 <= beyond < len(found.at) or found.cost[beyond] > 1.05 * found.cost[found.optimum]


def test_a_dearer_miss_asks_for_a_tighter_limit() -> None:
    replays, _, _, labels = fixture()
    optima = []
    for missed in (1, 5, 50):
        found = curve(replays, labels, VALUES, "information_budget", TOLERANCE, days=30, costs=Costs(missed))
        assert found.optimum is not None
        optima.append(found.at[found.optimum])
    assert optima == sorted(optima, reverse=True)  # type: ignore[type-var]
    assert optima[0] > optima[-1]  # type: ignore[operator]


def test_bands_hold_their_curves() -> None:
    found = drawn(*fixture()[::3])
    for value, low, high in (
        (found.precision, found.precision_low, found.precision_high),
        (found.recall, found.recall_low, found.recall_high),
    ):
        known = ~np.isnan(value)
        assert known.sum() > 50
        assert (low[known] <= value[known]).all()
        assert (value[known] <= high[known]).all()


def test_without_a_label_there_is_a_load_and_no_figure() -> None:
    found = drawn(*fixture(labelled=False)[::3])
    assert found.labelled == 0
    assert found.load[0] > 0
    assert np.isnan(found.precision).all()
    assert np.isnan(found.recall).all()
    assert (found.optimum, found.flat, found.early, found.late) == (None, None, None, None)
    assert not found.moved
    assert found.rows()[0]["precision"] is None
    assert found.rows()[0]["load"] == found.load[0]


def test_without_an_audit_precision_is_known_and_recall_is_not() -> None:
    replays, largest, wrong, _ = fixture()
    found = drawn(replays, labels_of(wrong, sent=largest > 5, each=EACH))
    assert not np.isnan(found.precision[found.active])
    assert np.isnan(found.recall).all()
    assert found.optimum is None


@pytest.mark.parametrize("everything", [False, True])
def test_one_class_alone_gives_no_exception(everything: bool) -> None:
    replays, largest, _, _ = fixture()
    labels = labels_of(np.full(len(largest), everything), sent=largest > 5, audited=True, each=EACH)
    found = drawn(replays, labels)
    assert found.precision[found.active] == float(everything)
    assert np.isnan(found.recall[found.active]) != everything
    assert found.optimum is not None


def test_equal_scores_leave_the_value_in_force() -> None:
    off = np.full(100, 3.0)
    labels = labels_of(np.arange(100) < 50, sent=False, audited=True)
    found = drawn(Replays(amounts(off)), labels, {"base": {TOLERANCE: 50}, "overrides": []})
    assert found.at[found.active] == 50
    assert found.optimum is not None


def test_nothing_measured_gives_an_empty_curve() -> None:
    found = drawn(Replays(amounts([])), labels_of(np.zeros(0, bool), sent=False))
    assert found.flagged.tolist() == [0] * len(found.at)
    assert found.optimum is None


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("percentage_points", (False, True)),
        ("citations_expected", ("auto", "always", "never")),
    ],
)
def test_switches_and_choices_are_tried_whole(name: str, at: tuple[Any, ...]) -> None:
    replays, _, _, labels = fixture()
    assert drawn(replays, labels, VALUES, name).at == at


def test_an_optimum_that_moves_with_time_is_told() -> None:
    """In the first three weeks only what is far off is wrong, in the last all is."""
    replays, largest, _, _ = fixture()
    late = replays.measured.finished > 22 * DAY
    steady = labels_of(largest > 8, sent=False, audited=True, each=EACH)
    moving = labels_of((largest > 8) | late, sent=False, audited=True, each=EACH)
    assert not drawn(replays, steady).moved
    found = drawn(replays, moving)
    assert found.early is not None
    assert found.late is not None
    assert found.at[found.late] < found.at[found.early]  # type: ignore[operator]
    assert found.moved


def test_a_histogram_counts_every_finite_score_by_its_label() -> None:
    values = np.array([0.0, 1, 1, 2, 3, np.nan, 100])
    labels = labels_of([True, False, True, False, True, True, True], sent=True)
    found = histogram(Scored(values, "claim", np.arange(7)), labels, bins=4)
    assert found is not None
    assert (found.wrong.sum(), found.right.sum(), found.unlabelled.sum()) == (4, 2, 0)
    assert len(found.edges) == 5


@pytest.mark.parametrize("values", [[], [np.nan, np.nan]])
def test_a_histogram_of_no_score_is_none(values: list[float]) -> None:
    labels = labels_of(np.zeros(len(values), bool), sent=True)
    assert histogram(Scored(np.array(values), "answer", np.arange(len(values))), labels) is None


def test_a_histogram_of_equal_scores_has_them_in_one_bin() -> None:
    labels = labels_of([True, False], sent=True)
    found = histogram(Scored(np.array([3.0, 3.0]), "answer", np.arange(2)), labels)
    assert found is not None
    assert (found.wrong.max(), found.right.max()) == (1, 1)
