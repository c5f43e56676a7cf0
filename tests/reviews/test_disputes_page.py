"""What evidence disagrees about stands beside its claim on the review page, both sides named; not where the reviewer is blind."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from reviews.models import HallucinationReview, Lease
from reviews.review_page.presentation import presentation
from tests.reviews import answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-03")]

ANSWER = "NOI was $4.2 million in Q3 2024."
HOSTILE = "<script>alert(1)</script>"


def voice(source: str, text: str, start: int | None = None, end: int | None = None) -> dict[str, Any]:
    return {"source": source, "text": text, "start": start, "end": end}


def stored(carried: dict[str, Any], against: dict[str, Any]) -> HallucinationReview:
    """The review of an answer with one number that these two disagree about."""
    written = answers.Written(ANSWER)
    written.sources = [
        {"ref": "S0", "text": "NOI: $4.2 million."},
        {"ref": "S1", "text": "NOI: $4.5 million."},
    ]
    written.claim("$4.2 million", "currency", "supported", "exact",
        disputed=[{"carried": carried, "against": against}],
        numeric=answers.number("4200000", "4200000", "USD", "net_operating_income"))  # fmt: skip
    return written.store(*answers.portfolio())


def page(person: User, review: HallucinationReview) -> str:
    client = Client()
    client.force_login(person)
    return client.get(f"/reviews/{review.pk}/").content.decode()


def test_both_sides_stand_beside_the_claim(reviewer: User) -> None:
    review = stored(voice("S0", "$4.2 million", 5, 17), voice("S1", "$4.5 million", 5, 17))
    (panel,) = presentation(review, reviewer).panels
    (one,) = panel.disputed
    assert [(side.who, side.text) for side in (one.carried, one.against)] == [
        ("[S0]", "$4.2 million"),
        ("[S1]", "$4.5 million"),
    ]
    shown = " ".join(page(reviewer, review).split())
    assert shown.count('data-testid="disputed"') == 1
    told = "<bdi>[S0]</bdi> says “<bdi>$4.2 million</bdi>”; <bdi>[S1]</bdi> says “<bdi>$4.5 million</bdi>”."
    assert told in shown


def test_the_source_that_says_otherwise_is_shown_with_its_place(reviewer: User) -> None:
    review = stored(voice("S0", "$4.2 million", 5, 17), voice("S1", "$4.5 million", 5, 17))
    (panel,) = presentation(review, reviewer).panels
    (chunk,) = (chunk for chunk in panel.chunks if chunk.ref == "S1")
    marked = [
        piece.text for paragraph in chunk.paragraphs for piece in paragraph.pieces if "slip" in piece.keys
    ]
    assert marked == ["$4.5 million"]


def test_a_figure_of_record_is_named_by_property_and_period(reviewer: User) -> None:
    review = stored(voice("S0", "$4.2 million", 5, 17), voice("record: OAK, Q3 2024", "4,500,000 USD"))
    (panel,) = presentation(review, reviewer).panels
    assert panel.disputed[0].against.who == "the figures of record of OAK, Q3 2024"
    assert [chunk.ref for chunk in panel.chunks] == []


def test_what_evidence_says_is_shown_as_text(reviewer: User) -> None:
    shown = page(reviewer, stored(voice("S0", HOSTILE), voice("S1", HOSTILE * 40)))
    assert HOSTILE not in shown
    assert 'data-testid="disputed"' in shown


def test_a_blind_reviewer_is_not_told(reviewer: User) -> None:
    review = stored(voice("S0", "$4.2 million", 5, 17), voice("S1", "$4.5 million", 5, 17))
    HallucinationReview.objects.filter(pk=review.pk).update(
        selection_reason="audit_random", selection_probability=0.03
    )
    review.refresh_from_db()
    Lease.take(review, reviewer)
    (panel,) = presentation(review, reviewer).panels
    assert panel.disputed == ()


def test_a_result_stored_before_is_shown_without(reviewer: User) -> None:
    written = answers.Written(ANSWER)
    written.claim("$4.2 million", "currency", "supported", "exact",
        numeric=answers.number("4200000", "4200000", "USD", "net_operating_income"))  # fmt: skip
    assert 'data-testid="disputed"' not in page(reviewer, written.store(*answers.portfolio()))
