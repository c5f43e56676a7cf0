"""Choosing on earlier days and reporting on later ones, so that a choice is not judged by what it was made from
(review-queue §5.3)."""

import numpy as np
from numpy.typing import NDArray

from reviews.tuning.replay.measured import Measured

DAY = 86_400.0
EARLIER = 0.75
"""The share of the days that a choice is made on."""


def earlier_days(measured: Measured, share: float = EARLIER) -> NDArray[np.bool_]:
    """bool[A]: whether an answer was judged in the first ``share`` of the days, counted in UTC from the first day
    with an answer to the last. Of a single day all are earlier."""
    if not len(measured.finished):
        return np.zeros(0, bool)
    day = np.floor(measured.finished / DAY)
    first, last = day.min(), day.max()
    early: NDArray[np.bool_] = day < first + max(1.0, np.ceil((last - first + 1) * share))
    return early
