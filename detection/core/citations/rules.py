"""Citations of an answer against its sources: rules only, no model (CIT-01…CIT-03, CIT-09, RAG-05…RAG-07)."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import eq, gt

import regex

from detection.core import text
from detection.core.claims import source_ids
from detection.core.context import Context
from detection.core.rules import PLAIN, Algebra, Column, Columns, Row, each
from detection.core.thresholds import Thresholds
from detection.core.types import Case, CitationDecision, CitationMeasurement, Claim, SentenceCited

SHOWN_SENTENCES = 3
SHOWN_LENGTH = 100
EMPTY = "Answer is empty, cannot detect hallucinations"
NO_CLAIMS = "No valid claims found, cannot detect hallucinations"

_CLAIMS = ("length", gt, "claim_length")
SENTENCES = (
    Row("total", _CLAIMS),
    Row("cited", _CLAIMS, "cites_valid"),
    Row("uncited", ("length", gt, "uncited_length"), ("cites", eq, False)),
)
"""What each sentence that says something counts as (CIT-02, CIT-03)."""

_CASED = regex.compile(r"[\p{Lu}\p{Ll}]")


def measure(context: Context) -> CitationMeasurement:
    """Every sentence with the ids it cites, valid and invalid, and the lengths that RAG-07 compares.

    A sentence keeps its text, so that another list of phrases (RAG-05) can be tried on it later. Where an answer came without
    any source nobody can tell what its marks meant: they cite nothing, rightly or wrongly.
    """
    case = context.case
    known = source_ids(case)
    valid_ids = set(known.values())
    sentences = _sentences(case, context.claims, known, valid_ids)
    cited = list(dict.fromkeys(ref for sentence in sentences for ref in sentence.citations))
    scores = [source.score for source in case.sources if source.score is not None]
    return CitationMeasurement(
        sentences=sentences,
        valid=tuple(ref for ref in cited if ref in valid_ids),
        invalid=tuple(ref for ref in cited if ref not in valid_ids),
        sources=len(case.sources),
        answer_length=len(case.answer),
        context_length=sum(len(source.text) for source in case.sources),
        mean_score=sum(scores) / len(scores) if scores else None,
        empty=not case.answer.strip(),
    )


def _sentences(
    case: Case, claims: Sequence[Claim], known: dict[str, str], valid_ids: set[str]
) -> tuple[SentenceCited, ...]:
    marks = text.citation_marks(case.answer, known) if case.sources else []
    starts = [start for _, start, _ in marks]
    statements = _by_sentence(claims)
    measured: list[SentenceCited] = []
    for index, (start, end) in enumerate(text.sentences(case.answer, case.language)):
        inside = marks[bisect_left(starts, start) : bisect_left(starts, end)]
        refs = tuple(dict.fromkeys(ref for ref, _, _ in inside))
        plain = text.strip_marks(case.answer[start:end]).strip()
        measured.append(
            SentenceCited(
                start=start,
                end=end,
                length=len(plain),
                text=plain,
                citations=refs,
                invalid=tuple(ref for ref in refs if ref not in valid_ids),
                statements=tuple(statements.get(index, ())),
            )
        )
    return tuple(measured)


def _by_sentence(claims: Sequence[Claim]) -> Mapping[int, list[int]]:
    """The statements of each sentence; one that asserts nothing of the world has nothing to cite."""
    found: dict[int, list[int]] = {}
    for claim in claims:
        if claim.kind == "statement" and (claim.citations or not claim.excluded):
            found.setdefault(claim.sentence, []).append(claim.index)
    return found


def decide(measurement: CitationMeasurement, context: Context) -> CitationDecision:
    """The CIT output under a profile.

    Claims are sentences longer than ``claim_length`` that say something; ``citation_ratio`` is the part of
    them with a valid citation, ``citation_ratio_literal`` the distinct valid ids by their number, as the
    source document has it. Risk is 1 − the ratio that the profile chose (CIT-03). An answer that is empty or
    has no claim has no risk, and a note says so (CIT-09).
    """
    thresholds = context.thresholds
    said = [sentence for sentence in measurement.sentences if sentence.statements]
    counts = [each(SENTENCES, _columns(sentence), thresholds) for sentence in said]
    uncited = [sentence.text for sentence, one in zip(said, counts, strict=True) if one["uncited"]]
    valid, invalid = len(measurement.valid), len(measurement.invalid)
    counted = {row.gives: sum(one[row.gives] for one in counts) for row in SENTENCES}
    found = figures({**counted, "ruled": True, "valid": valid, "invalid": invalid}, thresholds)
    return CitationDecision(
        expected=found["expected"],
        has_risk=found["risk"] > thresholds.citation_risk,
        risk_score=found["risk"],
        valid=measurement.valid,
        invalid=measurement.invalid,
        uncited_sentences=tuple(sentence[:SHOWN_LENGTH] for sentence in uncited[:SHOWN_SENTENCES]),
        uncited_count=len(uncited),
        citation_ratio=found["sentences"],
        citation_ratio_literal=found["literal"],
        total_claims=found["total"],
        note=EMPTY if measurement.empty else None if found["total"] else NO_CLAIMS,
        indicators=_indicators(measurement, thresholds.indicator_phrases),
        too_long=_too_long(measurement, thresholds.length_ratio),
        mean_score=measurement.mean_score,
        sources=measurement.sources,
        invalid_by_claim={
            index: s.invalid for s in measurement.sentences if s.invalid for index in s.statements
        },
    )


def _columns(sentence: SentenceCited) -> Columns:
    cites = len(sentence.citations)
    return {"length": sentence.length, "cites": cites > 0, "cites_valid": cites > len(sentence.invalid)}


def figures(counted: Columns, thresholds: Thresholds, algebra: Algebra = PLAIN) -> dict[str, Column]:
    """What follows from the counts of :data:`SENTENCES` and of ids that are ``valid`` and ``invalid``: whether citations
    are ``expected``, both ratios, the ``ratio`` that the profile chose and the ``risk``."""
    claims = algebra.most(counted["total"], 1)
    ratios = {"sentences": counted["cited"] / claims, "literal": counted["valid"] / claims}
    ratio = ratios[thresholds.citation_ratio_rule]
    risk = algebra.where(counted["total"] > 0, 1.0 - algebra.least(ratio, 1.0), 0.0)
    expected = thresholds.citations_expected == "always"
    if thresholds.citations_expected == "auto":
        expected = counted["valid"] + counted["invalid"] > 0
    return {**counted, **ratios, "ratio": ratio, "risk": risk, "expected": counted["ruled"] & expected}


def _too_long(measurement: CitationMeasurement, ratio: float) -> bool:
    """Whether the answer is longer than its sources can account for (RAG-07); without any source text there
    is nothing to compare, and that is found elsewhere."""
    return 0 < ratio * measurement.context_length < measurement.answer_length


def _indicators(measurement: CitationMeasurement, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases that occur in the answer (RAG-05), in the order of the list."""
    sentences = [sentence.text.casefold() for sentence in measurement.sentences]
    return tuple(
        phrase
        for phrase in phrases
        if phrase.strip() and any(_pattern(phrase).search(sentence) for sentence in sentences)
    )


@lru_cache(maxsize=256)
def _pattern(phrase: str) -> "regex.Pattern[str]":
    """Whole words in scripts with capitals (``usually`` is not in ``unusually``); anywhere in Hebrew, whose
    prefixes are written on the word, and in Chinese, which has no spaces."""
    escaped = regex.escape(" ".join(phrase.casefold().split())).replace(r"\ ", r"\s+").replace(" ", r"\s+")
    return regex.compile(rf"(?<!\p{{L}}){escaped}(?!\p{{L}})" if _CASED.search(phrase) else escaped)
