"""The next item: who gets which, and that two people never get the same one."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from detection.models import Answer, FinancialPeriod, PropertyGroup
from reviews.models import HallucinationReview, Lease, NotAllowed, ReviewPass
from reviews.queue.next_review import next_for

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


@pytest.mark.requirement("APP-03")
def test_next_takes_the_most_urgent(make_review: MakeReview, reviewer: User) -> None:
    make_review(risk_level="low")
    urgent = make_review(risk_level="high")
    given = next_for(reviewer)
    assert given == urgent
    assert given.holder == reviewer


def test_next_jumps_over_what_is_not_for_me(make_review: MakeReview, reviewer: User, colleague: User) -> None:
    held, snoozed, assigned, judged, hidden, skipped, mine = (make_review() for _ in range(7))
    Lease.take(held, colleague)
    Review.objects.filter(pk=snoozed.pk).update(state="snoozed", snoozed_until=timezone.now())
    Review.objects.filter(pk=assigned.pk).update(assignee=colleague)
    Review.objects.filter(pk=judged.pk).update(state="second_review")
    ReviewPass.objects.create(
        review=judged, reviewer=reviewer, pass_no=1, state="submitted", submitted_at=timezone.now()
    )
    assert hidden.property is None
    Review.objects.filter(pk=mine.pk).update(assignee=reviewer)
    hidden.void("duplicate")
    assert next_for(reviewer, skip=[skipped.pk]) == mine


def test_next_gives_no_property_that_is_hidden_from_me(
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    reviewer: User,
) -> None:
    elm = make_period("ELM")
    elm.property.groups.add(PropertyGroup.objects.create(name="north"))
    make_review(make_answer(period=elm))
    assert next_for(reviewer) is None


def test_next_gives_back_what_i_hold(make_review: MakeReview, reviewer: User) -> None:
    first, second = make_review(), make_review()
    assert next_for(reviewer) == first
    assert next_for(reviewer) == first
    assert next_for(reviewer, skip=[first.pk]) == second
    assert next_for(reviewer, skip=[first.pk, second.pk]) is None


def test_next_gives_a_review_whose_lease_ran_out(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, colleague)
    assert next_for(reviewer) is None
    Lease.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert next_for(reviewer) == review


def test_next_is_for_reviewers(review: HallucinationReview, viewer: User) -> None:
    with pytest.raises(NotAllowed):
        next_for(viewer)


@pytest.mark.django_db(transaction=True)
def test_people_asking_at_once_get_different_reviews(
    make_review: MakeReview, make_user: Callable[..., User]
) -> None:
    people = [make_user(f"person{number}", "reviewer") for number in range(4)]
    made = {make_review().pk for _ in people}
    together = Barrier(len(people))

    def ask(user: User) -> int | None:
        together.wait()
        try:
            given = next_for(user)
            return given.pk if given else None
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as threads:
        assert set(threads.map(ask, people)) == made
    assert {lease.review_id for lease in Lease.objects.all()} == made
