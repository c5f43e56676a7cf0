"""From findings to a verdict: how risky is the answer, and what is advised (CIT-07, CIT-08, contracts §2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from detection.core.information import midpoint
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Action,
    AnswerStatus,
    Case,
    CitationDecision,
    Claim,
    Coverage,
    Finding,
    GroundingDecision,
    JudgeDecision,
    Level,
    Reason,
    Span,
    Verdict,
)

LEVEL_ACTIONS: Mapping[Level, Action] = {"low": "accept", "moderate": "refine_search", "high": "reject"}
DOUBTFUL = ("contradicted", "unsupported")
# Not checked, yet they prevent a clear verdict: the answer was too long or the system too busy.
UNDERCHECKED = ("claim_limit", "overload")


@dataclass(frozen=True, slots=True)
class Graded:
    """What :func:`grade` looks at: the claims with one finding each, in the same order, what the
    answer-level rules decided, which due detectors ``failed`` or did not run (name → why), and how many
    bits its doubtful statements may lack together before the answer is flagged."""

    case: Case
    claims: Sequence[Claim]
    findings: Sequence[Finding]
    citations: CitationDecision | None = None
    grounding: GroundingDecision | None = None
    judge: JudgeDecision | None = None
    injected: Sequence[Span] = ()
    failed: Mapping[str, str] | None = None
    left_out: Mapping[str, str] | None = None
    all_failed: bool = False
    flag_threshold_bits: float | None = None


def grade(graded: Graded, thresholds: Thresholds) -> Verdict:
    """The verdict over an answer."""
    level = _level(graded, thresholds)
    wrong = has_hallucinations(graded)
    adjusted = adjust_confidence(graded.case.original_confidence, _penalised(graded) or wrong, thresholds)
    original = graded.case.original_confidence
    return Verdict(
        has_hallucinations=wrong,
        answer_status=_answer_status(graded, wrong, thresholds),
        risk_score=round(_risk_score(graded), 4),
        risk_level=level,
        action=_action(graded.case, level, thresholds),
        needs_review=_needs_review(graded, level, thresholds),
        original_confidence=original,
        adjusted_confidence=adjusted,
        confidence_adjustment=None if adjusted is None or original is None else round(adjusted - original, 6),
        reasons=tuple(_reasons(graded, level, thresholds)),
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


def _level(graded: Graded, thresholds: Thresholds) -> Level:
    if _is_high(graded, thresholds):
        return "high"
    return "low" if _is_low(graded, thresholds) else "moderate"


def _is_high(graded: Graded, thresholds: Thresholds) -> bool:
    """Any one condition of CIT-07's high level; conditions of a detector that did not run are left out."""
    if any(f.status == "contradicted" for f in graded.findings):
        return True
    if graded.judge and (graded.judge.risk > thresholds.judge_risk_high or graded.judge.unsupported):
        return True
    rules = graded.citations
    if rules is None or not rules.expected:
        return False
    few = (
        _ratio(rules, thresholds) < thresholds.citation_ratio_low
        and rules.total_claims >= thresholds.citation_ratio_claims
    )
    uncited = rules.uncited_count >= thresholds.uncited_high
    return rules.risk_score > thresholds.citation_risk_high or bool(rules.invalid) or uncited or few


def _is_low(graded: Graded, thresholds: Thresholds) -> bool:
    """All conditions of CIT-07's low level, and no claim that is doubtful or was not checked."""
    if (
        graded.failed
        or graded.injected
        or any(f.status in (*DOUBTFUL, "unverified") or f.code in UNDERCHECKED for f in graded.findings)
    ):
        return False
    if graded.judge and graded.judge.risk > thresholds.judge_risk:
        return False
    rules = graded.citations
    if rules is not None and rules.expected and rules.misplaced:
        return False
    if rules is None or not rules.expected or rules.total_claims == 0:
        return True
    calm = rules.risk_score <= thresholds.citation_risk and not rules.invalid and rules.uncited_count == 0
    return calm and _ratio(rules, thresholds) >= thresholds.citation_ratio_good


def _ratio(rules: CitationDecision, thresholds: Thresholds) -> float:
    literal = thresholds.citation_ratio_rule == "literal"
    return rules.citation_ratio_literal if literal else rules.citation_ratio


def _action(case: Case, level: Level, thresholds: Thresholds) -> Action:
    """CIT-08: by level; near the iteration limit everything is accepted, marked with its level."""
    return "accept" if near_limit(case, thresholds) else LEVEL_ACTIONS[level]


