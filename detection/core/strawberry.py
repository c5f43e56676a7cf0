"""The information-budget detector: is a statement carried by the evidence it cites? (GOV, SPEC-08)

``measure`` asks a verifier how likely each statement is with its evidence (p1) and without it (p0) and
stores both; ``decide`` turns stored probabilities into findings under any thresholds and any profile.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from detection.core.ports import Estimate, Verifier
from detection.core.scoring import SCORINGS, Beliefs, score
from detection.core.scrubbing import (
    cited_context,
    cited_refs,
    full_context,
    near_duplicates,
    scrubbed_context,
    scrubbed_refs,
)
from detection.core.strawberry_reasons import error_reason, reason, skip_reason
from detection.core.text import strip_marks
from detection.core.thresholds import Thresholds, form_fields
from detection.core.types import (
    Case,
    Claim,
    Expired,
    Finding,
    LiftMeasured,
    Score,
    Status,
    StrawberryDecision,
    StrawberryMeasurement,
    never,
)

__all__ = ["SCORINGS", "decide", "measure", "score"]

SIDE_BY_SIDE = 4
"""Contexts asked about at the same time (GOV-09)."""

STATUS: dict[str, Status] = {
    "contradicted": "contradicted",
    "supported": "supported",
    "supported_uncited": "supported",
    "supported_redundant": "supported",
    "borderline": "supported",
    "miscited": "unsupported",
    "unsupported": "unsupported",
    "uncertain": "unverified",
}

_BOUNDS = {field.name: (field.metadata["low"], field.metadata["high"]) for field in form_fields()}
LOWEST_TARGET = min(_BOUNDS["target_confidence"][0], _BOUNDS["target_by_method"][0])
HIGHEST_LIFT = _BOUNDS["minimum_lift"][1]


@dataclass(frozen=True, slots=True)
class _Due:
    """A statement to verify: its text without marks, the sources it cites, the sources p0 must not see."""

    claim: Claim
    text: str
    cited: tuple[str, ...]
    scrubbed: tuple[str, ...]


# --- measure ----------------------------------------------------------------------------------------


def measure(
    case: Case,
    claims: Iterable[Claim],
    verifier: Verifier,
    thresholds: Thresholds,
    expired: Expired = never,
) -> StrawberryMeasurement:
    """Ask for p1 and p0 of the statements that are due (GOV-01…03, GOV-08, SPEC-08.03).

    Statements that share their scrubbed sources share a context and a batch. A statement whose verifier
    call fails, or that ``expired`` cuts off, is stored with ``error``; the others go on (SPEC-08.42).
    """
    lifts, skipped = _sorted_out(claims, thresholds)
    due = _due(case, [claim for claim in claims if claim.index not in skipped], thresholds)
    full = full_context(case.sources, thresholds.placeholder)
    scrubbed = [scrubbed_context(case.sources, item.scrubbed, thresholds.placeholder) for item in due]
    asked = [(full, item.text) for item in due]
    asked += [(context, item.text) for context, item in zip(scrubbed, due, strict=True)]
    answers = _ask(verifier, asked, expired)
    measured = [_lift(item, answers[i], answers[i + len(due)]) for i, item in enumerate(due)]
    probed = _probe(case, due, measured, verifier, thresholds, expired)
    lifts |= {item.claim.index: lift for item, lift in zip(due, probed, strict=True)}
    return StrawberryMeasurement(lifts, skipped, case.original_confidence)


def _sorted_out(
    claims: Iterable[Claim], thresholds: Thresholds
) -> tuple[dict[int, LiftMeasured], dict[int, str]]:
    """Why statements are not verified, and an entry for each that a lower minimum would make due (GOV-08)."""
    lifts: dict[int, LiftMeasured] = {}
    skipped: dict[int, str] = {}
    left = thresholds.maximum_verified_claims
    for claim in claims:
        length = len(strip_marks(claim.text).strip())
        if claim.kind != "statement":
            continue
        if claim.excluded:
            skipped[claim.index] = claim.excluded
        elif length < thresholds.minimum_claim_length:
            skipped[claim.index] = "too_short"
            lifts[claim.index] = LiftMeasured(
                length, bool(claim.citations), claim.confidence, error="not_measured"
            )
        elif left <= 0:
            skipped[claim.index] = "claim_limit"
        else:
            left -= 1
    return lifts, skipped


def _due(case: Case, claims: Sequence[Claim], thresholds: Thresholds) -> list[_Due]:
    duplicates = near_duplicates(case.sources, thresholds.near_duplicate)
    due = []
    for claim in claims:
        if claim.kind == "statement":
            cited = cited_refs(case.sources, claim.citations)
            text = strip_marks(claim.text).strip()
            due.append(_Due(claim, text, cited, scrubbed_refs(cited, duplicates)))
    return due


def _ask(verifier: Verifier, asked: Sequence[tuple[str, str]], expired: Expired) -> list[Estimate]:
    """Estimates for (context, claim text) pairs, in order; one batch a context, several side by side."""
    batches: dict[str, list[int]] = {}
    for position, (context, _) in enumerate(asked):
        batches.setdefault(context, []).append(position)
    if not batches:
        return []
    answers: dict[int, Estimate] = {}
    with ThreadPoolExecutor(min(SIDE_BY_SIDE, len(batches))) as pool:
        texts = [[asked[i][1] for i in positions] for positions in batches.values()]
        estimates = pool.map(lambda batch, context: _batch(verifier, batch, context, expired), texts, batches)
        for positions, batch in zip(batches.values(), estimates, strict=True):
            answers |= dict(zip(positions, batch, strict=True))
    return [answers[i] for i in range(len(asked))]


def _batch(verifier: Verifier, texts: Sequence[str], context: str, expired: Expired) -> Sequence[Estimate]:
    """One batch; whatever goes wrong in it stays in it (SPEC-08.43)."""
    if expired():
        return [Estimate(error="timeout")] * len(texts)
    try:
        estimates = verifier.batch_estimate(texts, context)
    except Exception as failure:  # noqa: BLE001 — a broken verifier must not take the answer with it
        return [Estimate(error=getattr(failure, "code", "verifier_error"))] * len(texts)
    if len(estimates) != len(texts):
        return [Estimate(error="verifier_error")] * len(texts)
    return estimates


def _lift(due: _Due, with_evidence: Estimate, without: Estimate) -> LiftMeasured:
    """p1 and p0 of one statement: both or neither, since half a pair proves nothing."""
    failed = next((estimate for estimate in (with_evidence, without) if estimate.error), None)
    return LiftMeasured(
        text_length=len(due.text),
        cited=bool(due.cited),
        confidence=due.claim.confidence,
        p1=None if failed else with_evidence.yes,
        p0=None if failed else without.yes,
        p_no=None if failed else with_evidence.no,
        scrubbed=due.scrubbed,
        method=with_evidence.method,
        model=with_evidence.model,
        prompt_version=with_evidence.prompt_version,
        usage=with_evidence.usage + without.usage,
        latency_ms=with_evidence.latency_ms + without.latency_ms,
        error=failed.error if failed else None,
        retry_after=failed.retry_after if failed else None,
    )


def _probe(
    case: Case,
    due: Sequence[_Due],
    lifts: Sequence[LiftMeasured],
    verifier: Verifier,
    thresholds: Thresholds,
    expired: Expired,
) -> list[LiftMeasured]:
    """Add p_cited wherever any permitted threshold could ask for it; it is p1 when all sources are cited."""
    everything = {source.ref for source in case.sources}
    wanted = [i for i, lift in enumerate(lifts) if _needs_probe(lift)]
    to_ask = [i for i in wanted if set(due[i].cited) != everything]
    contexts = {i: cited_context(case.sources, due[i].cited, thresholds.placeholder) for i in to_ask}
    answers = _ask(verifier, [(contexts[i], due[i].text) for i in to_ask], expired)
    estimates = dict(zip(to_ask, answers, strict=True))
    probed = list(lifts)
    for i in wanted:
        probed[i] = _with_probe(lifts[i], estimates.get(i))
    return probed


def _needs_probe(lift: LiftMeasured) -> bool:
    if lift.p1 is None or lift.p0 is None or not lift.cited:
        return False
    return lift.p1[1] >= LOWEST_TARGET and lift.p1[0] - lift.p0[1] < HIGHEST_LIFT


def _with_probe(lift: LiftMeasured, estimate: Estimate | None) -> LiftMeasured:
    if estimate is None:
        return replace(lift, p_cited=lift.p1[0] if lift.p1 else None)
    return replace(
        lift,
        p_cited=None if estimate.error else estimate.yes[0],
        usage=lift.usage + estimate.usage,
        latency_ms=lift.latency_ms + estimate.latency_ms,
    )


# --- decide -----------------------------------------------------------------------------------------


def decide(
    measurement: StrawberryMeasurement, thresholds: Thresholds, scoring: str = "information_budget"
) -> StrawberryDecision:
    """Findings under a profile, and the GovIL scores that ``hallucination_check`` always shows.

    A statement without usable probabilities counts as not grounded in the GovIL share (GOV-06): silence
    never looks like support. An answer without statements is grounded.
    """
    findings = [_skip(index, code) for index, code in measurement.skipped.items() if code != "too_short"]
    govil: dict[int, Score] = {}
    for index, lift in measurement.claims.items():
        beliefs = _beliefs(lift, measurement, thresholds)
        findings.append(_find(index, lift, beliefs, thresholds, scoring))
        if beliefs and findings[-1].status != "not_checked":
            govil[index] = SCORINGS["govil"](beliefs, thresholds)
    findings.sort(key=lambda finding: finding.claim)
    checked = sum(finding.status != "not_checked" for finding in findings)
    ratio = sum(bool(each.grounded) for each in govil.values()) / checked if checked else 1.0
    return StrawberryDecision(tuple(findings), govil, ratio >= thresholds.govil_grounded_share, ratio)


def target_of(lift: LiftMeasured, measurement: StrawberryMeasurement, thresholds: Thresholds) -> float:
    """τ: the confidence stated for the claim, else for the answer, else the default; capped by method."""
    stated = [lift.confidence, measurement.original_confidence, thresholds.target_confidence]
    target = next(value for value in stated if value is not None)
    return min(target, thresholds.target_by_method.get(lift.method, 1.0))


def _beliefs(
    lift: LiftMeasured, measurement: StrawberryMeasurement, thresholds: Thresholds
) -> Beliefs | None:
    if lift.error or lift.p1 is None or lift.p0 is None or lift.p_no is None:
        return None
    target = target_of(lift, measurement, thresholds)
    return Beliefs(lift.p1, lift.p0, lift.p_no, lift.cited, target, lift.p_cited)


def _find(
    index: int, lift: LiftMeasured, beliefs: Beliefs | None, thresholds: Thresholds, scoring: str
) -> Finding:
    if lift.text_length < thresholds.minimum_claim_length:
        return _skip(index, "too_short")
    if beliefs is None:
        code = lift.error or "not_measured"
        return Finding(
            "strawberry", index, "unverified", code, error_reason(code), thresholds.severity_unverified
        )
    result = SCORINGS[scoring](beliefs, thresholds)
    strict = result.finding == "borderline" and thresholds.strict_budget
    return Finding(
        detector="strawberry",
        claim=index,
        status="unsupported" if strict else STATUS[result.finding],
        code=result.finding,
        reason=reason(beliefs, result, scoring),
        severity=_severity(result, thresholds),
        score=result,
    )


def _skip(index: int, code: str) -> Finding:
    return Finding("strawberry", index, "not_checked", code, skip_reason(code))


def _severity(result: Score, thresholds: Thresholds) -> float:
    """A finding's share of risk; an unsupported claim's grows with the bits it lacks (SPEC-08.05).

    Where little was required the gap in bits stays small even for evidence that says nothing, so a claim
    that got less than half of what it needed is of medium severity at least.
    """
    if result.finding == "unsupported":
        required, observed = sum(result.required_bits) / 2, sum(result.observed_bits) / 2
        if required - observed >= thresholds.gap_high_bits:
            return thresholds.severity_unsupported_high
        if required - observed >= thresholds.gap_medium_bits or observed < required / 2:
            return thresholds.severity_unsupported
        return thresholds.severity_unsupported_low
    return {
        "contradicted": thresholds.severity_contradicted,
        "miscited": thresholds.severity_unsupported,
        "borderline": thresholds.severity_unsupported_low
        if thresholds.strict_budget
        else thresholds.severity_borderline,
        "uncertain": thresholds.severity_unverified,
    }.get(result.finding, 0.0)
