"""The shell around the core: start a run, read its claims, load it, conclude.

Each function loads rows, calls the core and stores what it returns. Nothing here decides anything.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Self

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Length
from django.utils import timezone

from detection import search, spans
from detection.core import claims, codec, pipeline
from detection.core.context import Context
from detection.core.ports import Judges
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Case,
    CitationMeasurement,
    Expired,
    GroundingMeasurement,
    JudgeMeasurement,
    NumericMeasurement,
    StrawberryMeasurement,
    never,
)
from detection.core.types import Claim as ReadClaim
from detection.core.verdict import Owed, owed
from detection.models import (
    Answer,
    Claim,
    DetectionRun,
    DetectorReport,
    MonitoredRun,
    OwedVerification,
    ThresholdProfile,
)
from detection.models.runs import FAST, SLOW
from detection.operations import costs, cpu_time, verifying
from detection.runs import claim_rows, events, evidence, results
from detection.runs.calibration import calibrated
from detection.runs.frames import FrameRows
from detection.verifiers.deadlines import Deadline, PunctualTextModel, PunctualVerifier

DETECTOR_SECONDS, LARGE_SECONDS = 4.0, 240.0
"""CPU time after which a detector, or the reading of claims, is ended: of any answer, and of a large one in its own lane."""
COMPARING_MS = 60_000
"""CPU time for comparing the numbers of a large answer, where its profile gives less: nobody waits behind it."""
READING_MS, LARGE_READING_MS = 3_000, 60_000
"""CPU time for reading sources of an answer, or of a large one, that nobody has read yet. What is not reached is left unread, numbers that
nothing else supports are not verified for it, and the next screening goes on from what is stored."""
MEASUREMENTS = {
    "numeric": NumericMeasurement,
    "citation": CitationMeasurement,
    "grounding": GroundingMeasurement,
    "strawberry": StrawberryMeasurement,
    "judge": JudgeMeasurement,
}


def due_detectors(requested: Sequence[str] | None) -> list[str]:
    """The detectors that must report: all that are switched on, or those of them that were asked for. That of statements
    reports where no verifier is switched on, too: that nobody read them."""
    switched_on = [*FAST, *SLOW] if settings.HALLUCINATION["enabled"] else [*FAST, "strawberry"]
    return [name for name in switched_on if requested is None or name in requested]


def deadline_of(name: str, thresholds: Thresholds, *, large: bool = False) -> Expired:
    """The total deadline of one detector, counted from now.

    Numbers have a budget of this thread's own time (NUM-13), once the sources are read: what another process does
    meanwhile must not make them look unverifiable. A verifier may wait on a network, so its deadline is the clock's. Checks by
    rule alone have none but the limit of every detector.
    """
    if name == "numeric":
        given = thresholds.verification_deadline_ms
        return _started(time.thread_time, max(given, COMPARING_MS) if large else given)
    return _expires(time.monotonic, thresholds.verifier_deadline_ms) if name in SLOW else never


def _expires(clock: Callable[[], float], budget_ms: float) -> Expired:
    until = clock() + budget_ms / 1000
    return lambda: clock() > until


def _started(clock: Callable[[], float], budget_ms: float) -> Expired:
    """A budget that is counted from when it is first asked for."""
    budget = cache(lambda: _expires(clock, budget_ms))
    return lambda: budget()()


def begun(
    name: str,
    context: Context,
    *,
    by_hand: bool = False,
    large: bool = False,
    within: Deadline | None = None,
) -> Context:
    """The context of a detector that starts now: with the models that it may ask, and its deadline. What is asked for
    ``by_hand`` has the verifier of answers, whether they are verified or not; what is ``large`` has more time. What waits for
    a network does so ``within`` the deadline of the whole, where there is one."""
    asks = by_hand or verifying.is_on("output_verification")
    started = replace(
        context,
        verifier=verifying.verifier_for("output_verification") if asks else None,
        judges=verifying.judges() if name == "judge" else None,
        slot_reader=verifying.slot_reader() if name == "numeric" else None,
        expired=deadline_of(name, context.thresholds, large=large),
        unread=_expires(time.thread_time, LARGE_READING_MS if large else READING_MS)
        if name == "numeric"
        else never,
        limited=partial(cpu_time.limited, seconds_for(large=large)),
        frames=FrameRows(),
    )
    return _punctual(started, within) if within and name in SLOW else started


def _punctual(context: Context, deadline: Deadline) -> Context:
    """The context of a detector whose calls over a network end with the deadline, whatever the other side does."""
    verifier, judges, expired = context.verifier, context.judges, context.expired
    if verifier and verifying.backend_of("output_verification") != "local":
        verifier = PunctualVerifier(verifier, deadline)
    if judges:
        judges = Judges(*(PunctualTextModel(one, deadline) for one in (judges.critic, judges.clerk)))
    return replace(context, verifier=verifier, judges=judges, expired=lambda: expired() or deadline.expired())


def seconds_for(*, large: bool) -> float:
    """The CPU time of one detector, and of the reading of claims."""
    return LARGE_SECONDS if large else DETECTOR_SECONDS


def start(
    answer: Answer,
    *,
    purpose: str = "live",
    profile: ThresholdProfile | None = None,
    characters: int | None = None,
) -> DetectionRun:
    """A new run of ``answer`` under ``profile``, the active one unless told otherwise. ``characters``: those of its
    sources, where the caller knows."""
    return DetectionRun.objects.create(
        answer=answer,
        profile_id=profile.pk if profile else ThresholdProfile.active_id(),
        purpose=purpose,
        due=due_detectors(answer.requested_detectors),
        large=costs.is_large(len(answer.text), _characters(answer) if characters is None else characters),
        traceparent=spans.header(),
    )


def _characters(answer: Answer) -> int:
    return answer.sources.aggregate(all=Sum(Length("text")))["all"] or 0


def thresholds_of(run: DetectionRun) -> Thresholds:
    """The flat thresholds for this run's answer (CIT-10)."""
    return run.profile.resolve(facets(run.answer))


