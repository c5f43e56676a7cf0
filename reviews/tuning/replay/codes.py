"""The words of findings as small numbers. Stored blocks hold these positions: add at the end, and never reorder without
raising :data:`reviews.tuning.replay.columns.SCHEMA`."""

from collections.abc import Mapping

from detection.core.types import Status

KINDS = ("statement", "number", "currency", "percentage", "ratio", "date", "change")
STATUSES: tuple[Status, ...] = ("supported", "contradicted", "unsupported", "unverified", "not_checked")
SUPPORTED, CONTRADICTED, UNSUPPORTED, UNVERIFIED, NOT_CHECKED = range(5)

CODES = (
    "other", "exact", "approximate", "bound_ok", "unbound", "derived", "inexact", "contradicted", "transposed", "scale",
    "sign", "off_period", "off_property", "off_metric", "no_such_day", "not_found", "timeout", "source_limit",
    "db_unavailable", "not_measured", "switched_off", "supported", "supported_uncited", "supported_redundant",
    "borderline", "miscited", "unsupported", "uncertain", "number_contradicted", "pending", "error", "question",
    "instruction", "hedge", "too_short", "claim_limit", "overload", "judge_contradictory", "judge_unsupported",
    "judge_over_extrapolation", "off_role", "off_unit", "off_bound", "holds", "not_compared", "covered", "closing", "advice", "reply",
    "preamble", "abstention_held", "abstention_doubted", "abstention_open",
    "no_evidence", "no_verifier", "verifier_context_too_long", "verifier_no_label", "verifier_empty_choices",
    "heading",
)  # fmt: skip
"""Codes of findings; ``other`` stands for a verifier's own word for its failure."""

CODE: Mapping[str, int] = {code: position for position, code in enumerate(CODES)}


def code_of(code: str) -> int:
    """The position of a code, that of ``other`` for a word that no rule looks at."""
    return CODE.get(code, CODE["other"])


OF_STATEMENTS = 4
"""The bit of a claim's disputes that is no number's; those of numbers are :mod:`detection.core.disputes`' own."""

JUDGED = (None, "judge_contradictory", "judge_unsupported", "judge_over_extrapolation")
"""What the judge may say of a statement."""

TOLERANCES = (None, "currency_tolerance", "percentage_tolerance", "ratio_tolerance", "date_tolerance_days")
"""The thresholds that may be a number's tolerance."""
