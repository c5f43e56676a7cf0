"""A run from start to conclusion: leases, fences, reports, and what is written at the end."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from detection import runs
from detection.core import pipeline
from detection.core.ports import Estimate
from detection.core.stores import Pending
from detection.core.types import Usage
from detection.models import Answer, Claim, DetectionRun, DetectorReport, Source, ThresholdProfile
from detection.models.runs import StaleLease
from detection.operations import verifying
from detection.runs import claim_rows, screening
from detection.runs.screening import Rows
from tests.detection.verifier_stub import hanging

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
TEXT = "Net operating income was $1,234,567.89 in Q3 2024 [S0]. Occupancy was 85.5% [S0]."
CHUNK = "Net operating income for Q3 2024 was $1,234,567.89. Occupancy was 85.5%."


@pytest.fixture
def run(make_answer: Callable[..., Answer]) -> DetectionRun:
    answer = make_answer(TEXT)
    Source.objects.create(answer=answer, ref="S0", text=CHUNK, position=0)
    return runs.start(answer)


def taken(run: DetectionRun) -> DetectionRun:
    held = DetectionRun.take(run.pk, seconds=30, limit=5)
    assert held is not None
    return held


def measured(run: DetectionRun) -> DetectionRun:
    held = taken(run)
    runs.read(held)
    runs.screen(held)
    return held


def test_a_run_is_owed_until_it_is_finished(run: DetectionRun) -> None:
    assert list(DetectionRun.pending(timezone.now())) == [run]
    assert run.state == "queued"
    runs.conclude(measured(run))
    assert not DetectionRun.pending(timezone.now()).exists()
    run.refresh_from_db()
    assert run.state == "completed"


def test_a_held_run_cannot_be_taken_until_its_lease_ends(run: DetectionRun) -> None:
    held = taken(run)
    assert held.state == "running"
    assert DetectionRun.take(run.pk, seconds=30, limit=5) is None
    DetectionRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert taken(run).fence == held.fence + 1


def test_a_worker_that_lost_its_lease_writes_nothing(run: DetectionRun) -> None:
    late = taken(run)
    DetectionRun.objects.filter(pk=run.pk).update(lease_until=None)
    taken(run)
    with pytest.raises(StaleLease):
        late.store([DetectorReport(run=late, detector="numeric", status="ok", measurements={})])
    with pytest.raises(StaleLease):
        late.renew(seconds=30)
    assert not DetectorReport.objects.exists()
    assert not late.close(result={})


def test_attempts_without_progress_end_in_needs_attention(run: DetectionRun) -> None:
    for _ in range(5):
        taken(run)
        DetectionRun.objects.filter(pk=run.pk).update(lease_until=None)
    assert DetectionRun.take(run.pk, seconds=30, limit=5) is None
    run.refresh_from_db()
    assert (run.state, run.failed_reason) == ("needs_attention", "worker_crashed(5)")


def test_progress_forgives_earlier_attempts(run: DetectionRun) -> None:
    taken(run).release(progressed=True)
    run.refresh_from_db()
    assert (run.attempts, run.lease_until) == (0, None)


def test_progress_of_a_worker_that_was_given_up_brings_the_run_back(run: DetectionRun) -> None:
    slow = taken(run)
    DetectionRun.objects.filter(pk=run.pk).update(failed_reason="worker_crashed(5)")
    slow.release(progressed=True)
    assert DetectionRun.pending(timezone.now()).filter(pk=run.pk).exists()


@pytest.mark.requirement("SPEC-08.07")
def test_claims_are_read_once(run: DetectionRun) -> None:
    runs.read(run)
    stored = list(Claim.objects.filter(run=run).values_list("kind", "text", "start", "end"))
    runs.read(run)
    assert list(Claim.objects.filter(run=run).values_list("kind", "text", "start", "end")) == stored
    assert all(TEXT[start:end] == text for _, text, start, end in stored)


def test_reading_gives_the_core_its_claims_back(run: DetectionRun) -> None:
    from detection.core import claims
    from detection.runs import evidence

    runs.read(run)
    assert claim_rows.claims_of(run) == claims.read(evidence.case_of(run.answer))


def test_a_report_stored_twice_is_one_report(run: DetectionRun) -> None:
    held = taken(run)
    runs.read(held)
    context = runs.load(held)
    for rows in (Rows(held, ["citation"]), Rows(held, ["citation"])):
        with pytest.raises(Pending):
            pipeline.screen(context, rows)
    assert DetectorReport.objects.filter(run=run, detector="citation").count() == 1


def test_what_is_concluded_at_once_is_what_the_stored_reports_say(run: DetectionRun) -> None:
    held = taken(run)
    context = runs.read(held)
    assert context == runs.load(taken_anew := DetectionRun.objects.get(pk=run.pk), figures=True)
    prepared = runs.screen(held, context=context)
    assert prepared is not None
    assert prepared.result == runs.prepare(taken_anew).result


def test_reports_of_a_second_attempt_are_stored_one_by_one(run: DetectionRun) -> None:
    held = taken(run)
    runs.read(held)
    for attempt, stored in ((1, 0), (2, 1)):
        held.attempts = attempt
        rows = Rows(held, ["citation"])
        rows.keep("citation", pipeline.Report("ok", None))
        assert DetectorReport.objects.count() == stored


def test_the_last_due_report_says_so(run: DetectionRun) -> None:
    held = taken(run)
    runs.read(held)
    complete = [runs.screen(held, [name]) is not None for name in held.missing()]
    assert complete == [False] * (len(complete) - 1) + [True]


def test_a_run_concludes_once(run: DetectionRun) -> None:
    held = measured(run)
    assert runs.conclude(held)
    finished = held.finished_at
    assert not runs.conclude(held)
    held.refresh_from_db()
    assert held.finished_at == finished


def test_conclusion_writes_what_people_filter_on(run: DetectionRun) -> None:
    held = measured(run)
    runs.conclude(held)
    assert held.result is not None
    assert held.result["verdict"]["risk_level"] == held.risk_level
    assert held.risk_level in ("low", "moderate", "high")
    amount = held.claims.get(kind="currency")
    assert (amount.status, amount.expected, amount.deviation) == ("supported", "1234567.89", 0.0)
    assert amount.metric == "net_operating_income"
    statement = held.claims.filter(kind="statement").first()
    assert statement is not None
    assert statement.p1_low is not None
    assert statement.overlap is not None


def test_only_asked_for_detectors_are_due(make_answer: Callable[..., Answer]) -> None:
    assert runs.start(make_answer(requested_detectors=["numeric"])).due == ["numeric"]


@pytest.mark.requirement("SPEC-08.02")
def test_verification_can_be_switched_off_as_a_whole(
    make_answer: Callable[..., Answer], settings: Any
) -> None:
    settings.HALLUCINATION = {**settings.HALLUCINATION, "enabled": False}
    run = runs.start(make_answer())
    assert run.due == ["numeric", "citation", "grounding", "strawberry"]
    verifier = runs.begun("strawberry", runs.load(run)).verifier
    assert verifier is None, "what nobody reads is not checked, and says so"


def test_no_profile_lets_a_worker_wait_until_it_is_ended(
    make_answer: Callable[..., Answer], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verifier that never answers, under a profile that would give it ten minutes."""
    patient = {"base": {"verifier_deadline_ms": 600_000}}
    profile = ThresholdProfile.objects.create(version=7, values=patient)
    run = runs.start(make_answer("The tenants praised the new lobby [S0]."), profile=profile)
    Source.objects.create(answer=run.answer, ref="S0", text="The lobby was renovated.", position=0)
    settings.VERIFIER = {**settings.VERIFIER, "backend": "external"}
    monkeypatch.setattr(screening, "WAITING_SECONDS", 0.3)
    with hanging() as verifier:
        monkeypatch.setattr(verifying, "verifier_for", lambda _operation: verifier)
        runs.conclude(measured(run))
    run.refresh_from_db()
    assert run.state == "completed"
    assert [claim.status for claim in run.claims.filter(kind="statement")] == ["unverified"]


