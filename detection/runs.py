"""The shell around the core: start a run, read its claims, measure, conclude.

Each function loads rows, calls the core and stores what it returns. Nothing here decides anything.
"""

import functools
import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from detection import evidence, results
from detection.core import claims, codec, pipeline
from detection.core.ports import Verifier
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Case,
    CitationMeasurement,
    Expired,
    GroundingMeasurement,
    JudgeMeasurement,
    NumericMeasurement,
    StrawberryMeasurement,
)
from detection.core.types import Claim as ReadClaim
from detection.models import Answer, Claim, DetectionRun, DetectorReport, ThresholdProfile
from detection.models.runs import FAST, SLOW
from detection.verifiers import open_verifier
from detection.verifiers.unavailable import UnavailableVerifier

log = logging.getLogger(__name__)

MEASUREMENTS = {
    "numeric": NumericMeasurement,
    "citation": CitationMeasurement,
    "grounding": GroundingMeasurement,
    "strawberry": StrawberryMeasurement,
    "judge": JudgeMeasurement,
}
# A rate limit that lasts longer than this becomes an error, so that no answer waits for ever.
LONGEST_WAIT = timedelta(minutes=15)
RETRY_AFTER = timedelta(seconds=30)


@functools.cache
def verifier() -> Verifier:
    """The configured verifier, one for each process; one that fails every claim when it cannot be opened,
    so that a wrong setting costs the verification and not the answer."""
    try:
        return open_verifier(settings.VERIFIER)
    except Exception as error:
        log.exception("verifier_unavailable")
        return UnavailableVerifier(f"The verifier could not be opened: {error}")


def due_detectors(requested: Sequence[str] | None) -> list[str]:
    """The detectors that must report: all that are switched on, or those of them that were asked for."""
    switched_on = [*FAST, *SLOW] if settings.HALLUCINATION["enabled"] else list(FAST)
    return [name for name in switched_on if requested is None or name in requested]


def deadline_of(name: str, thresholds: Thresholds) -> Expired:
    """The total deadline of one detector, counted from now."""
    budgets = {"numeric": thresholds.verification_deadline_ms, "strawberry": thresholds.verifier_deadline_ms}
    until = time.monotonic() + budgets.get(name, 60_000) / 1000
    return lambda: time.monotonic() > until


def start(answer: Answer, *, purpose: str = "live", profile: ThresholdProfile | None = None) -> DetectionRun:
    """A new run of ``answer`` under ``profile``, the active one unless told otherwise."""
    return DetectionRun.objects.create(
        answer=answer,
        profile=profile or ThresholdProfile.active(),
        purpose=purpose,
        due=due_detectors(answer.requested_detectors),
    )


def thresholds_of(run: DetectionRun) -> Thresholds:
    """The flat thresholds for this run's answer (CIT-10)."""
    return run.profile.resolve(facets(run.answer))


def facets(answer: Answer) -> dict[str, str | None]:
    """What a profile's overrides may look at."""
    about = answer.query.property
    return {
        "language": answer.language or None,
        "property": about.code if about else None,
        "question_type": answer.question_type or None,
        "source_quality": source_quality(list(answer.sources.values_list("quality", flat=True))),
    }


def source_quality(qualities: Sequence[float | None]) -> str | None:
    """``high`` / ``low`` by the mean of the qualities that were given, None when none was (CIT-10)."""
    given = [quality for quality in qualities if quality is not None]
    if not given:
        return None
    return "high" if sum(given) / len(given) >= 0.5 else "low"


@transaction.atomic
def read(run: DetectionRun) -> None:
    """Store every claim of the answer, once, before any detector (SPEC-08.07)."""
    if not DetectionRun.objects.filter(pk=run.pk, read_at=None).update(read_at=timezone.now()):
        return
    rows = [_claim_row(run, claim) for claim in claims.read(evidence.case_of(run.answer))]
    Claim.objects.bulk_create(rows, batch_size=500)


def _claim_row(run: DetectionRun, claim: ReadClaim) -> Claim:
    return Claim(
        run=run,
        index=claim.index,
        kind=claim.kind,
        text=claim.text,
        start=claim.start,
        end=claim.end,
        sentence=claim.sentence,
        statement=claim.statement,
        citations=list(claim.citations),
        reading=codec.dump(claim),
        metric=(claim.metric or "")[:60],
        period=(claim.period or "")[:40],
        value=str(claim.number.value)[:60] if claim.number else "",
    )


