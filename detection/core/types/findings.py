"""What is found: the conclusions from measurements under one set of thresholds, and the verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from detection.core.types.measurements import Candidate, Dispute, Span
from detection.core.types.words import Action, AnswerStatus, Interval, Level, Status


@dataclass(frozen=True, slots=True)
class Score:
    """A claim under one scoring profile (contracts §4). Bits are base 2; pairs are (lo, hi)."""

    required_bits: Interval
    observed_bits: Interval
    finding: str
    confidence: float | None = None
    flagged: bool | None = None
    grounded: bool | None = None


@dataclass(frozen=True, slots=True)
class Overruled:
    """What a check said of a claim that does not count, in the words of its :class:`Finding`."""

    detector: str
    status: Status
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector concludes about one claim under one set of thresholds.

    ``code`` is the machine's word (``exact``, ``inexact``, ``transposed``, ``miscited``, ``claim_limit``
    …), ``reason`` a sentence for people, ``severity`` the claim's share of risk in [0, 1]. ``overruled`` are findings of other
    checks that said otherwise and do not count. ``disputed``: what one piece of evidence says and another says otherwise; it changes
    neither status nor severity. ``believed`` is how likely a verifier holds a statement to be carried, in
    [0, 1], where its opinion alone decides; None where anything else does. ``values`` is what ``reason`` names, by name and
    as plain text, whatever its language.
    """

    detector: str
    claim: int
    status: Status
    code: str
    reason: str
    severity: float = 0.0
    matched: Candidate | None = None
    tolerance: Decimal | None = None
    score: Score | None = None
    overruled: tuple[Overruled, ...] = ()
    disputed: tuple[Dispute, ...] = ()
    believed: float | None = None
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NumericDecision:
    """Findings for the numbers, one each."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A statement that cites existing sources while another one says it: ``better``."""

    claim: int
    cited: tuple[str, ...]
    better: str


@dataclass(frozen=True, slots=True)
class CitationDecision:
    """The CIT output: ratios, risk score and the sentences and ids behind it."""

    expected: bool
    has_risk: bool
    risk_score: float
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    uncited_sentences: tuple[str, ...]
    uncited_count: int
    citation_ratio: float
    citation_ratio_literal: float
    total_claims: int
    note: str | None = None
    indicators: tuple[str, ...] = ()
    too_long: bool = False
    mean_score: float | None = None
    sources: int = 0
    invalid_by_claim: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    misplaced: tuple[Misplaced, ...] = ()


@dataclass(frozen=True, slots=True)
class GroundingDecision:
    """RAG-08 for the whole answer."""

    grounded: bool
    ratio: float
    grounded_sentences: int
    total_sentences: int


@dataclass(frozen=True, slots=True)
class StrawberryDecision:
    """Findings for the statements, one each, under the profile's scoring; ``govil`` holds the scores
    behind ``hallucination_check``, which always shows that scoring. ``injected`` are orders to the verifier
    found in sources."""

    findings: tuple[Finding, ...]
    govil: Mapping[int, Score]
    overall_grounded: bool
    grounding_ratio: float
    injected: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeDecision:
    """The judge's risk and advice, a finding for each statement that it doubts, and whether it names a
    statement without support (CIT-07)."""

    risk: float
    action: str
    notes: str
    findings: tuple[Finding, ...] = ()
    unsupported: bool = False


Decision = NumericDecision | CitationDecision | GroundingDecision | StrawberryDecision | JudgeDecision


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason behind a verdict; ``claim`` is its index, None for the answer as a whole. ``values`` is what ``text``
    names, by name and as plain text, whatever its language."""

    code: str
    text: str
    claim: int | None = None
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the answer was checked (contracts §2, status words)."""

    claims: int
    verified: int
    unverified: int
    not_checked: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer as a whole. ``uncalibrated_confidence`` is the adjusted confidence before a calibration map."""

    has_hallucinations: bool
    answer_status: AnswerStatus
    risk_score: float
    risk_level: Level
    action: Action
    needs_review: bool
    original_confidence: float | None
    adjusted_confidence: float | None
    uncalibrated_confidence: float | None
    confidence_adjustment: float | None
    reasons: tuple[Reason, ...]
    coverage: Coverage
