"""The memory gate: may a fact be remembered, and with how much confidence? (SPEC-08.15…18, SPEC-08.38, SPEC-08.42)

A pure function of what was measured. The budget is the signed one of ``information_budget`` whatever the profile
scores answers by: without its sign, evidence that refutes a fact would look as informative as evidence for it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from detection.core import strawberry
from detection.core.statements import NO_EVIDENCE
from detection.core.strawberry import NEGLIGIBLE, error_reason, midpoint
from detection.core.thresholds import Thresholds
from detection.core.types import Finding, LiftMeasured, Score, StrawberryMeasurement

REDUCTION = 0.5
"""What is left of the stated confidence of a fact that could not be verified (contracts §6)."""

LONGEST_QUOTE = 120
UNCHECKED = "number_unverified"

REASONS = {
    NO_EVIDENCE: "Neither evidence nor a figure of record was there to compare it with.",
    "no_lift": "The evidence adds nothing: the verifier gives it {p1} with the evidence and {p0} without.",
    "grounded": "The evidence gives {observed} of the {required} bits that a confidence of {target} needs.",
    "reached": "With its evidence the verifier gives it {p1}, without it {p0}; a confidence of {target} needs no more.",
    "over_budget": "The evidence leaves {gap} bits missing of what a confidence of {target} needs; {most} may be missing.",
    "low_confidence": "The evidence carries a confidence of {confidence}; at least {least} is needed.",
    "contradicted": "The evidence speaks against this: the verifier gives {p_no} that it is false.",
    "number_contradicted": "A number in it is contradicted: {number}",
    "injected": "The evidence gives orders to whoever checks it: “{order}”.",
    "number_unsupported": "A number in it was not found: {number}",
    UNCHECKED: "A number in it could not be checked: {number}",
}


@dataclass(frozen=True, slots=True)
class GateLimits:
    """What the gate lets through. ``max_gap_bits`` is the largest budget gap (SPEC-08.16), ``min_confidence`` the
    smallest adjusted confidence; with ``reject_unsupported`` a fact below it is rejected, else stored marked."""

    max_gap_bits: float = 2.0
    min_confidence: float = 0.5
    reject_unsupported: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of a fact.

    ``confidence`` is never above the stated one; of a rejected fact it is what its evidence would carry.
    ``code`` is a key of :data:`REASONS` or a verifier's error code. ``score`` is None where nothing usable was measured;
    ``statement`` is the index of the statement that decided, the one the evidence carries least.
    """

    result: Literal["stored", "stored_reduced", "rejected"]
    confidence: float
    code: str
    reason: str
    score: Score | None = None
    statement: int | None = None


RANKS = {"rejected": 0, "stored_reduced": 1, "stored": 2}


def gate(
    measured: StrawberryMeasurement,
    numbers: Iterable[Finding],
    stated: float,
    limits: GateLimits,
    thresholds: Thresholds,
) -> Outcome:
    """The outcome of a fact: that of its weakest statement, or of whatever else counts against it.

    ``measured`` holds at least one statement; ``numbers`` are the numeric detector's findings. A contradicted number
    rejects; one that was not found, or not checked, leaves the fact with reduced confidence. What is left of the
    confidence at the end must reach the smallest one, unless something could not be checked.
    """
    lifts = measured.claims.items()
    judged = [replace(gate_lift(lift, stated, limits, thresholds), statement=i) for i, lift in lifts]
    weakest = min(judged, key=lambda outcome: (RANKS[outcome.result], outcome.confidence))
    counted = [by_order(measured, stated, limits), *(by_number(finding, stated) for finding in numbers)]
    against = [outcome for outcome in counted if outcome is not None]
    refuted = [outcome for outcome in against if outcome.result == "rejected"]
    decisive = min([*refuted, weakest, *against], key=lambda outcome: RANKS[outcome.result])
    confidence = min(outcome.confidence for outcome in (*judged, *against))
    unchecked = any(one.score is None for one in judged) or any(one.code == UNCHECKED for one in against)
    too_low = confidence < limits.min_confidence and limits.reject_unsupported and not unchecked
    return replace(
        decisive,
        result="rejected" if too_low else decisive.result,
        confidence=confidence,
        score=weakest.score,
        statement=weakest.statement,
    )


