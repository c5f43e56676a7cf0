"""Snoozing and waking (F11, T4, T5): until when, by whom, and where it comes back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from detection.models import (
    Answer,
    DetectionRun,
    FinancialMetrics,
    FinancialPeriod,
    IncomeStatementData,
)
from reviews.management.commands.sweep import sweep
from reviews.models import (
    Conflict,
    HallucinationReview,
    KeyReused,
    Lease,
    NotAllowed,
    ReviewPass,
    open_review,
)
from reviews.queue.next_review import next_for
from reviews.queue.visible import visible_reviews
from tests.conftest import NOI

pytestmark = pytest.mark.django_db
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


def _in(**span: int) -> Any:
    return timezone.now() + timedelta(**span)


@pytest.mark.requirement("APP-03")
def test_a_snoozed_review_leaves_the_queue_until_its_time(
    review: HallucinationReview, reviewer: User
) -> None:
    until = _in(hours=3)
    review.snooze(reviewer, 1, until, reason=" waits for the bank ")
    assert (review.state, review.snoozed_until, review.version) == ("snoozed", until, 2)
    assert next_for(reviewer) is None
    event = review.events.get(action="snoozed")
    assert (event.actor, event.reason) == (reviewer, "waits for the bank")
    assert event.after == {"until": until.isoformat(), "on_evidence": False}
    assert Review.wake_due(until - timedelta(seconds=1)) == 0
    assert Review.wake_due(until) == 1
    review.refresh_from_db()
    assert (review.state, review.snoozed_until) == ("open", None)
    assert review.returned_at is not None
    woken = review.events.get(action="woken")
    assert (woken.actor, woken.after) == (None, {"cause": "due"})
    assert next_for(reviewer) == review


def test_snoozing_ends_my_hold_and_keeps_my_draft(review: HallucinationReview, reviewer: User) -> None:
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(text=NOI), "supported")
    review.snooze(reviewer, 2, _in(days=14))
    assert review.holder is None
    assert ReviewPass.objects.get().decided().count() == 1
    with pytest.raises(NotAllowed, match="Snoozed until"):
        Lease.take(review, reviewer)


def test_what_comes_back_stands_first_in_its_priority(make_review: MakeReview, reviewer: User) -> None:
    older, low, back = make_review(), make_review(risk_level="low"), make_review()
    urgent_first = [older.pk, back.pk, low.pk]
    assert list(visible_reviews(reviewer).values_list("pk", flat=True)) == urgent_first
    for review in (back, low):
        review.snooze(reviewer, 1, _in(hours=1))
        review.wake(reviewer)
    assert list(visible_reviews(reviewer).values_list("pk", flat=True)) == [back.pk, older.pk, low.pk]
    assert back.events.get(action="woken").actor == reviewer
    assert next_for(reviewer) == back


def test_it_stays_first_when_given_back_and_no_longer_when_snoozed_again(
    make_review: MakeReview, reviewer: User
) -> None:
    older, back = make_review(), make_review()
    back.snooze(reviewer, 1, _in(hours=1))
    back.wake(reviewer)
    Lease.take(back, reviewer)
    Lease.release(back, reviewer)
    assert visible_reviews(reviewer).first() == back
    back.snooze(reviewer, 3, _in(hours=1))
    assert back.returned_at is None
    assert visible_reviews(reviewer).first() == older


@pytest.mark.parametrize("span", [{"seconds": -1}, {"days": 14, "minutes": 1}, {"days": 4000}])
def test_it_sleeps_two_weeks_at_most_and_not_into_the_past(
    review: HallucinationReview, reviewer: User, span: dict[str, int]
) -> None:
    with pytest.raises(ValidationError) as refused:
        review.snooze(reviewer, 1, _in(**span))
    assert "until" in refused.value.message_dict
    review.refresh_from_db()
    assert (review.state, review.version) == ("open", 1)


def test_only_a_senior_snoozes_what_is_overdue(
    review: HallucinationReview, reviewer: User, senior: User
) -> None:
    Review.objects.update(due_at=_in(seconds=-1))
    with pytest.raises(NotAllowed, match="overdue"):
        review.snooze(reviewer, 1, _in(hours=1))
    review.snooze(senior, 1, _in(hours=1))
    assert review.state == "snoozed"


def test_who_may_not_work_on_it_may_not_snooze_it(
    make_review: MakeReview, reviewer: User, colleague: User, viewer: User
) -> None:
    held, assigned, second, snoozed = (make_review() for _ in range(4))
    Lease.take(held, colleague)
    with pytest.raises(Conflict, match="erez is reviewing"):
        held.snooze(reviewer, 1, _in(hours=1))
    assigned.assign(colleague, 1, colleague)
    with pytest.raises(NotAllowed, match="assigned to somebody else"):
        assigned.snooze(reviewer, 2, _in(hours=1))
    Review.objects.filter(pk=second.pk).update(state="second_review")
    with pytest.raises(NotAllowed, match="second review"):
        second.snooze(reviewer, 1, _in(hours=1))
    snoozed.snooze(reviewer, 1, _in(hours=1))
    with pytest.raises(NotAllowed, match="Snoozed until"):
        snoozed.snooze(colleague, 2, _in(hours=2))
    with pytest.raises(NotAllowed, match="reviewer role"):
        held.snooze(viewer, 1, _in(hours=1))


def test_a_stale_version_snoozes_nothing(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    review.assign(reviewer, 1, reviewer)
    with pytest.raises(Conflict, match="assigned"):
        review.snooze(colleague, 1, _in(hours=1))


def test_the_same_key_snoozes_once(review: HallucinationReview, reviewer: User) -> None:
    until = _in(hours=1)
    review.snooze(reviewer, 1, until, idempotency_key="k")
    review.snooze(reviewer, 1, until, idempotency_key="k")
    assert review.events.filter(action="snoozed").count() == 1
    with pytest.raises(KeyReused):
        review.snooze(reviewer, 1, _in(hours=2), idempotency_key="k")


def test_waking_is_for_what_sleeps_and_for_reviewers(
    review: HallucinationReview, reviewer: User, viewer: User
) -> None:
    with pytest.raises(Conflict):
        review.wake(reviewer)
    review.snooze(reviewer, 1, _in(hours=1))
    with pytest.raises(NotAllowed):
        review.wake(viewer)
    assert not review.events.filter(action="woken").exists()


def test_a_newer_run_wakes_what_waits_for_evidence_and_nothing_else(
    make_review: MakeReview, make_run: Callable[..., DetectionRun], reviewer: User
) -> None:
    waiting, asleep = make_review(), make_review()
    waiting.snooze(reviewer, 1, _in(days=3), on_evidence=True)
    asleep.snooze(reviewer, 1, _in(days=3))
    open_review(make_run(waiting.answer, purpose="shadow"))
    waiting.refresh_from_db()
    assert waiting.state == "snoozed"
    for review in (waiting, asleep):
        open_review(make_run(review.answer, purpose="rescreen"))
        review.refresh_from_db()
    assert (waiting.state, waiting.awaits_evidence_since, asleep.state) == ("open", None, "snoozed")
    assert waiting.events.get(action="woken").after == {"cause": "new_detection"}


@pytest.mark.parametrize("what", ["figures", "statement line"])
def test_newer_figures_of_its_period_wake_it(
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    reviewer: User,
    what: str,
) -> None:
    oak, elm = make_period("OAK"), make_period("ELM")
    FinancialMetrics.objects.create(period=oak, net_operating_income=1)
    waiting, asleep, elsewhere = (make_review(make_answer(period=p)) for p in (oak, oak, elm))
    waiting.snooze(reviewer, 1, _in(days=3), on_evidence=True)
    elsewhere.snooze(reviewer, 1, _in(days=3), on_evidence=True)
    asleep.snooze(reviewer, 1, _in(days=3))
    assert Review.wake_due() == 0
    if what == "figures":
        oak.metrics.save()
    else:
        for code in ("4000", "4100"):
            IncomeStatementData.objects.create(period=oak, account_code=code, account_name="Rent", amount=1)
    assert Review.wake_due() == 1
    waiting.refresh_from_db()
    assert waiting.state == "open"
    assert waiting.events.get(action="woken").after == {"cause": "new_figures"}


def test_the_sweeper_wakes_what_is_due(review: HallucinationReview, reviewer: User) -> None:
    until = _in(hours=1)
    review.snooze(reviewer, 1, until)
    sweep(until)
    review.refresh_from_db()
    assert review.state == "open"


@pytest.mark.postgres
def test_a_superseded_review_does_not_wait_for_evidence_any_more(
    review: HallucinationReview, reviewer: User
) -> None:
    review.snooze(reviewer, 1, _in(days=3), on_evidence=True)
    review.void("duplicate")
    assert (review.state, review.awaits_evidence_since) == ("void", None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.update(awaits_evidence_since=timezone.now())
