"""The API of detection: figures of record, threshold profiles, facts, traces; and how callers of any API wait."""