def near_limit(case: Case, thresholds: Thresholds) -> bool:
    """CIT-08: ``iteration >= max_iterations - 3`` (tunable), when the backend told both."""
    if case.iteration is None or case.max_iterations is None:
        return False
    return case.iteration >= case.max_iterations - thresholds.near_limit


def _answer_status(graded: Graded, wrong: bool, thresholds: Thresholds) -> AnswerStatus:
    if graded.all_failed:
        return "error"
    if wrong:
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


def lacking_bits(graded: Graded) -> float:
    """The budget gaps of the doubtful statements, added up: bits of independent evidence add (SPEC-08.22).

    Of an interval its middle counts, as it is shown; a statement that has more than it needs makes up for no other.
    """
    scores = [f.score for f in graded.findings if f.score and f.status in DOUBTFUL]
    return sum(max(0.0, midpoint(s.required_bits) - midpoint(s.observed_bits)) for s in scores)


def lacks_too_much(graded: Graded) -> bool:
    """Whether the whole answer is flagged as a high risk (SPEC-08.22); that rejects nothing."""
    return graded.flag_threshold_bits is not None and lacking_bits(graded) > graded.flag_threshold_bits


def _coverage(findings: Sequence[Finding]) -> Coverage:
    count = {status: sum(f.status == status for f in findings) for status in ("unverified", "not_checked")}
    return Coverage(
        len(findings), len(findings) - sum(count.values()), count["unverified"], count["not_checked"]
    )


def _reasons(graded: Graded, level: str, thresholds: Thresholds) -> Iterable[Reason]:
    kinds = {claim.index: "statement" if claim.kind == "statement" else "number" for claim in graded.claims}
    for finding in graded.findings:
        if finding.status in (*DOUBTFUL, "unverified") and finding.code != "number_contradicted":
            yield Reason(f"{kinds[finding.claim]}_{finding.status}", finding.reason, finding.claim)
    for finding in graded.findings:
        if finding.code in UNDERCHECKED:
            yield Reason(finding.code, finding.reason, finding.claim)
    if lacks_too_much(graded):
        lacking = f"Its doubtful statements lack {lacking_bits(graded):.1f} bits of evidence together"
        yield Reason("high_hallucination_risk", f"{lacking}, more than {graded.flag_threshold_bits:g}.")
    for span in graded.injected:
        yield Reason(
            "suspected_injection", f"Source {span.source} gives orders to the verifier: “{span.text}”"
        )
    if graded.judge and graded.judge.notes and graded.judge.risk > thresholds.judge_risk:
        yield Reason("judge", f"The judge: {graded.judge.notes}")
    if graded.citations:
        yield from _citation_reasons(graded.citations, thresholds)
    if graded.grounding and not graded.grounding.grounded and graded.grounding.total_sentences:
        share = f"{graded.grounding.grounded_sentences} of {graded.grounding.total_sentences}"
        yield Reason("low_overlap", f"Only {share} sentences share enough words with a source.")
    for name, why in (graded.failed or {}).items():
        yield Reason("check_failed", f"The {name} check failed: {why}")
    for name, why in (graded.left_out or {}).items():
        yield Reason("not_run", f"The {name} check did not run: {why}")
    if near_limit(graded.case, thresholds) and level != "low":
        yield Reason(
            "near_iteration_limit", f"Accepted because the iteration limit is near; the risk stays {level}."
        )


def _citation_reasons(rules: CitationDecision, thresholds: Thresholds) -> Iterable[Reason]:
    if rules.note:
        yield Reason("note", rules.note)
    for wrong in rules.misplaced:
        cited = ", ".join(f"[{ref}]" for ref in wrong.cited)
        yield Reason(
            "misplaced_citation", f"This cites {cited}, but [{wrong.better}] is what says it.", wrong.claim
        )
    for ref in rules.invalid:
        yield Reason("invalid_citation", f"The answer cites [{ref}], which is not among its sources.")
    if rules.expected and rules.uncited_count:
        yield Reason("uncited_sentences", f"{rules.uncited_count} long sentences carry no citation.")
    ratio = _ratio(rules, thresholds)
    if rules.expected and rules.total_claims and ratio < thresholds.citation_ratio_good:
        yield Reason(
            "few_citations",
            f"Citations cover {ratio:.0%} of its {rules.total_claims} sentences that claim something.",
        )
    for phrase in rules.indicators:
        yield Reason("indicator_phrase", f"“{phrase}” points to knowledge from outside the sources.")
    if rules.too_long:
        yield Reason("longer_than_context", "The answer is much longer than the sources it was written from.")
