"""A number against the figures of record."""

from detection.core.records.comparing import compare_date, compare_figures
from detection.core.records.slots import Records
from detection.core.records.words import Said

__all__ = ["Records", "Said", "compare_date", "compare_figures"]
