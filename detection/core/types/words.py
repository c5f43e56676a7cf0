"""The words that the vocabulary is spelled in: kinds, statuses, levels, conclusions, and a caller's deadline."""

from collections.abc import Callable
from typing import Literal, get_args

Kind = Literal["statement", "currency", "percentage", "ratio", "date", "number", "change"]
Status = Literal["supported", "contradicted", "unsupported", "unverified", "not_checked"]
ReportStatus = Literal["ok", "skipped", "timeout", "error", "rate_limited", "away"]
AnswerStatus = Literal[
    "success", "insufficient_context", "low_confidence", "hallucination_detected", "error", "not_verified"
]
Level = Literal["low", "moderate", "high"]
Action = Literal["accept", "refine_search", "reject"]
Word = Literal["wrong", "not_in_evidence", "doubtful", "supported", "not_checked"]
CONCLUSIONS: tuple[Word, ...] = get_args(Word)
"""``wrong``: the evidence says something else, and the page can point at it. ``not_in_evidence``: looked for and not there.
``doubtful``: only a verifier's or a judge's opinion is against it."""
Interval = tuple[float, float]
Expired = Callable[[], bool]


def never() -> bool:
    """The deadline of a caller who has none."""
    return False
