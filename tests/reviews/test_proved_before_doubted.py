"""What is proved goes before what is doubted: in the queue's order, its filter, the API, and for rows of before."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from detection.models import Claim, DetectionRun
from reviews.models import HallucinationReview, open_review
from reviews.queue.filters import filtered
from reviews.queue.listing import page, visible_reviews
from tests.api_calls import Caller
from tests.conftest import NOI
from tests.tables import each_case

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-03")]
Review = HallucinationReview
Found = Callable[..., HallucinationReview]
KINDS = {
    "doubtful": ("statement", "contradicted", "contradicted"),
    "not_in_evidence": ("currency", "unsupported", "not_found"),
    "wrong": ("currency", "contradicted", "transposed"),
    "": ("currency", "unverified", "timeout"),
}


@pytest.fixture
def found(make_run: Callable[..., DetectionRun]) -> Found:
    """A review of an answer with one claim of this conclusion."""

    def make(conclusion: str, **fields: Any) -> HallucinationReview:
        run = make_run(flagged={NOI: True}, **fields)
        kind, status, finding = KINDS[conclusion]
        Claim.objects.filter(run=run).update(kind=kind, status=status, finding=finding)
        review = open_review(run)
        assert review is not None
        return review

    return make


def order(user: User) -> list[int]:
    return [row.review.pk for row in page(visible_reviews(user)).rows]


@each_case("conclusion", list(KINDS))
def test_a_review_opens_with_the_gravest_conclusion(conclusion: str, found: Found) -> None:
    assert found(conclusion).against == conclusion


def test_of_equal_risk_the_proved_go_first_and_risk_goes_before_proof(found: Found, viewer: User) -> None:
    nothing, doubted = found(""), found("doubtful")
    absent, wrong = found("not_in_evidence"), found("wrong")
    lower = found("wrong", risk_level="moderate")
    assert order(viewer) == [review.pk for review in (absent, wrong, nothing, doubted, lower)]


def test_what_came_back_from_snooze_stays_first_of_its_priority(found: Found, viewer: User) -> None:
    wrong, back = found("wrong"), found("doubtful")
    Review.objects.filter(pk=back.pk).update(returned_at=timezone.now())
    assert order(viewer) == [back.pk, wrong.pk]


@pytest.mark.parametrize("how", [{"blind": True}, {"selection_reason": "audit_random", "selection_probability": 0.1}])  # fmt: skip
def test_the_place_of_what_is_judged_blind_tells_nothing(how: Any, found: Found, reviewer: User) -> None:
    hidden, doubted = found("wrong"), found("doubtful")
    Review.objects.filter(pk=hidden.pk).update(**how)
    assert order(reviewer) == [hidden.pk, doubted.pk]
    assert {review.queue_order for review in Review.objects.all()} == {3}
    assert not filtered(visible_reviews(reviewer), {"against": "wrong"}, reviewer).exists()


def test_the_list_is_narrowed_by_conclusion_and_says_it(found: Found, client: Client, viewer: User) -> None:
    wrong = found("wrong")
    found("doubtful")
    client.force_login(viewer)
    html = client.get("/queue/?against=wrong").content.decode()
    assert html.count('data-testid="queue-row"') == 1
    assert f'data-review-id="{wrong.pk}"' in html
    assert html.count('data-testid="against"') == 1
    assert re.search(r"Conclusion: <bdi\s*>Proved wrong", html)
    assert 'data-testid="queue-row"' not in client.get("/queue/?against=unheard").content.decode()


def test_the_filter_reads_an_index_of_its_own(found: Found) -> None:
    found("wrong")
    rows = filtered(Review.objects.all(), {"against": "wrong"}).order_by("queue_order", "created_at", "id")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
    assert "review_queue_by_against" in rows.explain()


def test_the_api_tells_it_and_is_narrowed_by_it(found: Found) -> None:
    wrong, nothing = found("wrong"), found("")
    read = Caller("read")
    rows = {row["id"]: row["against"] for row in read.get("reviews/").json()["results"]}
    assert rows == {wrong.pk: "wrong", nothing.pk: None}
    assert [row["id"] for row in read.get("reviews/?against=wrong").json()["results"]] == [wrong.pk]


def test_reviews_of_before_are_filled_from_what_was_stored(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews = {word: found(word).pk for word in KINDS}
    Review.objects.update(against="")
    before = import_module("reviews.migrations.0011_conclusions_of_before")
    monkeypatch.setattr(before, "ROWS", 3)  # more than one batch
    before.fill(apps, None)
    assert dict(Review.objects.values_list("against", "pk")) == reviews


def test_a_statement_that_its_number_contradicts_is_proved_wrong_before_too(found: Found) -> None:
    review = found("doubtful")
    Claim.objects.filter(run=review.run).update(finding="number_contradicted")
    import_module("reviews.migrations.0011_conclusions_of_before").fill(apps, None)
    review.refresh_from_db()
    assert review.against == "wrong"
