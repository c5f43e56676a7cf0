"""Append-only histories: one chain of signed rows for each subject.

A row can be neither changed nor deleted (:mod:`detection.append_only`). Each row carries the hash of the one
before it, and its own is made with a key outside the database (:mod:`detection.keyed`), so that a gap or an edit made
behind the application's back is seen by :func:`fault` and, over all chains, by :mod:`detection.history.chains`.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from detection import keyed, logs, origin


def content_of(event: Any) -> str:
    """A row of a history and the hash before it, as one text; ``event`` may be one of a migration."""
    content = {
        "prev": event.prev_hash,
        "subject": str(event.subject_id),
        "seq": event.seq,
        "actor": event.actor_id,
        "action": event.action,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "profile": event.profile_id,
        "request": event.request_id,
        "at": event.created_at.isoformat(),
    }
    if event.key_id is not None:  # rows from before there was a key keep their hash
        content["key"] = event.key_id
    return json.dumps(content, sort_keys=True)


def digest(event: Any) -> str:
    """The hash of a row, made with the key, hex. No row of another history has the same."""
    return keyed.signed(event._meta.label_lower, content_of(event))


class Event(models.Model):
    """One thing that somebody did to a subject, and why. Concrete classes add ``subject``.

    ``actor`` is a person and ``key`` the API key that sent the request; with neither it was the system.
    ``request_id`` is the number of the request in all logs.
    """

    seq = models.PositiveIntegerField()
    prev_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    key = models.ForeignKey(
        "detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    action = models.CharField(max_length=40)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.TextField(blank=True)
    profile = models.ForeignKey(
        "detection.ThresholdProfile", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ["subject", "seq"]
        indexes = [
            models.Index(fields=["created_at", "id"], name="%(class)s_by_time"),
            models.Index(fields=["action", "created_at", "id"], name="%(class)s_by_action"),
            models.Index(fields=["actor", "created_at", "id"], name="%(class)s_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.action} #{self.seq}"

    @classmethod
    def append(
        cls,
        subject: models.Model,
        action: str,
        *,
        actor: Any = None,
        before: dict[str, Any] | None = None,
        after: dict[str, Any] | None = None,
        reason: str = "",
        profile: Any = None,
    ) -> Self:
        """Write the next event of ``subject``. Must run inside the transaction that changes the subject.

        Locks the subject's row, so that two writers get two numbers and one chain. The request's number and the
        API key that sent it are those of the work at hand.
        """
        if not transaction.get_connection().in_atomic_block:
            raise transaction.TransactionManagementError(
                "An event belongs into the transaction of its change."
            )
        type(subject)._default_manager.select_for_update().get(pk=subject.pk)
        last = cls._chain(subject).order_by("-seq").first()
        event = cls(
            subject=subject,
            seq=last.seq + 1 if last else 1,
            prev_hash=last.hash if last else "",
            actor=actor if getattr(actor, "pk", None) else None,
            key=origin.key(),
            action=action,
            before=before or {},
            after=after or {},
            reason=reason,
            profile=profile,
            request_id=logs.request_id()[:64],
            created_at=timezone.now(),
        )
        event.hash = event.digest()
        event.save(force_insert=True)
        return event

    @classmethod
    def _chain(cls, subject: models.Model) -> models.QuerySet[Self]:
        by_subject: dict[str, Any] = {"subject": subject}
        return cls._default_manager.filter(**by_subject)

    def digest(self) -> str:
        """The hash that this row must have: of the previous hash and its content, made with the key, hex."""
        return digest(self)

    def wrong(self, seq: int, previous: str, *, plain: bool) -> str:
        """What is wrong with this row as number ``seq`` behind the hash ``previous``; empty for nothing. ``plain``: it may
        have a hash that was made without a key."""
        content = content_of(self)
        if self.seq != seq:
            return f"event {seq} is missing"
        if not keyed.is_signed(self.hash, self._meta.label_lower, content):
            if self.hash != hashlib.sha256(content.encode()).hexdigest():
                return "its content is not what was written"
            if not plain:
                return "its hash was made without the key"
        return "" if self.prev_hash == previous else "it does not follow the event before it"

    @classmethod
    def broken_at(cls, subject: models.Model) -> int | None:
        """The ``seq`` at which the chain of ``subject`` breaks; None for a whole chain."""
        head = PlainHead.of(cls, [subject.pk]).get(str(subject.pk))
        found = fault(cls._chain(subject).order_by("seq"), head)
        return found[0] if found else None


class PlainHead(models.Model):
    """Where a chain stood when hashes got a key: up to there, and nowhere behind it, hashes made without one count.

    Signed, so that a chain that is rewritten without the key has nothing to rest on.
    """

    history = models.CharField(max_length=60)
    subject = models.CharField(max_length=40)
    seq = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["history", "subject"], name="one_plain_head_a_chain")]

    def __str__(self) -> str:
        return f"{self.history} {self.subject} #{self.seq}"

    @classmethod
    def of(cls, history: type[Event], subjects: Iterable[Any]) -> "dict[str, PlainHead]":
        """The plain heads of these subjects, by the subject."""
        named = [str(subject) for subject in subjects]
        rows = cls._default_manager.filter(history=history._meta.label_lower, subject__in=named)
        return {row.subject: row for row in rows}

    def is_genuine(self) -> bool:
        """Whether the key signed it."""
        return keyed.is_signed(self.signature, self._meta.label_lower, plain_head_content(self))


def plain_head_content(head: Any) -> str:
    """What of a plain head is signed; ``head`` may be one of a migration."""
    return json.dumps([head.history, head.subject, head.seq, head.hash])


def fault(chain: Iterable[Event], head: PlainHead | None) -> tuple[int, str] | None:
    """The first row of a chain that is wrong, by its number, and what is; None for a whole chain.

    ``head`` is the plain head of its subject, None for one that never had any.
    """
    if head is not None and not head.is_genuine():
        return head.seq, "what was noted of the chain when hashes got a key was changed"
    plain, seq, previous = head.seq if head else 0, 0, ""
    for seq, event in enumerate(chain, start=1):
        what = event.wrong(seq, previous, plain=seq <= plain)
        if not what and head and seq == plain and event.hash != head.hash:
            what = "it is not the event that was there when hashes got a key"
        if what:
            return event.seq, what
        previous = event.hash
    return (seq + 1, f"event {seq + 1} is missing") if seq < plain else None
