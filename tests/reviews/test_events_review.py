"""The history of a review: written with the change or not at all, and verifiable."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from reviews.models import Conflict, HallucinationReview, Lease, ReviewEvent, ReviewPass, Undecided
from tests.conftest import NOI, OCCUPANCY

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.mark.requirement("APP-03")
def test_a_whole_life_is_one_verifiable_chain(
    review: HallucinationReview, reviewer: User, colleague: User, senior: User
) -> None:
    noi, occupancy = (review.run.claims.get(text=text) for text in (NOI, OCCUPANCY))
    Lease.take(review, reviewer)
    ReviewPass.decide(review, reviewer, 1, noi, "cannot_tell", note="לא ברור 不清楚 😀")
    Lease.release(review, reviewer)
    Lease.take(review, colleague)
    Lease.release(review, senior, reason="needed")
    Lease.take(review, reviewer)
    ReviewPass.decide(review, reviewer, 2, noi, "corrected", corrected_value="$2", reason_code="wrong_value")
    ReviewPass.decide(review, reviewer, 3, occupancy, "supported")
    review.resolve(reviewer, 4, final_confidence=1 / 3)
    review.reopen(senior, "again")
    review.void("withdrawn", actor=senior)
    actions = list(review.events.order_by("seq").values_list("action", "actor__username"))
    assert actions == [
        ("opened", None),
        ("taken", "dana"),
        ("decided", "dana"),
        ("released", "dana"),
        ("taken", "erez"),
        ("force_released", "sofia"),
        ("taken", "dana"),
        ("decided", "dana"),
        ("decided", "dana"),
        ("resolved", "dana"),
        ("reopened", "sofia"),
        ("voided", "sofia"),
    ]
    assert ReviewEvent.broken_at(review) is None


@pytest.mark.parametrize(
    "refused",
    [
        lambda review, user: ReviewPass.decide(review, user, 7, review.run.claims.get(text=NOI), "supported"),
        lambda review, user: review.resolve(user, 1, final_confidence=0.5),
        lambda review, user: review.reopen(user, "why"),
    ],
)
def test_a_refused_action_leaves_no_trace(
    review: HallucinationReview, senior: User, refused: Callable[..., Any]
) -> None:
    with pytest.raises((Conflict, Undecided)):
        refused(review, senior)
    stored = HallucinationReview.objects.get()
    assert (stored.state, stored.version, stored.holder) == ("open", 1, None)
    assert [event.action for event in review.events.all()] == ["opened"]
    assert not review.passes.exists()


def test_an_edited_row_is_found(review: HallucinationReview) -> None:
    event = review.events.get()
    event.action = "rewritten"
    assert event.hash != event.digest()
