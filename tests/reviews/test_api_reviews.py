"""Everything a reviewer does goes through the API too, under the rules of the screens (APP-03, APP-04)."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import Claim
from reviews.models import HallucinationReview, Lease, ReviewEvent, ReviewPass
from tests.api_calls import Caller, faults
from tests.conftest import NOI, OCCUPANCY, TEXT

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]


@pytest.fixture
def dana(reviewer: User) -> Caller:
    return Caller("review", user=reviewer)


@pytest.fixture
def erez(colleague: User) -> Caller:
    return Caller("review", user=colleague)


def seen(caller: Caller, review: HallucinationReview) -> Any:
    return caller.get(f"reviews/{review.pk}/").json()


def act(caller: Caller, review: HallucinationReview, step: str, status: int = 200, **sent: Any) -> Any:
    """One action with the review's present version where it needs one."""
    if step in ("verdict", "resolve"):
        sent.setdefault("version", HallucinationReview.objects.get(pk=review.pk).version)
    response = caller.post(f"reviews/{review.pk}/{step}/", sent)
    assert response.status_code == status, response.content
    return response.json()


def decided(caller: Caller, review: HallucinationReview) -> None:
    act(
        caller,
        review,
        "verdict",
        claim=0,
        verdict="corrected",
        corrected_value="$1,234,567.89",
        reason_code="wrong_value",
    )
    act(caller, review, "verdict", claim=1, verdict="supported")


@pytest.mark.requirement("APP-03")
def test_a_review_goes_from_open_to_resolved(
    dana: Caller, review: HallucinationReview, reviewer: User
) -> None:
    held = act(dana, review, "take")
    assert held["version"] == 1
    assert held["expires_at"] > timezone.now().isoformat()[:19]
    first = act(dana, review, "verdict", claim=0, verdict="corrected", corrected_value="$1,234,567.89")
    assert (first["undecided"], first["holder"], first["version"]) == ([1], "dana", 2)
    assert first["claims"][0]["verdict"]["corrected_value"] == "$1,234,567.89"
    act(dana, review, "verdict", claim=1, verdict="supported")
    done = act(dana, review, "resolve", final_confidence=0.8)
    assert (done["status"], done["outcome"], done["final_confidence"]) == ("resolved", "corrected", 0.8)
    assert done["corrected_answer"] == TEXT.replace(NOI, "$1,234,567.89")
    assert (done["resolved_by"], done["holder"]) == ("dana", None)
    actions = ReviewEvent.objects.filter(subject=review).order_by("seq").values_list("action", "actor")
    assert list(actions)[1:] == [(name, reviewer.pk) for name in ("taken", "decided", "decided", "resolved")]


def test_a_review_shows_its_answer_and_claims(dana: Caller, review: HallucinationReview) -> None:
    shown = seen(dana, review)
    assert (shown["text"], shown["status"], shown["priority"], shown["undecided"]) == (
        TEXT,
        "open",
        "high",
        [0, 1],
    )
    claim = shown["claims"][1]
    assert (claim["index"], claim["text"], claim["flagged"], claim["status"]) == (
        1,
        OCCUPANCY,
        True,
        "contradicted",
    )
    assert shown["text"][claim["start"] : claim["end"]] == OCCUPANCY


def test_a_blind_pass_is_not_told_what_the_detectors_found(dana: Caller, review: HallucinationReview) -> None:
    act(dana, review, "take")
    ReviewPass.objects.update(blind=True)
    shown = seen(dana, review)
    assert {"status", "finding", "reason", "flagged"}.isdisjoint(shown["claims"][0])
    assert (shown["automatic_confidence"], shown["proposed_confidence"]) == (None, None)


def test_an_audit_is_blind_before_it_is_taken(dana: Caller, review: HallucinationReview) -> None:
    HallucinationReview.objects.update(selection_reason="audit_random", selection_probability=0.03)
    shown = seen(dana, review)
    assert {"status", "finding", "reason", "flagged"}.isdisjoint(shown["claims"][0])
    assert (shown["automatic_confidence"], shown["proposed_confidence"]) == (None, None)


