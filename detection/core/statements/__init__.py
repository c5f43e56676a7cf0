"""What a verifier is asked about a statement, and what it is shown."""

from detection.core.statements.batching import SIDE_BY_SIDE, ask
from detection.core.statements.covering import DOUBTED, MOST_OPEN, covered, open_words
from detection.core.statements.lifts import ABSTENTIONS, NO_EVIDENCE, OVERLOAD, measure
from detection.core.statements.orders import MOST_FOUND, injections, without_orders
from detection.core.statements.scrubbing import (
    NearDuplicates,
    cited_context,
    cited_refs,
    full_context,
    read_context,
    scrubbed_context,
    scrubbed_refs,
)

__all__ = [
    "ABSTENTIONS",
    "DOUBTED",
    "MOST_FOUND",
    "MOST_OPEN",
    "NO_EVIDENCE",
    "OVERLOAD",
    "SIDE_BY_SIDE",
    "NearDuplicates",
    "ask",
    "cited_context",
    "cited_refs",
    "covered",
    "full_context",
    "injections",
    "measure",
    "open_words",
    "read_context",
    "scrubbed_context",
    "scrubbed_refs",
    "without_orders",
]
