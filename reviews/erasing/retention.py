"""How long each kind of row is kept (SEC-19): the sweep erases what is older, a bounded number at a time.

What was said is taken out of its rows, which stay, so that no count falls; what has no further use once its time is over
(sessions, keys of idempotency, log-in attempts) is deleted. Nothing goes that other rows still need: an answer that is
not judged yet or waits for a reviewer, a fact that is remembered, the history of a review that is not settled.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from detection.models import (
    Answer,
    DetectionRun,
    Erasable,
    ErasedRows,
    Erasure,
    Fact,
    RejectedFact,
    StrictAnswer,
    Trace,
)
from detection.models.events import ERASED, STILL_TOLD
from detection.operations.optional import CACHE
from reviews.erasing import orders
from reviews.models import HallucinationReview, IdempotencyRecord, ReviewEvent
from reviews.models.erasing import WORDLESS, erase_histories
from reviews.models.queue_columns import LIVE

log = logging.getLogger(__name__)

AT_ONCE, BATCHES = 500, 10
"""Rows that one transaction deletes, and transactions of a kind in one sweep; of what is erased it is
:data:`reviews.erasing.orders.AT_ONCE` rows."""
REST = timedelta(hours=1)
"""How long a kind is left alone of which nothing is left to erase."""
_rests: dict[str, datetime] = {}


def sweep(now: datetime) -> dict[str, int]:
    """Erase what is older than :data:`settings.KEEP` says; returns how many rows of each kind that were."""
    found: dict[str, int] = {}
    for kind, erase in KINDS.items():
        days = settings.KEEP[kind]
        if days is None or now < _rests.get(kind, now):
            continue
        before = now - timedelta(days=days)
        counts = [0]
        while len(counts) <= BATCHES and (count := erase(before)):
            counts.append(count)
        if len(counts) <= BATCHES:
            _rests[kind] = now + REST
        if total := sum(counts):
            found[kind] = total
            log.info(
                "erased kind=%s rows=%s older_than=%s", kind, total, before.isoformat(timespec="seconds")
            )
    CACHE.ask(_old_entries, 0)
    return found


def wake() -> None:
    """Leave no kind alone any longer; for whoever changes the settings of a running process."""
    _rests.clear()


def answers(before: datetime) -> int:
    """Answers with all that was said of them. Those that are owed a verdict or a decision wait for it, and so do those that
    a newer answer is about to be compared with."""
    live = HallucinationReview.objects.filter(LIVE, answer=OuterRef("pk"))
    newer = Answer.objects.filter(supersedes=OuterRef("pk"), runs__in=_owed())
    old = Answer.with_words().filter(created_at__lt=before)
    free = old.filter(~Exists(live), ~Exists(_owed().filter(answer=OuterRef("pk"))), ~Exists(newer))
    some = list(free.order_by("created_at", "pk").values_list("pk", flat=True)[: orders.AT_ONCE])
    return sum(orders.carry_out(Erasure(cause=Erasure.Cause.AGE), some))


def _owed() -> "QuerySet[DetectionRun]":
    return DetectionRun.objects.filter(finished_at=None, failed_reason="")


def strict(before: datetime) -> int:
    """Strict answers that came to no text of their own; the others go with the answer by which they were judged."""
    return _emptied("strict", StrictAnswer, Q(judged=None, finished_at__lt=before))


def traces(before: datetime) -> int:
    """Audited traces."""
    return _emptied("trace", Trace, Q(created_at__lt=before))


def facts(before: datetime) -> int:
    """Facts that are no longer remembered, from when they were withdrawn, and those that were refused."""
    gone = _emptied("fact", Fact, Q(withdrawn_at__lt=before))
    return gone or _emptied("rejected", RejectedFact, Q(created_at__lt=before))


def histories(before: datetime) -> int:
    """What histories of reviews tell in words, from when these were settled: that something happened stays."""
    ended = Q(subject__resolved_at__lt=before) | Q(subject__voided_at__lt=before)
    telling = ReviewEvent.objects.filter(ended, STILL_TOLD, created_at__lt=before)
    found = telling.exclude(action__in=(ERASED, *WORDLESS)).order_by("created_at", "id")
    reviews = set(found.values_list("subject_id", flat=True)[: orders.AT_ONCE])
    if not reviews:
        return 0
    with transaction.atomic():
        order = Erasure.objects.create(cause=Erasure.Cause.AGE)
        erase_histories(reviews, order)
        order.tell({"history": dict.fromkeys(map(str, sorted(reviews)), "")})
    return len(reviews)


def _emptied(kind: str, model: Any, old: Q) -> int:
    rows: QuerySet[Erasable] = model.with_words().filter(old).order_by("created_at", "pk")
    keys = list(rows.values_list("pk", flat=True)[: orders.AT_ONCE])
    if not keys:
        return 0
    with transaction.atomic():
        order = Erasure.objects.create(cause=Erasure.Cause.AGE)
        emptied: Mapping[str, str] = model.erase(order, keys)
        order.tell({kind: emptied})
    return len(keys)


def _deleting(kind: str, *rows: Callable[[datetime], "QuerySet[Any]"]) -> Callable[[datetime], int]:
    """Deletes rows of a kind that are told by a time."""

    @transaction.atomic
    def delete(before: datetime) -> int:
        gone = 0
        for old in rows:
            found = old(before)
            keys = list(found.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
            gone += found.model._default_manager.filter(pk__in=keys).delete()[0] if keys else 0
        ErasedRows.add(kind, gone)
        return gone

    return delete


def _old_entries() -> int:
    """The cache table does not throw out by itself what is too old to be read; Redis does."""
    delete: Callable[[int], int] = getattr(cache, "delete_old", lambda most: 0)
    return delete(AT_ONCE)


KINDS: dict[str, Callable[[datetime], int]] = {
    "answers": answers,
    "strict": strict,
    "traces": traces,
    "facts": facts,
    "histories": histories,
    "sessions": _deleting("session", lambda before: Session.objects.filter(expire_date__lt=before)),
    "idempotency": _deleting(
        "idempotency", lambda before: IdempotencyRecord.objects.filter(created_at__lt=before)
    ),
    "log_ins": _deleting(
        "log_in",
        lambda before: AccessAttempt.objects.filter(attempt_time__lt=before),
        lambda before: AccessLog.objects.filter(attempt_time__lt=before),
        lambda before: AccessFailureLog.objects.filter(attempt_time__lt=before),
    ),
    "admin_log": _deleting("admin_log", lambda before: LogEntry.objects.filter(action_time__lt=before)),
}
"""What erases each kind of :data:`settings.KEEP` that is older than a time, some of it: how many rows."""
