"""Measuring a fact for the memory gate: is it an assertion, do its numbers agree, does its evidence carry it?

The same core detectors as for answers. The verifier works under a hard deadline, whatever it does meanwhile.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings

from detection import runs
from detection.core import claims, codec, evidence, pipeline
from detection.core.context import Context
from detection.core.facts import GateLimits, Outcome, memory_gate
from detection.core.pipeline import Conclusion
from detection.core.ports import Estimate, VerifierError, VerifierTimeout
from detection.core.statements import NO_EVIDENCE
from detection.core.stores import Memory
from detection.core.strawberry import error_reason, skip_reason
from detection.core.thresholds import Thresholds
from detection.core.types import Case, Claim, LiftMeasured, ReportStatus, StrawberryMeasurement
from detection.models import ThresholdProfile
from detection.operations import verifying
from detection.runs import budget_columns, budget_section
from detection.verifiers.deadlines import Deadline, PunctualVerifier
from detection.verifiers.side_by_side import side_by_side

log = logging.getLogger(__name__)

GRACE = 0.2
"""Seconds after the verifier's deadline in which what is there by then is brought together."""
LATER = ("timeout", "rate_limited")
QUOTED = 80


class NoAssertion(ValueError):
    """The text asserts nothing that could be remembered (SPEC-08.09)."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the gate makes of a fact. ``columns`` are those of its row; ``verified`` is False when the verifier gave
    nothing usable for a statement or a number could not be checked, ``later`` says that the verifier is to be asked
    again, after ``wait`` seconds if it said so."""

    outcome: Outcome
    columns: Mapping[str, Any]
    verified: bool
    later: bool
    wait: float | None


def assertion(case: Case) -> tuple[Claim, ...]:
    """The claims of a fact, all of its evidence taken as cited and its confidence as stated for the whole.

    Raises :class:`NoAssertion` for a text that says nothing, and for one that asks, orders or hedges anywhere: an
    order that travels with a fact would be remembered with it.
    """
    read = claims.read(case)
    if not read:
        raise NoAssertion("Give a sentence that says something.")
    excluded = next((claim for claim in read if claim.excluded), None)
    if excluded is not None:
        raise NoAssertion(f"“{excluded.text[:QUOTED]}”: {skip_reason(excluded.excluded or '')}")
    refs = tuple(source.ref for source in case.sources)
    return tuple(replace(claim, citations=refs, confidence=None) for claim in read)


def check(case: Case, read: Sequence[Claim], profile: ThresholdProfile, deadline: Deadline) -> Checked:
    """Measure a fact and decide, at the deadline by what is there; ``case.original_confidence`` is as stated.

    Whatever goes wrong meanwhile, and evidence that takes longer to read than there is time, costs the verification and
    not the fact (SPEC-08.42, SPEC-08.43).
    """
    # the gate's own sentences are English, and hold those of numbers
    context = Context(
        case=replace(case, language="en"),
        claims=read,
        thresholds=thresholds_of(case, profile),
        verifier=PunctualVerifier(_Opened(), deadline),
    )
    store = _Reports(("numeric", "strawberry"), deadline=deadline, failed=_unmeasured(context))
    judging = [lambda: pipeline.screen(context, store)]
    (found,) = side_by_side(judging, limit=1, seconds=deadline.left() + GRACE)
    if isinstance(found, Exception):
        log.warning("fact_not_measured error=%s", type(found).__name__)
        code = found.code if isinstance(found, VerifierError) else VerifierError.code
        found = pipeline.screen(context, Memory(("strawberry",), {"strawberry": _unmeasured(context, code)}))
    return _checked(context, profile, found)


@dataclass(slots=True)
class _Reports(Memory):
    """The reports on a fact. Numbers have the time they have in an answer, the verifier has until the ``deadline``,
    and one that brings nothing has ``failed`` for every statement."""

    deadline: Deadline = field(kw_only=True)
    failed: pipeline.Report = field(kw_only=True)

    def begin(self, name: str, context: Context) -> Context:
        """The context with the detector's deadline."""
        numbers = name == "numeric"
        expired = runs.deadline_of(name, context.thresholds) if numbers else self.deadline.expired
        return replace(context, expired=expired)

    def keep(self, name: str, report: pipeline.Report) -> None:
        """Keep a report, or the failed one."""
        lost = name == "strawberry" and report.measurement is None
        self.kept[name] = self.failed if lost else report


