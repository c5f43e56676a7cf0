"""The information-budget detector: is a statement carried by the evidence it cites? ``score`` is public."""

from detection.core.statements.lifts import measure
from detection.core.strawberry.detector import (
    ABSTAINED,
    SHORT,
    SILENT,
    beliefs_of,
    decide,
    skip_status,
    target_of,
)
from detection.core.strawberry.information import (
    SIGNED,
    bits,
    corner_bits,
    kl,
    midpoint,
    signed_bits,
    signed_kl,
)
from detection.core.strawberry.reasons import error_reason, reason, skip_reason
from detection.core.strawberry.scoring import NEGLIGIBLE, SCORINGS, STATUS, Beliefs, score, share_of
from detection.core.strawberry.sentences import FAILED

__all__ = [
    "ABSTAINED",
    "FAILED",
    "NEGLIGIBLE",
    "SCORINGS",
    "SHORT",
    "SIGNED",
    "SILENT",
    "STATUS",
    "Beliefs",
    "beliefs_of",
    "bits",
    "corner_bits",
    "decide",
    "error_reason",
    "kl",
    "measure",
    "midpoint",
    "reason",
    "score",
    "share_of",
    "signed_bits",
    "signed_kl",
    "skip_reason",
    "skip_status",
    "target_of",
]
