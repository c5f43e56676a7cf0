"""What detectors measured of neighbouring runs, packed for replays (review-queue §5.1). Nothing here is a truth of its own:
a block is built again from reports whenever it is missing or holds other runs than there are."""

from collections.abc import Mapping
from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import F

from detection.models import DetectionRun

SIZE = 500
"""How many keys of runs a block spans."""

Mark = tuple[int, datetime | None]
"""How many runs a block holds and when the last of them concluded: finished runs never change, so these agree or the
block is another one."""


class MeasuredBlock(models.Model):
    """The finished live runs whose keys lie in [``first``, ``first`` + :data:`SIZE`)."""

    first = models.BigIntegerField(primary_key=True)
    schema = models.PositiveSmallIntegerField(help_text="How to read the columns; another one is built anew.")
    runs = models.PositiveIntegerField(help_text="How many runs it holds.")
    latest = models.DateTimeField(help_text="When the last of them concluded.")
    columns = models.BinaryField()
    built_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["first"]

    def __str__(self) -> str:
        return f"runs {self.first} to {self.first + SIZE - 1}"

    @classmethod
    def keep(cls, first: int, *, schema: int, runs: int, latest: datetime, columns: bytes) -> None:
        """Store a block, in the place of an older one."""
        written = {"schema": schema, "runs": runs, "latest": latest, "columns": columns}
        cls.objects.update_or_create(first=first, defaults=written)

    @classmethod
    def valid(cls, marks: Mapping[int, Mark], schema: int) -> models.QuerySet[Self]:
        """The stored blocks that agree with ``marks``."""
        if not marks:
            return cls.objects.none()
        held = cls.objects.filter(schema=schema, first__range=(min(marks), max(marks)))
        rows = held.values_list("first", "runs", "latest")
        return cls.objects.filter(first__in=[row[0] for row in rows if marks.get(row[0]) == row[1:]])

    @classmethod
    def marks(cls, runs: "models.QuerySet[DetectionRun]") -> dict[int, Mark]:
        """Of each block, by its first key, how many of ``runs`` lie in it and when the last of them concluded."""
        blocks = runs.order_by().annotate(block=F("pk") - F("pk") % SIZE).values_list("block")
        counted = blocks.annotate(models.Count("pk"), models.Max("finished_at"))
        return {first: (count, latest) for first, count, latest in counted}
