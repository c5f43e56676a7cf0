"""Numbers that stand nowhere but follow from others, as the words ask for them."""

from detection.core.derivations.formulas import Derived, Operand, Shape, compute, derive
from detection.core.derivations.phrases import joined, parts
from detection.core.derivations.source_derivations import derived_candidates
from detection.core.derivations.words import (
    is_range,
    operations,
    speaks_of_average,
    speaks_of_fall,
    speaks_of_sum,
)

__all__ = [
    "Derived",
    "Operand",
    "Shape",
    "compute",
    "derive",
    "derived_candidates",
    "is_range",
    "joined",
    "operations",
    "parts",
    "speaks_of_average",
    "speaks_of_fall",
    "speaks_of_sum",
]
