"""The Python face of detection, for the shell, notebooks and backends in the same process.

The same core, the same thresholds, the same Result as the API. Nothing is stored but the facts of ``gate_fact``.
"""

import functools
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.conf import settings
from django.db import DatabaseError

from detection import facts, runs, traces
from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case, Claim
from detection.core.verdict import adjust_confidence
from detection.models import FinancialPeriod, Property, ThresholdProfile
from detection.operations import costs, cpu_time, verifying
from detection.outcomes import Outcome, Outcomes, outcome
from detection.runs import build, calibrated, results, source_of
from detection.traces import trace_results
from detection.verifiers.deadlines import Deadline

log = logging.getLogger(__name__)

FOR_THE_SHELL = ("verify_claim", "verify_claims", "audit_trace", "gate_fact", "judge")
"""What ``manage.py shell`` imports by itself (SPEC-08.31)."""

WORST_FIRST = ("contradicted", "unsupported", "unverified", "not_checked", "supported")


def judge(
    answer: str | None,
    *,
    sources: Iterable[Mapping[str, Any]] = (),
    about: Property | None = None,
    period: FinancialPeriod | None = None,
    detectors: Sequence[str] | None = None,
    profile: ThresholdProfile | None = None,
    by_hand: bool = False,
    cites_all: bool = False,
    awaited: "Awaited | None" = None,
    **about_it: Any,
) -> dict[str, Any]:
    """Judge an answer and return its Result (contracts §2) without storing anything.

    ``sources`` are mappings with ``id`` and ``text`` (or ``chunk_id`` and ``chunk_text``). ``by_hand`` runs the
    ``detectors`` whatever is switched on for answers; with ``cites_all`` every claim counts as citing every source,
    whatever its marks say. Where the result is ``awaited``, verifiers have as long as that leaves them. ``about_it`` are the further fields of a
    :class:`~detection.core.types.Case`, and the key ``submitted_by``: ``question``, ``language``, ``original_confidence``,
    ``question_type``, ``iteration``, ``max_iterations``. Raises :class:`~detection.operations.cpu_time.OutOfTime` where its
    claims take too long to read, and :class:`NotAwaited`.
    """
    profile = profile or ThresholdProfile.active()
    started = time.perf_counter()
    case = build(
        answer=answer or "", sources=tuple(map(source_of, sources)), about=about, period=period, **about_it
    )
    due = list(detectors or ()) if by_hand else runs.due_detectors(detectors)
    store = _Reports(due, by_hand=by_hand, large=_is_large(case), awaited=awaited)
    with cpu_time.limited(runs.seconds_for(large=store.large)):
        read = _citing_all(case) if cites_all else claims.read(case)
    conclusion, _ = calibrated(pipeline.screen(_context(case, read, profile), store))
    shown = {"id": profile.pk, "version": profile.version, "scoring": profile.scoring}
    timings = store.timings | {"total": (time.perf_counter() - started) * 1000}
    rendered = results.render(case, conclusion, profile=shown, timings_ms=timings)
    counts = runs.by_machine(conclusion.verdict).shown()
    told = [
        claim | {"effective": runs.claim_by_machine(claim["conclusion"]["word"]).shown()}
        for claim in rendered["claims"]
    ]
    named = {"id": None, "external_id": None, "status": "completed"}
    return named | rendered | {"claims": told, "effective": counts, "review": None}


def concluded(
    case: Case, read: Sequence[Claim], profile: ThresholdProfile, within: Deadline
) -> pipeline.Conclusion:
    """What a submitted answer is judged by, of one that is not stored: every detector that is switched on, each within its
    deadline and ``within`` that of the whole; its statements are verified however short and many they are."""
    context = _context(case, read, profile)
    every = context.thresholds.changed(minimum_claim_length=0, maximum_verified_claims=1000)
    awaited = Awaited(within, lambda: True)
    store = _Reports(runs.due_detectors(None), large=_is_large(case), awaited=awaited)
    return pipeline.screen(replace(context, thresholds=every), store)


def _is_large(case: Case) -> bool:
    return costs.is_large(len(case.answer), sum(len(source.text) for source in case.sources))


def _context(case: Case, read: Sequence[Claim], profile: ThresholdProfile) -> Context:
    return Context(case, read, _thresholds(profile, case), profile.scoring, verifying.flag_threshold_bits())


