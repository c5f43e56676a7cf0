"""Calibration maps for tests, as rows."""

from datetime import date
from typing import Any

import numpy as np

from detection.core.calibration import Isotonic, Map
from detection.models import CalibrationMap
from detection.models.calibration import Split
from reviews.calibration.reliability import Sample, figures

HALF = Isotonic((0.0, 1.0), (0.0, 0.5))
EARLIER = Split(date(2026, 1, 1), date(2026, 1, 20), 260)
LATER = Split(date(2026, 1, 21), date(2026, 1, 31), 90)


def sample(n: int = 90, seed: int = 1, *, days: int = 10) -> Sample:
    """Overconfident scores: what says s is right s² of the time; spread evenly over some days of January 2026."""
    random = np.random.default_rng(seed)
    score = np.round(random.uniform(0.3, 1.0, n), 2)
    finished = 1767225600.0 + (np.arange(n) * days * 86400 // n).astype(np.float64)
    return Sample(score, random.random(n) < score**2, np.ones(n), finished, np.arange(n))


def drafted(verifier: str = "rules", fitted: Map = HALF, **more: Any) -> CalibrationMap:
    """A draft that was fitted on 260 labels and reported on 90 later ones."""
    later = sample()
    report = {"before": figures(later).stored(), "after": figures(later.mapped(fitted)).stored()}
    given: dict[str, Any] = {"on": EARLIER, "reported": LATER, "report": report} | more
    return CalibrationMap.draft(verifier, fitted, **given)
