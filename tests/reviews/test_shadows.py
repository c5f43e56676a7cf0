"""Shadows on live traffic: kept beside what was delivered, opening nothing, breaking nothing (F23)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.models import DetectionRun, MonitoredRun, ShadowFlag, ThresholdProfile
from reviews import tasks
from reviews.lifecycle import publishing, shadows
from reviews.management.commands import sweep
from reviews.models import HallucinationReview
from reviews.thresholds import shadow_standing
from reviews.thresholds.shadow_standing import standing
from tests.api_calls import Caller, body, drain

pytestmark = [
    pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-05"), pytest.mark.usefixtures("tolerant"),
]  # fmt: skip
EXACT, OFF, FAR = (f"NOI was ${value} [S0]." for value in ("1,234,567.89", "1,250,000.00", "1,330,000.00"))
"""Inside every tolerance; 1.2 % off; 7.7 % off, with an active tolerance of 5 %."""


@pytest.fixture(autouse=True)
def no_audits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadows, "AUDITED_SHARE", 0.0)


def shadow_of(**base: Any) -> ThresholdProfile:
    profile = ThresholdProfile.draft({"base": {"exact_numbers": False, **base}})
    profile.shadow()
    return profile


def judged(backend: Caller, *answers: str) -> list[dict[str, Any]]:
    """The results of ``answers`` to numbers alone, as their backend reads them."""
    made = [backend.post("answers/", body(text, detectors=["numeric"])).json()["id"] for text in answers]
    drain()
    return [backend.get(f"answers/{pk}/").json() for pk in made]


def test_a_shadow_that_decides_otherwise_is_kept_beside_what_was_delivered(backend: Caller) -> None:
    strict, lax = shadow_of(currency_tolerance=0.5), shadow_of(currency_tolerance=10)
    judged(backend, EXACT, OFF, FAR)
    said = [
        [(f.needs_review, f.delivered_needs_review) for f in profile.shadow_flags.order_by("run_id")]
        for profile in (strict, lax)
    ]
    assert said == [
        [(False, False), (True, False), (True, True)],
        [(False, False), (False, False), (False, True)],
    ]
    assert DetectionRun.objects.count() == 3
    assert ShadowFlag.objects.filter(measured_by__isnull=False).count() == 0


def test_a_shadow_opens_no_review_and_changes_no_result(backend: Caller) -> None:
    plain = judged(backend, EXACT, OFF)
    shadow_of(currency_tolerance=0)
    beside = judged(backend, EXACT, OFF)
    assert ShadowFlag.objects.filter(needs_review=True).exists()
    assert HallucinationReview.objects.count() == 0
    for one, other in zip(plain, beside, strict=True):
        assert (one["verdict"], one["profile"], one["review"]) == (
            other["verdict"],
            other["profile"],
            other["review"],
        )


def test_a_shadow_that_measures_otherwise_gets_a_run_that_nobody_sees(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[str] = []
    monkeypatch.setattr(publishing, "publish", lambda run, *_: published.append(run.purpose))
    profile = shadow_of(max_source_checks=1, currency_tolerance=0.5)
    pk = backend.post("answers/", body(OFF, detectors=["numeric"])).json()["id"]
    tasks.step(DetectionRun.objects.get().pk, ["numeric"])
    assert published == ["live"]
    drain()
    result = backend.get(f"answers/{pk}/").json()
    live, own = DetectionRun.objects.order_by("pk")
    assert (live.purpose, own.purpose, own.profile) == ("live", "shadow", profile)
    assert own.finished_at is not None
    flag = ShadowFlag.objects.get()
    assert (flag.run, flag.measured_by, flag.profile) == (live, own, profile)
    assert (flag.needs_review, flag.delivered_needs_review) == (True, False)
    assert result["profile"]["version"] == ThresholdProfile.active().version
    assert result["verdict"]["needs_review"] is False
    assert HallucinationReview.objects.count() == 0
    assert [row.run_id for row in MonitoredRun.objects.all()] == [live.pk]


def test_an_unfinished_shadow_run_leaves_its_answer_complete(backend: Caller) -> None:
    profile = shadow_of(max_source_checks=1)
    pk = backend.post("answers/", body(OFF, detectors=["numeric"])).json()["id"]
    live = DetectionRun.objects.get()
    tasks.step(live.pk, ["numeric"])
    own = DetectionRun.objects.get(profile=profile)
    assert own.finished_at is None
    assert backend.get(f"answers/{pk}/").json()["status"] == "completed"
    (row,) = backend.get("answers/").json()["results"]
    assert row["status"] == "completed"


@pytest.mark.parametrize("broken", ["load", "conclude"])
def test_a_shadow_that_fails_breaks_nothing(
    backend: Caller, monkeypatch: pytest.MonkeyPatch, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError("shadow")

    shadow_of(currency_tolerance=0.5)
    if broken == "load":
        monkeypatch.setattr(ThresholdProfile, "resolve", _only_active(ThresholdProfile.resolve))
    else:
        monkeypatch.setattr(shadows, "_keep", fails)
    (result,) = judged(backend, FAR)
    assert result["status"] == "completed"
    assert result["review"]["status"] == "open"
    assert ShadowFlag.objects.count() == 0
    assert "shadow_failed" in caplog.text


def _only_active(resolve: Callable[..., Any]) -> Callable[..., Any]:
    def resolved(profile: ThresholdProfile, facets: Any) -> Any:
        if profile.state == "shadow":
            raise RuntimeError("shadow")
        return resolve(profile, facets)

    return resolved


def test_a_fault_of_the_database_in_a_shadow_rolls_back_the_shadow_alone(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = shadows._keep

    def twice(run: DetectionRun, profile: ThresholdProfile, *said: Any) -> None:
        keep(run, profile, *said)
        ShadowFlag.objects.create(
            run=run, profile=profile, needs_review=True, delivered_needs_review=True, risk_level="low"
        )

    shadow_of(currency_tolerance=0.5)
    monkeypatch.setattr(shadows, "_keep", twice)
    (result,) = judged(backend, FAR)
    assert result["status"] == "completed"
    assert ShadowFlag.objects.count() == 0
    assert HallucinationReview.objects.count() == 1


def test_a_run_is_kept_once_for_each_shadow(backend: Caller) -> None:
    profile = shadow_of(currency_tolerance=0.5)
    judged(backend, OFF)
    flag = ShadowFlag.objects.get()
    with pytest.raises(IntegrityError):
        ShadowFlag.objects.create(
            run=flag.run, profile=profile, needs_review=True, delivered_needs_review=False, risk_level="low"
        )


def test_a_capped_sample_of_what_only_a_shadow_flags_is_audited_blind(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shadows, "AUDITED_SHARE", 1.0)
    monkeypatch.setattr(shadows, "AUDITS_A_DAY", 2)
    shadow_of(currency_tolerance=0.5)
    judged(backend, EXACT, OFF, OFF, OFF, FAR)
    opened = HallucinationReview.objects.order_by("pk").values_list(
        "selection_reason", "selection_probability", "blind"
    )
    assert sorted(opened) == [
        ("audit_shadow", 1.0, True),
        ("audit_shadow", 1.0, True),
        ("flagged", 1.0, False),
    ]


def test_shadow_runs_are_published_after_all_live_ones(
    make_run: Callable[..., DetectionRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[int] = []
    unfinished: dict[str, Any] = {"finished_at": None, "result": None, "flagged": {}}
    first = make_run(purpose="shadow", **unfinished)
    second, third = make_run(**unfinished), make_run(**unfinished)
    later = timezone.now() + timedelta(seconds=sweep.GRACE_SECONDS + 1)
    monkeypatch.setattr(sweep, "_waiting", lambda: 0)
    monkeypatch.setattr(publishing, "publish", lambda run, *_: published.append(run.pk))
    sweep._publish(later)
    assert published == [second.pk, third.pk, first.pk]


@pytest.mark.parametrize(("days", "answers", "suggested"), [(8, 3, True), (6, 3, False), (8, 4, False)])
def test_a_promotion_is_suggested_after_enough_days_and_answers(
    backend: Caller,
    senior: User,
    monkeypatch: pytest.MonkeyPatch,
    days: int,
    answers: int,
    suggested: bool,
) -> None:
    monkeypatch.setattr(shadow_standing, "ANSWERS_ENOUGH", answers)
    profile = shadow_of(currency_tolerance=0.5)
    judged(backend, EXACT, OFF, FAR)
    found = standing(profile, senior, timezone.now() + timedelta(days=days))
    assert found.suggested is suggested
    assert (found.evaluated, found.newly, found.gone) == (3, 1, 0)
    assert found.shadow.value == pytest.approx(2 / 3)
    assert found.delivered.value == pytest.approx(1 / 3)


def test_the_page_of_a_shadow_links_to_what_it_sees_otherwise(backend: Caller, senior: User) -> None:
    profile = shadow_of(currency_tolerance=0.5)
    results = judged(backend, EXACT, OFF, FAR)
    browser = Client()
    browser.force_login(senior)
    html = browser.get(reverse("version", args=[profile.version])).content.decode()
    linked = [result["id"] for result in results if reverse("answer", args=[result["id"]]) in html]
    assert linked == [results[1]["id"]]
    assert "n = 3" in html
