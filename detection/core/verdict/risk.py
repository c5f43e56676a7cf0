"""From findings to a verdict: how risky is the answer, and what is advised (CIT-07, CIT-08, contracts §2)."""

from collections import Counter
from collections.abc import Sequence
from math import nan, prod
from typing import Any

from detection.core.rules import any_of, each
from detection.core.thresholds import Thresholds
from detection.core.types import Case, CitationDecision, Coverage, Finding, Verdict
from detection.core.verdict.doubt import Alike, doubt_limit, doubt_of
from detection.core.verdict.graded import ASKING, Graded, deciding_ratio, lacks_too_much, to_limit
from detection.core.verdict.levels import ASKS, CLAIMED, MOST_UNJUDGED, WEIGHED, adjusted, grades
from detection.core.verdict.reasons import reasons

ASKED = ("disputed", "status", "code", "opinion", "number")
"""What the rows of claims ask."""
NO_RULES = CitationDecision(
    expected=False,
    has_risk=False,
    risk_score=0.0,
    valid=(),
    invalid=(),
    uncited_sentences=(),
    uncited_count=0,
    citation_ratio=0.0,
    citation_ratio_literal=0.0,
    total_claims=0,
)


def grade(graded: Graded, thresholds: Thresholds) -> Verdict:
    """The verdict over an answer."""
    found = grades(answer_columns(graded, thresholds), thresholds)
    original = graded.case.original_confidence
    confidence: float | None = None if original is None else found.adjusted_confidence
    return Verdict(
        has_hallucinations=found.has_hallucinations,
        answer_status=found.answer_status,
        risk_score=found.risk_score,
        risk_level=found.risk_level,
        action=found.action,
        needs_review=found.needs_review,
        original_confidence=original,
        adjusted_confidence=confidence,
        uncalibrated_confidence=confidence,
        confidence_adjustment=None
        if original is None or confidence is None
        else round(confidence - original, 6),
        reasons=tuple(reasons(graded, found.risk_level, thresholds)),
        coverage=_coverage(graded.findings),
    )


def adjust_confidence(original: float | None, doubtful: bool, thresholds: Thresholds) -> float | None:
    """NUM-10 for a single confidence; None stays None."""
    return None if original is None else adjusted(original, doubtful, thresholds)


def answer_columns(graded: Graded, thresholds: Thresholds) -> dict[str, Any]:
    """What the rows of :mod:`detection.core.verdict.levels` ask of an answer."""
    rules, judge, case = graded.citations or NO_RULES, graded.judge, graded.case
    return {
        **_claimed(graded, thresholds),
        "doubt": doubt_of(graded.findings),
        "doubt_limit": doubt_limit(
            Alike(graded.verifier, case.language, _has_figures(graded)), thresholds
        ).doubt,
        "calm": prod(1 - finding.severity for finding in graded.findings),
        "expected": rules.expected,
        "risk": rules.risk_score,
        "total": rules.total_claims,
        "uncited": rules.uncited_count,
        "invalid": len(rules.invalid),
        "ratio": deciding_ratio(rules, thresholds),
        "misplaced": bool(rules.misplaced),
        "judged": judge is not None,
        "judged_risk": judge.risk if judge else 0.0,
        "judge_unsupported": judge is not None and judge.unsupported,
        "failed": bool(graded.failed),
        "broken": any(name not in ASKING for name in graded.failed or ()),
        "all_failed": graded.all_failed,
        "lacks_too_much": lacks_too_much(graded),
        "injected": bool(graded.injected),
        "refused": bool(case.refused),
        "sources": len(case.sources),
        "mean_score": mean_score(case),
        "to_limit": to_limit(case),
        "original_confidence": nan if case.original_confidence is None else case.original_confidence,
    }


def mean_score(case: Case) -> float:
    """The mean score of the sources, nan where none has one."""
    scores = [source.score for source in case.sources]
    scored = any(score is not None for score in scores)
    return sum(score or 0.0 for score in scores) / len(scores) if scored else nan


def flagged(graded: Graded, thresholds: Thresholds) -> frozenset[int]:
    """Indexes of the claims that ask a reviewer for a decision (:data:`detection.core.verdict.levels.ASKS`)."""
    rules, numbers = graded.citations, _numbers(graded)
    invalid = rules.invalid_by_claim if rules and rules.expected else {}
    return frozenset(
        f.claim
        for f in graded.findings
        if any_of(
            ASKS,
            {
                "status": f.status,
                "code": f.code,
                "number": f.claim in numbers,
                "disputed": bool(f.disputed),
                "cites_invalid": f.claim in invalid,
            },
            thresholds,
        )
    )


def _claimed(graded: Graded, thresholds: Thresholds) -> dict[str, bool]:
    """What the claims make of the answer; claims that were found alike are asked once."""
    numbers = _numbers(graded)
    alike = Counter(
        (bool(f.disputed), f.status, f.code, f.believed is not None, f.claim in numbers)
        for f in graded.findings
    )
    told = {one: each((*CLAIMED, *WEIGHED), dict(zip(ASKED, one, strict=True)), thresholds) for one in alike}
    unjudged = any(
        _too_few(
            sum(alike[one] for one, row in told.items() if one[-1] is number and row["judged"]),
            sum(alike[one] for one, row in told.items() if one[-1] is number and row["unjudged"]),
        )
        for number in (True, False)
    )
    held = {row.gives: any(one[row.gives] for one in told.values()) for row in CLAIMED}
    return {**held, "owed": held["owed"] or bool(graded.away), "unjudged": unjudged}


def _has_figures(graded: Graded) -> bool:
    """Whether a number of the answer is verified."""
    numbers = _numbers(graded)
    return any(f.status == "supported" and f.claim in numbers for f in graded.findings)


def _numbers(graded: Graded) -> set[int]:
    return {claim.index for claim in graded.claims if claim.kind != "statement"}


def _too_few(judged: int, unjudged: int) -> bool:
    """Whether what was not judged is too large a part of what was due."""
    return bool(unjudged) and unjudged >= MOST_UNJUDGED * (judged + unjudged)


def _coverage(findings: Sequence[Finding]) -> Coverage:
    count = {status: sum(f.status == status for f in findings) for status in ("unverified", "not_checked")}
    return Coverage(
        len(findings), len(findings) - sum(count.values()), count["unverified"], count["not_checked"]
    )
