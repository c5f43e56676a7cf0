"""How far reviewers agree, and who sees whose work."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from detection.models import ApiKey
from reviews.dashboard.alerts import alerts
from reviews.models import ReviewEvent
from tests.reviews.dashboards import answers, judged_twice, opened, parts, resolved, scope, tile

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-05")]

TABLE = {
    ("rejected", "rejected"): 20,
    ("rejected", "supported"): 5,
    ("supported", "rejected"): 10,
    ("supported", "supported"): 15,
}
"""The worked example of the article on Cohen's kappa (en.wikipedia.org/wiki/Cohen's_kappa): 50 pairs, κ = 0.4."""


def test_agreement_is_that_of_the_reference_to_three_decimals(reviewer: User, colleague: User) -> None:
    judged_twice(TABLE, reviewer, colleague)
    chance = 0.55 * 0.45 * 2
    expected = {"agreement": 0.7, "kappa": 0.4, "alpha": 1 - 0.3 / 0.5, "ac1": (0.7 - chance) / (1 - chance)}
    for name, value in expected.items():
        found = tile(name, reviewer)
        assert found.n == 50
        assert found.value == pytest.approx(value, abs=0.0005), name
        assert parts(found)["Currency"] == found.value
    matrix = tile("matrix", reviewer)
    assert (matrix.value, matrix.n) == (35, 50)
    assert parts(matrix, "Rejected")["Supported"] == 5
    assert parts(matrix, "Supported")["Rejected"] == 10


def test_fewer_than_thirty_pairs_are_too_few(reviewer: User, colleague: User) -> None:
    judged_twice({("rejected", "rejected"): 29}, reviewer, colleague)
    for name in ("agreement", "kappa", "alpha", "ac1"):
        found = tile(name, reviewer)
        assert (found.value, found.n) == (None, 29)
        assert "Too few" in found.text


def test_agreement_without_second_opinions_is_unknown_and_not_zero(reviewer: User) -> None:
    resolved(opened(answers(40)), reviewer, "supported")
    assert tile("kappa", reviewer).value is None
    assert "Not measured yet" in tile("kappa", reviewer).text


def test_low_kappa_is_an_alert_from_fifty_pairs_on(reviewer: User, colleague: User) -> None:
    judged_twice(TABLE, reviewer, colleague)
    assert [each.text for each in alerts(scope(reviewer))] == [
        "Reviewers agree too little: κ = 0.40 (n = 50)."
    ]


def test_fewer_pairs_raise_no_alert(reviewer: User, colleague: User) -> None:
    judged_twice({**TABLE, ("rejected", "rejected"): 19}, reviewer, colleague)
    assert alerts(scope(reviewer)) == []


def test_blind_agreement_with_detectors_stands_beside_that_of_people_who_saw(reviewer: User) -> None:
    found = opened(answers(6))
    resolved(found[:2], reviewer, "rejected", blind=True)
    resolved(found[2:4], reviewer, "supported", blind=True)
    resolved(found[4:], reviewer, "rejected")
    blind = tile("blind", reviewer)
    assert (blind.value, blind.n) == (0.5, 4)
    assert parts(blind) == {"blind": 0.5, "conclusion seen": 1.0}


@pytest.fixture
def two_people(reviewer: User, colleague: User) -> None:
    """Dana resolved three, of which Erez reopened one; Erez resolved one."""
    hers = opened(answers(3))
    resolved(hers, reviewer, "supported", seconds=30)
    resolved(opened(answers(1)), colleague, "supported", seconds=90)
    for review, actor in zip(hers, (colleague, reviewer), strict=False):
        ReviewEvent.append(review, "resolved", actor=reviewer)
        ReviewEvent.append(review, "reopened", actor=actor)


def test_one_sees_ones_own_work_with_speed_beside_accuracy(two_people: None, reviewer: User) -> None:
    found = tile("submitted", reviewer)
    assert found.value == 3
    assert {row.group for row in found.rows} == {"dana"}
    assert parts(found, "dana") == {
        "submitted": 3, "reopened by others": pytest.approx(1 / 3), "median of active work": 30
    }  # fmt: skip
    assert parts(tile("reopened", reviewer)) == {"dana": pytest.approx(1 / 3)}


def test_a_senior_sees_everybody_by_name(two_people: None, senior: User) -> None:
    assert list(dict.fromkeys(row.group for row in tile("submitted", senior).rows)) == ["dana", "erez"]
    assert tile("submitted", senior).value == 4


def test_a_key_that_only_reads_learns_of_nobody(two_people: None) -> None:
    reading, _secret = ApiKey.issue("reading", ["read"], all_properties=True)
    assert tile("submitted", reading).rows == ()
    assert "may not see" in tile("submitted", reading).text
    judging, _secret = ApiKey.issue("judging", ["read", "review"], all_properties=True)
    assert tile("submitted", judging).value == 4


@pytest.mark.parametrize("name", ["gold_accuracy", "unseen", "overturned", "gold", "webhooks", "polls"])
def test_what_is_not_recorded_says_so_and_has_no_figure(senior: Any, name: str) -> None:
    found = tile(name, senior)
    assert found.value is None
    assert found.text.startswith("Not measured yet: ")
