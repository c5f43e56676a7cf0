"""Which calibration map an answer's confidence goes through: the active one of the verifier that judged it."""

from dataclasses import replace
from typing import Any

from detection.core import calibration as core
from detection.core.pipeline import Conclusion
from detection.core.verdict import verifier_of
from detection.models import CalibrationMap


def calibrated(conclusion: Conclusion) -> tuple[Conclusion, dict[str, Any]]:
    """A conclusion with its confidence calibrated where a map is active, and the columns of its run about that:
    ``adjusted_confidence``, ``raw_confidence`` before the map, ``calibration`` (the map or None) and ``verifier``.

    At most one query, none for an answer without a stated confidence.
    """
    verifier, raw = verifier_of(conclusion.reports), conclusion.verdict.uncalibrated_confidence
    active = None if raw is None else CalibrationMap.active(verifier)
    verdict = core.calibrated(conclusion.verdict, active.curve()) if active else conclusion.verdict
    return replace(conclusion, verdict=verdict), {
        "adjusted_confidence": verdict.adjusted_confidence,
        "raw_confidence": raw,
        "calibration": active,
        "verifier": verifier,
    }
