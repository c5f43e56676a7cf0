"""What is read of chunks, over the database, so that no worker and no process reads a chunk again.

A database that is away or refuses costs the reading, never an answer.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.core.cache import cache
from django.db import Error
from django.utils import timezone

from detection.core.evidence import READER
from detection.models import Answer, ChunkFrames
from detection.operations.optional import CACHE

log = logging.getLogger(__name__)
FORGET_EVERY = 3600
"""Seconds between two looks for what may be deleted."""


@dataclass(frozen=True, slots=True)
class FrameRows:
    """:class:`~detection.core.ports.FrameStore` over :class:`ChunkFrames`, for the chunks of an ``answer`` that is stored,
    or of none."""

    answer: UUID | None = None

    def known(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """What is kept under those of ``keys`` that are there."""
        if not keys:
            return {}
        try:
            return ChunkFrames.known(keys, READER, timezone.now().date())
        except Error as error:
            log.warning("frames_unavailable error=%s", type(error).__name__)
            return {}

    def keep(self, read: Mapping[str, bytes]) -> None:
        """Keep what was read, by its key, unless its answer was erased meanwhile: whoever erases it deletes once it is
        told, and who keeps looks once it is kept, so that one of them sees the other."""
        try:
            ChunkFrames.keep(read, READER, timezone.now().date())
            if self.answer and Answer.objects.filter(pk=self.answer, erasure__isnull=False).exists():
                ChunkFrames.objects.filter(content_hash__in=read).delete()
        except Error as error:
            log.warning("frames_not_kept error=%s", type(error).__name__)


def forget(now: datetime) -> int:
    """For the sweep: delete what is not worth keeping, once an hour for all sweepers and not while the cache is away; returns how many
    rows."""
    due = CACHE.ask(lambda: cache.add("frames.forgotten", now.isoformat(), FORGET_EVERY), otherwise=False)
    if not due:
        return 0
    return ChunkFrames.forget(now.date(), days=settings.FRAMES_DAYS, most=settings.FRAMES_MOST, reader=READER)
