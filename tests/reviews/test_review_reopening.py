"""T13: who reopens a resolved review, until when, and what stays."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from detection.models import Answer, DetectionRun
from reviews.models import (
    Conflict,
    HallucinationReview,
    Lease,
    NotAllowed,
    ReviewEvent,
    ReviewPass,
    open_review,
)
from tests.conftest import NOI

pytestmark = pytest.mark.django_db
Review = HallucinationReview


@pytest.fixture
def resolved(make_review: Callable[..., HallucinationReview], reviewer: User) -> HallucinationReview:
    """A review that the reviewer corrected and resolved."""
    review = make_review(flagged={NOI: True})
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(), "corrected", corrected_value="$2")
    return review.resolve(reviewer, 2, final_confidence=0.8)


@pytest.mark.requirement("APP-03")
def test_a_reviewer_reopens_their_own_and_may_judge_again(
    resolved: HallucinationReview, reviewer: User
) -> None:
    resolved.reopen(reviewer, "I read the wrong page.")
    assert (resolved.state, resolved.version, resolved.reopen_count) == ("open", 4, 1)
    assert (resolved.outcome, resolved.corrected_answer, resolved.final_confidence) == ("", "", None)
    assert (resolved.resolved_at, resolved.resolved_by, resolved.selection_reason) == (None, None, "reopened")
    again = Lease.take(resolved, reviewer)
    assert (again.pass_no, again.blind, again.decided().count()) == (1, False, 0)
    assert resolved.passes.filter(state="withdrawn").get().decided().get().corrected_value == "$2"


def test_the_earlier_outcome_stays_in_the_history(resolved: HallucinationReview, senior: User) -> None:
    corrected = resolved.corrected_answer
    resolved.reopen(senior, "The lease says otherwise.")
    event = resolved.events.get(action="reopened")
    assert (event.actor, event.reason, event.after) == (
        senior,
        "The lease says otherwise.",
        {"reopen_count": 1},
    )
    assert (event.before["outcome"], event.before["corrected_answer"]) == ("corrected", corrected)
    assert (event.before["final_confidence"], event.before["selection_reason"]) == (0.8, "flagged")
    assert ReviewEvent.broken_at(resolved) is None


def test_after_a_day_only_a_senior_reopens(
    resolved: HallucinationReview, reviewer: User, senior: User
) -> None:
    Review.objects.update(resolved_at=timezone.now() - timedelta(hours=24, seconds=1))
    with pytest.raises(NotAllowed, match="24 hours"):
        resolved.reopen(reviewer, "late")
    resolved.reopen(senior, "late")
    assert resolved.state == "open"


def test_a_colleague_a_viewer_and_no_reason_are_refused(
    resolved: HallucinationReview, reviewer: User, colleague: User, viewer: User
) -> None:
    for user, reason in ((colleague, "why"), (viewer, "why"), (reviewer, "  ")):
        with pytest.raises(NotAllowed):
            resolved.reopen(user, reason)
    resolved.refresh_from_db()
    assert (resolved.state, resolved.version) == ("resolved", 3)


def test_only_a_resolved_review_reopens(resolved: HallucinationReview, senior: User) -> None:
    resolved.reopen(senior, "first")
    with pytest.raises(Conflict, match="reopened"):
        resolved.reopen(senior, "second")
    resolved.void("duplicate")
    with pytest.raises(Conflict, match="voided"):
        resolved.reopen(senior, "third")
    assert resolved.reopen_count == 1


def test_a_superseded_answer_is_not_reopened(
    resolved: HallucinationReview, senior: User, make_answer: Callable[..., Answer]
) -> None:
    make_answer(supersedes=resolved.answer)
    with pytest.raises(NotAllowed, match="newer answer"):
        resolved.reopen(senior, "why")


def test_an_answer_that_is_in_the_queue_by_another_review_is_not_doubled(
    resolved: HallucinationReview, senior: User, make_run: Callable[..., DetectionRun]
) -> None:
    assert open_review(make_run(resolved.answer, purpose="rescreen")) is not None
    with pytest.raises(NotAllowed, match="in the queue already"):
        resolved.reopen(senior, "why")


def test_a_reopened_review_resolves_again(resolved: HallucinationReview, reviewer: User) -> None:
    resolved.reopen(reviewer, "again")
    claim = resolved.run.claims.get()
    ReviewPass.decide(resolved, reviewer, resolved.version, claim, "supported")
    resolved.resolve(reviewer, resolved.version, final_confidence=0.9)
    assert (resolved.outcome, resolved.passes.filter(state="submitted").count()) == ("approved", 1)
    assert resolved.events.filter(action="resolved").count() == 2
