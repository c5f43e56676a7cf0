"""The answer-level sections of a Result: the NUM-09, CIT and GOV-07 objects, and how values are shown."""

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from detection.core.pipeline import Conclusion
from detection.core.text import spoken
from detection.core.types import Case, Claim, Finding, Interval, JudgeMeasurement, LiftMeasured, Score
from detection.core.verdict import concluded, decided_by, missing, notices
from detection.runs.result_numbers import stated

NUMERIC_FAILING = ("contradicted", "unsupported", "unverified")
DATABASE_UNREADABLE = {
    "en": "The financial database could not be read.",
    "he": "לא ניתן היה לקרוא את מסד הנתונים הפיננסי.",
    "zh": "无法读取财务数据库。",
}


def middle(pair: Interval | None) -> float | None:
    """The midpoint of an interval."""
    return None if pair is None else round((pair[0] + pair[1]) / 2, 6)


def lifts(conclusion: Conclusion) -> Mapping[int, LiftMeasured]:
    """What the verifier measured, by statement index."""
    return measured_claims(conclusion, "strawberry")


def measured_claims(conclusion: Conclusion, detector: str) -> Mapping[int, Any]:
    """What a detector measured of each claim, by index; empty when it brought nothing back."""
    report = conclusion.reports.get(detector)
    claims: Mapping[int, Any] = getattr(report.measurement, "claims", {}) if report else {}
    return claims


def numeric_section(case: Case, conclusion: Conclusion, elapsed_ms: float) -> dict[str, Any] | None:
    """The NUM-09 dictionary."""
    if "numeric" not in conclusion.reports:
        return None
    rows = [
        (claim, finding)
        for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True)
        if claim.kind != "statement"
    ]
    failing = [pair for pair in rows if pair[1].status in NUMERIC_FAILING]
    report = conclusion.reports["numeric"]
    rendered = {
        "has_hallucinations": bool(failing),
        "claims": [_numeric_row(*pair) for pair in rows],
        "flagged_claims": [_numeric_row(*pair) for pair in failing],
        "verification_time_ms": elapsed_ms,
        "confidence_adjustment": -conclusion.thresholds.confidence_penalty / 100 if failing else 0.0,
        "total_claims": len(rows),
        "verified_claims": sum(f.status == "supported" for _, f in rows),
        "unverified_claims": len(failing),
    }
    measured = measured_claims(conclusion, "numeric").values()
    if report.measurement is None:
        rendered["error"] = missing(report, case.language)
    elif "unavailable" in (case.database, *(number.database for number in measured)):
        rendered["error"] = spoken(DATABASE_UNREADABLE, case.language)
    return rendered


def _numeric_row(claim: Claim, finding: Finding) -> dict[str, Any]:
    number = claim.number
    return {
        "index": claim.index,
        "claim_type": claim.kind,
        "value": stated(claim) or None,
        "unit": number.unit if number else "",
        "original_text": claim.text,
        "verified": finding.status == "supported",
        "status": finding.status,
        "finding": finding.code,
        "reason": finding.reason,
    }


def citation_section(conclusion: Conclusion) -> dict[str, Any] | None:
    """The CIT output keys."""
    rules = conclusion.decisions.get("citation")
    if rules is None:
        return None
    rendered = {
        "expected": rules.expected,
        "has_hallucination_risk": rules.has_risk,
        "hallucination_risk_score": rules.risk_score,
        "valid_citations": list(rules.valid),
        "invalid_citations": list(rules.invalid),
        "uncited_sentences": list(rules.uncited_sentences),
        "uncited_count": rules.uncited_count,
        "citation_ratio": rules.citation_ratio,
        "citation_ratio_literal": rules.citation_ratio_literal,
        "total_claims": rules.total_claims,
        "indicator_phrases": list(rules.indicators),
        "misplaced_citations": [
            {"claim": wrong.claim, "cited": list(wrong.cited), "better": wrong.better}
            for wrong in rules.misplaced
        ],
    }
    return rendered | ({"note": rules.note} if rules.note else {})


def conclusion_section(claim: Claim, finding: Finding) -> dict[str, Any]:
    """The one conclusion of a claim: its word, the check that decided, and what other checks said that does not count."""
    return {
        "word": concluded(claim.kind, finding.status, finding.code),
        "by": decided_by(finding),
        "overruled": [
            {"by": one.detector, "status": one.status, "finding": one.code, "reason": one.reason}
            for one in finding.overruled
        ],
    }


