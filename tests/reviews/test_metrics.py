"""Metrics come out of the database: right in every process, never lost, and not everybody's to read (SPEC-08.40)."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from detection import facts
from detection.models import Claim, DetectionRun, MetricTotals, StrictAnswer, VerifierSpending
from detection.observing import totals
from reviews import tasks
from reviews.management.commands import sweep
from tests.faults import broker
from tests.faults.answers import pending_runs

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.40"),
]
QUERIES = 52


@pytest.fixture(autouse=True)
def _empty_broker(db: None) -> None:
    broker.empty()


def text(**headers: str) -> str:
    response = Client(headers=headers).get("/metrics")
    assert response.status_code == 200, response.content
    return response.content.decode()


def samples(shown: str | None = None) -> dict[tuple[str, ...], float]:
    """Name and label values → value."""
    families = text_string_to_metric_families(shown or text())
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def judged(count: int) -> list[DetectionRun]:
    made = pending_runs(count)
    for run in made:
        tasks.screen(run.pk)
        tasks.verify(run.pk)
    return made


def aged(by: timedelta) -> None:
    """Let every run have finished earlier."""
    for run in DetectionRun.objects.filter(finished_at__isnull=False):
        DetectionRun.objects.filter(pk=run.pk).update(finished_at=run.finished_at - by)  # type: ignore[operator]  # filtered


def test_claims_are_counted_by_status_and_those_found_wrong_too() -> None:
    judged(2)
    shown = samples()
    for kind, status in {(row.kind, row.status) for row in Claim.objects.all()}:
        expected = Claim.objects.filter(kind=kind, status=status).count()
        assert shown["hallu_claims_total", kind, status] == expected
    checked = Claim.objects.filter(status__in=["supported", "contradicted", "unsupported"])
    verified = sum(value for (name, *_), value in shown.items() if name == "hallu_claims_verified_total")
    assert verified == checked.count() > 0
    for status in ("contradicted", "unsupported"):
        assert shown["hallu_hallucinations_total", status] == Claim.objects.filter(status=status).count()
    assert sum(value for (name, *_), value in shown.items() if name == "hallu_runs_total") == 2


def strict(status: str, **layers: str | None) -> None:
    """A finished strict answer; a layer's value is why it refused."""
    listed = [{"name": name, "reason": why} for name, why in layers.items()]
    StrictAnswer.objects.create(
        question="?", preset="standard", status=status, layers=listed, finished_at=timezone.now()
    )


@pytest.mark.requirement("RAG-09")
def test_strict_answers_are_counted_by_outcome_and_the_first_layer_that_refused() -> None:
    strict("success", answered=None, citations=None)
    strict("hallucination_detected", answered=None, citations="It cites no source.", patterns="As we know.")
    strict("hallucination_detected", answered=None, citations="It cites no source.")
    strict("error", model="No text model is configured.")
    StrictAnswer.objects.create(question="not finished", preset="standard")
    wanted = {("success", "none"): 1.0, ("hallucination_detected", "citations"): 2.0, ("error", "model"): 1.0}
    assert strict_counted() == wanted
    earlier = timezone.now() - timedelta(hours=1)
    StrictAnswer.objects.filter(finished_at__isnull=False).update(finished_at=earlier)
    assert totals.keep_up(timezone.now())
    assert strict_counted() == wanted
    strict("success", answered=None)
    assert strict_counted() == wanted | {("success", "none"): 2.0}


def strict_counted() -> dict[tuple[str, str], float]:
    """Status and layer → how many."""
    return {(key[2], key[1]): n for key, n in samples().items() if key[0] == "hallu_strict_answers_total"}


def test_the_time_of_each_detector_is_a_histogram() -> None:
    (run,) = judged(1)
    report = run.reports.get(detector="strawberry")
    run.reports.filter(pk=report.pk).update(duration_ms=30.0)
    shown = samples()
    buckets = {
        key[2]: value
        for key, value in shown.items()
        if key[:2] == ("hallu_verification_seconds_bucket", "strawberry")
    }
    assert (buckets["0.025"], buckets["0.05"], buckets["+Inf"]) == (0, 1, 1)
    assert shown["hallu_verification_seconds_count", "strawberry"] == 1
    assert shown["hallu_verification_seconds_sum", "strawberry"] == pytest.approx(0.03)


