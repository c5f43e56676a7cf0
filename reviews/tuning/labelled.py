"""Answers with what people said of them, for figures that weigh audits (review-queue §5.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property

import numpy as np
from django.db.models import Exists, QuerySet
from numpy.typing import NDArray

from detection.models import Claim, DetectionRun
from reviews.models import HallucinationReview
from reviews.models.states import AUDITS
from reviews.tuning import labels as people
from reviews.tuning.estimates import Performance, performance
from reviews.tuning.labels import Labels
from reviews.tuning.replay.columns import LAYOUT, Array, Columns
from reviews.tuning.replay.measured import Measured


@dataclass(frozen=True)
class Labelled:
    """A answers, whether each was sent to review when it was judged (``flagged``: bool[A]), and their labels."""

    measured: Measured
    flagged: NDArray[np.bool_]
    labels: Labels

    @cached_property
    def performance(self) -> Performance:
        """Precision, weighted recall and the number missed, over all answers."""
        return performance(self.flagged, self.labels)

    @property
    def unflagged(self) -> int:
        """How many answers were not sent to review."""
        return int((~self.flagged).sum())

    def of(self, wanted: NDArray[np.bool_]) -> Performance:
        """The same over some answers (bool[A])."""
        return performance(self.flagged[wanted], self.labels.part(self.measured, wanted))

    def having(self, runs_by_kind: Mapping[str, set[int]]) -> dict[str, NDArray[np.bool_]]:
        """bool[A] for each kind: the answers whose run is among that kind's."""
        run = self.measured.run
        return {kind: np.isin(run, np.fromiter(runs, np.int64)) for kind, runs in runs_by_kind.items()}

    def confirmed_by_week(self, weeks: Sequence[date]) -> list[tuple[date, float | None]]:
        """Of the flagged answers with a label, the share that is wrong, by the week of the judging."""
        known = self.flagged & (self.labels.answer >= 0)
        return [(week, self._confirmed(known & self._in(week))) for week in weeks]

    def _in(self, week: date) -> NDArray[np.bool_]:
        begin = datetime(week.year, week.month, week.day, tzinfo=UTC)
        since, until = begin.timestamp(), (begin + timedelta(days=7)).timestamp()
        finished: NDArray[np.float64] = self.measured.finished
        return (finished >= since) & (finished < until)

    def _confirmed(self, known: NDArray[np.bool_]) -> float | None:
        return float((self.labels.answer[known] == 1).mean()) if known.any() else None


def labelled(runs: QuerySet[DetectionRun]) -> Labelled:
    """The latest of ``runs`` for each answer with its labels. Nothing is decided again, so no measurement is
    read: those columns are zeros, and only audits, which must decide every claim, have rows of claims."""
    latest = runs.filter(~Exists(DetectionRun.later())).order_by("pk")
    rows = list(latest.values_list("pk", "finished_at", "needs_review"))
    answers: dict[str, Array] = {name: np.zeros(len(rows), kind) for name, kind in LAYOUT["answers"].items()}
    answers["run"] = np.array([pk for pk, _at, _sent in rows], np.int64)
    answers["finished"] = np.array([at.timestamp() if at else 0.0 for _pk, at, _sent in rows], np.float64)
    claims = _audited_claims(runs, answers["run"])
    measured = Measured(Columns({"answers": answers, "claims": claims}, {}))
    flagged = np.array([bool(sent) for _pk, _at, sent in rows], np.bool_)
    return Labelled(measured, flagged, people.labels(measured))


def _audited_claims(runs: QuerySet[DetectionRun], run: Array) -> dict[str, Array]:
    """The claims of those answers that were audited by their latest ``run``, in the order of these; ``runs`` are all that
    concluded."""
    audits = HallucinationReview.objects.filter(selection_reason__in=AUDITS, resolved_at__isnull=False)
    audited = audits.filter(run__in=runs.order_by())
    read = Claim.objects.filter(run__in=audited.order_by().values("run"), origin=Claim.Origin.DETECTOR)
    found = read.order_by("run_id", "pk").values_list("pk", "run_id")
    rows = np.array(list(found), np.int64).reshape(-1, 2)
    rows = rows[np.isin(rows[:, 1], run)]
    claims: dict[str, Array] = {name: np.zeros(len(rows), kind) for name, kind in LAYOUT["claims"].items()}
    return claims | {"claim": rows[:, 0], "of": np.searchsorted(run, rows[:, 1]).astype(np.int32)}


def runs_by_kind(runs: QuerySet[DetectionRun]) -> dict[str, set[int]]:
    """The runs with a claim of each kind."""
    found: dict[str, set[int]] = {}
    read = Claim.objects.filter(run__in=runs, origin=Claim.Origin.DETECTOR).order_by()
    for run, kind in read.values_list("run_id", "kind").distinct():
        found.setdefault(kind, set()).add(run)
    return found
