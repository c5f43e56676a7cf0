"""The review page as it is delivered: hostile texts, blind passes, its cost; and the page of one source."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from detection.models import PropertyGroup
from reviews.models import HallucinationReview, Lease, ReviewPass
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def shown(user: User, review: HallucinationReview, query: str = "") -> str:
    """The page of a review."""
    response = as_user(user).get(reverse("review", args=[review.pk]) + query)
    assert response.status_code == 200
    return response.content.decode()


def cited(count: int) -> HallucinationReview:
    """An answer with ``count`` doubtful numbers, each with a source of its own."""
    words = [f"{n + 1_000}" for n in range(count)]
    written = answers.Written(" ".join(f"It was {word} [S{n}]." for n, word in enumerate(words)))
    for n, word in enumerate(words):
        written.sources.append({"ref": f"S{n}", "parent_ref": "D", "text": f"It was {word}.", "score": 0.5})
        written.claim(word, "number", "unsupported", "not_found", citations=[f"S{n}"],
            numeric=answers.number(word, None, "", ""))  # fmt: skip
    return written.store(*answers.portfolio())


def test_the_page_takes_the_same_queries_for_one_claim_and_for_fifty(reviewer: User) -> None:
    few, many = cited(2), cited(50)
    counts = []
    for review in (few, many):
        Lease.take(review, reviewer)
        client = as_user(reviewer)
        client.get(reverse("review", args=[review.pk]))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("review", args=[review.pk]))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] < 45


def test_every_page_says_how_long_it_took(reviewer: User) -> None:
    review = answers.oak_plaza()
    response = as_user(reviewer).get(reverse("review", args=[review.pk]))
    assert re.fullmatch(r"app;dur=\d+\.\d", response["Server-Timing"])


CONCLUDED = (
    "digits swapped",
    "</span> contradicted",
    "doubtful",
    "within tolerance",
    "Digits transposed",
    "+0.73",
    "+9,000.00",
    "The database has",
    "Computed from the records",
    "a number is contradicted",
    "0.76",
    "It cites",
    'form="accept-',
    "<u>",
    "≠",
)


def test_a_blind_page_has_no_word_of_what_was_concluded(reviewer: User) -> None:
    """§4.1: neither verdict nor flags, deviation, proposed confidence or prefill, before it is taken and after."""
    flagged, review = answers.oak_plaza(), answers.oak_plaza()
    Lease.take(flagged, reviewer)
    seen = shown(reviewer, flagged, "?claim=2")
    assert [text for text in CONCLUDED if text not in seen] == []
    HallucinationReview.objects.filter(pk=review.pk).update(
        selection_reason="audit_random", selection_probability=0.03
    )
    review.refresh_from_db()
    pages = [shown(reviewer, review)]
    Lease.take(review, reviewer)
    pages += [shown(reviewer, review, f"?claim={n}") for n in (1, 2, 6)]
    for page in pages:
        assert [text for text in CONCLUDED if text in page] == []
        assert "1,234,567.89" in page


def test_neither_history_nor_news_of_a_blind_review_tell_what_was_concluded(
    reviewer: User, colleague: User
) -> None:
    review = answers.oak_plaza()
    history, news = f"/reviews/{review.pk}/history/", f"/reviews/{review.pk}/state/"
    assert "Risk score" in as_user(colleague).get(history).content.decode()
    HallucinationReview.objects.filter(pk=review.pk).update(
        selection_reason="audit_random", selection_probability=0.03
    )
    Lease.take(review, reviewer)
    ReviewPass.decide(review, reviewer, review.version, review.run.claims.get(index=1), "rejected")
    told = as_user(colleague).get(history).content.decode()
    assert "on claim 2" in told
    assert [word for word in ("Risk", "Adjusted confidence", "Rejected") if word in told] == []
    told = as_user(colleague).get(news).content.decode()
    assert "dana changed this review." in told
    assert "Rejected" not in told


HOSTILE = "<script>alert(1)</script>\u202e{{ 7|add:7 }}<svg onload=x>[a](javascript:x)"


def test_a_hostile_text_is_text_wherever_it_is_shown(reviewer: User) -> None:
    written = answers.Written(
        f"NOI was $5.00 [S0]. {HOSTILE}", question=HOSTILE, rules={"indicator_phrases": ["noi"]}
    )
    written.sources = [
        {
            "ref": "S0",
            "title": HOSTILE,
            "text": f"{HOSTILE} 7.00",
            "score": 0.5,
            "metadata": {"page": HOSTILE},
        },
        {
            "ref": "S1",
            "title": "Table",
            "text": f"| {HOSTILE} | Q3 |\n|---|---|\n| {HOSTILE} | 7.00 |",
            "score": 0.4,
        },
    ]
    statement = f"NOI was $5.00 [S0]. {HOSTILE}"
    written.claim(statement, "statement", "unsupported", "unsupported", citations=["S0", "S1"], reason=HOSTILE,
        judge=[{"kind": "uncited", "reason": HOSTILE}], grounding={"overlap": 0.5, "source": HOSTILE})  # fmt: skip
    look: dict[str, Any] = answers.look("7", "USD", HOSTILE, says=HOSTILE)
    written.claim("$5.00", "currency", "contradicted", "off_period", statement=0, citations=["S0"], reason=HOSTILE,
        slips=[{"code": "period", "text": HOSTILE}], looked_at=[look],
        numeric=answers.number("5", "7", "USD", "<script>alert", arithmetic=HOSTILE),
        evidence=[answers.record("7", "USD", HOSTILE, period=HOSTILE)])  # fmt: skip
    review = written.store()
    Lease.take(review, reviewer)
    for page in (shown(reviewer, review), as_user(reviewer).get(reverse("answer", args=[review.answer_id])).content.decode(),
                 as_user(reviewer).get(reverse("source", args=[review.answer_id, 0])).content.decode()):  # fmt: skip
        assert "<script>alert" not in page
        assert "<svg onload" not in page
        assert 'href="javascript:' not in page
        assert "{{ 7|add:7 }}" in page
        assert 'class="sign shut" data-sign="RLO"' in page


def test_a_source_is_shown_whole_with_the_parts_of_its_document(reviewer: User) -> None:
    review = cited(3)
    page = as_user(reviewer).get(reverse("source", args=[review.answer_id, 1])).content.decode()
    assert "It was 1001." in page
    assert reverse("source", args=[review.answer_id, 2]) in page
    assert as_user(reviewer).get(reverse("source", args=[review.answer_id, 9])).status_code == 404


def test_the_source_of_an_answer_that_one_may_not_see_is_not_there(reviewer: User) -> None:
    review = cited(1)
    assert review.property is not None
    review.property.groups.add(PropertyGroup.objects.create(name="Harbour"))
    assert as_user(reviewer).get(reverse("source", args=[review.answer_id, 0])).status_code == 404
