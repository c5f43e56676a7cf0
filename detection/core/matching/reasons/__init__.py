"""What a number's finding says to an analyst, in three languages (NUM-08)."""

from detection.core.matching.reasons.sentences import REASONS
from detection.core.matching.reasons.telling import reason, values

__all__ = ["REASONS", "reason", "values"]
