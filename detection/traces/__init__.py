"""The audit of reasoning traces around its core: measured, decided, stored, shown."""

from detection.traces.auditing import MOST_STEPS, audit, examine, id_fault, trace_of

__all__ = ["MOST_STEPS", "audit", "examine", "id_fault", "trace_of"]
