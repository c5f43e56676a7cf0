"""The information-budget detector: is a statement carried by the evidence it cites? ``score`` is public."""

from detection.core.statements.lifts import leave_out, measure
from detection.core.strawberry.detector import STATUS, decide, target_of
from detection.core.strawberry.information import (
    EXACT,
    SIGNED,
    bits,
    corner_bits,
    kl,
    midpoint,
    signed_bits,
    signed_kl,
)
from detection.core.strawberry.reasons import error_reason, reason, skip_reason
from detection.core.strawberry.scoring import NEGLIGIBLE, SCORINGS, Beliefs, score
from detection.core.strawberry.sentences import FAILED

__all__ = [
    "EXACT",
    "FAILED",
    "NEGLIGIBLE",
    "SCORINGS",
    "SIGNED",
    "STATUS",
    "Beliefs",
    "bits",
    "corner_bits",
    "decide",
    "error_reason",
    "kl",
    "leave_out",
    "measure",
    "midpoint",
    "reason",
    "score",
    "signed_bits",
    "signed_kl",
    "skip_reason",
    "target_of",
]