def facets(answer: Answer) -> dict[str, str | None]:
    """What a profile's overrides may look at."""
    about = answer.property
    return {
        "language": answer.language or None,
        "property": about.code if about else None,
        "question_type": answer.question_type or None,
        "source_quality": source_quality([source.quality for source in answer.sources.all()]),
    }


def source_quality(qualities: Sequence[float | None]) -> str | None:
    """``high`` / ``low`` by the mean of the qualities that were given, None when none was (CIT-10)."""
    given = [quality for quality in qualities if quality is not None]
    if not given:
        return None
    return "high" if sum(given) / len(given) >= 0.5 else "low"


def read(run: DetectionRun) -> Context | None:
    """Store every claim of the answer, once, before any detector (SPEC-08.07); what it is judged by then, as of :func:`load`
    with figures, and None where that was done.

    The text is read before the transaction: a megabyte takes seconds, and SQLite has one writer. Raises
    :class:`~detection.operations.cpu_time.OutOfTime` where that takes longer than such an answer may.
    """
    if run.read_at:
        return None
    case = evidence.case_of(run.answer)
    with cpu_time.limited(seconds_for(large=run.large)):
        found = claims.read(case)
        rows = [claim_rows.row_of(run, claim) for claim in found]
    groups = search.groups_of(run.answer)
    with transaction.atomic():
        if DetectionRun.objects.filter(pk=run.pk, read_at=None).update(read_at=timezone.now()):
            Claim.objects.bulk_create(rows, batch_size=500)
            search.keep(run.answer, groups)
    return _context(run, case, found)


def load(run: DetectionRun, *, figures: bool = False) -> Context:
    """What a run whose claims are stored is judged by, read from the rows once; with the ``figures`` of record where
    more than citations is to be measured."""
    return _context(run, evidence.case_of(run.answer, figures=figures), claim_rows.claims_of(run))


