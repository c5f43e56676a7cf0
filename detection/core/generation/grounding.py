"""The layer that holds a strict answer to the words and the numbers of its sources (RAG-08).

Stricter than the document in one way, since being wrong is worse than not to know: a number that the sources contradict,
or that stands in none of them, is no answer. Fairer in another: the weighted overlap counts too, because a figure and the
name of its row are most of what a short sentence and a table can share.
"""

from dataclasses import replace

from detection.core.context import Context
from detection.core.generation.sentences import refusal
from detection.core.matching import numeric
from detection.core.pipeline import Conclusion
from detection.core.types import Claim, Finding, GroundingMeasurement, NumericMeasurement, Overlap


def ungrounded(context: Context, found: Conclusion, language: str) -> str | None:
    """Why the answer is not grounded in its sources, in ``language``; None when it is."""
    words, numbers = (found.reports[name].measurement for name in ("grounding", "numeric"))
    assert isinstance(words, GroundingMeasurement)  # noqa: S101
    assert isinstance(numbers, NumericMeasurement)  # noqa: S101
    thresholds, sentences = context.thresholds, words.sentences
    grounded = sum(_best(overlap) >= thresholds.overlap for overlap in sentences)
    if sentences and grounded / len(sentences) < thresholds.grounded_share:
        return refusal("few_words", language, grounded=grounded, sentences=len(sentences))
    told = replace(context, case=replace(context.case, language=language))
    return _wrong_number(numbers, told)


def _best(overlap: Overlap) -> float:
    return max(overlap.overlap, overlap.overlap_literal, overlap.weighted)


def _wrong_number(measured: NumericMeasurement, context: Context) -> str | None:
    for finding in numeric.decide(measured, context).findings:
        claim = context.claims[finding.claim]
        if finding.status == "contradicted":
            return refusal("wrong_number", context.language, why=finding.reason)
        if _is_missing(claim, finding, measured):
            return refusal("missing_number", context.language, number=claim.text)
    return None


def _is_missing(claim: Claim, finding: Finding, measured: NumericMeasurement) -> bool:
    """Whether the sources do not hold a number where they should. A plain number names nothing that it could be bound
    by, so that it must only stand somewhere; dates are told apart by the figures they belong to."""
    if finding.status != "unsupported" or claim.kind == "date":
        return False
    return claim.kind != "number" or not _stands(measured, finding.claim)


def _stands(measured: NumericMeasurement, index: int) -> bool:
    number = measured.claims[index]
    return any(
        one.origin == "document" and one.absolute is not None and one.absolute <= number.precision
        for one in number.candidates
    )
