"""The vocabulary of detection: what goes in, what is read, what is measured, what is found.

Everything here is a frozen dataclass of plain values, so that a measurement can be stored as JSON
(:mod:`detection.core.codec`) and decided again years later with other thresholds. Offsets are Python
code points into the answer exactly as submitted, half open: ``answer[start:end]`` is the text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

Kind = Literal["statement", "currency", "percentage", "ratio", "date", "number"]
Status = Literal["supported", "contradicted", "unsupported", "unverified", "not_checked"]
ReportStatus = Literal["ok", "skipped", "timeout", "error", "rate_limited"]
AnswerStatus = Literal["success", "insufficient_context", "low_confidence", "hallucination_detected", "error"]
Level = Literal["low", "moderate", "high"]
Action = Literal["accept", "refine_search", "reject"]
Interval = tuple[float, float]
Expired = Callable[[], bool]


def never() -> bool:
    """The deadline of a caller who has none."""
    return False


# --- what goes in -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """One chunk the answer was written from. ``ref`` is the id that ``[ref]`` in the answer cites."""

    ref: str
    text: str
    parent_ref: str | None = None
    title: str = ""
    score: float | None = None
    quality: float | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Period:
    """A financial period of one property, both ends inclusive."""

    id: int
    property: str
    label: str
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of record: one column of one row of the financial database.

    ``kind`` is currency (major units, ``unit`` an ISO 4217 code), percentage (in percent, ``%``) or
    ratio (``x``). ``field`` is the metric's name (``net_operating_income``) or a statement line's
    account code; ``name`` is what people call it.
    """

    record: str
    id: int
    field: str
    name: str
    kind: Kind
    value: Decimal
    unit: str
    property: str
    period: str
    start: date
    end: date
    as_of: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A phrase that names a metric in a language: ``NOI`` is ``net_operating_income``."""

    metric: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Named:
    """A property by its code and a name that people call it by (its code among them)."""

    property: str
    name: str


@dataclass(frozen=True, slots=True)
class Case:
    """One answer with everything it is judged by.

    ``figures`` holds the asked-for property's and period's figures and their neighbours (other periods
    of the property, other properties in the period), because a value that stands in the wrong slot must
    be recognised as such. ``database`` says whether they could be read: ``unavailable`` never looks like
    support (contracts §3.6).
    """

    answer: str
    question: str = ""
    language: str = "en"
    sources: tuple[Source, ...] = ()
    figures: tuple[Figure, ...] = ()
    periods: tuple[Period, ...] = ()
    aliases: tuple[Alias, ...] = ()
    properties: tuple[Named, ...] = ()
    property: str | None = None
    period: Period | None = None
    database: Literal["ok", "unavailable", "not_asked"] = "not_asked"
    original_confidence: float | None = None
    question_type: str | None = None
    iteration: int | None = None
    max_iterations: int | None = None


# --- what is read -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumericClaim:
    """A number as the text states it (contracts §3).

    ``value`` is a Decimal (major currency units, percent, ratio, plain number) or, for dates, the ISO
    form ``2024-12-01``, ``2024-12``, ``2024-Q3``, ``2024-H1``, ``2024``. ``precision`` is half a unit of the last stated
    digit, in the unit of ``value``: ``$1.2M`` has 50,000. ``bound`` is ``at_least`` / ``at_most`` for
    "more than" / "up to"; ``direction`` is ``up`` / ``down`` for "increased by".
    """

    kind: Kind
    text: str
    start: int
    end: int
    value: Decimal | str
    unit: str
    precision: Decimal = Decimal(0)
    approximate: bool = False
    bound: Literal["at_least", "at_most"] | None = None
    direction: Literal["up", "down"] | None = None
    noun: str | None = None
    start_date: date | None = None
    end_date: date | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One verifiable thing the answer says: a statement, or a number inside one.

    ``excluded`` names why a statement is no assertion (``question``, ``instruction``, ``hedge``;
    SPEC-08.09). ``statement`` is a number's parent index. ``confidence`` is stated in the text or None.
    ``metric``, ``period`` (ISO form) and ``property`` (code) are what a number is bound to by the words
    around it; None where they name none, which means the answer's own period and property.
    """

    index: int
    kind: Kind
    text: str
    start: int
    end: int
    sentence: int
    citations: tuple[str, ...] = ()
    statement: int | None = None
    confidence: float | None = None
    excluded: str | None = None
    number: NumericClaim | None = None
    metric: str | None = None
    period: str | None = None
    property: str | None = None


