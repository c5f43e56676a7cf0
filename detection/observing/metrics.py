"""The metrics of this installation, as Prometheus reads them (SPEC-08.40).

Their values come out of the database when they are asked for: they are the same whichever process is asked, and a
restart loses none.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q, Sum
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from detection.core.verdict import OWED_FOR
from detection.models import (
    DetectionRun,
    ErasedRows,
    Fact,
    LeftOut,
    MetricTotals,
    OwedVerification,
    RejectedFact,
    Trace,
    VerifierSpending,
)
from detection.observing import progress, totals

CHECKED = ("supported", "contradicted", "unsupported")
HALLUCINATED = ("contradicted", "unsupported")
SPENT = {
    "calls": ("hallu_verifier_calls", "Calls that a verifier answered."),
    "tokens_in": ("hallu_verifier_tokens_in", "Tokens that verifiers read."),
    "tokens_out": ("hallu_verifier_tokens_out", "Tokens that verifiers wrote."),
    "usd": ("hallu_verifier_usd", "US dollars that verifiers cost."),
    "cached": (
        "hallu_verifier_cache_hits",
        "Claims that the cache answered; verifiers behind a network only.",
    ),
    "missed": ("hallu_verifier_cache_misses", "Claims that the cache could not answer."),
}


class Database(Collector):
    """Collects all metrics in a bounded number of queries. Raises :class:`~django.db.DatabaseError`."""

    def collect(self) -> Iterator[Metric]:
        """Every family with its samples."""
        found, now = totals.totals(), timezone.now()
        yield from _claims(found)
        yield from _times(found)
        yield _strict(found)
        yield from _spending()
        yield from _memory()
        yield _left_out()
        yield _erased()
        yield from _queue(now)
        yield from _lanes(now)
        yield from _sweep(now)
        yield from _owed(now)


def _claims(found: Counter[str]) -> Iterator[Metric]:
    runs = CounterMetricFamily("hallu_runs", "Answers judged.", labels=["risk_level"])
    every = CounterMetricFamily("hallu_claims", "Claims of judged answers.", labels=["kind", "status"])
    verified = CounterMetricFamily("hallu_claims_verified", "Claims that were verified.", labels=["kind"])
    wrong = CounterMetricFamily("hallu_hallucinations", "Claims found wrong.", labels=["status"])
    for (level,), count in _named(found, "runs"):
        runs.add_metric([level or "none"], count)
    checked: dict[str, float] = defaultdict(float)
    doubtful: dict[str, float] = defaultdict(float)
    for (kind, status), count in _named(found, "claims"):
        every.add_metric([kind, status], count)
        checked[kind] += count if status in CHECKED else 0
        doubtful[status] += count if status in HALLUCINATED else 0
    for kind, count in sorted(checked.items()):
        verified.add_metric([kind], count)
    for status in HALLUCINATED:
        wrong.add_metric([status], doubtful[status])
    yield from (runs, every, verified, wrong)


def _times(found: Counter[str]) -> Iterator[Metric]:
    reports = CounterMetricFamily(
        "hallu_detector_reports", "Reports of detectors.", labels=["detector", "status"]
    )
    for (detector, status), count in _named(found, "reports"):
        reports.add_metric([detector, status], count)
    took = HistogramMetricFamily(
        "hallu_verification_seconds", "How long a detector took.", labels=["detector"]
    )
    for (detector,), ms in _named(found, "ms"):
        took.add_metric([detector], _buckets(found, detector), ms / 1000)
    yield from (reports, took)


def _strict(found: Counter[str]) -> Metric:
    counted = CounterMetricFamily(
        "hallu_strict_answers",
        "Strict answers by outcome and the layer that refused.",
        labels=["status", "layer"],
    )
    for (status, layer), count in _named(found, "strict"):
        counted.add_metric([status, layer or "none"], count)
    return counted


def _buckets(found: Counter[str], detector: str) -> list[tuple[str, float]]:
    """How many took at most so many seconds, for each edge and for all."""
    buckets, so_far = [], 0
    for edge in (*totals.BUCKETS_MS, totals.OVER):
        so_far += found[f"took|{detector}|{edge:g}"]
        buckets.append((f"{edge / 1000:g}" if edge else "+Inf", float(so_far)))
    return buckets


def _named(found: Counter[str], kind: str) -> list[tuple[list[str], float]]:
    """The totals of one kind with the parts of their names."""
    parted = ((name.split("|"), count) for name, count in sorted(found.items()))
    return [(parts[1:], count) for parts, count in parted if parts[0] == kind]


def _spending() -> Iterator[Metric]:
    by_model = VerifierSpending.objects.order_by("backend", "model").values("backend", "model")
    rows: list[Any] = list(by_model.annotate(**{f"all_{name}": Sum(name) for name in SPENT}))
    for name, (family, help_text) in SPENT.items():
        counter = CounterMetricFamily(family, help_text, labels=["backend", "model"])
        for row in rows:
            counter.add_metric([row["backend"], row["model"]], float(row[f"all_{name}"]))
        yield counter
    hits, misses = (sum(row[name] for row in rows) for name in ("all_cached", "all_missed"))
    share = hits / (hits + misses) if hits + misses else float("nan")
    yield _gauge("hallu_verifier_cache_hit_ratio", "Share of claims that the cache answered.", share)


def _memory() -> Iterator[Metric]:
    yield CounterMetricFamily("hallu_facts_stored", "Facts stored.", value=Fact.objects.count())
    rejected = RejectedFact.objects.count()
    yield CounterMetricFamily("hallu_facts_rejected", "Facts that the memory gate refused.", value=rejected)
    due = Fact.objects.filter(verify_after__isnull=False).count()
    yield _gauge("hallu_facts_due", "Facts that wait to be verified.", due)
    yield CounterMetricFamily("hallu_traces_audited", "Traces audited.", value=Trace.objects.count())


def _left_out() -> Metric:
    help_text = "Calls that went without a store while it was away."
    counter = CounterMetricFamily("hallu_store_left_out", help_text, labels=["store"])
    for store, calls in LeftOut.objects.order_by("store").values_list("store", "calls"):
        counter.add_metric([store], calls)
    return counter


def _erased() -> Metric:
    help_text = "Rows that lost their words, or were deleted when their time was over."
    counter = CounterMetricFamily("hallu_erased_rows", help_text, labels=["kind"])
    for kind, rows in ErasedRows.counts().items():
        counter.add_metric([kind], rows)
    return counter


def _queue(now: datetime) -> Iterator[Metric]:
    shadow = DetectionRun.Purpose.SHADOW  # for which nobody waits
    unfinished = DetectionRun.objects.filter(finished_at__isnull=True).exclude(purpose=shadow)
    pending, held = DetectionRun.pending(now).exclude(purpose=shadow), Q(lease_until__gt=now)
    counted: dict[str, Any] = unfinished.filter(failed_reason="").aggregate(
        running=Count("pk", filter=held), oldest=Min("created_at")
    )
    depth = GaugeMetricFamily("hallu_runs_unfinished", "Answers that are not judged yet.", labels=["state"])
    depth.add_metric(["waiting"], pending.filter(read_at__isnull=True).count())
    depth.add_metric(["waiting_for_verifier"], DetectionRun.waiting_for_verifier(now).count())
    depth.add_metric(["running"], counted["running"])
    yield depth
    age = (now - counted["oldest"]).total_seconds() if counted["oldest"] else 0.0
    yield _gauge("hallu_oldest_unfinished_seconds", "Age of the oldest answer that is not judged yet.", age)
    failed = unfinished.filter(erasure__isnull=True).exclude(failed_reason="").count()
    yield _gauge("hallu_runs_needing_attention", "Answers whose every attempt failed.", failed)


def _lanes(now: datetime) -> Iterator[Metric]:
    """As ``/healthz/queue`` sees them, so that an alarm and a health check never differ."""
    unfinished = GaugeMetricFamily("hallu_lane_unfinished", "Answers that a lane owes.", labels=["lane"])
    oldest = GaugeMetricFamily(
        "hallu_lane_oldest_seconds", "For how long the oldest of them has been waiting.", labels=["lane"]
    )
    moves = GaugeMetricFamily(
        "hallu_lane_moves", "1 while a lane gets answers done or has none waiting.", labels=["lane"]
    )
    for name, lane in progress.lanes(now).items():
        unfinished.add_metric([name], lane.unfinished)
        oldest.add_metric([name], lane.oldest.total_seconds())
        moves.add_metric([name], lane.moves)
    yield from (unfinished, oldest, moves)


def _sweep(now: datetime) -> Iterator[Metric]:
    """The sweep leaves the time up to which it has counted: once a minute, so an age of one to two is well."""
    kept = MetricTotals.current()
    if kept is not None:
        age = max(now - kept.through - totals.LAG, timedelta())
        yield _gauge("hallu_swept_seconds", "How long ago a sweep last kept the totals.", age.total_seconds())


def _owed(now: datetime) -> Iterator[Metric]:
    """Every reason has its sample, so that what is over goes back to nothing."""
    owed = progress.owed(now)
    answers = GaugeMetricFamily(
        "hallu_answers_owed", "Answers whose verification is owed.", labels=["reason"]
    )
    for reason in OWED_FOR:
        answers.add_metric([reason], owed["answers"].get(reason, 0))
    yield answers
    yield _gauge(
        "hallu_oldest_owed_seconds", "For how long the oldest of them has been.", owed["oldest_seconds"]
    )
    given_up = OwedVerification.objects.filter(ending=OwedVerification.Ending.GIVEN_UP).count()
    yield CounterMetricFamily(
        "hallu_owed_given_up", "Answers whose every further try was in vain.", value=given_up
    )
    down = owed["verifier_down"]
    help_text = "For how long the verifier of answers has failed every probe."
    yield _gauge("hallu_verifier_down_seconds", help_text, down["seconds"] if down else 0.0)


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, help_text, value=value)
