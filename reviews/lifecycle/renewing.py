"""Old answers judged anew by the present engine, a few at a time, so that new answers never wait for many of them.

What was done is told by the rows alone: an answer that is judged anew has a newer run and is not chosen again. So the work
may end anywhere and begin again.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet

from detection.core.pipeline import ENGINE
from detection.models import DetectionRun, Property
from reviews.lifecycle import intake


@dataclass(frozen=True, slots=True)
class Selection:
    """Which answers: judged by an older engine than ``engine``, of these ``properties`` (all for none), taken in from
    ``since`` on and before ``until``."""

    engine: int = ENGINE
    properties: Collection[Property] = ()
    since: datetime | None = None
    until: datetime | None = None

    def judged(self) -> QuerySet[DetectionRun]:
        """The runs that speak for them."""
        given = {
            "answer__property__in": self.properties,
            "answer__created_at__gte": self.since,
            "answer__created_at__lt": self.until,
        }
        return DetectionRun.outdated(self.engine).filter(**{name: one for name, one in given.items() if one})

    def replaced(self) -> int:
        """How many are left because a newer answer replaced them."""
        return self.judged().exclude(answer__superseded_by=None).count()

    def settled(self) -> int:
        """How many others are left because a person settled them."""
        return self.judged().filter(intake.SETTLED, answer__superseded_by=None).count()

    def owed(self) -> QuerySet[DetectionRun]:
        """The runs whose answers are to be judged anew."""
        return intake.undecided(self.judged())


@dataclass(slots=True)
class Renewal:
    """The answers of a selection on their way: never more than ``at_once`` unfinished runs, those of new answers among
    them, so that it waits while these fill the workers; the newest answers first, ``limit`` of them.

    ``verdicts`` counts what was judged anew by its ``answer_status`` before and after, ``failed`` what needs attention now,
    ``overtaken`` what somebody else settled or judged meanwhile.
    """

    selection: Selection
    limit: int
    at_once: int
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: int = 0
    overtaken: int = 0
    under_way: dict[int, str] = field(default_factory=dict)
    """Run → the status of its answer before."""
    _last: int | None = None
    _is_exhausted: bool = False

    @property
    def ended(self) -> int:
        """How many are done with."""
        return self.verdicts.total() + self.failed + self.overtaken

    def step(self) -> bool:
        """Count what has ended since and start what there is room for; False once nothing is left to wait for."""
        self._count()
        left = self.limit - self.ended - len(self.under_way)
        room = min(left, self.at_once - DetectionRun.unfinished().count())
        if room > 0 and not self._is_exhausted:
            self._start(room)
        return bool(self.under_way) or (left > 0 and not self._is_exhausted)

    def _count(self) -> None:
        over = DetectionRun.objects.filter(pk__in=self.under_way)
        ended = over.exclude(finished_at__isnull=True, failed_reason="")
        for pk, finished_at, status in ended.values_list("pk", "finished_at", "answer_status"):
            before = self.under_way.pop(pk)
            if finished_at:
                self.verdicts[before, status] += 1
            else:
                self.failed += 1

    def _start(self, room: int) -> None:
        owed = self.selection.owed().defer("result").order_by("-pk")
        found = list(owed.filter(pk__lt=self._last)[:room] if self._last else owed[:room])
        for run in found:
            self._last = run.pk
            again = intake.renew(run)
            if again:
                self.under_way[again.pk] = run.answer_status
            else:
                self.overtaken += 1
        self._is_exhausted = len(found) < room
