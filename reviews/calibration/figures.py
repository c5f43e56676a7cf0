"""What the calibration page and its API tell: diagrams, agreement of detectors and people, drift (S10, F22)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detection.access import Caller
from detection.models import Claim
from reviews.calibration import drift, fitting
from reviews.calibration.fitting import Confidences
from reviews.calibration.reliability import Figures, Sample, figures
from reviews.models import HallucinationReview
from reviews.models.states import State
from reviews.tuning.agreement import kappa
from reviews.tuning.estimates import Estimate
from reviews.tuning.labels import Labels, labels
from reviews.tuning.replay.measured import KINDS, Measured, window

SCORES = ("automatic", "final", "p1")
"""The confidence delivered, the one that reviewers settled on, and the verifier's probability of a statement."""
MOST_DISAGREEMENTS = 5
"""Missed errors that are listed, and false alarms."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Disagreement:
    """A claim that was ``flagged`` and judged right, or passed and was judged wrong, by its keys."""

    claim: int
    run: int
    flagged: bool


@dataclass(frozen=True)
class Agreement:
    """Judged claims, detectors against people: ``counts[flagged][wrong]``, Cohen's kappa, and some on which they
    differ: the newest missed errors, then the newest false alarms."""

    counts: tuple[tuple[int, int], tuple[int, int]]
    kappa: Estimate
    disagreements: tuple[Disagreement, ...]

    @property
    def n(self) -> int:
        """How many claims people judged."""
        return sum(map(sum, self.counts))


@dataclass(frozen=True)
class Seen:
    """The answers asked for, with their labels and what was said of them; ``names`` are the values of
    property, model and language that occur in these days."""

    measured: Measured
    labels: Labels
    said: Confidences
    names: Mapping[str, tuple[str, ...]]

    @cached_property
    def judged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Of the claims that people judged whether they were flagged (int64[C], -1 for others), and the middle of the
        verifier's probability (float64[C], nan for none); one query."""
        return _judged(self.measured)

    def sample(self, score: NDArray[np.float64]) -> Sample:
        """The labelled answers with a ``score`` (float64[A])."""
        return fitting.sample_of(self.measured, self.labels, score)


def days(first: date, last: date) -> tuple[datetime, datetime]:
    """The beginning of ``first`` and the end of ``last``, in UTC."""
    return datetime.combine(first, time(), UTC), datetime.combine(last, time(), UTC) + timedelta(days=1)


def seen(user: Caller, first: date, last: date, only: Mapping[str, str] | None = None) -> Seen:
    """What ``user`` may see of the answers judged from ``first`` to ``last``; ``only`` narrows by ``property`` (its
    code), ``model`` and ``language``."""
    measured = window(user, *days(first, last))
    names = {
        "property": measured.properties,
        "model": measured.models,
        "language": measured.languages,
    }
    for name, value in (only or {}).items():
        code = names[name].index(value) if value in names[name] else len(names[name])
        measured = measured.subset(getattr(measured, name) == code)
    return Seen(measured, labels(measured), fitting.confidences(measured), names)


def reliability(found: Seen) -> dict[str, Figures]:
    """The figures of each of :data:`SCORES`."""
    samples = {
        "automatic": found.sample(found.said.delivered),
        "final": found.sample(_final(found.measured)),
        "p1": _statements(found),
    }
    return {name: figures(samples[name]) for name in SCORES}


def by_kind(found: Seen) -> dict[str, Figures]:
    """Automatic confidence by kind of claim: answers in which a claim of that kind was judged, right when none of
    those is wrong."""
    return {
        kind: each
        for code, kind in enumerate(KINDS)
        if (each := figures(_of_kind(found, np.asarray(found.measured.kind == code)))).n
    }


def by_language(found: Seen) -> dict[str, Figures]:
    """Automatic confidence by language of the answer."""
    every = found.measured.languages
    scores = {
        name: np.where(found.measured.language == code, found.said.delivered, np.nan)
        for code, name in enumerate(every)
    }
    return {name: each for name, score in scores.items() if (each := figures(found.sample(score))).n}


