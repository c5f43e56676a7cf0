"""What is asked again and again reads no table from end to end, however many answers there are."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import DetectionRun
from reviews.management.commands import sweep
from reviews.models import HallucinationReview
from reviews.tuning.replay import blocks
from tests.faults.answers import pending_runs

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def indexed() -> None:
    """The planner reads a table from end to end only where it must: here all of them are small."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


@pytest.mark.usefixtures("indexed")
def test_what_happened_of_late_is_found_by_indexes() -> None:
    since = timezone.now() - timedelta(days=1)
    ended = HallucinationReview.objects.filter(Q(resolved_at__gte=since) | Q(voided_at__gte=since))
    plans = (
        ended.order_by().explain() + DetectionRun.objects.filter(created_at__gte=since).order_by().explain()
    )
    assert "Seq Scan" not in plans  # PostgreSQL's word
    assert "SCAN " not in plans  # SQLite's


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
