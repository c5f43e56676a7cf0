"""The numeric detector: every number of an answer against records and sources (NUM-05…NUM-08, NUM-13, NUM-14).

:func:`measure` compares and stores; :func:`decide` (of :mod:`detection.core.matching.decision`) judges what was
stored. What is measured does not depend on a tolerance, so that another tolerance needs no new measurement.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from detection.core.binding import folded
from detection.core.context import Context
from detection.core.matching.decision import decide
from detection.core.matching.documents import Documents
from detection.core.matching.sentences import REASONS
from detection.core.records import Records, Said, compare_date, compare_figures
from detection.core.retrieval import About
from detection.core.types import (
    Candidate,
    Case,
    Claim,
    NumberMeasured,
    NumericClaim,
    NumericMeasurement,
    Slip,
)  # fmt: skip

__all__ = ["REASONS", "decide", "measure"]

WORDS_AROUND = 1000  # characters on either side of a number that can say what it is


def measure(context: Context) -> NumericMeasurement:
    """Compare every number of the claims with the case's figures, periods and sources.

    ``expired`` is asked before each number and each chunk read; those not reached are ``timed_out`` (NUM-13). Numbers that repeat
    with the same words around them are compared once (NUM-14).
    """
    case = context.case
    documents = Documents(case, context.thresholds.max_source_checks, context.expired)
    records = Records(case)
    sentences = _sentences(context.claims)
    known: dict[object, NumberMeasured] = {}
    measured: dict[int, NumberMeasured] = {}
    for claim in context.claims:
        if claim.number is None:
            continue
        if context.expired():
            measured[claim.index] = replace(_empty(claim, claim.number, case), timed_out=True)
            continue
        sentence = sentences.get(claim.statement) or _Sentence(claim)
        place = claim.start - sentence.whole.start
        number = replace(claim.number, start=0, end=0)
        key = (
            number,
            claim.metric,
            claim.period,
            claim.property,
            claim.citations,
            sentence.whole.text,
            place,
        )
        if key not in known:
            known[key] = _measured(records, claim, claim.number, sentence, documents)
        measured[claim.index] = known[key]
    return NumericMeasurement(measured)


@dataclass(slots=True)
class _Sentence:
    """A statement with the numbers read inside it; a number without one is its own."""

    whole: Claim
    numbers: list[NumericClaim] = field(default_factory=list)
    metrics: set[str] = field(default_factory=set)
    counted: int = 0
    folded: str | None = None

    def add(self, claim: Claim, number: NumericClaim) -> None:
        """A number of the statement."""
        self.numbers.append(number)
        self.counted += number.kind != "date"
        if claim.metric is not None:
            self.metrics.add(claim.metric)

    def about(self, claim: Claim) -> About:
        """What ``claim`` is bound to, beside the other numbers of the statement."""
        others = frozenset(self.metrics - {claim.metric})
        return About(claim.metric, claim.period, claim.property, others, self.counted > 1)

    def said(self, claim: Claim, number: NumericClaim) -> Said:
        """``number`` with the words within reach of it, places counted from the first of them."""
        if self.folded is None:
            self.folded = folded(self.whole.text)
        low = max(claim.start - WORDS_AROUND, self.whole.start)
        first = bisect_left(self.numbers, low, key=lambda other: other.start)
        last = bisect_left(self.numbers, claim.end + WORDS_AROUND, key=lambda other: other.start)
        near = self.numbers[first:last]
        alike = [other for other in near if other.kind == number.kind]
        return Said(
            self.folded[low - self.whole.start : claim.end + WORDS_AROUND - self.whole.start],
            claim.start - low,
            claim.end - low,
            tuple(replace(d, start=d.start - low, end=d.end - low) for d in near if d.kind == "date"),
            len(alike) - 1,
            sum(other.kind != "date" for other in near) < 2,
            max((other.end - low for other in alike if other.end <= claim.start), default=0),
            min((other.start - low for other in alike if other.start >= claim.end), default=None),
        )


def _sentences(claims: Sequence[Claim]) -> dict[int | None, _Sentence]:
    found: dict[int | None, _Sentence] = {c.index: _Sentence(c) for c in claims if c.kind == "statement"}
    for claim in claims:
        if claim.number is not None and claim.statement in found:
            found[claim.statement].add(claim, claim.number)
    return found


def _empty(claim: Claim, number: NumericClaim, case: Case) -> NumberMeasured:
    return NumberMeasured(
        kind=number.kind,
        value=number.value,
        unit=number.unit,
        precision=number.precision,
        approximate=number.approximate,
        bound=number.bound,
        metric=claim.metric,
        period=claim.period,
        property=claim.property,
        database=case.database,
    )


def _measured(
    records: Records, claim: Claim, number: NumericClaim, sentence: _Sentence, documents: Documents
) -> NumberMeasured:
    case = records.case
    candidates: list[Candidate] = []
    slips: list[Slip] = []
    if case.database == "ok":
        found = (
            compare_date(records, claim, number)
            if number.kind == "date"
            else compare_figures(records, claim, number, sentence.said(claim, number))
        )
        candidates += found[0]
        slips += found[1]
    read = documents.compare(number, sentence.whole.text, claim.citations, sentence.about(claim))
    return replace(
        _empty(claim, number, case),
        candidates=(*candidates, *read.candidates),
        slips=(*slips, *read.slips),
        sources_read=read.read,
        sources_left=read.left,
        timed_out=read.timed_out,
    )
