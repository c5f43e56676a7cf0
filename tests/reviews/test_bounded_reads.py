"""What is asked again and again reads no table from end to end, however many answers there are."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from reviews.management.commands import sweep
from reviews.models import HallucinationReview
from reviews.tuning.replay import blocks
from tests.faults.answers import pending_runs

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


def test_reviews_that_ended_of_late_are_found_by_two_indexes() -> None:
    since = timezone.now() - timedelta(days=1)
    ended = HallucinationReview.objects.filter(Q(resolved_at__gte=since) | Q(voided_at__gte=since))
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = ended.explain()
    assert "review_by_resolution" in plan
    assert "review_by_voiding" in plan


def test_packing_counts_nothing_but_the_blocks_it_looks_at() -> None:
    pending_runs(2)
    with CaptureQueriesContext(connection) as asked:
        assert not blocks.keep_up()
    assert len(asked) <= 3
    assert not [query["sql"] for query in asked if "GROUP BY" in query["sql"]]


def test_the_sweep_counts_a_backlog_no_further_than_it_publishes() -> None:
    pending_runs(2)
    with CaptureQueriesContext(connection) as asked:
        sweep._room(timezone.now())
    counts = [query["sql"] for query in asked if "detection_detectionrun" in query["sql"]]
    assert counts
    assert all(f"LIMIT {sweep.AHEAD}" in sql for sql in counts)
