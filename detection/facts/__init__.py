"""The memory gate around its core: measured under a deadline, then remembered or not."""

from detection.facts.checks import NoAssertion
from detection.facts.gate import (
    FOR_STORING,
    LONGEST_FACT,
    LONGEST_WAIT,
    MOST_ATTEMPTS,
    MOST_EVIDENCE,
    NOT_GROUNDED,
    RETRY_AFTER,
    SECONDS,
    SWITCHED_OFF,
    Gated,
    UnsoundFact,
    gate_fact,
    verify_due,
)

__all__ = [
    "FOR_STORING",
    "LONGEST_FACT",
    "LONGEST_WAIT",
    "MOST_ATTEMPTS",
    "MOST_EVIDENCE",
    "NOT_GROUNDED",
    "RETRY_AFTER",
    "SECONDS",
    "SWITCHED_OFF",
    "Gated",
    "NoAssertion",
    "UnsoundFact",
    "gate_fact",
    "verify_due",
]
