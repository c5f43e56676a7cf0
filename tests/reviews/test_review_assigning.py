"""Assigning (F11): whose work a review is, and who may say so."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from detection.models import Answer, FinancialPeriod, PropertyGroup
from reviews.models import Conflict, HallucinationReview, KeyReused, Lease, NotAllowed, ReviewPass
from reviews.queue.next_review import next_for
from tests.conftest import NOI

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
MakeReview = Callable[..., HallucinationReview]


def test_assigning_says_whose_it_is_with_a_word_of_handover(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    review.assign(reviewer, 1, colleague, " the rent roll is wrong ")
    assert (review.assignee, review.version) == (colleague, 2)
    event = review.events.get(action="assigned")
    assert (event.actor, event.reason) == (reviewer, "the rent roll is wrong")
    assert (event.before, event.after) == (
        {"assignee": None, "held": False},
        {"assignee": colleague.pk},
    )
    assert next_for(reviewer) is None
    assert next_for(colleague) == review


def test_handing_over_what_i_hold_lets_go_of_it_and_keeps_my_draft(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(text=NOI), "supported")
    review.assign(reviewer, 2, colleague)
    assert (review.holder, review.state) == (None, "open")
    assert ReviewPass.objects.get().decided().count() == 1
    assert review.events.get(action="assigned").before["held"] is True


def test_assigning_to_myself_keeps_my_hold(review: HallucinationReview, reviewer: User) -> None:
    Lease.take(review, reviewer)
    review.assign(reviewer, 1, reviewer)
    assert (review.assignee, review.holder, review.state) == (reviewer, reviewer, "in_review")


def test_giving_back_makes_it_everybodys_and_keeps_my_hold(
    review: HallucinationReview, reviewer: User
) -> None:
    review.assign(reviewer, 1, reviewer)
    Lease.take(review, reviewer)
    review.assign(reviewer, 2, None)
    assert (review.assignee, review.holder) == (None, reviewer)


def test_assigning_to_who_has_it_changes_nothing(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    review.assign(reviewer, 1, reviewer)
    review.assign(reviewer, 2, reviewer)
    assert (review.version, review.events.filter(action="assigned").count()) == (2, 1)


def test_only_they_or_a_senior_pass_on_what_is_somebodys(
    review: HallucinationReview, reviewer: User, colleague: User, senior: User
) -> None:
    review.assign(reviewer, 1, colleague)
    for whose in (reviewer, None):
        with pytest.raises(NotAllowed, match="assigned to somebody else"):
            review.assign(reviewer, 2, whose)
    review.assign(senior, 2, reviewer)
    review.assign(reviewer, 3, None)
    assert review.assignee is None


def test_what_somebody_holds_is_not_assigned_away_but_by_a_senior(
    review: HallucinationReview, reviewer: User, colleague: User, senior: User
) -> None:
    Lease.take(review, colleague)
    with pytest.raises(Conflict, match="erez is reviewing this until"):
        review.assign(reviewer, 1, reviewer)
    review.assign(senior, 1, reviewer)
    assert (review.holder, review.assignee, review.state) == (None, reviewer, "open")
    assert [event.action for event in review.events.order_by("seq")][-2:] == ["force_released", "assigned"]


def test_a_stale_version_assigns_nothing(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    review.assign(reviewer, 1, reviewer)
    with pytest.raises(Conflict, match="dana assigned this review") as refused:
        review.assign(colleague, 1, colleague)
    assert refused.value.who == "dana"
    review.refresh_from_db()
    assert review.assignee == reviewer


@pytest.mark.parametrize("state", ["resolved", "void"])
def test_what_has_ended_is_nobodys(make_review: MakeReview, reviewer: User, state: str) -> None:
    review = make_review(flagged={})
    if state == "void":
        review.void("duplicate")
    else:
        review.resolve(reviewer, 1, final_confidence=0.5)
    with pytest.raises(Conflict):
        review.assign(reviewer, review.version, reviewer)


def test_it_is_given_to_people_who_review_and_may_see_it(
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    reviewer: User,
    colleague: User,
    viewer: User,
) -> None:
    oak = make_period()
    group = PropertyGroup.objects.create(name="north")
    group.members.add(reviewer)
    oak.property.groups.add(group)
    review = make_review(make_answer(period=oak))
    with pytest.raises(ValidationError, match="may not see"):
        review.assign(reviewer, 1, colleague)
    with pytest.raises(ValidationError, match="who reviews"):
        review.assign(reviewer, 1, viewer)
    User.objects.filter(pk=colleague.pk).update(is_active=False)
    with pytest.raises(ValidationError, match="who reviews"):
        review.assign(reviewer, 1, User.objects.get(pk=colleague.pk))
    with pytest.raises(NotAllowed):
        review.assign(viewer, 1, None)
    review.assign(reviewer, 1, reviewer)


def test_the_same_key_assigns_once(review: HallucinationReview, reviewer: User, colleague: User) -> None:
    review.assign(reviewer, 1, colleague, idempotency_key="k")
    review.assign(reviewer, 1, colleague, idempotency_key="k")
    assert review.events.filter(action="assigned").count() == 1
    with pytest.raises(KeyReused):
        review.assign(reviewer, 1, reviewer, idempotency_key="k")