def _checked(context: Context, profile: ThresholdProfile, conclusion: Conclusion) -> Checked:
    case, read, thresholds = context.case, context.claims, context.thresholds
    measured = conclusion.reports["strawberry"].measurement
    assert isinstance(measured, StrawberryMeasurement)  # noqa: S101 — the stores keep nothing else
    numbers = [f for claim, f in zip(read, conclusion.findings, strict=True) if claim.kind != "statement"]
    outcome = memory_gate.gate(measured, numbers, case.original_confidence or 0.0, limits(), thresholds)
    failed = [lift for lift in measured.claims.values() if lift.error]
    return Checked(
        outcome=outcome,
        columns={"profile": profile, **_columns(outcome, conclusion, measured)},
        verified=not failed and not any(number.status == "unverified" for number in numbers),
        later=any(lift.error in LATER or lift.retry_after is not None for lift in failed),
        wait=max((lift.retry_after for lift in failed if lift.retry_after is not None), default=None),
    )


def limits() -> GateLimits:
    """What the gate lets through, from the settings (SPEC-08.34)."""
    gate = settings.HALLUCINATION["memory_gate"]
    return GateLimits(gate["max_gap_bits"], gate["min_confidence"], gate["reject_unsupported"])


def thresholds_of(case: Case, profile: ThresholdProfile) -> Thresholds:
    """A profile's thresholds for a fact: every statement is verified, however short, and none more than it takes.

    The budget is that of the stated confidence itself (SPEC-08.04). What answers have, a cap by verifier that keeps the
    review queue short, would here let a fact keep a confidence that its verifier never vouched for.
    """
    qualities = [source.quality for source in case.sources]
    facets = {
        "language": case.language,
        "property": case.property,
        "source_quality": runs.source_quality(qualities),
    }
    return profile.resolve(facets).changed(
        minimum_claim_length=0,
        maximum_verified_claims=1000,
        max_source_checks=1000,
        leave_one_out=False,
        target_by_method={},
    )


class _Opened:
    """The gate's verifier, opened at the first call: that takes its time too, and the caller waits for nothing."""

    name = "memory_gate"

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """One claim's estimate."""
        return verifying.verifier_for("memory_gate").estimate_probability(claim, context)

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """The claims' estimates in order."""
        return verifying.verifier_for("memory_gate").batch_estimate(claims, context)


def _unmeasured(context: Context, code: str = VerifierError.code) -> pipeline.Report:
    """A report without a probability for any statement, and why: without evidence there was nothing to measure."""
    code = NO_EVIDENCE if evidence.is_empty(evidence.texts(context.case)) else code
    failed = {
        claim.index: LiftMeasured(len(claim.text), bool(claim.citations), error=code)
        for claim in context.claims
        if claim.kind == "statement"
    }
    status: ReportStatus = "timeout" if code == VerifierTimeout.code else "error"
    return pipeline.Report(
        status, StrawberryMeasurement(failed, {}, context.case.original_confidence), error_reason(code)
    )


def _columns(outcome: Outcome, conclusion: Conclusion, measured: StrawberryMeasurement) -> dict[str, Any]:
    """What a fact's row says of its verification: the figures of the statement that decided."""
    decided = outcome.statement or 0
    lift = measured.claims[decided]
    findings = {f.claim: f for f in conclusion.decisions["strawberry"].findings}
    shown = budget_section(lift, findings[decided])
    return budget_columns(shown) | {
        "confidence": outcome.confidence,
        "finding": outcome.code,
        "reason": outcome.reason,
        "method": lift.method,
        "model": lift.model,
        "measurement": {
            name: codec.dump(report.measurement)
            for name, report in conclusion.reports.items()
            if report.measurement is not None
        },
    }
