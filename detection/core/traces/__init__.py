"""The audit of a reasoning trace: is each step carried, does the answer follow?"""

from detection.core.traces.arithmetic import equations
from detection.core.traces.audit import STATUSES, decide
from detection.core.traces.measures import measure
from detection.core.traces.post_hoc import SYSTEM, UNDERIVABLE, missing_numbers, prompt
from detection.core.traces.reading import read, step_id, step_named

__all__ = [
    "STATUSES",
    "SYSTEM",
    "UNDERIVABLE",
    "decide",
    "equations",
    "measure",
    "missing_numbers",
    "prompt",
    "read",
    "step_id",
    "step_named",
]
