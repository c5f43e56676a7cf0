"""What the words around a table, or another chunk, say its columns and its rows are called."""

from detection.core.evidence.tables.told.announced import announced, headed_in_words
from detection.core.evidence.tables.told.keyed import Keys, keys_in, named_by

__all__ = ["Keys", "announced", "headed_in_words", "keys_in", "named_by"]
