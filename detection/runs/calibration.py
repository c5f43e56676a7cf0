"""Which calibration map an answer's confidence goes through: the active one of the verifier that judged it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from detection.core import calibration as core
from detection.core.pipeline import Conclusion
from detection.core.types import StrawberryMeasurement
from detection.core.verdict import Report
from detection.models import CalibrationMap

RULES = "rules"
"""The verifier of answers that were judged by rules alone."""
LONGEST = 300


def verifier_of(reports: Mapping[str, Report]) -> str:
    """Method, model and prompt version that most statements of an answer were verified with, as one text
    (``logprobs · some-model · 2``); :data:`RULES` when none was. Of two as frequent the first by name."""
    report = reports.get("strawberry")
    measured = report.measurement if report else None
    lifts = measured.claims.values() if isinstance(measured, StrawberryMeasurement) else ()
    named = Counter(
        " · ".join(part for part in (lift.method, lift.model, lift.prompt_version) if part)
        for lift in lifts
        if lift.p1 is not None
    )
    return min(named, key=lambda name: (-named[name], name))[:LONGEST] if named else RULES


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