def test_an_answer_has_one_unfinished_run(run: DetectionRun) -> None:
    with (
        pytest.raises(IntegrityError, match=r"one_unfinished_run_per_answer|answer_id"),
        transaction.atomic(),
    ):
        runs.start(run.answer)


def test_a_partial_result_says_what_is_pending(run: DetectionRun) -> None:
    from detection.runs import evidence

    held = taken(run)
    runs.read(held)
    runs.screen(held, ["numeric"])
    partial = runs.render(held, evidence.case_of(held.answer), runs.decide(held))
    by_kind = {claim["kind"]: (claim["status"], claim["finding"]) for claim in partial["claims"]}
    assert by_kind["currency"][0] == "supported"
    assert by_kind["statement"] == ("unverified", "pending")
    assert partial["verdict"]["risk_level"] == "moderate"


@pytest.mark.parametrize(
    ("given", "quality"), [([], None), ([None], None), ([0.2, 0.4], "low"), ([0.9, None], "high")]
)
def test_source_quality_is_the_mean_of_what_was_given(given: list[float | None], quality: str | None) -> None:
    assert runs.source_quality(given) == quality


class Says:
    """A verifier that gives one estimate for every claim, after what happens ``first``."""

    name = "says"

    def __init__(self, estimate: Estimate, first: Callable[[], object] = lambda: None) -> None:
        self.estimate, self.first = estimate, first

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        return self.estimate

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        self.first()
        return [self.estimate] * len(claims)


