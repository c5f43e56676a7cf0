"""Whether answers get done: of each lane the oldest that is unfinished, and whether anything in the lane moves."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q, QuerySet

from detection.models import DetectionRun, DetectorReport, LeftOut, OwedVerification, StrictAnswer
from detection.models.runs import FAST, SLOW
from detection.operations import verifier_health

STILL = timedelta(seconds=60)
"""How long nothing may be heard of a lane in which something waits."""
TOO_OLD, LARGE_TOO_OLD = timedelta(seconds=300), timedelta(hours=1)
"""How long an answer may wait to be done; one of the lane of large answers is worked on for minutes."""
LOOKED_AT = 500
"""The newest reports among which a lane's last is looked for: one that is not there is long ago."""


@dataclass(frozen=True, slots=True)
class Progress:
    """``unfinished`` answers, for how long the ``oldest`` of them has been waiting, and whether the lane ``moves``: one is being worked
    on, something was done of late, or nothing has waited for long. None should wait for longer than ``longest``."""

    unfinished: int
    oldest: timedelta
    moves: bool
    longest: timedelta = TOO_OLD

    @property
    def fine(self) -> bool:
        """Whether nobody has to look."""
        return self.moves and self.oldest <= self.longest

    def told(self) -> dict[str, Any]:
        """As JSON."""
        seconds = round(self.oldest.total_seconds(), 1)
        return {"unfinished": self.unfinished, "oldest_seconds": seconds, "moves": self.moves}


def lanes(now: datetime) -> dict[str, Progress]:
    """``fast`` (answers that are not measured by rule yet), ``verify`` (those that wait for a verifier), ``large`` (those of
    a lane of their own) and ``strict`` (answers to be written). Shadow runs are not counted: nobody waits for them."""
    runs = DetectionRun.unfinished()
    large = runs.filter(large=True)
    strict = StrictAnswer.objects.filter(finished_at__isnull=True)
    since = now - STILL
    return {
        "fast": _lane(runs.filter(read_at__isnull=True, large=False), now, lambda: _reported(FAST, since)),
        "verify": _lane(runs.filter(read_at__isnull=False, large=False), now, lambda: _reported(SLOW, since)),
        "large": _lane(
            large,
            now,
            DetectorReport.objects.filter(run__in=large, created_at__gt=since).exists,
            LARGE_TOO_OLD,
        ),
        "strict": _lane(strict, now, StrictAnswer.objects.filter(finished_at__gt=since).exists),
    }


def owed(now: datetime) -> dict[str, Any]:
    """How many answers are owed a verification, by the reason, and for how many seconds the oldest has been; of their verifier, while it
    is down, the model, the reason, and for how many seconds. Neither is a fault of the lanes: answers get done, and what is owed is made up for by itself."""
    reasons: dict[str, int] = dict(
        OwedVerification.open().order_by().values_list("reason").annotate(n=Count("pk"))
    )
    oldest = OwedVerification.open().aggregate(at=Min("since"))["at"]
    down = verifier_health.down()
    return {
        "answers": reasons,
        "oldest_seconds": _seconds(oldest, now),
        "verifier_down": down
        and {"model": down.model, "reason": down.down_reason, "seconds": _seconds(down.down_since, now)},
    }


def _seconds(since: datetime | None, now: datetime) -> float:
    return round(max((now - since).total_seconds(), 0.0), 1) if since else 0.0


def left_out() -> Mapping[str, int]:
    """How many calls each store was spared while it was away."""
    return dict(LeftOut.objects.values_list("store", "calls"))


def _reported(detectors: Collection[str], since: datetime) -> bool:
    """Whether one of the detectors has reported since then."""
    newest = DetectorReport.objects.order_by("-id").values_list("detector", "created_at")[:LOOKED_AT]
    return any(detector in detectors and at > since for detector, at in newest)


def _lane(
    waiting: QuerySet[Any], now: datetime, of_late: Callable[[], bool], longest: timedelta = TOO_OLD
) -> Progress:
    counted = waiting.order_by().aggregate(
        n=Count("pk"), oldest=Min("created_at"), held=Count("pk", filter=Q(lease_until__gt=now))
    )
    oldest = max(now - counted["oldest"], timedelta()) if counted["oldest"] else timedelta()
    return Progress(
        counted["n"], oldest, moves=oldest <= STILL or bool(counted["held"]) or of_late(), longest=longest
    )