def _thresholds(profile: ThresholdProfile, case: Case) -> Thresholds:
    """The flat thresholds of a profile for this case (CIT-10)."""
    return profile.resolve(
        {
            "language": case.language,
            "property": case.property,
            "question_type": case.question_type,
            "source_quality": runs.source_quality([source.quality for source in case.sources]),
        }
    )


def _citing_all(case: Case) -> tuple[Claim, ...]:
    refs = tuple(source.ref for source in case.sources)
    return tuple(replace(claim, citations=refs) for claim in claims.read(case))


class NotAwaited(Exception):
    """Nobody waits for the result any more."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """Somebody who waits for a result: how long verifiers may take, and whether they still wait."""

    deadline: Deadline
    is_wanted: Callable[[], bool]

    def look(self) -> None:
        """Raise :class:`NotAwaited` when they have gone."""
        if not self.is_wanted():
            raise NotAwaited


@dataclass(slots=True)
class _Reports(Memory):
    """Reports with the ``timings`` of their detectors in milliseconds, each of which may ask as in a worker, or as one
    that is asked ``by_hand``; one of a ``large`` answer has more time, one that is ``awaited`` may have less."""

    by_hand: bool = False
    large: bool = False
    awaited: Awaited | None = None
    timings: dict[str, float] = field(default_factory=dict)
    _started: float = 0.0

    def begin(self, name: str, context: Context) -> Context:
        """Look whether somebody still waits, and start the clock."""
        if self.awaited:
            self.awaited.look()
        self._started = time.perf_counter()
        within = self.awaited.deadline if self.awaited else None
        return runs.begun(name, context, by_hand=self.by_hand, large=self.large, within=within)

    def keep(self, name: str, report: pipeline.Report) -> None:
        """Keep a report, and log one that failed."""
        self.kept[name] = report
        self.timings[name] = (time.perf_counter() - self._started) * 1000
        if report.status not in ("ok", "skipped"):
            log.warning("detector_report detector=%s status=%s", name, report.status)


def verify_claim(claim: str, evidence: str | Sequence[str], confidence: float = 0.95) -> Outcome:
    """Verify one claim against its evidence (SPEC-08.31, SPEC-08.32), whether answers are verified or not.

    ``evidence`` is a text or a list of texts, all taken as cited. Returns ``p0, p1, required_bits,
    observed_bits, budget_gap, status, finding, reason``, of several statements those of the worst, which ``text``
    names. Raises :class:`ValueError` for an empty claim.
    """
    texts = [evidence] if isinstance(evidence, str) else list(evidence)
    checked = judge(
        claim,
        sources=[{"id": f"S{n}", "text": chunk} for n, chunk in enumerate(texts)],
        detectors=_detectors(),
        by_hand=True,
        cites_all=True,
        original_confidence=confidence,
    )
    statements = [c for c in checked["claims"] if c["kind"] == "statement"]
    if not statements:
        raise ValueError("Give a claim: a sentence that says something.")
    return _structured(min(statements, key=lambda said: WORST_FIRST.index(said["status"])))


def verify_claims(text: str, context: str | Sequence[str]) -> Outcomes:
    """Extract and verify every claim of ``text`` against ``context`` (SPEC-08.31); one outcome each."""
    texts = [context] if isinstance(context, str) else list(context)
    sources = [{"id": f"S{n}", "text": chunk} for n, chunk in enumerate(texts)]
    checked = judge(text, sources=sources, detectors=_detectors(), by_hand=True)
    return Outcomes(_structured(claim) for claim in checked["claims"])


def _detectors() -> list[str]:
    """What is asked for by hand is verified where answers are not; ``enabled`` switches off this too."""
    return ["strawberry", "numeric"] if settings.HALLUCINATION["enabled"] else ["numeric"]


def audit_trace(
    steps: Sequence[str | Mapping[str, Any]],
    context: str | Sequence[str | Mapping[str, Any]] = (),
    question: str = "",
    answer: str = "",
) -> Outcome:
    """Audit a reasoning trace (SPEC-08.31): its ``steps`` with status, p0, p1 and budget, and ``post_hoc``.

    Steps are texts or mappings with ``text``, ``citations``, ``confidence``; texts of the ``context`` are cited as
    ``S0``, ``S1`` … and steps as ``step 1``. Raises :class:`ValueError` for a trace without steps or with ids twice.
    """
    sources = [context] if isinstance(context, str) else context
    row, found = traces.examine(traces.trace_of(steps, context=sources, question=question, answer=answer))
    return outcome(trace_results.render(row, found))


@functools.wraps(facts.gate_fact)
def gate_fact(*given: Any, **named: Any) -> Outcome:
    """See :func:`detection.facts.gate_fact`."""
    return outcome(asdict(facts.gate_fact(*given, **named)))


def _structured(claim: Mapping[str, Any]) -> Outcome:
    lift = claim.get("strawberry") or {}
    return Outcome(
        {
            "text": claim["text"],
            "kind": claim["kind"],
            "p0": lift.get("p0"),
            "p1": lift.get("p1"),
            "required_bits": lift.get("required_bits"),
            "observed_bits": lift.get("observed_bits"),
            "budget_gap": lift.get("budget_gap_bits"),
            "status": claim["status"],
            "finding": claim["finding"],
            "reason": claim["reason"],
        }
    )


class Detector:
    """Numeric detection with the signatures of the numeric detector's document (NUM-09, NUM-10)."""

    def __init__(self, db: object = None, *, profile: ThresholdProfile | None = None) -> None:
        """``db`` is what the documents' callers hand over; rows come over Django's own connection."""
        self.profile = profile

    def detect_hallucinations(
        self,
        answer: str | None,
        sources: Sequence[Mapping[str, Any]] | None = None,
        property_id: int | None = None,
        period_id: int | None = None,
    ) -> dict[str, Any]:
        """Verify the numbers of an answer; the NUM-09 dictionary, with values as Python numbers.

        An empty or null answer has no claims. A database failure gives ``error`` and unverified claims,
        never an exception (NUM-12). Raises :class:`ValueError` for an answer that is no text and for an
        unknown property or period.
        """
        if not isinstance(answer, str | None):
            raise ValueError("answer: give a text.")
        try:
            about = _found(Property, property_id, "property_id")
            period = _found(FinancialPeriod, period_id, "period_id")
            profile = self.profile or ThresholdProfile.active()
        except DatabaseError:
            log.exception("database_unavailable")
            return _in_python(_without_database(answer, sources or ()))
        result = judge(
            answer,
            sources=sources or (),
            about=about,
            period=period,
            detectors=["numeric"],
            profile=profile,
        )
        return _in_python(result["numeric"])

    def adjust_confidence(self, original_confidence: float, detection_result: Mapping[str, Any]) -> float:
        """NUM-10: less 20 % (tunable) when there are unverified claims, within [0, 1]. The default counts
        while the database is away."""
        try:
            thresholds = (self.profile or ThresholdProfile.active()).resolve({})
        except DatabaseError:
            log.exception("database_unavailable")
            thresholds = DEFAULTS
        adjusted = adjust_confidence(
            original_confidence, bool(detection_result.get("unverified_claims")), thresholds
        )
        return 0.0 if adjusted is None else adjusted


def _without_database(answer: str | None, sources: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The NUM-09 dictionary by the sources and the default thresholds, when nothing else can be read."""
    case = Case(answer or "", sources=tuple(map(source_of, sources)), database="unavailable")
    store = _Reports(["numeric"])
    conclusion = pipeline.screen(Context(case, claims.read(case)), store)
    rendered = results.render(case, conclusion, profile={}, timings_ms=store.timings)
    numeric: dict[str, Any] = rendered["numeric"]
    return numeric


def _in_python(numeric: dict[str, Any]) -> dict[str, Any]:
    """The NUM-09 dictionary with the values of its claims as numbers instead of text; dates stay ISO forms."""
    rows = {
        name: [row | {"value": _number(row)} for row in numeric[name]]
        for name in ("claims", "flagged_claims")
    }
    return numeric | rows


def _number(row: Mapping[str, Any]) -> float | str:
    return str(row["value"]) if row["claim_type"] == "date" else float(row["value"])


def _found(model: Any, pk: int | None, name: str) -> Any:
    row = model.objects.filter(pk=pk).first() if pk is not None else None
    if pk is not None and row is None:
        raise ValueError(f"{name}: there is no row with id {pk}.")
    return row
