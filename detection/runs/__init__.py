"""The shell around the core: rows into a case, measured, concluded, and the result of it."""

from detection.runs.calibration import calibrated
from detection.runs.evidence import build, mapping_of, source_of
from detection.runs.result_sections import budget_columns, budget_section, middle
from detection.runs.steps import (
    Prepared,
    conclude,
    deadline_of,
    decide,
    due_detectors,
    facets,
    load,
    measure,
    prepare,
    read,
    render,
    reports_of,
    source_quality,
    start,
    thresholds_of,
)

__all__ = [
    "Prepared",
    "budget_columns",
    "budget_section",
    "build",
    "calibrated",
    "conclude",
    "deadline_of",
    "decide",
    "due_detectors",
    "facets",
    "load",
    "mapping_of",
    "measure",
    "middle",
    "prepare",
    "read",
    "render",
    "reports_of",
    "source_of",
    "source_quality",
    "start",
    "thresholds_of",
]
