"""What the agent that wrote an answer needs to put it right, and nothing else (SPEC-08.21)."""

from collections.abc import Mapping
from typing import Any

from detection import result_numbers
from detection.core.pipeline import Conclusion
from detection.core.types import Claim, Finding
from detection.result_sections import measured_claims

DOUBTFUL = ("contradicted", "unsupported")


def self_correction(conclusion: Conclusion) -> list[dict[str, Any]]:
    """One entry for each claim that is wrong, in the order of the text: its index and text, what is wrong in one
    sentence, the value expected instead and the source to rely on, None where they are not known.

    A statement that is wrong by one of its numbers is left to the entry of the number.
    """
    invalid = _invalid_citations(conclusion)
    entries = (
        _entry(conclusion, claim, finding, invalid.get(claim.index, ()))
        for claim, finding in zip(conclusion.claims, conclusion.findings, strict=True)
    )
    return [entry for entry in entries if entry]


def _entry(
    conclusion: Conclusion, claim: Claim, finding: Finding, invalid: tuple[str, ...]
) -> dict[str, Any] | None:
    wrong = finding.status in DOUBTFUL and finding.code != "number_contradicted"
    if not wrong and not invalid:
        return None
    cited = f"It cites {', '.join(f'[{ref}]' for ref in invalid)}, which is not among the sources."
    expected, source = (_of_statement if claim.kind == "statement" else _of_number)(
        conclusion, claim, finding
    )
    return {
        "claim": claim.index,
        "text": claim.text,
        "problem": finding.reason if wrong else cited,
        "expected": expected,
        "source": source,
    }


def _invalid_citations(conclusion: Conclusion) -> Mapping[int, tuple[str, ...]]:
    rules = conclusion.decisions.get("citation")
    return rules.invalid_by_claim if rules and rules.expected else {}


def _of_number(conclusion: Conclusion, claim: Claim, finding: Finding) -> tuple[str | None, str | None]:
    """The value expected, where it is known, and the source that speaks of the same thing."""
    measured = measured_claims(conclusion, "numeric").get(claim.index)
    expected = result_numbers.expected(finding, measured)
    near = [candidate for candidate in measured.candidates if candidate.same] if measured else []
    speaks = expected or (near[0] if near else None)
    return result_numbers.value_of(expected), speaks.source if speaks else None


def _of_statement(conclusion: Conclusion, claim: Claim, finding: Finding) -> tuple[str | None, str | None]:
    """No value, and the source that says it where the statement cites another one."""
    if finding.code != "miscited":
        return None, None
    overlap = measured_claims(conclusion, "grounding").get(claim.index)
    return None, overlap.source if overlap and overlap.source not in claim.citations else None