def test_what_another_holds_is_a_409_that_names_them(
    dana: Caller, erez: Caller, review: HallucinationReview
) -> None:
    act(dana, review, "take")
    for step, sent in (("take", {}), ("verdict", {"claim": 0, "verdict": "supported"}), ("resolve", {})):
        problem = act(erez, review, step, 409, **sent)
        assert problem["who"] == "dana"
    assert seen(erez, review)["holder"] == "dana"


def test_a_stale_version_is_a_409_that_says_who_and_when(dana: Caller, review: HallucinationReview) -> None:
    act(dana, review, "verdict", claim=0, verdict="supported")
    problem = act(dana, review, "verdict", 409, claim=0, verdict="rejected", version=1)
    assert (problem["who"], problem["type"]) == ("dana", "urn:hallu:problem:conflict")
    assert problem["when"].startswith(str(timezone.now().year))
    assert seen(dana, review)["claims"][0]["verdict"]["verdict"] == "supported"


def test_of_two_resolutions_the_second_learns_who_was_first(
    dana: Caller, erez: Caller, review: HallucinationReview
) -> None:
    decided(dana, review)
    act(dana, review, "resolve")
    problem = act(erez, review, "resolve", 409)
    assert (problem["who"], bool(problem["when"])) == ("dana", True)


def test_an_undecided_claim_is_named(dana: Caller, review: HallucinationReview) -> None:
    act(dana, review, "verdict", claim=1, verdict="supported")
    response = dana.post(f"reviews/{review.pk}/resolve/", {"version": 2})
    assert list(faults(response)) == ["claims[0]"]
    assert NOI in faults(response)["claims[0]"]


def test_without_a_confidence_the_proposed_one_is_taken(dana: Caller, review: HallucinationReview) -> None:
    decided(dana, review)
    proposed = seen(dana, review)["proposed_confidence"]
    assert act(dana, review, "resolve")["final_confidence"] == proposed


def test_another_outcome_needs_a_reason(dana: Caller, review: HallucinationReview) -> None:
    decided(dana, review)
    response = dana.post(f"reviews/{review.pk}/resolve/", {"version": 3, "outcome": "rejected"})
    assert list(faults(response)) == ["reason"]
    assert (
        act(dana, review, "resolve", outcome="rejected", reason="The question was wrong.")["outcome"]
        == "rejected"
    )


@pytest.mark.parametrize(
    ("step", "sent", "field"),
    [
        ("verdict", {"claim": 0, "verdict": "supported"}, "version"),
        ("verdict", {"version": 1, "verdict": "supported"}, "claim"),
        ("verdict", {"version": 1, "claim": 99, "verdict": "supported"}, "claim"),
        ("verdict", {"version": 1, "claim": 0, "verdict": "wrong"}, "verdict"),
        ("verdict", {"version": 1, "claim": 0, "verdict": "corrected"}, "corrected_value"),
        ("verdict", {"version": 1, "claim": 0, "verdict": "rejected", "reason_code": "other"}, "note"),
        ("verdict", {"version": 2**70, "claim": 0, "verdict": "supported"}, "version"),
        ("verdict", {"version": True, "claim": 2**70, "verdict": "supported"}, "claim"),
        ("verdict", {"version": "1", "claim": 0, "verdict": "supported"}, "version"),
        ("resolve", {"version": 1, "final_confidence": 1.5}, "final_confidence"),
        ("resolve", {"version": 1, "final_confidence": "0.5"}, "final_confidence"),
        ("resolve", {"version": 1, "outcome": "won"}, "outcome"),
        ("release", {"reason": 5}, "reason"),
    ],
)
def test_a_wrong_value_is_named(
    dana: Caller, review: HallucinationReview, step: str, sent: dict[str, Any], field: str
) -> None:
    act(dana, review, "take")
    assert field in faults(dana.post(f"reviews/{review.pk}/{step}/", sent))
    assert seen(dana, review)["version"] == 1


