"""What the agent that wrote an answer needs to put it right, and nothing else (SPEC-08.21)."""

from collections.abc import Iterable
from typing import Any

from detection.core.pipeline import Conclusion
from detection.core.types import Claim, Finding
from detection.core.verdict import sentence
from detection.runs import result_numbers
from detection.runs.result_sections import measured_claims

DOUBTFUL = ("contradicted", "unsupported")


def self_correction(conclusion: Conclusion, language: str | None) -> list[dict[str, Any]]:
    """One entry for each claim that is wrong, in the order of the text: its index and text, what is wrong in a
    sentence, the value expected instead and the source to rely on, None where they are not known.

    A statement that is wrong by one of its numbers is left to the entry of the number.
    """
    cited = _citations(conclusion, language or "")
    better = _better_sources(conclusion)
    entries = []
    for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True):
        wrong = finding.status in DOUBTFUL and finding.code != "number_contradicted"
        problem = finding.reason if wrong else cited.get(claim.index)
        if problem:
            expected, source = _of_number(conclusion, claim, finding)
            named = {"claim": claim.index, "text": claim.text, "problem": problem}
            entries.append(named | {"expected": expected, "source": source or better.get(claim.index)})
    return entries


def _citations(conclusion: Conclusion, language: str) -> dict[int, str]:
    """What is wrong with the citations of statements: sources that do not exist, or that another one should be."""
    rules = conclusion.decisions.get("citation")
    if rules is None or not rules.expected:
        return {}
    misplaced = {
        wrong.claim: sentence("misplaced_citation", language, cited=_marks(wrong.cited), better=wrong.better)
        for wrong in rules.misplaced
    }
    invalid = {
        index: " ".join(sentence("invalid_citation", language, ref=ref) for ref in refs)
        for index, refs in rules.invalid_by_claim.items()
    }
    return misplaced | invalid


def _marks(refs: Iterable[str]) -> str:
    return ", ".join(f"[{ref}]" for ref in refs)


def _better_sources(conclusion: Conclusion) -> dict[int, str]:
    """The source that says a statement, where it cites another one."""
    rules = conclusion.decisions.get("citation")
    proposed = {wrong.claim: wrong.better for wrong in rules.misplaced} if rules else {}
    overlaps = measured_claims(conclusion, "grounding")
    for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True):
        overlap = overlaps.get(claim.index) if finding.code == "miscited" else None
        if overlap and overlap.citable and overlap.citable not in claim.citations:
            proposed.setdefault(claim.index, overlap.citable)
    return proposed


def _of_number(conclusion: Conclusion, claim: Claim, finding: Finding) -> tuple[str | None, str | None]:
    """The value expected, where it is known, and the source that speaks of the same thing."""
    measured = measured_claims(conclusion, "numeric").get(claim.index)
    if measured is None:
        return None, None
    expected = result_numbers.expected(finding, measured)
    near = [candidate for candidate in measured.candidates if candidate.same]
    speaks = expected or (near[0] if near else None)
    return result_numbers.value_of(expected), speaks.source if speaks else None
