"""The words that the vocabulary is spelled in: kinds, statuses, levels, and a caller's deadline."""

from collections.abc import Callable
from typing import Literal

Kind = Literal["statement", "currency", "percentage", "ratio", "date", "number", "change"]
Status = Literal["supported", "contradicted", "unsupported", "unverified", "not_checked"]
ReportStatus = Literal["ok", "skipped", "timeout", "error", "rate_limited", "away"]
AnswerStatus = Literal[
    "success", "insufficient_context", "low_confidence", "hallucination_detected", "error", "not_verified"
]
Level = Literal["low", "moderate", "high"]
Action = Literal["accept", "refine_search", "reject"]
Interval = tuple[float, float]
Expired = Callable[[], bool]


def never() -> bool:
    """The deadline of a caller who has none."""
    return False
