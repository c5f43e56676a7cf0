"""From findings to a verdict: how risky is the answer, and what is advised (CIT-07, CIT-08, contracts §2)."""

from collections.abc import Sequence
from math import prod

from detection.core.thresholds import Thresholds
from detection.core.types import AnswerStatus, Coverage, Finding, Verdict
from detection.core.verdict.graded import DOUBTFUL, Graded, lacks_too_much
from detection.core.verdict.levels import advice, risk_level
from detection.core.verdict.reasons import reasons


def grade(graded: Graded, thresholds: Thresholds) -> Verdict:
    """The verdict over an answer."""
    level = risk_level(graded, thresholds)
    wrong = has_hallucinations(graded)
    adjusted = adjust_confidence(graded.case.original_confidence, _penalised(graded) or wrong, thresholds)
    original = graded.case.original_confidence
    return Verdict(
        has_hallucinations=wrong,
        answer_status=_answer_status(graded, wrong, thresholds),
        risk_score=round(_risk_score(graded), 4),
        risk_level=level,
        action=advice(graded.case, level, thresholds),
        needs_review=_needs_review(graded, level, thresholds),
        original_confidence=original,
        adjusted_confidence=adjusted,
        uncalibrated_confidence=adjusted,
        confidence_adjustment=None if adjusted is None or original is None else round(adjusted - original, 6),
        reasons=tuple(reasons(graded, level, thresholds)),
        coverage=_coverage(graded.findings),
    )


def adjust_confidence(original: float | None, doubtful: bool, thresholds: Thresholds) -> float | None:
    """NUM-10: the original less the penalty when something is doubtful; the penalty multiplies
    (0.95 × 0.8 = 0.76) and the outcome stays within [0, 1]. None stays None."""
    if original is None:
        return None
    factor = 1 - thresholds.confidence_penalty / 100 if doubtful else 1.0
    return round(min(1.0, max(0.0, original * factor)), 6)


def has_hallucinations(graded: Graded) -> bool:
    """A contradicted or unsupported claim, or an invalid citation where citations count."""
    rules = graded.citations
    invalid = rules is not None and rules.expected and bool(rules.invalid)
    return invalid or any(f.status in DOUBTFUL for f in graded.findings)


def flagged(graded: Graded, thresholds: Thresholds) -> frozenset[int]:
    """Indexes of the claims that ask a reviewer for a decision.

    A number that is contradicted, unsupported or could not be verified; a statement that is so for its
    own sake (not because of one of its numbers) or that cites a source which does not exist. What the
    verifier is merely uncertain about asks for nothing, unless the profile opens reviews for it.
    """
    rules = graded.citations
    invalid = rules.invalid_by_claim if rules and rules.expected else {}
    return frozenset(f.claim for f in graded.findings if f.claim in invalid or _asks(f, thresholds))


def _asks(finding: Finding, thresholds: Thresholds) -> bool:
    if finding.code == "uncertain":
        return thresholds.review_uncertain
    if finding.code in ("number_contradicted", "pending"):
        return False
    return finding.status in (*DOUBTFUL, "unverified")


def _penalised(graded: Graded) -> bool:
    """NUM-10 counts numbers that are contradicted, unsupported or unverified; SPEC-08.42 whatever timed out."""
    numbers = {claim.index for claim in graded.claims if claim.kind != "statement"}
    doubtful = [f for f in graded.findings if f.status in (*DOUBTFUL, "unverified")]
    return any(f.claim in numbers or f.code == "timeout" for f in doubtful)


def _risk_score(graded: Graded) -> float:
    risks = [1 - prod(1 - f.severity for f in graded.findings)]
    if graded.citations and graded.citations.expected:
        risks.append(graded.citations.risk_score)
    if graded.judge:
        risks.append(graded.judge.risk)
    return max(risks)


def _answer_status(graded: Graded, wrong: bool, thresholds: Thresholds) -> AnswerStatus:
    if graded.all_failed:
        return "error"
    if wrong or graded.case.refused:
        return "hallucination_detected"
    if thresholds.sources_required and not graded.case.sources:
        return "insufficient_context"
    scores = [source.score or 0.0 for source in graded.case.sources]
    scored = any(source.score is not None for source in graded.case.sources)
    return "low_confidence" if scored and sum(scores) / len(scores) < thresholds.minimum_score else "success"


def _needs_review(graded: Graded, level: str, thresholds: Thresholds) -> bool:
    if not thresholds.review_queue_enabled:
        return False
    if (
        level == "high"
        or graded.case.refused
        or graded.failed
        or lacks_too_much(graded)
        or (graded.injected and thresholds.review_injection)
    ):
        return True
    codes = {f.code for f in graded.findings if f.status in ("unsupported", "unverified")}
    if codes & {"uncertain"} and thresholds.review_uncertain:
        return True
    failing = codes - {"uncertain", "pending"}
    return thresholds.auto_flag_unverified and bool(failing or has_hallucinations(graded))


def _coverage(findings: Sequence[Finding]) -> Coverage:
    count = {status: sum(f.status == status for f in findings) for status in ("unverified", "not_checked")}
    return Coverage(
        len(findings), len(findings) - sum(count.values()), count["unverified"], count["not_checked"]
    )
