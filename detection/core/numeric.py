"""The numeric detector: every number of an answer against records and sources (NUM-05…NUM-08, NUM-13, NUM-14).

:func:`measure` compares and stores; :func:`decide` (of :mod:`detection.core.numeric_decision`) judges what was
stored. What is measured does not depend on a tolerance, so that another tolerance needs no new measurement.
"""

from collections.abc import Sequence
from dataclasses import replace

from detection.core.documents import Documents
from detection.core.numeric_decision import REASONS, decide
from detection.core.records import compare_date, compare_figures
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Candidate,
    Case,
    Claim,
    Expired,
    NumberMeasured,
    NumericClaim,
    NumericMeasurement,
    Slip,
    never,
)  # fmt: skip

__all__ = ["REASONS", "decide", "measure"]


def measure(
    case: Case, claims: Sequence[Claim], thresholds: Thresholds, expired: Expired = never
) -> NumericMeasurement:
    """Compare every number of ``claims`` with the case's figures, periods and sources.

    ``expired`` is asked before each number; those not reached are ``timed_out`` (NUM-13). Numbers that repeat
    with the same words around them are compared once (NUM-14).
    """
    documents = Documents(case, thresholds.max_source_checks)
    sentences = {claim.index: claim.text for claim in claims if claim.kind == "statement"}
    known: dict[object, NumberMeasured] = {}
    measured: dict[int, NumberMeasured] = {}
    for claim in claims:
        if claim.number is None:
            continue
        if expired():
            measured[claim.index] = replace(_empty(claim, claim.number, case), timed_out=True)
            continue
        sentence = sentences.get(claim.statement, claim.text) if claim.statement is not None else claim.text
        number = replace(claim.number, start=0, end=0)
        key = (number, claim.metric, claim.period, claim.citations, sentence)
        if key not in known:
            known[key] = _measured(case, claim, claim.number, sentence, documents)
        measured[claim.index] = known[key]
    return NumericMeasurement(measured)


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
    case: Case, claim: Claim, number: NumericClaim, sentence: str, documents: Documents
) -> NumberMeasured:
    candidates: list[Candidate] = []
    slips: list[Slip] = []
    if case.database == "ok":
        found = (
            compare_date(case, number)
            if number.kind == "date"
            else compare_figures(case, claim, number, sentence)
        )
        candidates += found[0]
        slips += found[1]
    read = documents.compare(number, sentence, claim.citations)
    return replace(
        _empty(claim, number, case),
        candidates=(*candidates, *read.candidates),
        slips=(*slips, *read.slips),
        sources_read=read.read,
        sources_left=read.left,
    )
