"""Which thresholds an answer has only just passed: the same decision under slightly stricter ones (review-queue §5.3)."""

from dataclasses import replace
from typing import Any

from detection.core.thresholds import Thresholds, form_fields

PART = 5
"""The strip next to a threshold is one part in so many of what passes."""

CEILINGS = ("currency_tolerance", "percentage_tolerance", "ratio_tolerance", "date_tolerance_days",
    "citation_risk_high", "judge_risk_high", "contradiction_probability", "doubt_limits")  # fmt: skip
"""What must stay below its threshold to pass unflagged."""
FLOORS = ("target_confidence", "target_by_method", "minimum_lift", "borderline_ratio", "citation_ratio_low",
    "govil_evidence_use", "govil_confidence", "govil_grounded_share",
    "clean_to_review")  # fmt: skip
"""What must reach its threshold to pass unflagged."""


def stricter(thresholds: Thresholds) -> Thresholds:
    """``thresholds`` with the fifth of the passing range next to each of them cut off, between the declared bounds: a
    tolerance of 5 % becomes 4 %, a floor of .95 under .999 becomes .96. What is flagged under these and not under the
    given ones lies in the boundary band."""
    declared = {f.name: f.metadata for f in form_fields()}
    nearer = {name: _towards(getattr(thresholds, name), declared[name]["low"]) for name in CEILINGS}
    nearer |= {name: _towards(getattr(thresholds, name), declared[name]["high"]) for name in FLOORS}
    return replace(thresholds, **nearer)


def _towards(value: Any, bound: float) -> Any:
    if isinstance(value, dict):
        return {name: _towards(each, bound) for name, each in value.items()}
    return value + (bound - value) / PART