def budget_section(lift: LiftMeasured, finding: Finding) -> dict[str, Any]:
    """What was measured of one statement and the budget that follows from it; bits are base 2, scalars midpoints."""
    score = finding.score
    without = "not_checked" if finding.status == "not_checked" else "unverified"
    required, observed = (middle(score.required_bits), middle(score.observed_bits)) if score else (None, None)
    return {
        "p1": middle(lift.p1),
        "p0": middle(lift.p0),
        "p_no": middle(lift.p_no),
        "required_bits": required,
        "observed_bits": observed,
        "budget_gap_bits": None if required is None or observed is None else round(required - observed, 6),
        "intervals": {
            name: list(pair) for name, pair in (("p1", lift.p1), ("p0", lift.p0), ("p_no", lift.p_no)) if pair
        },
        "confidence": score.confidence if score else None,
        "finding": score.finding if score else without,
        "scrubbed": list(lift.scrubbed),
        "by_citation": [
            {"source": ref, "p1_without": middle(pair), "lift": _difference(lift.p1, pair)}
            for ref, pair in lift.without.items()
        ],
        "against": [asdict(one) for one in lift.against],
        "method": lift.method,
        "model": lift.model,
        "cost_usd": str(lift.usage.usd),
        "error": lift.error,
    }


def interval_columns(p1: Interval | None, p0: Interval | None) -> dict[str, float | None]:
    """The ends of p1 and p0 as the columns of a row; None where they were not measured."""
    (p1_low, p1_high), (p0_low, p0_high) = p1 or (None, None), p0 or (None, None)
    return {"p1_low": p1_low, "p1_high": p1_high, "p0_low": p0_low, "p0_high": p0_high}


def budget_columns(section: Mapping[str, Any]) -> dict[str, float | None]:
    """The columns of a row (:class:`~detection.models.budgets.Budgeted`) out of a :func:`budget_section`."""
    intervals = section["intervals"]
    return interval_columns(intervals.get("p1"), intervals.get("p0")) | {
        "required_bits": section["required_bits"],
        "observed_bits": section["observed_bits"],
        "budget_gap": section["budget_gap_bits"],
    }


def _difference(p1: Interval | None, without: Interval) -> float | None:
    """What one citation adds to p1, by the midpoints."""
    with_it, alone = middle(p1), middle(without)
    return None if with_it is None or alone is None else round(with_it - alone, 6)


def judge_section(conclusion: Conclusion) -> dict[str, Any] | None:
    """The CIT-04 output, what it advises as an action, and what it cost; None when the judge was not asked."""
    decision = conclusion.decisions.get("judge")
    report = conclusion.reports.get("judge")
    opinion = report.measurement if report else None
    if decision is None or not isinstance(opinion, JudgeMeasurement):
        return None
    named = (
        "score",
        "completeness",
        "relevance",
        "answer_quality",
        "citation_quality",
        "reasoning",
        "confidence",
    )
    return {name: getattr(opinion, name) for name in named} | {
        "decision": opinion.decision,
        "hallucination_risk": decision.risk,
        "hallucination_notes": opinion.hallucination_notes,
        "hallucinations": [
            {
                "kind": each.kind,
                "sentence": each.sentence,
                "claims": list(each.statements),
                "reason": each.reason,
            }
            for each in opinion.hallucinations
        ],
        "action": decision.action,
        "critique": opinion.critique,
        "models": list(opinion.models),
        "prompt_version": opinion.prompt_version,
        "cost_usd": str(opinion.usage.usd),
    }


def govil_section(case: Case, conclusion: Conclusion) -> dict[str, Any] | None:
    """The GOV-07 object over the statements that were due; always the ``govil`` scoring, whatever the profile.

    One that could not be verified stands there without figures and is not grounded.
    """
    decision = conclusion.decisions.get("strawberry")
    if decision is None:
        return None
    asked = lifts(conclusion)
    due = {f.claim for f in decision.findings if f.status != "not_checked" and f.claim in asked}
    rows = [
        _govil_row(case, conclusion, claim, decision.govil.get(claim.index))
        for claim in conclusion.claims
        if claim.index in due
    ]
    return {
        "overall_grounded": decision.overall_grounded,
        "grounded_claims": sum(row["grounded"] for row in rows),
        "total_claims": len(rows),
        "grounding_ratio": decision.grounding_ratio,
        "claims": rows,
    }


def _govil_row(case: Case, conclusion: Conclusion, claim: Claim, score: Score | None) -> dict[str, Any]:
    lift = lifts(conclusion)[claim.index]
    grounded = bool(score and score.grounded)
    return {
        "text": claim.text,
        "citing": list(claim.citations),
        "p1": middle(lift.p1),
        "p0": middle(lift.p0),
        "confidence": score.confidence if score else None,
        "grounded": grounded,
        "warning": None if grounded else notices.claim_warning(case.language, checked=score is not None),
    }


def plain(value: Any) -> Any:
    """A dataclass as JSON values, Decimals as strings."""
    return None if value is None else _listed(asdict(value))


def _listed(value: Any) -> Any:
    """Tuples as lists and Decimals as strings, all the way down."""
    if isinstance(value, dict):
        return {name: _listed(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return str(value) if isinstance(value, Decimal) else value
