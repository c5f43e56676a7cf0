"""The answers of the last days with their labels, as a person may see them; kept until something new is known."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cached_property

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils import timezone

from detection.access import sees_everything, visible_properties
from detection.models import DetectionRun
from reviews.models import ReviewEvent
from reviews.tuning import labels as labelling
from reviews.tuning.labels import Labels
from reviews.tuning.replay import measured as measuring
from reviews.tuning.replay.deciding import Replays
from reviews.tuning.replay.measured import Measured
from reviews.workbench.asked import Wanted
from reviews.workbench.remembered import Remembered


@dataclass(frozen=True)
class Window:
    """Measurements and labels of ``days`` whole days in UTC, the last of them today: the ``whole`` of them, or what
    may be seen. ``key`` changes with what is stored."""

    measured: Measured
    labels: Labels
    days: int
    key: Hashable
    whole: bool

    @cached_property
    def replays(self) -> Replays:
        """Decides the window again, remembering what a changed threshold does not touch."""
        return Replays(self.measured)

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return len(self.measured.run)


WINDOWS: Remembered[Window] = Remembered(6)
MEASURED: Remembered[Measured] = Remembered(4)


def window(user: User, wanted: Wanted) -> Window:
    """What ``user`` may see of the days asked for, with the labels asked for."""
    first, last = days_of(wanted.days)
    visible, whole = visible_properties(user).order_by("pk"), sees_everything(user)
    seen = (tuple(visible.values_list("pk", flat=True)), whole, first, last)
    stored = (seen, tuple(_runs().items()))
    said = ReviewEvent.objects.aggregate(last=Max("pk"))["last"]
    key = (stored, said, wanted.blind, wanted.cannot_tell)
    return WINDOWS.get(key, lambda: _loaded(user, wanted, key, stored, whole=whole))


def days_of(days: int) -> tuple[datetime, datetime]:
    """The beginning of the first of ``days`` days in UTC and the end of today."""
    today = datetime.combine(timezone.now().astimezone(UTC).date(), time(), UTC)
    return today - timedelta(days=days - 1), today + timedelta(days=1)


def _runs() -> dict[str, object]:
    """What tells that a run was finished since."""
    finished = DetectionRun.objects.filter(finished_at__isnull=False)
    return finished.aggregate(last=Max("pk"), at=Max("finished_at"))


def _loaded(user: User, wanted: Wanted, key: Hashable, stored: Hashable, *, whole: bool) -> Window:
    first, last = days_of(wanted.days)
    measured = MEASURED.get(stored, lambda: measuring.window(user, first, last))
    told = labelling.labels(measured, blind_only=wanted.blind, with_cannot_tell=wanted.cannot_tell)
    return Window(measured, told, wanted.days, key, whole)
