"""Skipping (F04): a review leaves one person's queue and stays as it is for everybody else."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from reviews.models import (
    SKIP_REASONS,
    Conflict,
    HallucinationReview,
    KeyReused,
    Lease,
    NotAllowed,
    ReviewPass,
    Skip,
)
from reviews.queue.next_review import next_for
from tests.conftest import NOI

pytestmark = pytest.mark.django_db
MakeReview = Callable[..., HallucinationReview]


@pytest.mark.parametrize("reason", SKIP_REASONS)
def test_what_i_skip_leaves_my_queue_and_nobody_elses(
    make_review: MakeReview, reviewer: User, colleague: User, reason: str
) -> None:
    first, second = make_review(), make_review()
    Skip.leave(first, reviewer, reason)
    assert next_for(reviewer) == second
    Lease.release(second, reviewer)
    assert next_for(colleague) == first
    event = first.events.get(action="skipped")
    assert (event.actor, event.after) == (reviewer, {"skip": reason})


def test_skipping_ends_my_hold_and_keeps_my_draft(review: HallucinationReview, reviewer: User) -> None:
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(text=NOI), "supported")
    Skip.leave(review, reviewer, "later")
    assert (review.holder, review.state, review.version) == (None, "open", 2)
    draft = ReviewPass.objects.get(review=review)
    assert (draft.state, draft.decided().count()) == ("draft", 1)
    assert review.events.get(action="skipped").before == {"skip": None, "held": True}
    assert not review.events.filter(action="released").exists()


def test_a_review_that_a_colleague_holds_can_be_skipped_and_stays_theirs(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, colleague)
    Skip.leave(review, reviewer, "not_mine")
    review.refresh_from_db()
    assert (review.holder, review.state) == (colleague, "in_review")
    assert review.events.get(action="skipped").before["held"] is False


def test_skipping_again_changes_the_reason_and_adds_to_the_history(
    review: HallucinationReview, reviewer: User
) -> None:
    Skip.leave(review, reviewer, "later")
    Skip.leave(review, reviewer, "unclear")
    assert Skip.objects.get().reason == "unclear"
    assert [e.after["skip"] for e in review.events.filter(action="skipped").order_by("seq")] == [
        "later",
        "unclear",
    ]


def test_a_skip_has_a_reason_from_the_list(review: HallucinationReview, reviewer: User) -> None:
    for reason in ("", "boring", "LATER"):
        with pytest.raises(ValidationError) as refused:
            Skip.leave(review, reviewer, reason)
        assert "reason" in refused.value.message_dict
    assert not Skip.objects.exists()


def test_what_has_ended_cannot_be_skipped(review: HallucinationReview, reviewer: User) -> None:
    review.void("duplicate")
    with pytest.raises(Conflict, match="voided"):
        Skip.leave(review, reviewer, "later")


def test_viewers_skip_nothing(review: HallucinationReview, viewer: User) -> None:
    with pytest.raises(NotAllowed):
        Skip.leave(review, viewer, "later")


def test_the_same_key_skips_once(review: HallucinationReview, reviewer: User) -> None:
    Skip.leave(review, reviewer, "later", idempotency_key="k")
    Skip.leave(review, reviewer, "later", idempotency_key="k")
    assert review.events.filter(action="skipped").count() == 1
    with pytest.raises(KeyReused):
        Skip.leave(review, reviewer, "other", idempotency_key="k")


def test_my_skips_come_back_when_i_ask_for_them(
    make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    mine, theirs, ended = make_review(), make_review(), make_review()
    Skip.leave(mine, reviewer, "later")
    Skip.leave(ended, reviewer, "later")
    Skip.leave(theirs, colleague, "later")
    ended.void("duplicate")
    assert next_for(reviewer) == theirs
    Lease.release(theirs, reviewer)
    assert Skip.requeue(reviewer) == 1
    assert next_for(reviewer) == mine
    assert mine.events.get(action="requeued").actor == reviewer
    assert set(Skip.objects.values_list("user", "review")) == {
        (reviewer.pk, ended.pk),
        (colleague.pk, theirs.pk),
    }
    assert Skip.requeue(reviewer) == 0


@pytest.mark.postgres
def test_the_database_keeps_one_skip_of_a_known_reason(review: HallucinationReview, reviewer: User) -> None:
    Skip.leave(review, reviewer, "later")
    with pytest.raises(IntegrityError), transaction.atomic():
        Skip.objects.create(review=review, user=reviewer, reason="later")
    with pytest.raises(IntegrityError), transaction.atomic():
        Skip.objects.update(reason="boring")
