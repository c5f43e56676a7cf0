"""What finished runs add up to (SPEC-08.40): counted once, kept, and read in a time that does not grow with them.

The sweep moves the kept totals forward to :data:`LAG` before now; whoever reads them counts what finished since.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Case, Count, FloatField, QuerySet, Sum, Value, When

from detection.models import Claim, DetectionRun, DetectorReport, MetricTotals, StrictAnswer

LAG = timedelta(minutes=5)
"""Longer than any transaction that finishes a run: what is older is all there."""

BUCKETS_MS = (1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2500.0, 5000.0, 10000.0, 30000.0)
OVER = 0.0
"""Stands for the bucket of whatever took longer than the last."""

ROUND = timedelta(minutes=1)


def totals() -> Counter[str]:
    """Everything until now, by names such as ``claims|currency|supported``; see :func:`_counted`."""
    kept = MetricTotals.current()
    if kept is None:
        return _counted(finished_at__isnull=False)
    return Counter(kept.totals) + _counted(finished_at__gt=kept.through)


def keep_up(now: datetime) -> bool:
    """Move the kept totals forward, once a minute; False when there is nothing to do or somebody else did it."""
    kept, through = MetricTotals.current(), now - LAG
    if kept is not None and through < kept.through + ROUND:
        return False
    since = kept.through if kept else datetime.min.replace(tzinfo=UTC)
    fresh = _counted(finished_at__gt=since, finished_at__lte=through)
    return MetricTotals.keep(kept, through, Counter(kept.totals if kept else {}) + fresh)


def _counted(**finished: Any) -> Counter[str]:
    """``runs|LEVEL``, ``claims|KIND|STATUS``, ``reports|DETECTOR|STATUS``, ``took|DETECTOR|BUCKET`` (how many
    took so long) and ``ms|DETECTOR`` (together) of the runs that ``finished`` then, and ``strict|STATUS|LAYER`` of the
    strict answers; shadow runs are nobody's answers."""
    live = DetectionRun.objects.filter(**finished).exclude(purpose=DetectionRun.Purpose.SHADOW).order_by()
    claims = Claim.objects.filter(run__in=live).exclude(status="")
    reports = DetectorReport.objects.filter(run__in=live)
    return (
        _tally("runs", live, "risk_level")
        + _tally("claims", claims, "kind", "status")
        + _tally("reports", reports, "detector", "status")
        + _times(reports.exclude(status="skipped"))
        + _strict(StrictAnswer.objects.filter(**finished).order_by())
    )


def _tally(name: str, rows: QuerySet[Any], *columns: str) -> Counter[str]:
    """How many rows there are for each choice of values in the columns."""
    counted = rows.order_by().values_list(*columns).annotate(n=Count("pk"))
    return Counter({"|".join((name, *map(str, values))): n for *values, n in counted})


def _strict(rows: QuerySet[StrictAnswer]) -> Counter[str]:
    """Each by its status and the first layer that refused it, empty for one that passed them all."""
    found: Counter[str] = Counter()
    for status, layers in rows.values_list("status", "layers").iterator():
        refused = next((layer["name"] for layer in layers if layer["reason"]), "")
        found[f"strict|{status}|{refused}"] += 1
    return found


def _times(reports: QuerySet[Any]) -> Counter[str]:
    steps = [When(duration_ms__lte=edge, then=Value(edge)) for edge in BUCKETS_MS]
    bucket = Case(*steps, default=Value(OVER), output_field=FloatField())
    found: Counter[str] = Counter()
    timed = reports.order_by().annotate(bucket=bucket).values_list("detector", "bucket")
    for detector, edge, n, ms in timed.annotate(n=Count("pk"), ms=Sum("duration_ms")):
        found[f"took|{detector}|{edge:g}"] += n
        found[f"ms|{detector}"] += ms
    return found
