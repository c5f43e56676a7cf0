"""Citations and word overlap: rules only, no model."""

from detection.core.citations.grounding import is_grounded
from detection.core.citations.overlaps import COMMON, NUMBER, stem, stems, value, weighted_overlap
from detection.core.citations.placement import lead_of, misplaced, named_sources, places_of
from detection.core.citations.rules import EMPTY, NO_CLAIMS, decide, measure

__all__ = [
    "COMMON",
    "EMPTY",
    "NO_CLAIMS",
    "NUMBER",
    "decide",
    "is_grounded",
    "lead_of",
    "measure",
    "misplaced",
    "named_sources",
    "places_of",
    "stem",
    "stems",
    "value",
    "weighted_overlap",
]
