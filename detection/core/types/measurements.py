"""What is measured: what the detectors stored of a claim, whatever the thresholds turn out to be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from detection.core.types.inputs import is_of_record
from detection.core.types.words import Interval, Kind


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: ``text`` stands at ``start:end`` of the chunk ``source``."""

    source: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Voice:
    """What one piece of evidence says: ``text`` stands at ``start:end`` of the source with the id ``source``. A figure of record has
    the id of its passage and no place."""

    source: str
    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two pieces of evidence that say different things of what a claim speaks of: ``carried`` says what the claim says,
    ``against`` something else."""

    carried: Voice
    against: Voice


NamedBy = Literal["", "sentence", "head", "before", "question", "link", "model"]


@dataclass(frozen=True, slots=True)
class SlotWords:
    """Words that name a slot, and where they stand, as in :class:`SlotCompared`."""

    said: str
    by: NamedBy = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class SlotCompared:
    """One slot of a number beside that of a candidate: what the answer's words ``said`` (empty: nothing), what the
    evidence ``states`` (of roles, bounds and directions a key of the lexicons), and what came of it. ``assumed``: only
    the answer's own property or period fills it.

    ``by`` says where the words stand: in the number's ``sentence``, at the ``head`` of its row or column, in what
    stands ``before``, in the ``question``; ``link``: nowhere, the answer is filed under it; ``model``: further
    away, where a model found them. ``start`` and ``end`` are where in the answer. ``parts``: where words of several
    places name it together, each by itself; those before are of the first.
    """

    slot: Literal["metric", "entity", "period", "unit", "role", "bound", "direction", "sign"]
    said: str
    states: str
    verdict: Literal["agree", "conflict", "open", "assumed"]
    by: NamedBy = ""
    start: int | None = None
    end: int | None = None
    parts: tuple[SlotWords, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a number was compared with: a record, a span of a source, or a derivation.

    ``relative`` is |claimed − value| / |value| (None when value is 0), ``absolute`` is
    |claimed − value|; dates have ``days``, the distances of their two ends, instead. ``same`` says
    that the compared slot is the claim's own: same metric, property and period (or, for a claim bound
    to no metric, any slot of its kind). ``operands`` are the stretches of the sources that a derivation
    took its numbers from. ``equal`` says that the value is what the claim says, within its rounding or
    its bound and with its sign (None: not told when it was measured), ``slots`` what became of each slot.
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
    equal: bool | None = None
    slots: tuple[SlotCompared, ...] = ()


@dataclass(frozen=True, slots=True)
class Slip:
    """A recognised mistake: the claimed value is another slot's, or the right one misread."""

    code: Literal["transposed", "period", "property", "metric", "scale", "sign", "role", "unit", "bound"]
    text: str
    candidate: Candidate


@dataclass(frozen=True, slots=True)
class NumberMeasured:
    """What one number was compared with, whatever the tolerance turns out to be (contracts §3.5).

    ``counts``: it counts periods or names one, and states no figure. ``slots`` are what its words name, where there was
    nothing to compare with; else each candidate has its own. ``disputes`` are what other evidence says of the same thing, where some
    evidence says what the number says.
    """

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
    counts: bool = False
    slots: tuple[SlotCompared, ...] = ()
    disputes: tuple[Dispute, ...] = ()


@dataclass(frozen=True, slots=True)
class NumericMeasurement:
    """All numbers of an answer, keyed by claim index; ``open_words``: how many words of a statement with numbers neither
    these nor question and evidence explain, keyed by the statement's."""

    claims: Mapping[int, NumberMeasured]
    open_words: Mapping[int, int] = field(default_factory=dict)


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
    """Word overlap of one statement or sentence with its best chunk (RAG-08).

    ``weighted`` is the overlap with that chunk by what words are worth (:mod:`detection.core.citations.overlaps`),
    ``cited`` the same with the best of the sources that the statement cites, None when it cites none.
    """

    overlap: float
    overlap_literal: float
    source: str | None
    weighted: float = 0.0
    cited: float | None = None

    @property
    def citable(self) -> str | None:
        """The chunk, where it is one that an answer can cite: a source, no figures of record."""
        return None if self.source is None or is_of_record(self.source) else self.source


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
class Against:
    """What speaks against a statement by a refuter (:mod:`detection.core.refuters`) of ``kind``: the statement's words ``said``,
    and what a source, by its id, ``states`` from ``start`` to ``end``."""

    kind: str
    said: str
    source: str
    states: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LiftMeasured:
    """p1 and p0 of one statement, with their intervals (SPEC-08.03).

    ``p_cited`` is the probability with only the cited chunks, probed where row 5 of contracts §4 could
    need it. ``against`` is what refuters find, whatever the verifier believes, ``disputes`` what one source denies that
    another says. ``without`` is p1 with one cited source left out, by its id, where that was asked for. ``error`` is set, and the probabilities are None, when the verifier gave nothing usable:
    ``timeout``, ``verifier_error``, ``rate_limited`` (then ``retry_after`` may hold seconds) …
    """

    text_length: int
    cited: bool
    confidence: float | None = None
    p1: Interval | None = None
    p0: Interval | None = None
    p_no: Interval | None = None
    p_cited: float | None = None
    without: Mapping[str, Interval] = field(default_factory=dict)
    scrubbed: tuple[str, ...] = ()
    method: str = ""
    model: str = ""
    prompt_version: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0
    error: str | None = None
    retry_after: float | None = None
    against: tuple[Against, ...] = ()
    disputes: tuple[Dispute, ...] = ()


@dataclass(frozen=True, slots=True)
class StrawberryMeasurement:
    """Lifts keyed by statement index; ``skipped`` says why the other statements have none
    (the act by which they assert nothing, ``too_short``, ``claim_limit``, ``overload``), and of one that abstains what came
    of it (``abstention_held``, ``abstention_doubted``, ``abstention_open``). One too short also has an
    entry without probabilities, so that a lower minimum finds it ``not_measured``. ``injected``
    are stretches of sources that give orders to the verifier."""

    claims: Mapping[int, LiftMeasured]
    skipped: Mapping[int, str] = field(default_factory=dict)
    original_confidence: float | None = None
    injected: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Hallucination:
    """One hallucination that the judge names: its kind (CIT-04), the sentence by position, and why.
    ``statements`` are the indexes of that sentence's statements."""

    kind: str
    sentence: int
    reason: str
    statements: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeMeasurement:
    """The judge's opinion of the whole answer (CIT-04), with the critique it was taken from (CIT-05)."""

    score: float
    reasoning: str
    confidence: float
    decision: str
    hallucination_risk: float
    hallucination_notes: str
    completeness: float | None = None
    relevance: float | None = None
    answer_quality: float | None = None
    citation_quality: float | None = None
    hallucinations: tuple[Hallucination, ...] = ()
    critique: str = ""
    models: tuple[str, ...] = ()
    prompt_version: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0


Measurement = (
    NumericMeasurement | CitationMeasurement | GroundingMeasurement | StrawberryMeasurement | JudgeMeasurement
)