# --- what is measured -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: ``text`` stands at ``start:end`` of the chunk ``source``."""

    source: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a number was compared with: a record, a span of a source, or a derivation.

    ``relative`` is |claimed − value| / |value| (None when value is 0), ``absolute`` is
    |claimed − value|; dates have ``days``, the distances of their two ends, instead. ``same`` says
    that the compared slot is the claim's own: same metric, property and period (or, for a claim bound
    to no metric, any slot of its kind). ``operands`` are the stretches of the sources that a derivation
    took its numbers from.
    """

    origin: Literal["database", "document", "derived"]
    text: str
    unit: str = ""
    value: Decimal | None = None
    relative: Decimal | None = None
    absolute: Decimal | None = None
    days: tuple[int, int] | None = None
    same: bool = True
    source: str | None = None
    start: int | None = None
    end: int | None = None
    record: str | None = None
    id: int | None = None
    field: str | None = None
    period: str | None = None
    property: str | None = None
    as_of: str | None = None
    arithmetic: str | None = None
    operands: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Slip:
    """A recognised mistake: the claimed value is another slot's, or the right one misread."""

    code: Literal["transposed", "period", "property", "metric", "scale", "sign"]
    text: str
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class NumberMeasured:
    """What one number was compared with, whatever the tolerance turns out to be (contracts §3.5)."""

    kind: Kind
    value: Decimal | str
    unit: str
    precision: Decimal
    approximate: bool = False
    bound: Literal["at_least", "at_most"] | None = None
    metric: str | None = None
    period: str | None = None
    property: str | None = None
    candidates: tuple[Candidate, ...] = ()
    slips: tuple[Slip, ...] = ()
    database: Literal["ok", "unavailable", "not_asked"] = "not_asked"
    sources_read: int = 0
    sources_left: int = 0
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class NumericMeasurement:
    """All numbers of an answer, keyed by claim index."""

    claims: Mapping[int, NumberMeasured]


@dataclass(frozen=True, slots=True)
class SentenceCited:
    """A sentence with the citation ids it carries; ``length`` is without marks and outer spaces."""

    start: int
    end: int
    length: int
    text: str
    citations: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
    statements: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationMeasurement:
    """Citations of an answer against the ids of its sources (CIT-01…CIT-03)."""

    sentences: tuple[SentenceCited, ...]
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    sources: int
    answer_length: int = 0
    context_length: int = 0
    mean_score: float | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """Word overlap of one statement or sentence with its best chunk (RAG-08)."""

    overlap: float
    overlap_literal: float
    source: str | None


@dataclass(frozen=True, slots=True)
class GroundingMeasurement:
    """Overlaps keyed by statement index, and one for each sentence of the answer in order."""

    claims: Mapping[int, Overlap]
    sentences: tuple[Overlap, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What verifier calls cost: calls, tokens and money (US dollars)."""

    calls: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd)


@dataclass(frozen=True, slots=True)
class LiftMeasured:
    """p1 and p0 of one statement, with their intervals (SPEC-08.03).

    ``p_cited`` is the probability with only the cited chunks, probed where row 5 of contracts §4 could
    need it. ``error`` is set, and the probabilities are None, when the verifier gave nothing usable:
    ``timeout``, ``verifier_error``, ``rate_limited`` (then ``retry_after`` may hold seconds) …
    """

    text_length: int
    cited: bool
    confidence: float | None = None
    p1: Interval | None = None
    p0: Interval | None = None
    p_no: Interval | None = None
    p_cited: float | None = None
    scrubbed: tuple[str, ...] = ()
    method: str = ""
    model: str = ""
    prompt_version: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0
    error: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class StrawberryMeasurement:
    """Lifts keyed by statement index; ``skipped`` says why the other statements have none
    (``question``, ``instruction``, ``hedge``, ``too_short``, ``claim_limit``). One too short also has an
    entry without probabilities, so that a lower minimum finds it ``not_measured``."""

    claims: Mapping[int, LiftMeasured]
    skipped: Mapping[int, str] = field(default_factory=dict)
    original_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class JudgeMeasurement:
    """The judge's opinion of the whole answer (CIT-04)."""

    score: float
    reasoning: str
    confidence: float
    decision: str
    hallucination_risk: float
    hallucination_notes: str


Measurement = (
    NumericMeasurement | CitationMeasurement | GroundingMeasurement | StrawberryMeasurement | JudgeMeasurement
)


# --- what is found ----------------------------------------------------------------------------------


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
class Finding:
    """What a detector concludes about one claim under one set of thresholds.

    ``code`` is the machine's word (``exact``, ``inexact``, ``transposed``, ``miscited``, ``claim_limit``
    …), ``reason`` a sentence for people, ``severity`` the claim's share of risk in [0, 1].
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


@dataclass(frozen=True, slots=True)
class NumericDecision:
    """Findings for the numbers, one each."""

    findings: tuple[Finding, ...]


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
    behind ``hallucination_check``, which always shows that scoring."""

    findings: tuple[Finding, ...]
    govil: Mapping[int, Score]
    overall_grounded: bool
    grounding_ratio: float


@dataclass(frozen=True, slots=True)
class JudgeDecision:
    """The judge's risk and advice."""

    risk: float
    action: str
    notes: str


Decision = NumericDecision | CitationDecision | GroundingDecision | StrawberryDecision | JudgeDecision


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason behind a verdict; ``claim`` is its index, None for the answer as a whole."""

    code: str
    text: str
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the answer was checked (contracts §2, status words)."""

    claims: int
    verified: int
    unverified: int
    not_checked: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer as a whole."""

    has_hallucinations: bool
    answer_status: AnswerStatus
    risk_score: float
    risk_level: Level
    action: Action
    needs_review: bool
    original_confidence: float | None
    adjusted_confidence: float | None
    confidence_adjustment: float | None
    reasons: tuple[Reason, ...]
    coverage: Coverage
