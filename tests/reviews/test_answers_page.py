"""All answers: search, filters, strict ones, and sending one to review by hand (S7)."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import Answer, DetectionRun, FinancialPeriod, StrictAnswer
from reviews.models import HallucinationReview, ReviewEvent

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-03")]


@pytest.fixture
def client(reviewer: User) -> Client:
    """A browser of Dana, a reviewer."""
    return browser_of(reviewer)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def shown(client: Client, **params: Any) -> list[str]:
    """The answers in the list, newest first."""
    html = client.get("/answers/", params).content.decode()
    return re.findall(r'data-testid="answer-row">.*?/answers/([0-9a-f-]{36})/', html, re.DOTALL)


@pytest.fixture
def plain(make_answer: Callable[..., Answer], make_run: Callable[..., DetectionRun]) -> Answer:
    """A finished answer in which nothing was found."""
    answer = make_answer("All is well.", language="en")
    make_run(answer, flagged={}, needs_review=False, risk_level="low")
    return answer


def test_the_filters_narrow_the_list(
    client: Client,
    plain: Answer,
    make_answer: Callable[..., Answer],
    make_period: Callable[..., FinancialPeriod],
    make_review: Callable[..., HallucinationReview],
) -> None:
    hebrew = make_answer("התפוסה 5%", language="he", period=make_period("ELM"))
    make_review(hebrew, flagged={"5%": True}, risk_level="high")
    newest_first = [str(hebrew.pk), str(plain.pk)]
    assert shown(client) == newest_first
    for params in ({"risk": "high"}, {"language": "he"}, {"property": "ELM"}, {"review": "live"}):
        assert shown(client, **params) == newest_first[:1], params
    for params in ({"risk": "low"}, {"review": "none"}):
        assert shown(client, **params) == newest_first[1:], params
    assert shown(client, written="free") == newest_first
    for params in ({"risk": "extreme"}, {"review": "lost"}, {"written": "twice"}, {"review": "resolved"}):
        assert shown(client, **params) == [], params


def test_strict_answers_are_marked_and_found(
    client: Client, plain: Answer, make_answer: Callable[..., Answer]
) -> None:
    raw = make_answer("Made up.")
    StrictAnswer.objects.create(
        question="?",
        judged=raw,
        status="hallucination_detected",
        answer="I don't know",
        finished_at=timezone.now(),
    )
    assert shown(client, written="strict") == shown(client, written="refused") == [str(raw.pk)]
    assert shown(client, written="free") == [str(plain.pk)]
    assert "strict, refused" in client.get("/answers/").content.decode()


def test_an_empty_list_tells_apart_no_answers_from_none_that_match(client: Client) -> None:
    assert "No answers yet" in client.get("/answers/").content.decode()
    html = client.get("/answers/?risk=high").content.decode()
    assert "No answers match" in html
    assert "Risk: <bdi>High</bdi>" in html


def test_a_reviewer_sends_an_answer_to_review_with_a_reason(
    client: Client, plain: Answer, reviewer: User
) -> None:
    page = client.get(f"/answers/{plain.pk}/").content.decode()
    assert "no review was opened for this answer" in page
    response = client.post(f"/answers/{plain.pk}/send/", {"reason": "it sounds too good"})
    review = HallucinationReview.objects.get()
    assert response["Location"] == f"/reviews/{review.pk}/"
    assert (review.answer_id, review.selection_reason) == (plain.pk, "manual")
    opened = ReviewEvent.objects.get(action="opened")
    assert (opened.actor, opened.reason) == (reviewer, "it sounds too good")
    page = client.get(f"/answers/{plain.pk}/").content.decode()
    assert 'data-testid="to-review"' in page
    assert 'data-testid="open-send"' not in page


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_review_without_a_reason_is_not_opened(client: Client, plain: Answer, reason: str) -> None:
    response = client.post(f"/answers/{plain.pk}/send/", {"reason": reason})
    assert response.status_code == 422
    assert b"Say why this answer needs a review." in response.content
    assert not HallucinationReview.objects.exists()


def test_sending_twice_opens_one_review(client: Client, plain: Answer) -> None:
    for _ in range(2):
        client.post(f"/answers/{plain.pk}/send/", {"reason": "look at it"})
    assert HallucinationReview.objects.count() == 1


def test_an_unfinished_or_superseded_answer_is_refused_with_the_reason(
    client: Client, plain: Answer, make_answer: Callable[..., Answer]
) -> None:
    waiting = make_answer("Not yet checked.")
    response = client.post(f"/answers/{waiting.pk}/send/", {"reason": "now"})
    assert (response.status_code, b"no finished check yet" in response.content) == (422, True)
    make_answer("Better.", supersedes=plain)
    response = client.post(f"/answers/{plain.pk}/send/", {"reason": "now"})
    assert (response.status_code, b"A newer answer replaced this one" in response.content) == (422, True)
    assert not HallucinationReview.objects.exists()


def test_a_viewer_may_read_and_not_send(viewer: User, plain: Answer) -> None:
    browser = browser_of(viewer)
    assert b'data-testid="open-send"' not in browser.get(f"/answers/{plain.pk}/").content
    assert browser.post(f"/answers/{plain.pk}/send/", {"reason": "x"}).status_code == 403


def test_a_page_costs_the_same_for_any_number(
    client: Client, make_review: Callable[..., HallucinationReview]
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/answers/").status_code == 200
        return len(queries)

    make_review()
    before = cost()
    for _ in range(5):
        make_review()
    assert cost() == before <= 16
