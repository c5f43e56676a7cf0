"""Citations and word overlap: rules only, no model."""

from detection.core.citations.grounding import is_enough, is_grounded, shares_enough
from detection.core.citations.overlaps import COMMON, NUMBER, stem, stems, value, weighted_overlap
from detection.core.citations.placement import (
    MISPLACED,
    TELLING,
    lead_of,
    misplaced,
    named_sources,
    places_of,
)
from detection.core.citations.rules import EMPTY, NO_CLAIMS, SENTENCES, decide, figures, measure

__all__ = [
    "COMMON",
    "EMPTY",
    "MISPLACED",
    "NO_CLAIMS",
    "NUMBER",
    "SENTENCES",
    "TELLING",
    "decide",
    "figures",
    "is_enough",
    "is_grounded",
    "lead_of",
    "measure",
    "misplaced",
    "named_sources",
    "places_of",
    "shares_enough",
    "stem",
    "stems",
    "value",
    "weighted_overlap",
]
