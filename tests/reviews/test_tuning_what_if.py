"""What the threshold workbench says of another value equals a plain reference, over the same answers for all tests."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from benchmarks.labelled_claims import Population, build
from tests.reviews.answers import person
from tests.reviews.workbench_page import block, page, slot

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("truth"), pytest.mark.xdist_group("what if")]


class Reference:
    """What the figures of a population are, by the definitions and nothing of ours."""

    def __init__(self, drawn: Population) -> None:
        flagged = drawn.flagged
        over = drawn.deviation > 0.05
        self.drawn, self.flagged = drawn, flagged
        self.wrong = np.where(flagged, (drawn.wrong & over).any(axis=1), drawn.wrong.any(axis=1))
        self.weight = np.where(flagged, 1.0, drawn.audited * (~flagged).sum() / drawn.audited.sum())

    def shares(self, tolerance: float) -> tuple[float, float]:
        flags = self.drawn.flagged_at(tolerance)
        found = float((self.weight * self.wrong * flags).sum())
        return found / float((self.weight * flags).sum()), found / float((self.weight * self.wrong).sum())

    def knows_the_unflagged(self, tolerance: float) -> bool:
        """Whether a verdict lies on the unflagged side, where any answer does."""
        passed = ~self.drawn.flagged_at(tolerance)
        return bool(not passed.any() or (passed & (self.weight > 0)).any())

    def newly(self, tolerance: float) -> Any:
        return self.drawn.flagged_at(tolerance) & ~self.flagged

    def gone(self, tolerance: float) -> Any:
        return self.flagged & ~self.drawn.flagged_at(tolerance)


@pytest.fixture(scope="module")
def truth(shared_rows: Callable[..., Reference]) -> Reference:
    """Four hundred answers with five claims each, and what is true of them."""
    return shared_rows(lambda: Reference(build(400, 5)))


@pytest.fixture
def as_senior() -> Client:
    client = Client()
    client.force_login(person("sara", "senior"))
    return client


def test_what_if_equals_a_reference_at_every_point(as_senior: Client, truth: Reference) -> None:
    points = block(page(as_senior))
    assert points["threshold"] == "currency_tolerance"
    assert 20 < len(points["x"]) <= 103
    for at, percent in enumerate(points["x"]):
        share = float(Decimal(str(percent)) / 100)
        precision, recall = truth.shares(share)
        assert points["precision"][at] == pytest.approx(precision, abs=5e-5)
        known = truth.knows_the_unflagged(share)
        assert points["recall"][at] == (pytest.approx(recall, abs=5e-5) if known else None)
        flags = int(truth.drawn.flagged_at(share).sum())
        assert points["load"][at] == pytest.approx(flags / 30, abs=5e-4)
        newly, gone = truth.newly(share), truth.gone(share)
        assert points["texts"]["more"][at].startswith(f"+{newly.sum()} answer")
        assert points["texts"]["fewer"][at].startswith(f"−{gone.sum()} ")
        if newly.any():
            audited = newly & truth.drawn.audited
            said = points["texts"]["more_split"][at]
            assert said.startswith(f"{(newly & ~truth.drawn.audited).sum()} without a verdict")
            if audited.any():
                wrong = int((audited & truth.wrong).sum())
                assert f"{audited.sum()} audited: {wrong} wrong, {audited.sum() - wrong} right" in said
        lost = int((gone & truth.wrong).sum())
        assert points["texts"]["lost"][at].startswith(f"{lost} confirmed error" if lost else "")
        assert bool(points["texts"]["lost"][at]) == bool(lost)


def test_the_cost_is_least_where_the_reference_has_it(as_senior: Client, truth: Reference) -> None:
    points = block(page(as_senior, wrong="4"))
    costs = []
    for percent in points["x"]:
        flags = truth.drawn.flagged_at(float(Decimal(str(percent)) / 100))
        costs.append(4 * float((truth.weight * truth.wrong * ~flags).sum()) + flags.sum())
    assert costs[points["optimum"]] == pytest.approx(min(costs))
    assert points["flat"][0] <= points["optimum"] <= points["flat"][1]


def test_a_form_without_a_script_shows_the_same_texts(as_senior: Client) -> None:
    html = page(as_senior, threshold="currency_tolerance", value="3")
    points = block(html)
    assert points["sent"][points["chosen"]] == "3"
    for name in ("change", "more", "fewer", "precision", "recall", "load", "cost", "gate"):
        assert slot(html, name) == points["texts"][name][points["chosen"]]
    assert slot(html, "change") == "5 → 3"


def test_a_value_between_the_points_gets_a_point_of_its_own(as_senior: Client, truth: Reference) -> None:
    points = block(page(as_senior, value="3.217"))
    at = points["chosen"]
    assert points["x"][at] == 3.217
    assert points["x"] == sorted(points["x"])
    assert points["recall"][at] == pytest.approx(truth.shares(0.03217)[1], abs=5e-5)


def test_the_slices_add_up_to_the_change(as_senior: Client, truth: Reference) -> None:
    newly = truth.newly(0.03)
    html = page(as_senior, value="3")
    counts = {
        name: int((newly & (truth.drawn.language == code)).sum())
        for code, name in enumerate(("English", "Hebrew", "Chinese"))
    }
    told = slot(html, "language")
    assert {name: int(n) for name, n in re.findall(r"(\w+) \+(\d+)", told)} == {
        k: v for k, v in counts.items() if v
    }
    assert slot(html, "property") == f"OAK +{newly.sum()}"


def test_the_answers_that_change_are_listed_confirmed_errors_lost_first(
    as_senior: Client, truth: Reference
) -> None:
    html = as_senior.get(reverse("tuning-changes"), {"value": "8"}).content.decode()
    runs = [int(run) for run in re.findall(r'data-run="(\d+)"', html)]
    row = {int(run): place for place, run in enumerate(truth.drawn.run)}
    wrong = [bool(truth.wrong[row[run]]) for run in runs]
    assert set(runs) <= {int(run) for run in truth.drawn.run[truth.gone(0.08)]}
    assert wrong == sorted(wrong, reverse=True)
    assert len(runs) == min(50, int(truth.gone(0.08).sum()))
    assert "<html" not in html


def test_blind_verdicts_alone_leave_the_others_out(as_senior: Client, truth: Reference) -> None:
    everything = block(page(as_senior))
    blind = block(page(as_senior, blind="on"))
    assert truth.drawn.audited.any()
    assert everything["precision"][everything["active"]] is not None
    assert blind["precision"][blind["active"]] is None
