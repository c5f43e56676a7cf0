"""The dashboard: what waits, how it flows, how good answers, detectors and reviewers are (review-queue §6)."""
