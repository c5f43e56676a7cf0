"""The page of an answer that strict generation wrote says what the reader got, and which layer refused."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from detection.core.generation import FALLBACKS, PRESETS
from detection.models import Answer, StrictAnswer
from detection.operations import verifying
from reviews.lifecycle import strict
from reviews.models import HallucinationReview, Lease, ReviewPass
from tests.api_calls import drain
from tests.core.judges import Scripted

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("RAG-09")]
SOURCE = {"id": "S0", "text": "Net operating income of Oak Plaza was $1,234,567 in 2024.", "score": 0.9}
GOOD = "Net operating income of Oak Plaza was $1,234,567 in 2024 [S0]."


def page(viewer: User, judged: Any) -> str:
    client = Client()
    client.force_login(viewer)
    return client.get(reverse("answer", args=[judged])).content.decode()


def written(text: str, monkeypatch: pytest.MonkeyPatch, **wanted: Any) -> StrictAnswer:
    monkeypatch.setattr(verifying, "strict_model", lambda: Scripted("writer", text))
    return strict.answer(strict.Question("What was NOI?", [SOURCE], **wanted))


def test_a_refused_one_shows_the_fallback_and_the_layer(
    viewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = written(f"As we know, {GOOD}", monkeypatch)
    html = page(viewer, row.judged_id)
    assert 'data-testid="strict"' in html
    assert escape(FALLBACKS["en"]) in html
    assert "phrases, ids and length" in html
    assert escape(row.reason) in html


def test_a_safe_one_shows_what_the_reader_got(viewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    html = page(viewer, written(GOOD, monkeypatch).judged_id)
    assert "**Sources:**" in html
    assert 'data-testid="strict-refusal"' not in html
    assert "not safe" not in html


def test_one_made_with_a_layer_off_is_called_unsafe(viewer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    lax = PRESETS["faster_testing"]
    html = page(viewer, written(GOOD, monkeypatch, preset="faster_testing", strictness=lax).judged_id)
    assert "not safe: a layer was off" in html


def test_an_ordinary_answer_says_nothing_of_it(viewer: User, make_answer: Any) -> None:
    ordinary: Answer = make_answer()
    assert 'data-testid="strict"' not in page(viewer, ordinary.pk)


def test_the_review_of_a_refused_one_tells_of_it_unless_it_is_blind(
    reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = written(f"As we know, {GOOD}", monkeypatch)
    drain()
    review = HallucinationReview.objects.get(answer=row.judged_id)
    html = review_page(reviewer, review)
    assert escape(FALLBACKS["en"]) in html
    assert "phrases, ids and length" in html
    assert escape(row.reason) in html
    Lease.take(review, reviewer)
    ReviewPass.objects.filter(review=review, reviewer=reviewer).update(blind=True)
    assert 'data-testid="strict"' not in review_page(reviewer, review)


def review_page(user: User, review: HallucinationReview) -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse("review", args=[review.pk])).content.decode()