def claims_of(run: DetectionRun) -> tuple[ReadClaim, ...]:
    """The claims that :func:`read` stored, as the core knows them."""
    rows = run.claims.filter(origin=Claim.Origin.DETECTOR).order_by("index")
    return tuple(codec.load(ReadClaim, reading) for reading in rows.values_list("reading", flat=True))


def measure(run: DetectionRun, name: str) -> bool:
    """Run one detector and store its report; True when every due report is there.

    A detector's failure is a report with that status. Raises
    :class:`~detection.models.runs.StaleLease` when the run was lost to another worker meanwhile.
    """
    thresholds, started = thresholds_of(run), time.perf_counter()
    report = pipeline.measure(
        name,
        evidence.case_of(run.answer),
        claims_of(run),
        thresholds,
        verifier(),
        deadline_of(name, thresholds),
    )
    if report.status not in ("ok", "skipped"):
        log.warning(
            "detector_report run=%s detector=%s status=%s reason=%s",
            run.pk,
            name,
            report.status,
            report.reason,
        )
    complete = run.store(
        name,
        _final_status(run, report.status),
        codec.dump(report.measurement) if report.measurement else None,
        reason=report.reason,
        duration_ms=(time.perf_counter() - started) * 1000,
    )
    if report.status == "rate_limited" and not complete:
        run.postpone(timezone.now() + RETRY_AFTER)
    return complete


def _final_status(run: DetectionRun, status: str) -> str:
    """A rate limit is waited out for a while, then it is an error like any other."""
    waited = timezone.now() - run.created_at
    return "error" if status == "rate_limited" and waited > LONGEST_WAIT else status


def reports_of(run: DetectionRun) -> dict[str, pipeline.Report]:
    """The stored reports, as the core knows them."""
    return {row.detector: _report(row) for row in run.reports.all()}


def _report(row: DetectorReport) -> pipeline.Report:
    measurement = codec.load(MEASUREMENTS[row.detector], row.measurements) if row.measurements else None
    return pipeline.Report(row.status, measurement, row.reason)  # type: ignore[arg-type]  # the column's choices are these


def decide(run: DetectionRun, case: Case | None = None) -> pipeline.Conclusion:
    """What the run's stored measurements mean under its profile, finished or not."""
    return pipeline.conclude(
        case or evidence.case_of(run.answer),
        claims_of(run),
        reports_of(run),
        run.due,
        thresholds_of(run),
        run.profile.scoring,
    )


@transaction.atomic
def conclude(run: DetectionRun) -> bool:
    """Decide, write the claims' columns and close the run; False when somebody else closed it.

    Must be called with every due report stored.
    """
    case = evidence.case_of(run.answer)
    conclusion = decide(run, case)
    verdict = conclusion.verdict
    won = run.close(
        has_hallucinations=verdict.has_hallucinations,
        answer_status=verdict.answer_status,
        risk_score=verdict.risk_score,
        risk_level=verdict.risk_level,
        action=verdict.action,
        needs_review=verdict.needs_review,
        adjusted_confidence=verdict.adjusted_confidence,
        result=render(run, case, conclusion),
    )
    if won:
        _write_claims(run, conclusion)
        run.refresh_from_db()
    return won


def render(run: DetectionRun, case: Case, conclusion: pipeline.Conclusion) -> dict[str, Any]:
    """The Result of a run as it stands."""
    timings = {row.detector: row.duration_ms for row in run.reports.all()}
    profile = {"id": run.profile_id, "version": run.profile.version, "scoring": run.profile.scoring}
    return results.render(
        case, conclusion, profile=profile, timings_ms={**timings, "total": sum(timings.values())}
    )


def _write_claims(run: DetectionRun, conclusion: pipeline.Conclusion) -> None:
    rows = {row.index: row for row in run.claims.all()}
    for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True):
        row = rows[claim.index]
        row.status, row.finding, row.reason = finding.status, finding.code, finding.reason
        row.flagged = claim.index in conclusion.flagged
        for name, value in results.columns(conclusion, claim, finding).items():
            setattr(row, name, value)
    Claim.objects.bulk_update(rows.values(), [*WRITTEN], batch_size=200)


WRITTEN = (
    "status", "finding", "reason", "flagged", "expected", "deviation",
    "p1_low", "p1_high", "p0_low", "p0_high", "overlap",
)  # fmt: skip
