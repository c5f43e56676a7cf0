"""Answers that lose their words: :mod:`detection.erasing.answers`. What of them is in reviews, and who orders it, says the
caller."""
