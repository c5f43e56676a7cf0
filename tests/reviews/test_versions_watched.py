"""The first day of a version: what was predicted beside what is, and a way back; nothing happens by itself."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.models import DetectionRun, Property, PropertyGroup, ThresholdProfile
from detection.profiles.gates import Gate
from reviews.thresholds.watching import watch
from tests.reviews.dashboards import answers, opened, resolved

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-05")]


@pytest.fixture
def version(db: None) -> ThresholdProfile:
    """Version 2, active, predicted to flag between 10 % and 20 % of answers."""
    profile = ThresholdProfile.draft({"base": {"overlap": 0.9}})
    profile.activate(gate=Gate(open=True, why="enough_audits", text="enough", low=0.1, high=0.2))
    return profile


@pytest.fixture
def admin(make_user: Callable[..., User]) -> User:
    return make_user("ada", "admin")


def runs(make_run: Callable[..., DetectionRun], flagged: int, n: int, **fields: Any) -> None:
    for place in range(n):
        make_run(needs_review=place < flagged, flagged={}, **fields)


@pytest.mark.parametrize(
    ("flagged", "n", "outside"),
    [(0, 0, False), (1, 1, False), (15, 100, False), (24, 100, False), (40, 100, True), (0, 50, True)],
)
def test_only_what_chance_does_not_explain_lies_outside(
    version: ThresholdProfile, senior: User, make_run: Any, flagged: int, n: int, outside: bool
) -> None:
    runs(make_run, flagged, n)
    found = watch(timezone.now(), senior)
    assert found is not None
    assert (found.version, found.flagged.found.n, found.outside, found.previous) == (2, n, outside, 1)


@pytest.mark.parametrize(
    ("wrong", "right", "outside"),
    [(0, 0, False), (0, 10, False), (15, 10, False), (3, 27, True), (30, 0, True)],
)
def test_what_reviewers_confirm_is_watched_beside_what_is_flagged(
    senior: User, wrong: int, right: int, outside: bool
) -> None:
    predicted = Gate(open=True, why="enough_audits", low=0.0, high=1.0, confirm_low=0.5, confirm_high=0.7)
    ThresholdProfile.draft({"base": {"overlap": 0.9}}).activate(gate=predicted)
    answers(40, needs_review=False, has_hallucinations=False)
    for verdict, n in (("rejected", wrong), ("supported", right)):
        resolved(opened(answers(n)), senior, verdict)
    found = watch(timezone.now(), senior)
    assert found is not None
    assert found.confirmed is not None
    assert (found.confirmed.found.n, found.flagged.outside, found.outside) == (wrong + right, False, outside)
    browser = Client()
    browser.force_login(senior)
    html = browser.get(reverse("versions")).content.decode()
    share = f"{wrong / (wrong + right):.1%}".replace("%", " %") if wrong + right else "–"
    assert share in html
    assert ("is confirmed as wrong." in html) == outside
    assert ("flags" in html) == outside


def test_after_a_day_nothing_is_watched(version: ThresholdProfile, senior: User) -> None:
    assert watch(timezone.now() + timedelta(hours=23, minutes=59), senior) is not None
    assert watch(timezone.now() + timedelta(hours=24, seconds=1), senior) is None


def test_without_a_prediction_nothing_is_watched(senior: User) -> None:
    ThresholdProfile.draft({}).activate()
    assert watch(timezone.now(), senior) is None


def test_shadow_runs_and_those_of_other_versions_do_not_count(
    version: ThresholdProfile, senior: User, make_run: Any
) -> None:
    runs(make_run, 3, 3, purpose="shadow")
    runs(make_run, 3, 3, profile=ThresholdProfile.objects.get(version=1))
    found = watch(timezone.now(), senior)
    assert found is not None
    assert found.flagged.found.n == 0


def test_answers_about_properties_of_others_do_not_count(
    version: ThresholdProfile, senior: User, make_run: Any, make_answer: Any, make_period: Any
) -> None:
    about = make_period("OAK")
    about.property.groups.add(PropertyGroup.objects.create(name="theirs"))
    runs(make_run, 1, 1, answer=make_answer(period=about))
    found = watch(timezone.now(), senior)
    assert found is not None
    assert (found.flagged.found.n, Property.objects.count()) == (0, 1)


def test_the_banner_takes_an_administrator_back_in_one_click(
    version: ThresholdProfile, admin: User, make_run: Any
) -> None:
    runs(make_run, 40, 100)
    browser = Client()
    browser.force_login(admin)
    html = browser.get(reverse("versions")).content.decode()
    banner = html.split('data-testid="watch-outside"')[1].split("</section>")[0]
    assert "40.0 % of answers" in banner
    assert "100 answers so far" in banner
    assert ThresholdProfile.active() == version
    sent = {"step": "rollback", "reason": "Version 2 flagged other than predicted.", "seen": "2"}
    assert all(f'value="{value}"' in banner for value in sent.values())
    browser.post(reverse("version-step", args=[1]), sent)
    assert (ThresholdProfile.active().version, ThresholdProfile.active().copied_from_id) == (
        3,
        ThresholdProfile.objects.get(version=1).pk,
    )


def test_a_senior_sees_the_banner_and_no_button(
    version: ThresholdProfile, senior: User, make_run: Any
) -> None:
    runs(make_run, 40, 100)
    browser = Client()
    browser.force_login(senior)
    html = browser.get(reverse("versions")).content.decode()
    assert 'data-testid="watch-outside"' in html
    assert 'data-testid="watch-rollback"' not in html
