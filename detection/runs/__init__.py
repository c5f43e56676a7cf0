"""The shell around the core: rows into a case, measured, concluded, and the result of it."""

from detection.runs.calibration import calibrated
from detection.runs.effective import ClaimEffective, Effective, by_machine, claim_by_machine
from detection.runs.evidence import build, mapping_of, source_of
from detection.runs.frames import FrameRows, forget
from detection.runs.result_sections import budget_columns, budget_section, middle
from detection.runs.retelling import retold
from detection.runs.screening import screen
from detection.runs.steps import (
    Prepared,
    begun,
    conclude,
    deadline_of,
    decide,
    due_detectors,
    facets,
    load,
    prepare,
    read,
    render,
    reports_of,
    seconds_for,
    source_quality,
    start,
    thresholds_of,
)

__all__ = [
    "ClaimEffective",
    "Effective",
    "FrameRows",
    "Prepared",
    "begun",
    "budget_columns",
    "budget_section",
    "build",
    "by_machine",
    "calibrated",
    "claim_by_machine",
    "conclude",
    "deadline_of",
    "decide",
    "due_detectors",
    "facets",
    "forget",
    "load",
    "mapping_of",
    "middle",
    "prepare",
    "read",
    "render",
    "reports_of",
    "retold",
    "screen",
    "seconds_for",
    "source_of",
    "source_quality",
    "start",
    "thresholds_of",
]
