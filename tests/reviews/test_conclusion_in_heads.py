"""Heads and lists say in words and colour what the claims' conclusions say: red only of what is proved."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from reviews.answers.rows import answer_rows
from reviews.models import HallucinationReview
from reviews.queue.listing import rows_of
from reviews.queue.rows import queue_rows
from reviews.review_page.presentation import presentation
from tests.reviews.answers import Written, portfolio
from tests.tables import each_case

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]

TEXT = "The lease ends in May. NOI was $1.2 million."
OPINION = ("The lease ends in May.", "statement", "contradicted", "contradicted")
LACKING = ("The lease ends in May.", "statement", "unsupported", "unsupported")
ABSENT = ("$1.2 million", "currency", "unsupported", "not_found")
PROVED = ("$1.2 million", "currency", "contradicted", "scale")
OF_PROVED = ("NOI was $1.2 million.", "statement", "contradicted", "number_contradicted")


def review_of(*claims: tuple[str, str, str, str], code: str = "statement_contradicted") -> Any:
    """A review of an answer with these claims, stored under the reason's ``code`` as older versions named it."""
    written = Written(TEXT, code=code)
    for text, kind, status, finding in claims:
        written.claim(text, kind, status, finding, flagged=finding != "number_contradicted")
    return written.store(*portfolio())


@each_case(
    ("claims", "tone", "why"),
    [
        ([OPINION], "doubt", "a statement is doubted"),
        ([LACKING], "doubt", "a statement is doubted"),
        ([OPINION, ABSENT], "warn", "a number is found nowhere"),
        ([OPINION, PROVED], "bad", "a number is contradicted"),
        ([OPINION, OF_PROVED, PROVED], "bad", "a number is contradicted"),
    ],
)
def test_the_head_is_as_grave_as_the_gravest_conclusion(
    claims: Any, tone: str, why: str, reviewer: User
) -> None:
    review = review_of(*claims)
    page = presentation(review, reviewer)
    assert page.priority is not None
    assert (page.priority.tone, page.priority.word, page.why) == (tone, "High", why)
    (row,) = queue_rows(rows_of([review.pk]), reviewer)
    (listed,) = answer_rows([review.answer_id], reviewer)
    assert (row.priority.tone, listed.risk.tone) == (tone, tone)


def test_an_answer_without_a_claim_in_doubt_says_its_first_reason_in_amber(reviewer: User) -> None:
    written = Written(TEXT, told=[{"code": "invalid_citation", "claim": None, "text": "…"}])
    written.claim(*OPINION[:2], "supported", "supported")
    page = presentation(written.store(*portfolio()), reviewer)
    assert page.priority is not None
    assert (page.priority.tone, page.why) == ("warn", "a citation leads nowhere")


def test_nothing_red_is_on_a_page_on_which_only_an_opinion_is_against(client: Client, reviewer: User) -> None:
    review = review_of(OPINION)
    client.force_login(reviewer)
    for address in (f"/reviews/{review.pk}/", "/queue/", "/answers/", f"/answers/{review.answer_id}/"):
        page = client.get(address).content.decode()
        assert 'class="chip bad"' not in page
        assert "contradicted</" not in page
        assert 'class="chip doubt"' in page


def test_a_blind_reviewer_is_told_no_conclusion_by_the_colour(reviewer: User) -> None:
    review = review_of(PROVED)
    HallucinationReview.objects.filter(pk=review.pk).update(blind=True)
    review.refresh_from_db()
    page = presentation(review, reviewer)
    assert page.priority is not None
    assert (page.priority.tone, page.why, page.against) == ("", "", "")
