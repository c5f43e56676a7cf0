"""Fits calibration maps to what people judged: on earlier days, reported on later ones (review-queue §5.4)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from numpy.typing import NDArray

from detection.core import calibration
from detection.models import CalibrationMap, DetectionRun
from detection.models.calibration import LEAST, Split
from reviews.calibration import reliability
from reviews.calibration.reliability import Sample
from reviews.tuning.labels import Labels, labels
from reviews.tuning.replay.measured import Measured, window

FITTED = 0.75
"""The part of the labelled answers, the earliest, that a map is fitted on."""
DAY = 86400
FITS: dict[str, Callable[..., calibration.Map]] = {
    "isotonic": calibration.isotonic,
    "platt": calibration.platt,
}


class NotFitted(Exception):
    """No map can be fitted to these labels; the text says why."""


@dataclass(frozen=True)
class Confidences:
    """What the runs of a window said, aligned with the answers of its :class:`Measured`: the ``delivered`` adjusted
    confidence, the ``raw`` one before a map (float64[A], nan where none was stated) and the ``verifier``."""

    delivered: NDArray[np.float64]
    raw: NDArray[np.float64]
    verifier: NDArray[Any]


def confidences(measured: Measured) -> Confidences:
    """The stored confidences of the measured answers; one query."""
    size = len(measured.run)
    found = Confidences(np.full(size, np.nan), np.full(size, np.nan), np.full(size, "", object))
    if size:
        between = Q(pk__gte=int(measured.run[0]), pk__lte=int(measured.run[-1]), finished_at__isnull=False)
        named = ("pk", "adjusted_confidence", Coalesce("raw_confidence", "adjusted_confidence"), "verifier")
        for pk, delivered, raw, verifier in DetectionRun.objects.filter(between).values_list(*named):
            row = int(np.searchsorted(measured.run, pk))
            if row < size and measured.run[row] == pk and delivered is not None:
                found.delivered[row], found.raw[row], found.verifier[row] = delivered, raw, verifier or ""
    return found


def sample_of(measured: Measured, given: Labels, score: NDArray[np.float64]) -> Sample:
    """The labelled answers with a ``score`` (float64[A]) that count for something."""
    right = given.answer == 0
    weight = np.where(given.answer >= 0, given.weight, 0.0)
    return Sample(score, right, weight, measured.finished, measured.run).usable()


def labelled_by_verifier(measured: Measured, given: Labels, said: Confidences) -> dict[str, int]:
    """How many labels a map of each verifier could be fitted on and reported with, by name."""
    usable = (given.answer >= 0) & (given.weight > 0) & np.isfinite(said.raw)
    counted = Counter(said.verifier[usable].tolist())
    return {name: counted[name] for name in sorted(counted) if name}


def fit(user: Any, verifier: str, method: str, first: datetime, last: datetime) -> CalibrationMap:
    """A draft of a map for the answers of ``verifier`` that were judged in [first, last).

    Raises :class:`NotFitted`, in words, for labels that are too few, of one class, of one day or all of one score.
    """
    measured = window(user, first, last)
    said = confidences(measured)
    mine = np.asarray(said.verifier == verifier, bool)
    sample = sample_of(measured, labels(measured), np.where(mine, said.raw, np.nan))
    earlier, later = parted(sample)
    fitted = fitted_on(earlier, method)
    return CalibrationMap.draft(
        verifier,
        fitted,
        on=_split(earlier),
        reported=_split(later),
        report={
            "before": reliability.figures(later).stored(),
            "after": reliability.figures(later.mapped(fitted)).stored(),
        },
        actor=user,
    )


def parted(sample: Sample) -> tuple[Sample, Sample]:
    """The earlier and the later days, parted where the earlier ones hold the share nearest to :data:`FITTED` of the
    labels. Raises :class:`NotFitted` for labels of one day, and for fewer than 200 altogether."""
    _enough(sample)
    day = sample.finished // DAY
    days = np.unique(day)
    if len(days) < 2:
        raise NotFitted(
            gettext("All labels are of one day. A map is fitted on earlier days and reported on later ones.")
        )
    shares = np.array([(day < start).mean() for start in days[1:]])
    start = days[1:][np.argmin(np.abs(shares - FITTED))]
    return sample.part(day < start), sample.part(day >= start)


def fitted_on(sample: Sample, method: str) -> calibration.Map:
    """The map of a sample. Raises :class:`NotFitted` below 200 labels, for one class only and for one score only."""
    _enough(sample)
    if sample.right.all() or not sample.right.any():
        raise NotFitted(gettext("All labels agree. A map needs right answers and wrong ones."))
    if (sample.score == sample.score[0]).all():
        raise NotFitted(gettext("All answers have the same confidence. There is nothing to fit."))
    even = replace(sample, weight=sample.weight / sample.weight.mean())
    return FITS[method](even.score.tolist(), even.right.tolist(), even.weight.tolist())


def _enough(sample: Sample) -> None:
    if len(sample.score) < LEAST:
        raise NotFitted(gettext("%(n)d of 200 labels on the days to fit on.") % {"n": len(sample.score)})


def _split(sample: Sample) -> Split:
    return Split(_day(sample.finished.min()), _day(sample.finished.max()), len(sample.score))


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(float(seconds), UTC).date()