def test_a_repeated_verdict_or_resolution_is_the_same_one(dana: Caller, review: HallucinationReview) -> None:
    sent = {"version": 1, "claim": 0, "verdict": "rejected"}
    for _ in range(2):
        response = dana.post(f"reviews/{review.pk}/verdict/", sent, idempotency_key="v-1")
        assert (response.status_code, response.json()["version"]) == (200, 2)
    other = dana.post(
        f"reviews/{review.pk}/verdict/", {**sent, "verdict": "supported"}, idempotency_key="v-1"
    )
    assert list(faults(other)) == ["Idempotency-Key"]
    act(dana, review, "verdict", claim=1, verdict="supported")
    for _ in range(2):
        done = dana.post(
            f"reviews/{review.pk}/resolve/", {"version": 3, "final_confidence": 0.5}, idempotency_key="r-1"
        )
        assert (done.status_code, done.json()["status"]) == (200, "resolved")
    assert ReviewEvent.objects.filter(subject=review, action="resolved").count() == 1


def test_a_hold_is_kept_and_given_back(dana: Caller, erez: Caller, review: HallucinationReview) -> None:
    act(dana, review, "take")
    soon = timezone.now() + timedelta(seconds=5)
    Lease.objects.update(expires_at=soon)
    assert act(dana, review, "heartbeat")["expires_at"] > soon.isoformat()[:19]
    act(erez, review, "heartbeat", 409)
    act(erez, review, "release", 403)
    assert act(dana, review, "release")["holder"] is None
    act(erez, review, "take")


def test_a_senior_takes_a_hold_away_with_a_reason(
    dana: Caller, senior: User, review: HallucinationReview
) -> None:
    sofia = Caller("review", user=senior)
    act(dana, review, "take")
    act(sofia, review, "release", 403)
    assert act(sofia, review, "release", reason="On leave.")["holder"] is None


def test_a_resolved_review_is_reopened_with_a_reason(
    dana: Caller, erez: Caller, review: HallucinationReview
) -> None:
    decided(dana, review)
    act(dana, review, "resolve")
    act(dana, review, "reopen", 403)
    act(erez, review, "reopen", 403, reason="Not mine.")
    again = act(dana, review, "reopen", reason="New figures.")
    assert (again["status"], again["outcome"]) == ("open", "")


def test_a_key_that_acts_for_nobody_may_only_look(
    review: HallucinationReview, viewer: User, reviewer: User
) -> None:
    for caller in (Caller("review"), Caller("admin"), Caller("review", user=viewer)):
        assert seen(caller, review)["status"] == "open"
        for step in ("take", "heartbeat", "release", "reopen"):
            if caller.row.user is None or step in ("take", "reopen"):
                act(caller, review, step, 403)
    reviewer.is_active = False
    reviewer.save()
    act(Caller("review", user=reviewer), review, "take", 403)


def test_reviews_are_listed_and_narrowed(
    dana: Caller, make_review: Any, make_period: Any, make_answer: Any
) -> None:
    oak = make_review(make_answer(period=make_period()))
    calm = make_review(risk_level="low")
    for query, expected in {
        "": [calm.pk, oak.pk], "status=open": [calm.pk, oak.pk], "status=resolved": [], "priority=low": [calm.pk],
        "property=OAK": [oak.pk], f"answer={calm.answer_id}": [calm.pk], "outcome=approved": [], "page_size=1": [calm.pk],
    }.items():  # fmt: skip
        assert [row["id"] for row in dana.get(f"reviews/?{query}").json()["results"]] == expected, query
    assert list(faults(dana.get("reviews/?status=lost"))) == ["status"]


def test_a_list_of_reviews_costs_the_same_however_long_it_is(dana: Caller, make_review: Any) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            dana.get("reviews/")
        return len(queries)

    make_review()
    cost()
    one = cost()
    for _ in range(5):
        make_review()
    assert cost() == one
    assert Claim.objects.count() == 18