GROUPS: dict[str, Callable[[Seen], dict[str, Figures]]] = {"kind": by_kind, "language": by_language}
"""What automatic confidence can be parted by."""


def agreement(found: Seen) -> Agreement:
    """Detectors against people over every judged claim."""
    flagged, _ = found.judged
    judged = (found.labels.claim >= 0) & (flagged >= 0)
    said, wrong = flagged[judged], found.labels.claim[judged].astype(np.int64)
    (a, b), (c, d) = np.bincount(said * 2 + wrong, minlength=4).reshape(2, 2).tolist()
    rows = np.flatnonzero(judged)
    chosen = [
        row
        for kind in (0, 1)
        for row in rows[(said == kind) & (said != wrong)][::-1][:MOST_DISAGREEMENTS].tolist()
    ]
    runs = found.measured.of_claims(found.measured.run)
    return Agreement(
        ((a, b), (c, d)),
        kappa(np.stack([said, wrong], axis=1)),
        tuple(
            Disagreement(int(found.measured.claim[row]), int(runs[row]), bool(flagged[row])) for row in chosen
        ),
    )


def drifts(found: Seen) -> dict[str, drift.Drift]:
    """Weekly precision and audit miss rate."""
    return {
        "precision": drift.precision(found.measured, found.labels),
        "missed": drift.missed(found.measured, found.labels),
    }


def _final(measured: Measured) -> NDArray[np.float64]:
    """The confidence that reviewers settled on; float64[A], nan where no review is resolved."""
    settled = HallucinationReview.objects.filter(
        **_between(measured, "answer__runs"), state=State.RESOLVED, final_confidence__isnull=False
    ).exclude(selection_reason=HallucinationReview.SelectionReason.GOLD)
    found = np.full(len(measured.run), np.nan)
    for run, confidence in settled.order_by("resolved_at").values_list("answer__runs", "final_confidence"):
        if confidence is not None:
            _put(found, measured.run, run, confidence)
    return found


def _statements(found: Seen) -> Sample:
    """The judged statements that a verifier was asked about, by the middle of its probability."""
    measured, given = found.measured, found.labels
    _, p1 = found.judged
    return Sample(
        p1,
        np.asarray(given.claim == 0),
        np.where(given.claim >= 0, measured.of_claims(given.weight), 0.0),
        measured.of_claims(measured.finished),
        measured.of_claims(measured.run),
    ).usable()


def _of_kind(found: Seen, mine: Bools) -> Sample:
    size = len(found.measured.run)
    of, told = found.measured.claims["of"], found.labels.claim
    judged = np.bincount(of[mine & (told >= 0)], minlength=size) > 0
    wrong = np.bincount(of[mine & (told == 1)], minlength=size) > 0
    weight = np.where(judged, found.labels.weight, 0.0)
    measured = found.measured
    return Sample(found.said.delivered, ~wrong, weight, measured.finished, measured.run).usable()


def _judged(measured: Measured) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    flagged, p1 = np.full(len(measured.claim), -1), np.full(len(measured.claim), np.nan)
    order = np.argsort(measured.claim)
    keys = measured.claim[order]
    rows = Claim.objects.filter(**_between(measured, "run"), verdicts__decided_at__isnull=False)
    for pk, was, low, high in rows.values_list("pk", "flagged", "p1_low", "p1_high"):
        at = int(np.searchsorted(keys, pk))
        if at < len(keys) and keys[at] == pk:
            flagged[order[at]] = was
            p1[order[at]] = np.nan if low is None or high is None else (low + high) / 2
    return flagged, p1


def _between(measured: Measured, run: str) -> dict[str, Any]:
    """A condition that keeps the rows about these runs, and few others."""
    if not len(measured.run):
        return {f"{run}__in": ()}
    return {f"{run}__gte": int(measured.run[0]), f"{run}__lte": int(measured.run[-1])}


def _put(column: NDArray[np.float64], keys: NDArray[np.int64], key: int, value: float) -> None:
    at = int(np.searchsorted(keys, key))
    if at < len(keys) and keys[at] == key:
        column[at] = value
