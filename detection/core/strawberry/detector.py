"""The information-budget detector: is a statement carried by the evidence it cites? (GOV, SPEC-08)

``measure`` asks a verifier how likely each statement is with its evidence (p1) and without it (p0);
``decide`` turns what was stored of that into findings, under any thresholds and any profile.
"""

from detection.core.statements import leave_out, measure
from detection.core.strawberry.reasons import error_reason, reason, skip_reason
from detection.core.strawberry.scoring import SCORINGS, Beliefs, score
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Finding,
    LiftMeasured,
    Score,
    Status,
    StrawberryDecision,
    StrawberryMeasurement,
)

__all__ = ["SCORINGS", "decide", "leave_out", "measure", "score", "target_of"]

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


def decide(
    measurement: StrawberryMeasurement,
    thresholds: Thresholds,
    scoring: str = "information_budget",
    language: str = "en",
) -> StrawberryDecision:
    """Findings under a profile, told in ``language``, and the GovIL scores that ``hallucination_check`` always shows.

    A statement without usable probabilities counts as not grounded in the GovIL share (GOV-06): silence
    never looks like support. An answer without statements is grounded, one of which none was verified for
    the limit or for overload is not.
    """
    left_out = measurement.skipped.items()
    findings = [_skip(index, code, language) for index, code in left_out if code != "too_short"]
    govil: dict[int, Score] = {}
    for index, lift in measurement.claims.items():
        beliefs = _beliefs(lift, measurement, thresholds)
        findings.append(_find(index, lift, beliefs, thresholds, scoring, language))
        if beliefs and findings[-1].status != "not_checked":
            govil[index] = SCORINGS["govil"](beliefs, thresholds)
    findings.sort(key=lambda finding: finding.claim)
    checked = sum(finding.status != "not_checked" for finding in findings)
    nothing = 0.0 if {"claim_limit", "overload"} & set(measurement.skipped.values()) else 1.0
    ratio = sum(bool(each.grounded) for each in govil.values()) / checked if checked else nothing
    return StrawberryDecision(
        tuple(findings), govil, ratio >= thresholds.govil_grounded_share, ratio, measurement.injected
    )


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
    index: int,
    lift: LiftMeasured,
    beliefs: Beliefs | None,
    thresholds: Thresholds,
    scoring: str,
    language: str,
) -> Finding:
    if lift.text_length < thresholds.minimum_claim_length:
        return _skip(index, "too_short", language)
    if beliefs is None:
        code = lift.error or "not_measured"
        why = error_reason(code, language)
        return Finding("strawberry", index, "unverified", code, why, thresholds.severity_unverified)
    result = SCORINGS[scoring](beliefs, thresholds)
    strict = result.finding == "borderline" and thresholds.strict_budget
    return Finding(
        detector="strawberry",
        claim=index,
        status="unsupported" if strict else STATUS[result.finding],
        code=result.finding,
        reason=reason(beliefs, result, scoring, language),
        severity=_severity(result, thresholds),
        score=result,
    )


def _skip(index: int, code: str, language: str) -> Finding:
    return Finding("strawberry", index, "not_checked", code, skip_reason(code, language))


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
