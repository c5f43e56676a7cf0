"""The orders of the list, and its pages in both directions."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from reviews.models import HallucinationReview
from reviews.queue.listing import ORDERS, page, visible_reviews

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-03")]
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


@pytest.fixture
def made(make_review: MakeReview) -> list[HallucinationReview]:
    """Seven reviews of three ages and due times, some of them equal."""
    levels = ("low", "high", "high", "moderate", "low", "high", "high")
    reviews = [make_review(risk_level=level) for level in levels]
    now = timezone.now()
    for number, review in enumerate(reviews):
        created, due = now - timedelta(hours=number % 3), now + timedelta(hours=number % 4)
        Review.objects.filter(pk=review.pk).update(created_at=created, due_at=due)
    return list(Review.objects.order_by("pk"))


EXPECTED: dict[str, Callable[[HallucinationReview], tuple[object, ...]]] = {
    "": lambda r: (r.priority, r.created_at, r.pk),
    "due": lambda r: (r.due_at, r.pk),
    "oldest": lambda r: (r.created_at, r.pk),
    "newest": lambda r: (-r.created_at.timestamp(), -r.pk),
}


@pytest.mark.parametrize("name", list(ORDERS))
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_each_order_shows_every_review_once_down_and_up(
    made: list[HallucinationReview], viewer: User, name: str, size: int
) -> None:
    order, expected = ORDERS[name], sorted(made, key=EXPECTED[name])
    down = [page(visible_reviews(viewer), size=size, order=order)]
    while down[-1].next:
        down.append(page(visible_reviews(viewer), down[-1].next, size, order=order))
    assert [row.review for each in down for row in each.rows] == expected
    up = [down[-1]]
    while up[-1].previous:
        up.append(page(visible_reviews(viewer), size=size, before=up[-1].previous, order=order))
    assert [row.review.pk for each in reversed(up) for row in each.rows] == [r.pk for r in expected]
    assert up[-1].next or len(down) == 1


def test_what_came_back_from_snooze_is_first_of_its_priority(make_review: MakeReview, viewer: User) -> None:
    old, back, low = make_review(), make_review(), make_review(risk_level="low")
    Review.objects.filter(pk=back.pk).update(returned_at=timezone.now())
    Review.objects.filter(pk=low.pk).update(returned_at=timezone.now())
    rows = page(visible_reviews(viewer)).rows
    assert [row.review.pk for row in rows] == [back.pk, old.pk, low.pk]


def test_a_cursor_of_another_order_is_refused(made: list[HallucinationReview], viewer: User) -> None:
    cursor = page(visible_reviews(viewer), size=2).next or ""
    with pytest.raises(ValueError, match="first one"):
        page(visible_reviews(viewer), cursor, order=ORDERS["due"])


def test_a_row_that_ended_meanwhile_still_marks_its_place(
    made: list[HallucinationReview], viewer: User
) -> None:
    live = visible_reviews(viewer).filter(voided_at=None)
    first = page(live, size=3)
    last = first.rows[-1].review
    last.void("duplicate")
    following = page(live, first.next or "", size=10).rows
    assert last.pk not in [row.review.pk for row in following]
    assert len(first.rows) + len(following) == len(made)


@pytest.mark.parametrize("name", list(ORDERS))
def test_an_order_is_the_order_of_columns_that_end_with_the_id(name: str) -> None:
    columns = ORDERS[name].columns
    assert columns[-1] == "id"
    assert {field.name for field in Review._meta.get_fields()} >= set(columns)