def _context(run: DetectionRun, case: Case, found: Sequence[ReadClaim]) -> Context:
    thresholds, bits = thresholds_of(run), verifying.flag_threshold_bits()
    return Context(case, found, thresholds, run.profile.scoring, bits)


def reports_of(run: DetectionRun) -> dict[str, pipeline.Report]:
    """The stored reports, as the core knows them."""
    return {row.detector: _report(row) for row in run.reports.all()}


def _report(row: DetectorReport) -> pipeline.Report:
    measurement = codec.load(MEASUREMENTS[row.detector], row.measurements) if row.measurements else None
    return pipeline.Report(row.status, measurement, row.reason)  # type: ignore[arg-type]  # the column's choices are these


def decide(run: DetectionRun, loaded: Context | None = None) -> pipeline.Conclusion:
    """What the run's stored measurements mean under its profile, finished or not."""
    return pipeline.conclude(loaded or load(run), reports_of(run), run.due)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What :func:`conclude` writes, worked out before its transaction begins; ``columns`` are further ones of the run
    that whoever concludes it wants written with its verdict."""

    context: Context
    conclusion: pipeline.Conclusion
    result: dict[str, Any]
    confidence: Mapping[str, Any]
    columns: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        run: DetectionRun,
        context: Context,
        conclusion: pipeline.Conclusion,
        took: Mapping[str, float] | None = None,
    ) -> Self:
        """What a run writes that was concluded so. ``took``: the milliseconds of all its detectors, where the caller
        knows."""
        conclusion, confidence = calibrated(conclusion)
        return cls(context, conclusion, render(run, context.case, conclusion, took), confidence)

    @property
    def owed(self) -> Owed | None:
        """What its verifier could not do."""
        return owed(self.conclusion.claims, self.conclusion.findings, self.conclusion.reports)


def prepare(run: DetectionRun) -> Prepared:
    """Decide and render a run by the reports that are stored; writes nothing and holds no lock."""
    context = load(run)
    return Prepared.of(run, context, decide(run, context))


@transaction.atomic(savepoint=False)
def conclude(run: DetectionRun, prepared: Prepared | None = None) -> bool:
    """Write what the run concludes and close it; False when somebody else closed it.

    Must be called with every due report stored.
    """
    ready = prepared or prepare(run)
    conclusion, verdict = ready.conclusion, ready.conclusion.verdict
    won = run.close(
        engine=pipeline.ENGINE,
        has_hallucinations=verdict.has_hallucinations,
        answer_status=verdict.answer_status,
        risk_score=verdict.risk_score,
        risk_level=verdict.risk_level,
        action=verdict.action,
        needs_review=verdict.needs_review,
        result=ready.result,
        **ready.confidence,
        **ready.columns,
    )
    if won:
        claim_rows.write(run, conclusion)
        events.concluded(run, conclusion)
        _note_owed(run, ready.owed)
        MonitoredRun.keep(run, conclusion.decisions.get("citation"))
    return won


def _note_owed(run: DetectionRun, found: Owed | None) -> None:
    """Note what is owed to whoever waits for the answer; nobody waits for a shadow run."""
    if found and run.purpose != DetectionRun.Purpose.SHADOW:
        OwedVerification.note(run, found.reason, found.seconds, run.finished_at or timezone.now())


def render(
    run: DetectionRun, case: Case, conclusion: pipeline.Conclusion, took: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """The Result of a run as it stands; ``took`` as of :meth:`Prepared.of`."""
    timings = dict(sorted((took or run.took()).items()))
    profile = {"id": run.profile_id, "version": run.profile.version, "scoring": run.profile.scoring}
    return results.render(
        case, conclusion, profile=profile, timings_ms={**timings, "total": sum(timings.values())}
    )
