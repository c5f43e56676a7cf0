"""An audited trace as plain JSON values, one shape for the API and the shell (SPEC-08.32).

Scalars are midpoints, bits base 2; each step's ``strawberry`` is the same section that a statement of an answer has.
"""

from collections.abc import Sequence
from typing import Any

from detection.core.traces import step_id
from detection.models import Trace, TraceStep

NO_BUDGET = {"p1": None, "p0": None, "required_bits": None, "observed_bits": None, "budget_gap_bits": None}


def render(row: Trace, steps: Sequence[TraceStep]) -> dict[str, Any]:
    """The audit: its steps with status and budget, and whether the answer follows from them."""
    return {
        "question": row.question,
        "answer": row.answer,
        "language": row.language,
        "steps": [step_section(step) for step in steps],
        "post_hoc": post_hoc_section(row),
        "cost": row.cost,
        "duration_ms": round(row.duration_ms, 3),
    }


def step_section(step: TraceStep) -> dict[str, Any]:
    """One step; ``rests_on`` and ``citations`` name earlier steps as ``step 1``."""
    budget = step.strawberry or NO_BUDGET
    return {
        "index": step.index,
        "id": step_id(step.index),
        "text": step.text,
        "citations": step.citations,
        "unknown_citations": step.unknown_citations,
        "confidence": step.confidence,
        "status": step.status,
        "conclusion": step.conclusion,
        "finding": step.finding,
        "reason": step.reason,
        "rests_on": [step_id(index) for index in step.rests_on],
        "p1": budget["p1"],
        "p0": budget["p0"],
        "required_bits": budget["required_bits"],
        "observed_bits": budget["observed_bits"],
        "budget_gap": budget["budget_gap_bits"],
        "strawberry": step.strawberry,
    }


def post_hoc_section(row: Trace) -> dict[str, Any]:
    """Whether the answer can be derived from the steps alone; ``executor_answer`` is null without an executor."""
    return {
        "derivable": row.derivable,
        "executor_answer": row.executor_answer or None,
        "method": row.method,
        "reason": row.reason,
    }
