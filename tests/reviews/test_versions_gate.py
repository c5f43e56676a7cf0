"""What the gate says of a version, from answers that were judged and audited (review-queue §5.3)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from detection.models import ApiKey, Property, PropertyGroup, ShadowFlag, ThresholdProfile
from detection.models.thresholds import Overtaken
from detection.profiles.gates import gate_of
from reviews.models import HallucinationReview
from reviews.thresholds import shadow_standing
from tests.api_calls import Caller, body, drain, faults
from tests.reviews.dashboards import resolved
from tests.reviews.judged_answers import judged_answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-05")]
EXACT, OFF, FAR = (f"NOI was ${value} [S0]." for value in ("1,234,567.89", "1,250,000.00", "1,330,000.00"))


def judged(backend: Caller, *answers: str) -> None:
    for text in answers:
        backend.post("answers/", body(text, detectors=["numeric"]))
    drain()


def test_without_answers_nothing_can_be_lost(senior: User) -> None:
    found = gate_of(
        ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 50}}), senior
    )
    assert (found.open, found.why, found.low) == (True, "no_answers", None)


@pytest.mark.usefixtures("tolerant")
def test_flagging_only_more_is_open_and_predicts_its_share(backend: Caller, senior: User) -> None:
    judged(backend, EXACT, OFF, FAR)
    found = gate_of(
        ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 0.5}}), senior
    )
    assert (found.open, found.why) == (True, "only_flags_more")
    assert found.low is not None
    assert found.high is not None
    assert found.low < 2 / 3 < found.high
    assert (found.confirm_low, found.confirm_high) == (None, None)


def test_what_reviewers_will_confirm_is_predicted_from_what_they_did(backend: Caller, senior: User) -> None:
    judged(backend, *[FAR] * 12)
    reviews = list(HallucinationReview.objects.order_by("pk"))
    resolved(reviews[:8], senior, "rejected")
    resolved(reviews[8:], senior, "supported")
    found = gate_of(
        ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 4}}), senior
    )
    assert found.confirm_low is not None
    assert found.confirm_high is not None
    assert 0.3 < found.confirm_low < 8 / 12 < found.confirm_high < 0.9


def test_flagging_less_needs_audits(backend: Caller, senior: User) -> None:
    judged(backend, EXACT, OFF, FAR)
    found = gate_of(
        ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 50}}), senior
    )
    assert (found.open, found.why, found.audits, found.needed_audits) == (False, "few_audits", 0, 100)
    assert found.text == "0 answers were audited; 100 are needed."


def test_a_closed_gate_is_a_409_of_the_api_with_what_it_says(backend: Caller) -> None:
    judged(backend, FAR)
    draft = ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 50}})
    refused = Caller("admin").post(f"threshold-profiles/{draft.pk}/activate/", {"reason": "now"})
    assert faults(refused, 409) == {}
    assert (refused.json()["gate"]["why"], refused.json()["gate"]["audits"]) == ("few_audits", 0)
    assert ThresholdProfile.active().version == 1


def test_what_was_seen_active_is_checked_by_the_api(backend: Caller) -> None:
    ThresholdProfile.draft({"base": {"overlap": 0.4}}).activate()
    draft = ThresholdProfile.draft({"base": {"overlap": 0.6}})
    late = Caller("admin").post(f"threshold-profiles/{draft.pk}/activate/", {"seen": 1})
    assert faults(late, 409) == {}
    assert (late.json()["active_version"], late.json()["who"]) == (2, "the system")
    assert Caller("admin").post(f"threshold-profiles/{draft.pk}/activate/", {"seen": 2}).status_code == 200


def test_no_number_is_taken_for_a_reason_and_no_text_for_a_version() -> None:
    draft = ThresholdProfile.draft({"base": {"overlap": 0.4}})
    for wrong in ({"reason": 5}, {"seen": "1"}):
        assert set(faults(Caller("admin").post(f"threshold-profiles/{draft.pk}/activate/", wrong))) == set(
            wrong
        )
    assert ThresholdProfile.active().version == 1


@pytest.mark.usefixtures("tolerant")
def test_the_gate_and_its_prediction_are_kept_with_the_version(backend: Caller) -> None:
    judged(backend, EXACT, OFF, FAR)
    draft = ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 0.5}})
    Caller("admin").post(f"threshold-profiles/{draft.pk}/activate/", {"reason": "stricter"})
    active = ThresholdProfile.active()
    assert active == draft
    assert active.gate is not None
    assert (active.gate["why"], active.gate["text"]) == ("only_flags_more", "It only flags more answers.")
    assert (active.predicted_low, active.predicted_high) == (active.gate["low"], active.gate["high"])


@pytest.mark.parametrize("where", ["base", "override"])
def test_what_is_measured_otherwise_needs_a_shadow_first(senior: User, where: str) -> None:
    anew = {"max_source_checks": 1}
    values = (
        {"base": anew} if where == "base" else {"overrides": [{"when": {"language": "he"}, "values": anew}]}
    )
    found = gate_of(ThresholdProfile.draft(values), senior)
    assert (found.open, found.why) == (False, "needs_shadow")


@pytest.mark.parametrize(("needs_review", "why"), [(True, "only_flags_more"), (False, "few_audits")])
def test_a_shadow_that_ran_long_enough_speaks_for_itself(
    senior: User,
    make_run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    needs_review: bool,
    why: str,
) -> None:
    monkeypatch.setattr(shadow_standing, "ANSWERS_ENOUGH", 3)
    profile = ThresholdProfile.draft({"base": {"max_source_checks": 1}})
    profile.shadow()
    ThresholdProfile.objects.filter(pk=profile.pk).update(shadow_since=timezone.now() - timedelta(days=8))
    profile.refresh_from_db()
    for _ in range(3):
        run = make_run(needs_review=not needs_review)
        ShadowFlag.objects.create(
            run=run,
            profile=profile,
            needs_review=needs_review,
            delivered_needs_review=not needs_review,
            risk_level="low",
        )
    assert gate_of(profile, senior).why == why


def test_a_shadow_is_held_to_labels_that_may_be_counted(
    senior: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a person sent in by hand was not drawn, and says nothing of the others."""
    monkeypatch.setattr(shadow_standing, "ANSWERS_ENOUGH", 3)
    profile = ThresholdProfile.draft({"base": {"max_source_checks": 1}})
    profile.shadow()
    ThresholdProfile.objects.filter(pk=profile.pk).update(shadow_since=timezone.now() - timedelta(days=8))
    profile.refresh_from_db()
    runs = judged_answers(20, days=6)
    for run in runs:
        flags = {"needs_review": not run.needs_review, "delivered_needs_review": run.needs_review}
        ShadowFlag.objects.create(run=run, profile=profile, risk_level="low", **flags)
    drawn = [run.pk for run in runs if not run.needs_review]
    found = gate_of(profile, senior)
    assert (found.why, found.audits, found.band_audits) == ("few_audits", len(drawn), 20)
    HallucinationReview.objects.filter(run=drawn[0]).update(selection_reason="manual")
    found = gate_of(profile, senior)
    assert (found.audits, found.band_audits) == (len(drawn) - 1, 19)


