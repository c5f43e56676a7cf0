"""T1 and T15: which runs open a review, what it carries, and when it ends without a decision."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from detection.models import Answer, DetectionRun, FinancialPeriod
from reviews.models import (
    Conflict,
    HallucinationReview,
    Lease,
    NotAllowed,
    ReviewEvent,
    ReviewPass,
    open_review,
    send_to_review,
)
from tests.conftest import NOI

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
Review = HallucinationReview


@pytest.mark.requirement("APP-01")
@pytest.mark.requirement("NUM-11")
def test_a_flagged_answer_opens_a_review_tied_to_user_property_and_period(
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    make_period: Callable[..., FinancialPeriod],
    viewer: User,
) -> None:
    period = make_period("OAK")
    run = make_run(make_answer(period=period, user=viewer))
    review = open_review(run)
    assert review is not None
    assert (review.answer, review.run, review.profile) == (run.answer, run, run.profile)
    assert (review.user, review.property, review.period) == (viewer, period.property, period)
    assert (review.original_confidence, review.automatic_confidence, review.final_confidence) == (
        0.9,
        0.7,
        None,
    )
    assert (review.state, review.version, review.outcome) == ("open", 1, "")
    assert (review.selection_reason, review.selection_probability) == ("flagged", 1.0)


@pytest.mark.requirement("NUM-11")
def test_an_answer_with_nothing_to_flag_opens_none(make_run: Callable[..., DetectionRun]) -> None:
    assert open_review(make_run(needs_review=False)) is None
    assert not Review.objects.exists()


def test_a_shadow_run_opens_none_and_ends_none(
    make_answer: Callable[..., Answer], make_run: Callable[..., DetectionRun], review: HallucinationReview
) -> None:
    newer = make_answer(supersedes=review.answer)
    assert open_review(make_run(newer, purpose="shadow")) is None
    review.refresh_from_db()
    assert review.state == "open"


@pytest.mark.parametrize(
    ("level", "priority", "hours"), [("high", 0, 4), ("moderate", 1, 24), ("low", 2, 72), ("", 1, 24)]
)
def test_priority_and_due_time_follow_the_risk(
    make_review: Callable[..., HallucinationReview], level: str, priority: int, hours: int
) -> None:
    review = make_review(risk_level=level)
    assert review.priority == priority
    assert review.due_at - review.created_at == timedelta(hours=hours)


def test_opening_records_scores_and_profile(review: HallucinationReview) -> None:
    event = ReviewEvent.objects.get(subject=review)
    assert (event.action, event.actor, event.profile) == ("opened", None, review.profile)
    assert (event.after["risk_score"], event.after["selection_probability"]) == ("0.8", 1.0)
    assert [claim["index"] for claim in event.after["claims"]] == [0, 1]
    assert event.after["claims"][0]["deviation"] == "0.306"


def test_a_live_review_is_kept_and_keeps_its_run(
    review: HallucinationReview, make_run: Callable[..., DetectionRun]
) -> None:
    again = open_review(make_run(review.answer, purpose="rescreen"))
    assert again == review
    assert again.run_id == review.run_id
    assert Review.objects.count() == 1
    assert ReviewEvent.objects.count() == 1


def test_a_run_whose_review_has_ended_opens_no_second_one(review: HallucinationReview) -> None:
    review.void("duplicate")
    assert open_review(review.run) is None
    assert Review.objects.get().state == "void"


def test_a_superseded_answer_opens_none(
    make_answer: Callable[..., Answer], make_run: Callable[..., DetectionRun]
) -> None:
    older = make_answer()
    make_answer(supersedes=older)
    assert open_review(make_run(older)) is None


@pytest.mark.parametrize("needs_review", [True, False])
def test_a_newer_answer_voids_the_live_reviews_of_all_older_ones(
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    review: HallucinationReview,
    needs_review: bool,
) -> None:
    middle = make_answer(supersedes=review.answer)
    newest = make_answer(supersedes=middle)
    opened = open_review(make_run(newest, needs_review=needs_review))
    review.refresh_from_db()
    assert (review.state, review.void_cause, review.replaced_by) == ("void", "superseded", newest)
    assert review.voided_at is not None
    assert (opened is not None) is needs_review
    event = ReviewEvent.objects.get(subject=review, action="voided")
    assert event.after == {"cause": "superseded", "replaced_by": str(newest.pk)}


def test_a_newer_answer_leaves_a_resolved_review_alone(
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    make_review: Callable[..., HallucinationReview],
    reviewer: User,
) -> None:
    review = make_review(flagged={})
    review.resolve(reviewer, 1, final_confidence=0.9)
    open_review(make_run(make_answer(supersedes=review.answer)))
    review.refresh_from_db()
    assert (review.state, review.version) == ("resolved", 2)


def test_voiding_ends_the_lease_and_keeps_the_draft(review: HallucinationReview, reviewer: User) -> None:
    Lease.take(review, reviewer)
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(text=NOI), "supported")
    review.void("withdrawn")
    assert review.holder is None
    assert review.passes.get().decided().count() == 1
    assert ReviewEvent.broken_at(review) is None


def test_only_a_senior_voids_by_hand(review: HallucinationReview, reviewer: User, senior: User) -> None:
    with pytest.raises(NotAllowed, match="Only a senior"):
        review.void("duplicate", actor=reviewer)
    review.void("duplicate", actor=senior)
    assert review.events.get(action="voided").actor == senior


def test_what_has_ended_cannot_be_voided(review: HallucinationReview) -> None:
    review.void("duplicate")
    with pytest.raises(Conflict, match="voided"):
        review.void("withdrawn")
    assert review.events.filter(action="voided").count() == 1


def test_a_person_sends_an_answer_with_a_reason(
    make_run: Callable[..., DetectionRun], reviewer: User
) -> None:
    run = make_run(needs_review=False, risk_level="low")
    review = send_to_review(run.answer, run, reviewer, "The tone is off.")
    assert (review.selection_reason, review.selection_probability) == ("manual", None)
    event = review.events.get()
    assert (event.actor, event.reason) == (reviewer, "The tone is off.")
    assert send_to_review(run.answer, run, reviewer, "Again.") == review


def test_sending_is_refused_without_role_reason_run_or_current_answer(
    make_run: Callable[..., DetectionRun], make_answer: Callable[..., Answer], reviewer: User, viewer: User
) -> None:
    run = make_run(needs_review=False)
    refusals: list[tuple[Any, ...]] = [
        (run.answer, run, viewer, "why"),
        (run.answer, run, reviewer, " "),
        (make_answer(), run, reviewer, "why"),
    ]
    for arguments in refusals:
        with pytest.raises(NotAllowed):
            send_to_review(*arguments)
    make_answer(supersedes=run.answer)
    with pytest.raises(NotAllowed, match="newer answer"):
        send_to_review(run.answer, run, reviewer, "why")
    assert not Review.objects.exists()


def _another(review: HallucinationReview, **changes: Any) -> HallucinationReview:
    """A second row for the same answer, written past the methods."""
    values = {f.attname: getattr(review, f.attname) for f in Review._meta.concrete_fields if f.name != "id"}
    return Review.objects.create(**values | changes)


def test_the_database_holds_one_live_review_per_answer(review: HallucinationReview) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        _another(review)
    _another(review, selection_reason="gold")
    _another(review, state="void", void_cause="duplicate", voided_at=timezone.now())
    assert Review.objects.count() == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "unheard_of"},
        {"state": "resolved"},
        {"state": "resolved", "outcome": "approved"},
        {"outcome": "approved"},
        {"state": "snoozed"},
        {"state": "void"},
        {"void_cause": "duplicate"},
        {"priority": 3},
        {"version": 0},
        {"selection_reason": ""},
        {"selection_probability": 0.0},
        {"original_confidence": 1.01},
        {"automatic_confidence": -0.01},
        {"final_confidence": 2.0},
    ],
)
def test_the_database_refuses_what_makes_no_sense(
    review: HallucinationReview, changes: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.filter(pk=review.pk).update(**changes)