def gate_lift(lift: LiftMeasured, stated: float, limits: GateLimits, thresholds: Thresholds) -> Outcome:
    """The outcome by one statement's p1 and p0; ``stated`` is the confidence claimed for it, 0 to 1."""
    if lift.error == NO_EVIDENCE:
        return Outcome("rejected", 0.0, NO_EVIDENCE, REASONS[NO_EVIDENCE])
    if lift.error or lift.p1 is None or lift.p0 is None or lift.p_no is None:
        return _unverified(lift.error or "not_measured", stated)
    target = strawberry.target_of(lift, StrawberryMeasurement({}, {}, stated), thresholds)
    score = strawberry.score(
        lift.p1,
        lift.p0,
        lift.p_no,
        cited=lift.cited,
        target=target,
        p_cited=lift.p_cited,
        thresholds=thresholds,
    )
    required, observed = midpoint(score.required_bits), midpoint(score.observed_bits)
    p1, p0 = midpoint(lift.p1), midpoint(lift.p0)
    confidence = _adjusted(stated, required, observed, p1)
    adds = p1 - p0 >= thresholds.minimum_lift
    code, result = _verdict(score, required - observed, confidence, limits, adds=adds)
    told = "reached" if code == "grounded" and required <= NEGLIGIBLE else code
    reason = REASONS[told].format(
        observed=f"{observed:.2f}",
        required=f"{required:.2f}",
        gap=f"{required - observed:.2f}",
        most=f"{limits.max_gap_bits:g}",
        least=f"{limits.min_confidence:.0%}",
        confidence=f"{confidence:.0%}",
        target=f"{target:.0%}",
        p1=f"{p1:.0%}",
        p0=f"{p0:.0%}",
        p_no=f"{midpoint(lift.p_no):.0%}",
    )
    return Outcome(result, 0.0 if code == "contradicted" else confidence, code, reason, score)


def _adjusted(stated: float, required: float, observed: float, p1: float) -> float:
    """min(stated, observed / required) (SPEC-08.17), within [0, 1]. Where nothing is required, because the fact is as
    likely without its evidence as was stated, the document divides by zero: there it is min(stated, p1)."""
    carried = p1 if required <= NEGLIGIBLE else observed / required
    return min(stated, max(carried, 0.0))


def _verdict(
    score: Score, gap: float, confidence: float, limits: GateLimits, *, adds: bool
) -> tuple[str, Literal["stored", "stored_reduced", "rejected"]]:
    if score.finding == "contradicted":
        return "contradicted", "rejected"
    if gap > limits.max_gap_bits:
        return "over_budget", "rejected"
    if not adds:
        return "no_lift", "rejected"
    if confidence < limits.min_confidence:
        return "low_confidence", "rejected" if limits.reject_unsupported else "stored_reduced"
    return "grounded", "stored"


def _unverified(code: str, stated: float) -> Outcome:
    """A verifier that did not answer costs confidence and never the fact (SPEC-08.38, SPEC-08.42)."""
    return Outcome("stored_reduced", stated * REDUCTION, code, error_reason(code))


def by_order(measured: StrawberryMeasurement, stated: float, limits: GateLimits) -> Outcome | None:
    """What evidence means for a fact that tells its verifier what to answer: it carries nothing."""
    if not measured.injected:
        return None
    reason = REASONS["injected"].format(order=measured.injected[0].text[:LONGEST_QUOTE])
    if limits.reject_unsupported:
        return Outcome("rejected", 0.0, "injected", reason)
    return Outcome("stored_reduced", stated * REDUCTION, "injected", reason)


def by_number(finding: Finding, stated: float) -> Outcome | None:
    """What a number of the fact means for it; None for one that is supported or was not due."""
    code = f"number_{finding.status}"
    if code not in REASONS:
        return None
    reason = REASONS[code].format(number=finding.reason)
    if finding.status == "contradicted":
        return Outcome("rejected", 0.0, code, reason)
    return Outcome("stored_reduced", stated * REDUCTION, code, reason)