def reported(
    run: DetectionRun, verifier: Says, monkeypatch: pytest.MonkeyPatch
) -> tuple[DetectionRun, DetectorReport]:
    """The run and its verification as stored, by this verifier."""
    monkeypatch.setattr(verifying, "verifier_for", lambda _operation: verifier)
    held = taken(run)
    runs.read(held)
    runs.screen(held, ["strawberry"])
    held.refresh_from_db()
    return held, DetectorReport.objects.get(run=run, detector="strawberry")


def test_a_rate_limit_is_a_report_that_says_why_and_holds_no_run_up(
    run: DetectionRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, report = reported(run, Says(Estimate(error="rate_limited", retry_after=7.0)), monkeypatch)
    assert (report.status, report.reason) == (
        "rate_limited",
        "2 of 2 statements: The verifier asked to wait.",
    )
    assert "strawberry" not in held.missing()


@pytest.mark.requirement("GOV-09")
def test_what_the_verifier_cost_is_kept_with_its_report(
    run: DetectionRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid = Estimate((0.9, 0.9), (0.05, 0.05), (0.05, 0.05), usage=Usage(1, 100, Decimal("0.0001")))
    _, report = reported(run, Says(paid), monkeypatch)
    calls = report.cost["calls"]
    assert calls >= 4
    assert report.cost == {"calls": calls, "tokens": 100 * calls, "usd": str(Decimal("0.0001") * calls)}


@pytest.mark.requirement("NUM-11")
@pytest.mark.parametrize("wanted", [True, False])
def test_numbers_that_are_not_verified_are_logged_without_what_they_say(
    make_answer: Callable[..., Answer], caplog: pytest.LogCaptureFixture, wanted: bool
) -> None:
    profile = ThresholdProfile.draft({"base": {"log_unverified_claims": wanted}})
    answer = make_answer("NOI was $9,999,999.99.", requested_detectors=["numeric"])
    assert runs.conclude(measured(runs.start(answer, profile=profile)))
    logged = [record.getMessage() for record in caplog.records if "unverified_claims" in record.getMessage()]
    assert [line.partition("count=")[2] for line in logged] == (["1 claims=1:not_found"] if wanted else [])
    assert "9,999,999" not in caplog.text


@pytest.mark.parametrize("seconds", [-1.0, 1000.0])
def test_a_run_that_takes_long_goes_on_in_parts(
    run: DetectionRun, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """However slow the machine, each part brings a report, and the conclusion is one by itself."""
    monkeypatch.setattr(screening, "PART_SECONDS", seconds)
    held = taken(run)
    runs.read(held)
    left, prepared = [], None
    while prepared is None:
        prepared = runs.screen(held, lease_seconds=30)
        left.append(len(held.missing()))
    due = len(run.due)
    assert left == ([*range(due - 1, -1, -1), 0] if seconds < 0 else [0])
    assert runs.conclude(held, prepared)
