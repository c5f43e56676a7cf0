"""What waits for people is in the metrics, at a cost that does not grow with it (SPEC-08.40)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews.models import HallucinationReview
from reviews.models.states import Priority, State
from reviews.queue import backlog
from tests.reviews.test_metrics import judged, samples

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.40"),
]


def waiting(shown: dict[tuple[str, ...], float]) -> dict[tuple[str, ...], float]:
    """Priority and state → how many, without what is nothing."""
    return {key[1:]: n for key, n in shown.items() if key[0] == "hallu_reviews" and n}


def changed(review: HallucinationReview, **columns: Any) -> None:
    HallucinationReview.objects.filter(pk=review.pk).update(**columns)


def test_reviews_are_counted_by_priority_and_state_with_the_age_of_the_oldest() -> None:
    judged(4)
    now = timezone.now()
    oldest, snoozed, low, ended = HallucinationReview.objects.order_by("pk")
    changed(
        oldest, created_at=now - timedelta(hours=5), due_at=now - timedelta(hours=1), priority=Priority.HIGH
    )
    changed(
        snoozed,
        state=State.SNOOZED,
        snoozed_until=now + timedelta(days=1),
        created_at=now - timedelta(days=9),
        due_at=now + timedelta(days=1),
        priority=Priority.MEDIUM,
    )
    changed(low, priority=Priority.LOW, returned_at=now)
    changed(ended, state=State.VOID, void_cause="verified", voided_at=now, due_at=now - timedelta(days=2))
    shown = samples()
    assert waiting(shown) == {("high", "open"): 1, ("medium", "snoozed"): 1, ("low", "open"): 1}
    assert 5 * 3600 <= shown[("hallu_oldest_review_seconds",)] < 5 * 3600 + 60
    assert shown[("hallu_reviews_overdue",)] == 1
    assert 3600 <= shown[("hallu_longest_overdue_seconds",)] < 3660


def test_counts_stop_at_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    judged(3)
    monkeypatch.setattr(backlog, "CAP", 2)
    assert list(waiting(samples()).values()) == [2]


def test_where_nothing_waits_every_count_is_nothing() -> None:
    shown = samples()
    assert len([key for key in shown if key[0] == "hallu_reviews"]) == 15
    assert {shown[(f"hallu_{name}",)] for name in ("oldest_review_seconds", "reviews_overdue")} == {0}


def test_every_question_is_answered_by_an_index() -> None:
    judged(1)
    with CaptureQueriesContext(connection) as asked:
        list(backlog.Backlog().collect())
    assert len(asked) <= 20
    if connection.vendor == "sqlite":
        for query in asked:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
                plan = [row[3] for row in cursor.fetchall()]
            assert not [step for step in plan if "TEMP B-TREE" in step or ("SCAN" in step and "INDEX" not in step and "subquery" not in step)], plan  # fmt: skip
