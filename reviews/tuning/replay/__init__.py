"""Deciding again: what was measured, as arrays out of stored blocks, under other thresholds (review-queue §5.1).

Others call :mod:`measured` (read), :mod:`deciding` (decide) and :mod:`scores`.
"""