def test_what_verifiers_cost_and_what_their_cache_saved_is_added_over_the_days() -> None:
    today, earlier = date(2026, 11, 2), date(2026, 11, 1)
    VerifierSpending.add(earlier, "external", "m", calls=3, tokens_in=100, tokens_out=3, usd=Decimal("0.25"))
    VerifierSpending.add(today, "external", "m", calls=1, tokens_in=50, tokens_out=1, usd=Decimal("0.50"))
    VerifierSpending.add(today, "external", "m", cached=3, missed=1)
    shown = samples()
    assert shown["hallu_verifier_calls_total", "external", "m"] == 4
    assert shown["hallu_verifier_tokens_in_total", "external", "m"] == 150
    assert shown["hallu_verifier_usd_total", "external", "m"] == 0.75
    assert shown["hallu_verifier_cache_hits_total", "external", "m"] == 3
    assert shown[("hallu_verifier_cache_hit_ratio",)] == 0.75


def test_facts_are_counted_stored_and_refused(settings: Any) -> None:
    gate = {**settings.HALLUCINATION["memory_gate"], "enabled": True}
    settings.HALLUCINATION = {**settings.HALLUCINATION, "memory_gate": gate}
    evidence = "Under the lease the tenant pays the insurance premiums of the building."
    kept = facts.gate_fact("The tenant pays the insurance premiums of the building.", 0.6, evidence)
    refused = facts.gate_fact("The lender waived all covenants of the loan for good.", 0.95, evidence)
    assert (kept.stored, refused.stored) == (True, False)
    shown = samples()
    assert (shown[("hallu_facts_stored_total",)], shown[("hallu_facts_rejected_total",)]) == (1, 1)


def test_what_waits_is_told_by_state_with_the_age_of_the_oldest() -> None:
    judged(1)
    waiting, running, failed, shadow = pending_runs(4)
    DetectionRun.objects.filter(pk=shadow.pk).update(
        purpose="shadow", created_at=timezone.now() - timedelta(hours=9)
    )
    later = timezone.now() + timedelta(minutes=5)
    DetectionRun.objects.filter(pk=waiting.pk).update(created_at=timezone.now() - timedelta(hours=1))
    DetectionRun.objects.filter(pk=running.pk).update(lease_until=later)
    DetectionRun.objects.filter(pk=failed.pk).update(failed_reason="worker_crashed(5)")
    shown = samples()
    states = {key[1]: value for key, value in shown.items() if key[0] == "hallu_runs_unfinished"}
    assert states == {"waiting": 1, "waiting_for_verifier": 0, "running": 1}
    assert 3600 <= shown[("hallu_oldest_unfinished_seconds",)] < 3700
    assert shown[("hallu_runs_needing_attention",)] == 1


def test_each_lane_tells_what_it_owes_how_old_it_is_and_whether_it_moves() -> None:
    small, stuck = pending_runs(2)
    hour, minute = timezone.now() - timedelta(hours=1), timezone.now() - timedelta(minutes=2)
    DetectionRun.objects.filter(pk=small.pk).update(created_at=minute)
    DetectionRun.objects.filter(pk=stuck.pk).update(created_at=hour, large=True)
    shown = samples()

    def of(name: str) -> dict[str, float]:
        return {key[1]: value for key, value in shown.items() if key[0] == name}

    assert of("hallu_lane_unfinished") == {"fast": 1, "verify": 0, "large": 1, "strict": 0}
    assert of("hallu_lane_moves") == {"fast": 0, "verify": 1, "large": 0, "strict": 1}
    ages = of("hallu_lane_oldest_seconds")
    assert (120 <= ages["fast"] < 180, 3600 <= ages["large"] < 3660, ages["verify"]) == (True, True, 0)


def test_how_long_no_sweep_has_come_is_told_once_there_was_one() -> None:
    assert ("hallu_swept_seconds",) not in samples()
    assert totals.keep_up(timezone.now() - timedelta(minutes=10))
    assert 600 <= samples()[("hallu_swept_seconds",)] < 660
    assert totals.keep_up(timezone.now())
    assert samples()[("hallu_swept_seconds",)] < 60


