"""Thresholds that learn: stored measurements replayed under other thresholds, and what verdicts say of the outcome
(review-queue §5)."""
