"""The Result: one shape for the API, ``manage.py detect``, webhooks and the toolkit (contracts §2).

:func:`render` turns a conclusion into plain JSON values; it is stored with the run as it was delivered.
Money and measured decimals are strings, probabilities and bits are numbers; scalars are midpoints,
``intervals`` holds the pairs.
"""

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from detection.core.pipeline import Conclusion
from detection.core.types import (
    Case,
    Claim,
    Finding,
    JudgeMeasurement,
    Measurement,
    NumberMeasured,
    Overlap,
    StrawberryMeasurement,
    Usage,
)
from detection.core.verdict import UNDERCHECKED, missing, notices
from detection.runs import result_numbers
from detection.runs.result_sections import (
    budget_section,
    citation_section,
    conclusion_section,
    govil_section,
    interval_columns,
    judge_section,
    lifts,
    measured_claims,
    numeric_section,
    plain,
)
from detection.runs.self_correction import self_correction


def render(
    case: Case,
    conclusion: Conclusion,
    *,
    profile: Mapping[str, Any],
    timings_ms: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """The Result without what only a stored answer has (``id``, ``external_id``, ``status``, ``review``)."""
    timings = {name: round(value, 3) for name, value in (timings_ms or {}).items()}
    doubtful = [f for f in conclusion.findings if f.claim in conclusion.flagged]
    names = result_numbers.names_of(case)
    return {
        "verdict": _verdict(conclusion),
        "claims": [
            _claim(case, conclusion, claim, finding, names)
            for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True)
        ],
        "numeric": numeric_section(case, conclusion, timings.get("numeric", 0.0)),
        "citations": citation_section(conclusion),
        "hallucination_check": govil_section(case, conclusion),
        "grounding": plain(conclusion.decisions.get("grounding")),
        "judge": judge_section(conclusion),
        "self_correction": self_correction(conclusion, case.language),
        "warning": notices.answer_warning(
            case.language,
            len([f for f in doubtful if f.status != "unverified"]),
            _unchecked(conclusion),
        ),
        "checks": {
            name: {"status": report.status, "reason": missing(report, case.language)}
            for name, report in conclusion.reports.items()
        },
        "profile": dict(profile),
        "timings_ms": timings,
        "cost": cost_of(*(report.measurement for report in conclusion.reports.values())),
    }


def cost_of(*measurements: Measurement | None) -> dict[str, Any]:
    """What measurements cost: calls of models, tokens, and US dollars as text."""
    usage = sum((_usage(measurement) for measurement in measurements), Usage())
    return {"calls": usage.calls, "tokens": usage.tokens, "usd": str(usage.usd)}


def _usage(measurement: Measurement | None) -> Usage:
    if isinstance(measurement, JudgeMeasurement):
        return measurement.usage
    asked = measurement.claims.values() if isinstance(measurement, StrawberryMeasurement) else ()
    return sum((lift.usage for lift in asked), Usage())


def _unchecked(conclusion: Conclusion) -> int:
    """How many claims and checks are missing that a reader may take for granted."""
    claims = sum(f.status == "unverified" or f.code in UNDERCHECKED for f in conclusion.findings)
    failed = sum(reason.code == "check_failed" for reason in conclusion.verdict.reasons)
    return claims + failed + sum(report.status == "away" for report in conclusion.reports.values())


def _verdict(conclusion: Conclusion) -> dict[str, Any]:
    rendered: dict[str, Any] = plain(conclusion.verdict)
    return rendered


def _claim(
    case: Case, conclusion: Conclusion, claim: Claim, finding: Finding, names: result_numbers.Names
) -> dict[str, Any]:
    doubtful = finding.status in ("contradicted", "unsupported")
    rendered: dict[str, Any] = {
        "index": claim.index,
        "kind": claim.kind,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "sentence": claim.sentence,
        "citations": list(claim.citations),
        "status": finding.status,
        "finding": finding.code,
        "reason": finding.reason,
        "conclusion": conclusion_section(claim, finding),
        "disputed": [asdict(one) for one in finding.disputed],
        "flagged": claim.index in conclusion.flagged,
        "warning": notices.claim_warning(case.language) if doubtful else None,
        "evidence": [],
    }
    if claim.kind == "statement":
        rendered["strawberry"] = _strawberry(conclusion, claim, finding)
        rendered["grounding"] = _grounding(conclusion, claim)
        rendered["judge"] = _opinion(conclusion, claim)
        return rendered
    rendered["statement"] = claim.statement
    measured = _numbers(conclusion).get(claim.index)
    return rendered | result_numbers.numeric_section(claim, finding, measured, case.property, names)


def _numbers(conclusion: Conclusion) -> Mapping[int, NumberMeasured]:
    return measured_claims(conclusion, "numeric")


def _strawberry(conclusion: Conclusion, claim: Claim, finding: Finding) -> dict[str, Any] | None:
    lift = lifts(conclusion).get(claim.index)
    return None if lift is None else budget_section(lift, finding)


def _grounding(conclusion: Conclusion, claim: Claim) -> dict[str, Any] | None:
    overlap: Overlap | None = measured_claims(conclusion, "grounding").get(claim.index)
    return asdict(overlap) if overlap else None


def _opinion(conclusion: Conclusion, claim: Claim) -> list[dict[str, Any]] | None:
    """What the judge says against a statement; None when it was not asked, empty when it says nothing."""
    report = conclusion.reports.get("judge")
    opinion = report.measurement if report else None
    if not isinstance(opinion, JudgeMeasurement):
        return None
    against = (each for each in opinion.hallucinations if claim.index in each.statements)
    return [{"kind": each.kind, "reason": each.reason} for each in against]


def columns(conclusion: Conclusion, claim: Claim, finding: Finding) -> dict[str, Any]:
    """The measured columns of a claim's row, those that people filter on."""
    if claim.kind != "statement":
        measured = _numbers(conclusion).get(claim.index)
        other = result_numbers.expected(finding, measured)
        deviation = result_numbers.signed_deviation(claim, other)
        metric, period, _ = result_numbers.slots_of(claim, measured)
        return {
            "metric": (metric or "")[:60],
            "period": (period or "")[:40],
            "expected": (result_numbers.told(claim, other) or "")[:60],
            "deviation": None
            if deviation is None
            else float(max(min(deviation, Decimal("1e300")), Decimal("-1e300"))),
        }
    lift, overlap = (
        lifts(conclusion).get(claim.index),
        measured_claims(conclusion, "grounding").get(claim.index),
    )
    ends = interval_columns(lift.p1, lift.p0) if lift else interval_columns(None, None)
    return {**ends, "overlap": overlap.overlap if overlap else None}
