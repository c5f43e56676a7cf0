"""The audit of reasoning traces around its core: measured, decided, stored, shown."""

from detection.traces.auditing import MOST_STEPS, audit, examine, id_fault, trace_of
from detection.traces.retelling import retold

__all__ = ["MOST_STEPS", "audit", "examine", "id_fault", "retold", "trace_of"]
