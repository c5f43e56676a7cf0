"""The information-budget detector: is a statement carried by the evidence it cites? (GOV, SPEC-08)

``measure`` asks a verifier how likely each statement is with its evidence (p1) and without it (p0);
``decide`` turns what was stored of that into findings, under any thresholds and any profile.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import nan
from operator import ge, le, lt

from detection.core.context import Context
from detection.core.rules import Row, holds
from detection.core.statements import measure
from detection.core.strawberry.information import midpoint
from detection.core.strawberry.reasons import error_reason, reason, skip_reason, values, with_caution
from detection.core.strawberry.scoring import (
    SCORINGS,
    STATUS,
    Beliefs,
    score,
    severity,
    statuses,
    target_confidence,
)
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Finding,
    LiftMeasured,
    Score,
    Status,
    StrawberryDecision,
    StrawberryMeasurement,
)

__all__ = ["SCORINGS", "STATUS", "decide", "measure", "score", "skip_status", "target_of"]

ABSTAINED: Mapping[str, Status] = {"abstention_doubted": "unsupported"}
"""Status of what abstains where the evidence says more. That nothing near was found supports no abstention: it is so of a third
of the false ones, too, where the evidence has other words."""
SILENT = Row("no_verifier", ("p1_low", le, 0), ("p1_high", ge, 1))
"""A verifier that says anything between 0 and 1 says nothing: it cannot read this."""
SHORT = Row("too_short", ("length", lt, "minimum_claim_length"))


def decide(measurement: StrawberryMeasurement, context: Context) -> StrawberryDecision:
    """Findings under a profile and its scoring, and the GovIL scores that ``hallucination_check`` always shows.

    A statement without usable probabilities counts as not grounded in the GovIL share (GOV-06): silence
    never looks like support. An answer without statements is grounded, one of which none was verified for
    the limit or for overload is not.
    """
    thresholds = context.thresholds
    left_out = measurement.skipped.items()
    findings = [_skip(index, code, context) for index, code in left_out if code != "too_short"]
    govil: dict[int, Score] = {}
    for index, lift in measurement.claims.items():
        beliefs = beliefs_of(lift, target_of(lift, measurement, thresholds))
        findings.append(_find(index, lift, beliefs, context))
        if beliefs and findings[-1].status != "not_checked":
            govil[index] = SCORINGS["govil"](beliefs, thresholds)
    findings.sort(key=lambda finding: finding.claim)
    checked = sum(finding.status != "not_checked" for finding in findings)
    nothing = 0.0 if {"claim_limit", "overload", "no_verifier"} & set(measurement.skipped.values()) else 1.0
    ratio = sum(bool(each.grounded) for each in govil.values()) / checked if checked else nothing
    return StrawberryDecision(
        tuple(findings),
        govil,
        ratio >= thresholds.govil_grounded_share,
        ratio,
        measurement.injected,
    )


def target_of(lift: LiftMeasured, measurement: StrawberryMeasurement, thresholds: Thresholds) -> float:
    """τ: the confidence stated for the claim, else for the answer, else the default; capped by method."""
    stated = lift.confidence if lift.confidence is not None else measurement.original_confidence
    target: float = target_confidence(nan if stated is None else stated, lift.method, thresholds)
    return target


def beliefs_of(lift: LiftMeasured, target: float) -> Beliefs | None:
    """What the verifier believes of a statement; None where nothing usable came."""
    if lift.error or lift.p1 is None or lift.p0 is None or lift.p_no is None:
        return None
    return Beliefs(lift.p1, lift.p0, lift.p_no, lift.cited, target, lift.p_cited)


def _find(index: int, lift: LiftMeasured, beliefs: Beliefs | None, context: Context) -> Finding:
    thresholds, language = context.thresholds, context.language
    if holds(SHORT, {"length": lift.text_length}, thresholds):
        return replace(_skip(index, "too_short", context), disputed=lift.disputes)
    if beliefs is None:
        code = lift.error or "not_measured"
        why = error_reason(code, language)
        severe = thresholds.severity("unverified")
        return Finding("strawberry", index, "unverified", code, why, severe, disputed=lift.disputes)
    if holds(SILENT, {"p1_low": beliefs.p1[0], "p1_high": beliefs.p1[1]}, thresholds):
        return replace(_skip(index, SILENT.gives, context), disputed=lift.disputes)
    result = SCORINGS[context.scoring](beliefs, thresholds)
    status = statuses(thresholds)[result.finding]
    told = reason(beliefs, result, context.scoring, language)
    return Finding(
        detector="strawberry",
        claim=index,
        status=status,
        code=result.finding,
        reason=with_caution(told, status, lift.method, language),
        values=values(beliefs, result, context.scoring),
        severity=severity(result, thresholds),
        score=result,
        believed=midpoint(beliefs.p1),
        disputed=lift.disputes,
    )


def _skip(index: int, code: str, context: Context) -> Finding:
    status = skip_status(code)
    why = skip_reason(code, context.language)
    return Finding("strawberry", index, status, code, why, context.thresholds.severity(status))


def skip_status(code: str) -> Status:
    """What became of a statement that no verifier was asked about: an abstention is compared with the evidence without one."""
    return ABSTAINED.get(code, "not_checked")
