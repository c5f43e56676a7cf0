"""The prose of a source as facts: whose each number is, where it came from, and what is said alike of several."""

from detection.core.evidence.prose.reading import dates_of, of_prose

__all__ = ["dates_of", "of_prose"]
