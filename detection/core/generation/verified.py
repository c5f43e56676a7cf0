"""The layer that releases a strict answer only after the full detection of its text, verifier included."""

from dataclasses import replace

from detection.core import claims
from detection.core.generation.sentences import refusal
from detection.core.pipeline import Conclusion
from detection.core.types import AnswerStatus, Case, Claim
from detection.core.verdict import ASSERTS_NOTHING, DOUBTFUL

CLEAR: tuple[AnswerStatus, ...] = ("success", "low_confidence")
"""The weight of its sources was asked before the model was."""
Refused = tuple[AnswerStatus, str]


def asserted(case: Case) -> tuple[Claim, ...]:
    """The claims of a strict answer. What it says with a hedge, as an instruction or a heading, is held to the sources too: "leave
    may be carried over" permits what they may forbid."""
    return tuple(
        replace(claim, excluded=None) if claim.excluded in ("hedge", "instruction", "heading") else claim
        for claim in claims.read(case)
    )


def unverified(found: Conclusion, language: str) -> Refused | None:
    """The status of a text that may not be released and why, in ``language``; None when every statement of it is
    supported and no number contradicted or missing. A number that is of nothing named is left to the other layers."""
    doubted = sum(finding.status in DOUBTFUL for finding in found.findings)
    if doubted or found.verdict.has_hallucinations or found.verdict.needs_review:
        why = refusal("doubted", language, doubted=doubted, claims=len(found.findings))
        return "hallucination_detected", why
    unread = any(_is_unread(found, index) for index in range(len(found.findings)))
    late = any(report.status not in ("ok", "skipped") for report in found.reports.values())
    if unread or late or found.verdict.answer_status not in CLEAR:
        return "not_verified", refusal("unread", language)
    return None


def _is_unread(found: Conclusion, index: int) -> bool:
    """Whether a claim has no result; what asserts nothing needs none."""
    claim, finding = found.claims[index], found.findings[index]
    if finding.status == "unverified":
        return finding.code != "unbound"
    missed = claim.kind == "statement" and finding.status == "not_checked"
    return missed and finding.code not in ASSERTS_NOTHING
