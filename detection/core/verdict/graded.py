"""What the verdict is made from, and what several of its parts ask of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from detection.core.statements import ABSTENTIONS
from detection.core.strawberry import scoring
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Case,
    CitationDecision,
    Claim,
    Finding,
    GroundingDecision,
    JudgeDecision,
    Span,
)

DOUBTFUL = ("contradicted", "unsupported")
ASSERTS_NOTHING = ("question", "instruction", "hedge", "closing", "advice", "reply", "preamble", "heading")
# Not checked, yet they prevent a clear verdict: the answer was too long, the system too busy, or nobody there to ask.
UNDERCHECKED = ("claim_limit", "overload", "no_verifier")
LASTING = ("verifier_context_too_long", "verifier_no_label", "verifier_empty_choices")
"""What a verifier that works says of this very question: asked again it would say the same. Whatever else failed is owed."""
ASKING = ("strawberry",)
"""Detectors whose verifier may be away: that is no fault of the answer, whose status says what was not verified."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What :func:`~detection.core.verdict.risk.grade` looks at: the claims with one finding each, in the same order,
    what the answer-level rules decided, which due detectors ``failed`` or did not run (name → why), which have
    a model that was ``away``, how many bits its doubtful statements may lack together before the answer is flagged, and its ``verifier``
    (:func:`detection.core.verdict.verifier_of`)."""

    case: Case
    claims: Sequence[Claim]
    findings: Sequence[Finding]
    citations: CitationDecision | None = None
    grounding: GroundingDecision | None = None
    judge: JudgeDecision | None = None
    injected: Sequence[Span] = ()
    failed: Mapping[str, str] | None = None
    left_out: Mapping[str, str] | None = None
    away: Collection[str] = ()
    all_failed: bool = False
    flag_threshold_bits: float | None = None
    verifier: str = ""


def abstains(graded: Graded) -> bool:
    """Whether an answer says only what the evidence does not tell: a statement abstains and none asserts anything else."""
    told = [
        f.code for claim, f in zip(graded.claims, graded.findings, strict=True) if claim.kind == "statement"
    ]
    held = [code for code in told if code in ABSTENTIONS.values()]
    return bool(held) and all(code in ASSERTS_NOTHING for code in told if code not in held)


def deciding_ratio(rules: CitationDecision, thresholds: Thresholds) -> float:
    """The citation ratio that the profile chose: of sentences, or the document's literal one (CIT-03)."""
    literal = thresholds.citation_ratio_rule == "literal"
    return rules.citation_ratio_literal if literal else rules.citation_ratio


def to_limit(case: Case) -> float:
    """How many iterations are left before the limit; infinitely many when the backend did not tell both."""
    if case.iteration is None or case.max_iterations is None:
        return inf
    return case.max_iterations - case.iteration


def near_limit(case: Case, thresholds: Thresholds) -> bool:
    """CIT-08: ``iteration >= max_iterations - 3`` (tunable)."""
    return to_limit(case) <= thresholds.near_limit


def lacking_bits(graded: Graded) -> float:
    """The budget gaps of the doubtful statements, added up: bits of independent evidence add (SPEC-08.22).

    A statement that has more than it needs makes up for no other.
    """
    scores = [f.score for f in graded.findings if f.score and f.status in DOUBTFUL]
    return sum((scoring.lacking_bits(score) for score in scores), 0.0)


def lacks_too_much(graded: Graded) -> bool:
    """Whether the whole answer is flagged as a high risk (SPEC-08.22); that rejects nothing."""
    return graded.flag_threshold_bits is not None and lacking_bits(graded) > graded.flag_threshold_bits
