"""My work: which review is in which bucket, for whom, and what it costs (F18, S2)."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import Answer
from reviews.models import HallucinationReview, Lease, ReviewPass
from reviews.queue.my_work import work_of

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


@pytest.fixture
def client(reviewer: User) -> Client:
    """A browser of Dana, a reviewer."""
    browser = Client()
    browser.force_login(reviewer)
    return browser


def marks(user: User, bucket: str) -> dict[int, list[str]]:
    """The reviews of a bucket with why they are there."""
    return {item.row.id: [str(mark) for mark in item.marks] for item in getattr(work_of(user), bucket)}


def resolve(review: HallucinationReview, user: User) -> None:
    for claim in review.undecided():
        ReviewPass.decide(review, user, review.version, claim, "supported")
    review.resolve(user, review.version, final_confidence=0.9)


def test_what_a_person_began_or_was_given_waits_on_them(
    make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    held, given, begun, foreign = (make_review() for _ in range(4))
    Lease.take(held, reviewer)
    given.assign(colleague, given.version, reviewer)
    ReviewPass.decide(begun, reviewer, begun.version, begun.undecided()[0], "supported")
    Lease.release(begun, reviewer)
    Lease.take(foreign, colleague)
    assert marks(reviewer, "on_me") == {
        held.pk: ["held by you"],
        given.pk: ["assigned to you"],
        begun.pk: ["1 verdict given"],
    }


def test_a_snooze_goes_from_waiting_on_others_back_to_its_owner(
    make_review: MakeReview, reviewer: User
) -> None:
    review = make_review()
    review.snooze(reviewer, review.version, timezone.now() + timedelta(hours=3))
    assert marks(reviewer, "on_others") == {review.pk: ["snoozed by you"]}
    assert marks(reviewer, "on_me") == {}
    Review.wake_due(timezone.now() + timedelta(hours=4))
    assert marks(reviewer, "on_me") == {review.pk: ["back from snooze"]}
    assert marks(reviewer, "on_others") == {}


def test_what_was_handed_on_waits_on_others(make_review: MakeReview, reviewer: User, colleague: User) -> None:
    review = make_review()
    review.assign(reviewer, review.version, colleague)
    assert marks(reviewer, "on_others") == {review.pk: ["handed on by you"]}
    assert marks(colleague, "on_me") == {review.pk: ["assigned to you"]}


def test_verdicts_carried_from_an_older_answer_wait_to_be_confirmed(
    make_review: MakeReview, make_answer: Callable[..., Answer], reviewer: User
) -> None:
    older = make_review()
    ReviewPass.decide(older, reviewer, older.version, older.undecided()[0], "supported")
    newer = make_review(make_answer(supersedes=older.answer))
    assert any("verdict to confirm" in mark for mark in marks(reviewer, "on_me")[newer.pk])


def test_due_soon_is_what_one_may_take_and_nothing_of_the_other_buckets(
    make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    late, soon, far, mine, foreign = (make_review() for _ in range(5))
    now = timezone.now()
    for review, hours in ((late, -1), (soon, 2), (far, 30), (mine, 1), (foreign, 1)):
        Review.objects.filter(pk=review.pk).update(due_at=now + timedelta(hours=hours))
    Lease.take(mine, reviewer)
    Lease.take(foreign, colleague)
    assert list(marks(reviewer, "due")) == [late.pk, soon.pk]


def test_the_latest_twenty_resolved_can_be_reopened_for_a_day(
    make_review: MakeReview, reviewer: User
) -> None:
    review, older = make_review(), make_review()
    resolve(older, reviewer)
    resolve(review, reviewer)
    Review.objects.filter(pk=older.pk).update(resolved_at=timezone.now() - timedelta(hours=30))
    assert [(item.row.id, item.reopenable) for item in work_of(reviewer).resolved] == [
        (review.pk, True),
        (older.pk, False),
    ]


def test_the_page_counts_today_and_offers_to_start(
    client: Client, make_review: MakeReview, reviewer: User
) -> None:
    resolve(make_review(), reviewer)
    make_review()
    html = client.get("/").content.decode()
    assert "Resolved today: <b>1</b>" in html
    assert 'data-testid="start"' in html
    assert "1 review is free to take: start reviewing." in html


def test_the_page_says_why_there_is_nothing_to_start(
    client: Client, make_review: MakeReview, colleague: User
) -> None:
    html = client.get("/").content.decode()
    assert "Nothing is waiting." in html
    Lease.take(make_review(), colleague)
    html = client.get("/").content.decode()
    assert "1 review is being reviewed by others: erez" in html


@pytest.mark.parametrize("role", ["viewer", "admin"])
def test_whoever_does_not_review_is_sent_to_the_queue(make_user: Callable[..., User], role: str) -> None:
    browser = Client()
    browser.force_login(make_user("pat", role))
    assert browser.get("/")["Location"] == "/queue/"


def test_the_page_costs_the_same_for_any_number(
    client: Client, make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            html = client.get("/").content.decode()
        assert re.search('data-testid="item"', html)
        return len(queries)

    def add() -> None:
        Lease.take(make_review(), reviewer)
        handed, snoozed = make_review(), make_review()
        handed.assign(reviewer, handed.version, colleague)
        snoozed.snooze(reviewer, snoozed.version, timezone.now() + timedelta(hours=3))
        resolve(make_review(), reviewer)
        make_review()

    add()
    before = cost()
    for _ in range(3):
        add()
    assert cost() == before <= 34


def test_signing_out_gives_back_what_is_held(
    client: Client, review: HallucinationReview, reviewer: User
) -> None:
    Lease.take(review, reviewer)
    client.post("/logout/")
    review = Review.objects.get(pk=review.pk)
    assert (review.state, review.holder) == ("open", None)
