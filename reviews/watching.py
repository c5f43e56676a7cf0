"""The first day after an activation: does as much get flagged as was predicted? (review-queue §5.5)"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from detection.access import Caller, answer_scope
from detection.models import DetectionRun, ThresholdProfile
from reviews.tuning.estimates import Estimate, wilson

WATCHED = timedelta(hours=24)
FEW = 20
"""Answers under which nothing is called other than predicted."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Version ``version``, active since ``since`` and watched ``until``: the share of answers that were predicted to be
    flagged (``low`` to ``high``) and those that were. ``previous`` is the version to roll back to, None without one."""

    version: int
    since: datetime
    until: datetime
    low: float
    high: float
    flagged: Estimate
    previous: int | None

    @property
    def outside(self) -> bool:
        """Whether the share's whole interval lies beyond the predicted one: a few answers alone prove nothing."""
        low, high = self.flagged.low, self.flagged.high
        if low is None or high is None or self.flagged.n < FEW:
            return False
        return low > self.high or high < self.low


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
    counts = DetectionRun.objects.filter(
        answer_scope(caller, "answer__"),
        profile=active,
        purpose=DetectionRun.Purpose.LIVE,
        finished_at__isnull=False,
    ).aggregate(n=Count("pk"), flagged=Count("pk", filter=Q(needs_review=True)))
    return Watch(
        version=active.version,
        since=active.activated_at,
        until=active.activated_at + WATCHED,
        low=active.predicted_low,
        high=active.predicted_high,
        flagged=wilson(counts["flagged"], counts["n"]),
        previous=_before(active),
    )


def _before(active: ThresholdProfile) -> int | None:
    """The version that ``active`` replaced."""
    event = active.events.filter(action="active").order_by("-seq").first()
    replaced: int | None = event.after.get("replaced") if event else None
    return replaced
