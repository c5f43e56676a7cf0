"""What was read of chunks of sources, kept for every worker: a cache by hash, which may be emptied at any time."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from functools import reduce
from itertools import islice
from operator import or_

from django.db import models
from django.db.models import Q

MARKS = 200
"""Chunks whose rows one query deletes."""


class ChunkFrames(models.Model):
    """The frames of a chunk, or its outline, under a hash of all that their reading depends on and the version of the
    reader. ``used_on`` is the day on which they were asked for last."""

    content_hash = models.CharField(max_length=64)
    reader_version = models.PositiveSmallIntegerField()
    frames = models.BinaryField()
    used_on = models.DateField(db_index=True)

    class Meta:
        ordering = ["id"]
        verbose_name_plural = "chunk frames"
        constraints = [
            models.UniqueConstraint(
                fields=["content_hash", "reader_version"], name="chunk_frames_once_per_reader"
            )
        ]

    def __str__(self) -> str:
        return f"{self.content_hash[:12]}, reader {self.reader_version}"

    @classmethod
    def known(cls, hashes: Collection[str], reader: int, today: date) -> dict[str, bytes]:
        """What is kept under some hashes: one query, and one more for those that nobody has asked for today."""
        rows = cls.objects.filter(content_hash__in=hashes, reader_version=reader)
        found = list(rows.values_list("pk", "content_hash", "frames", "used_on"))
        idle = [pk for pk, _, _, used_on in found if used_on < today]
        if idle:
            cls.objects.filter(pk__in=idle).update(used_on=today)
        return {content: bytes(frames) for _, content, frames, _ in found}

    @classmethod
    def keep(cls, read: Mapping[str, bytes], reader: int, today: date) -> None:
        """Keep what was read; what another worker kept meanwhile stays as it is."""
        rows = [
            ChunkFrames(content_hash=content, reader_version=reader, frames=frames, used_on=today)
            for content, frames in read.items()
        ]
        ChunkFrames.objects.bulk_create(rows, ignore_conflicts=True)

    @classmethod
    def erase(cls, marks: Collection[str]) -> None:
        """Delete all that is kept of chunks, by what their keys begin with."""
        left = iter(marks)
        while some := list(islice(left, MARKS)):
            begun = (Q(content_hash__gte=mark, content_hash__lt=f"{mark}g") for mark in some)
            cls.objects.filter(reduce(or_, begun)).delete()

    @classmethod
    def forget(cls, today: date, *, days: int, most: int, reader: int) -> int:
        """Delete what nobody asked for in ``days``, what other readers wrote before today, and the longest unused
        beyond ``most`` rows; returns how many rows that were."""
        idle = Q(used_on__lt=today - timedelta(days=days))
        gone, _ = cls.objects.filter(idle | ~Q(reader_version=reader) & Q(used_on__lt=today)).delete()
        over = cls.objects.count() - most
        if over > 0:
            oldest = cls.objects.order_by("used_on", "pk").values_list("pk", flat=True)[:over]
            gone += cls.objects.filter(pk__in=list(oldest)).delete()[0]
        return gone
