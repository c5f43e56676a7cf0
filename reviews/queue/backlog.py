"""What waits for people, as Prometheus reads it (SPEC-08.40): out of the database, at a cost that does not grow with it."""

from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from reviews.models import HallucinationReview
from reviews.models.queue_columns import LIVE, ORDER
from reviews.models.states import ENDED, STEPS, Priority, State

CAP = 10_000
"""Counts stop here: whoever has so many waiting needs no exact number, and an exact one reads every row."""


class Backlog(Collector):
    """Collects in a fixed number of queries, each of which an index answers. Raises :class:`~django.db.DatabaseError`."""

    def collect(self) -> Iterator[Metric]:
        """Every family with its samples."""
        now = timezone.now()
        yield _waiting()
        yield from _oldest(now)
        yield from _overdue(now)


def _waiting() -> Metric:
    """Live reviews by priority and state, each counted along the index of its state, whose order begins with the priority."""
    family = GaugeMetricFamily(
        "hallu_reviews", f"Reviews that have not ended, at most {CAP} of each.", labels=["priority", "state"]
    )
    for state in State:
        if state in ENDED:
            continue
        in_state = HallucinationReview.objects.filter(state=state).order_by(*ORDER)
        for priority in Priority:
            first = priority * STEPS
            those = in_state.filter(queue_order__gte=first, queue_order__lt=first + STEPS)
            family.add_metric([priority.name.lower(), state.value], those[:CAP].count())
    return family


def _oldest(now: datetime) -> Iterator[Metric]:
    """Of those that wait; one that is put off is not waiting."""
    waiting = HallucinationReview.objects.filter(LIVE).exclude(state=State.SNOOZED)
    since = waiting.order_by("created_at", "id").values_list("created_at", flat=True).first()
    yield GaugeMetricFamily(
        "hallu_oldest_review_seconds",
        "Age of the oldest review that is neither ended nor put off.",
        value=_seconds(since, now),
    )


def _overdue(now: datetime) -> Iterator[Metric]:
    late = HallucinationReview.objects.filter(LIVE, due_at__lt=now).order_by("due_at", "id")
    yield GaugeMetricFamily(
        "hallu_reviews_overdue",
        f"Reviews past the time they were due by, at most {CAP}.",
        value=late[:CAP].count(),
    )
    since = late.values_list("due_at", flat=True).first()
    yield GaugeMetricFamily(
        "hallu_longest_overdue_seconds",
        "For how long the longest of them has been overdue.",
        value=_seconds(since, now),
    )


def _seconds(since: datetime | None, now: datetime) -> float:
    return max((now - since).total_seconds(), 0.0) if since else 0.0
