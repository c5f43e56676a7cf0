"""What a refuter proposes: that a statement is denied, with both spans that exclude each other."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "negation",
    "direction",
    "parties",
    "quantifier",
    "modality",
    "condition",
    "cause",
    "attribution",
    "date_role",
    "unit",
]

KINDS: tuple[Kind, ...] = (
    "negation",
    "direction",
    "parties",
    "quantifier",
    "modality",
    "condition",
    "cause",
    "attribution",
    "date_role",
    "unit",
)


@dataclass(frozen=True, slots=True)
class Refutation:
    """A span of a statement and the span of a source that excludes it. Offsets count characters; ``alignment`` is
    the weighted share, 0 to 1, of the words around the one that stand around the other as well."""

    kind: Kind
    claim_start: int
    claim_end: int
    source_index: int
    start: int
    end: int
    alignment: float
