"""The API of detection: judge without storing, figures of record, threshold profiles, facts, traces."""