def test_kept_totals_and_what_came_since_are_what_counting_everything_gives() -> None:
    judged(2)
    aged(timedelta(hours=1))
    assert totals.keep_up(timezone.now())
    judged(1)
    together = totals.totals()
    MetricTotals.objects.all().delete()
    assert together == pytest.approx(totals.totals())
    assert together["runs|high"] == 3


def test_what_is_kept_is_not_counted_again() -> None:
    judged(1)
    aged(timedelta(hours=1))
    totals.keep_up(timezone.now())
    before = totals.totals()
    Claim.objects.filter(run__finished_at__isnull=False).update(kind="ratio")  # would show if it were
    assert totals.totals() == before


def test_young_runs_are_left_to_the_next_round_and_two_sweepers_count_once() -> None:
    judged(1)
    now = timezone.now()
    assert totals.keep_up(now)
    kept = MetricTotals.objects.get()
    assert kept.totals == {}
    assert not totals.keep_up(now + timedelta(seconds=30))
    assert MetricTotals.keep(kept, now, {"runs|high": 1})
    assert not MetricTotals.keep(kept, now, {"runs|high": 2})
    assert MetricTotals.objects.get().totals == {"runs|high": 1}


def test_the_sweep_keeps_the_totals_up() -> None:
    sweep.sweep(timezone.now())
    assert MetricTotals.objects.count() == 1


def test_a_shadow_run_counts_for_nobody() -> None:
    judged(1)
    DetectionRun.objects.update(purpose=DetectionRun.Purpose.SHADOW)
    assert not totals.totals()


def test_the_number_of_queries_does_not_grow_with_the_rows() -> None:
    judged(3)
    with CaptureQueriesContext(connection) as asked:
        text()
    assert len(asked) <= QUERIES


def test_an_empty_installation_has_metrics_too() -> None:
    shown = samples()
    assert shown["hallu_hallucinations_total", "contradicted"] == 0
    assert shown[("hallu_oldest_unfinished_seconds",)] == 0


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.0.0.5", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "8.8.8.8"}, 403),
        ("127.0.0.1", {"X-Forwarded-Proto": "https"}, 403),
        ("unix:", {}, 403),
    ],
)
def test_without_a_token_this_machine_alone_may_read_and_no_proxy_for_it(
    address: str, headers: dict[str, str], status: int
) -> None:
    assert Client(REMOTE_ADDR=address, headers=headers).get("/metrics").status_code == status


def test_networks_are_a_setting_and_do_not_count_behind_a_proxy(settings: Any) -> None:
    settings.METRICS_NETWORKS = ["10.0.0.0/8"]
    inside = Client(REMOTE_ADDR="10.0.0.5")
    assert inside.get("/metrics").status_code == 200
    assert Client().get("/metrics").status_code == 403
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert inside.get("/metrics").status_code == 403


@pytest.mark.parametrize(
    ("given", "status"), [("Bearer s3cret", 200), ("Bearer other", 401), ("Bearer ключ", 401), ("", 401)]
)
def test_with_a_token_only_the_token_counts(settings: Any, given: str, status: int) -> None:
    settings.METRICS_TOKEN = "s3cret"
    response = Client(HTTP_AUTHORIZATION=given).get("/metrics")
    assert response.status_code == status
    assert (status == 200) or response.headers["WWW-Authenticate"] == "Bearer"


def test_while_the_database_is_away_there_are_none() -> None:
    def away(*_query: object) -> Any:
        raise OperationalError("gone")

    with connection.execute_wrapper(away):
        assert Client().get("/metrics").status_code == 503


@pytest.mark.parametrize("accept", ["text/plain", "application/openmetrics-text; version=1.0.0"])
def test_both_formats_of_prometheus_are_spoken(accept: str, make_run: Callable[..., DetectionRun]) -> None:
    make_run()
    shown = text(accept=accept)
    assert "hallu_claims_total{" in shown
    assert shown.rstrip().endswith("# EOF") == accept.startswith("application")
