"""The first day after an activation: does as much get flagged, and is as much of it confirmed, as was predicted?
(review-queue §5.5)"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from detection.access import Caller, answer_scope
from detection.models import DetectionRun, ThresholdProfile
from reviews.tuning.estimates import Estimate, wilson
from reviews.tuning.labelled import labelled

WATCHED = timedelta(hours=24)
FEW = 20
"""Answers under which nothing is called other than predicted."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share that was predicted to lie from ``low`` to ``high``, and what was ``found``."""

    low: float
    high: float
    found: Estimate

    @property
    def outside(self) -> bool:
        """Whether the found share's whole interval lies beyond the predicted one: a few answers alone prove nothing."""
        low, high = self.found.low, self.found.high
        if low is None or high is None or self.found.n < FEW:
            return False
        return low > self.high or high < self.low


@dataclass(frozen=True, slots=True)
class Watch:
    """Version ``version``, active since ``since`` and watched ``until``: the share of answers that are ``flagged`` and
    the share of the judged among them that are ``confirmed`` as wrong, None where that was not predicted.
    ``previous`` is the version to roll back to, None without one."""

    version: int
    since: datetime
    until: datetime
    flagged: Rate
    confirmed: Rate | None
    previous: int | None

    @property
    def outside(self) -> bool:
        """Whether one of the rates is other than predicted."""
        return self.flagged.outside or (self.confirmed is not None and self.confirmed.outside)


def watch(now: datetime, caller: Caller) -> Watch | None:
    """How the active version does on the answers that ``caller`` may see; None once its first day is over, and
    when nothing was predicted for it."""
    active = ThresholdProfile.objects.filter(
        state=ThresholdProfile.State.ACTIVE,
        activated_at__gt=now - WATCHED,
        predicted_low__isnull=False,
        predicted_high__isnull=False,
    ).first()
    if not active or not active.activated_at or active.predicted_low is None or active.predicted_high is None:
        return None
    runs = DetectionRun.objects.filter(
        answer_scope(caller, "answer__"),
        profile=active,
        purpose=DetectionRun.Purpose.LIVE,
        finished_at__isnull=False,
    )
    counts = runs.aggregate(n=Count("pk"), flagged=Count("pk", filter=Q(needs_review=True)))
    flagged = wilson(counts["flagged"], counts["n"])
    return Watch(
        version=active.version,
        since=active.activated_at,
        until=active.activated_at + WATCHED,
        flagged=Rate(active.predicted_low, active.predicted_high, flagged),
        confirmed=_confirmed(active, runs),
        previous=_before(active),
    )


def _confirmed(active: ThresholdProfile, runs: QuerySet[DetectionRun]) -> Rate | None:
    predicted = active.gate or {}
    low, high = predicted.get("confirm_low"), predicted.get("confirm_high")
    if low is None or high is None:
        return None
    return Rate(low, high, labelled(runs).performance.precision)


def _before(active: ThresholdProfile) -> int | None:
    """The version that ``active`` replaced."""
    event = active.events.filter(action="active").order_by("-seq").first()
    replaced: int | None = event.after.get("replaced") if event else None
    return replaced