def test_a_change_that_no_answer_of_the_window_notices_says_so(backend: Caller, senior: User) -> None:
    judged(backend, EXACT)
    found = gate_of(
        ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 0.5}}), senior
    )
    assert (found.open, found.why, found.text) == (True, "changes_nothing", "No answer would change.")


def test_the_gate_holds_for_the_version_that_was_active_then(backend: Caller, senior: User) -> None:
    draft, other = ThresholdProfile.draft({"base": {"overlap": 0.4}}), ThresholdProfile.draft({})
    told = gate_of(draft, senior)
    other.activate()
    with pytest.raises(Overtaken, match="version 3"):
        draft.activate(gate=told)


def test_the_gate_holds_for_the_wording_that_was_read(senior: User) -> None:
    draft = ThresholdProfile.draft({"base": {"overlap": 0.4}})
    told = gate_of(draft, senior)
    elsewhere = ThresholdProfile.objects.get(pk=draft.pk)
    elsewhere.change({"base": {"overlap": 0.9}}, scoring=draft.scoring, note="")
    with pytest.raises(ValidationError, match="changed meanwhile"):
        draft.activate(gate=told)
    assert ThresholdProfile.active().version == 1


def test_whoever_sees_some_properties_activates_nothing_for_all_of_them(
    backend: Caller, make_user: Callable[..., User]
) -> None:
    judged(backend, FAR)
    elm = Property.objects.create(code="ELM", name="Elm")
    key, _plain = ApiKey.issue("bound", ["admin"])
    key.properties.add(elm)
    elm.groups.add(PropertyGroup.objects.create(name="those of the court"))
    draft = ThresholdProfile.draft({"base": {"exact_numbers": False, "currency_tolerance": 50}})
    for caller in (key, make_user("ada", "admin")):
        found = gate_of(draft, caller)
        assert (found.open, found.why, found.audits, found.low) == (False, "sees_part", 0, None)
