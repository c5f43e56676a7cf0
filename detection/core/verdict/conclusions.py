"""The one conclusion of a claim, in a word (conclusion §3): proof against goes before proof for, and both before an opinion."""

from detection.core.types import Finding, Word

PROVED = ("number_contradicted",)
"""Findings against a statement that rest on proof, not on an opinion."""
BY_FIGURES = ("covered", *PROVED)
"""Findings about a statement that its figures decide."""
_WORDS: dict[str, Word] = {
    "contradicted": "wrong",
    "unsupported": "not_in_evidence",
    "supported": "supported",
}


def concluded(kind: str, status: str, code: str) -> Word:
    """The conclusion of a claim of ``kind`` whose finding has this status and code."""
    if kind == "statement" and status in ("contradicted", "unsupported") and code not in PROVED:
        return "doubtful"
    return _WORDS.get(status, "not_checked")


def decided_by(finding: Finding) -> str:
    """The check whose word it is: of a statement that its figures decide, the numeric one."""
    return "numeric" if finding.code in BY_FIGURES else finding.detector
