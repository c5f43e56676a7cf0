"""Append-only histories: one chain of hashed rows for each subject.

A row can be neither changed nor deleted (:mod:`detection.append_only`). Each row carries the hash of the one
before it, so that a gap or an edit made behind the application's back is seen by :meth:`Event.broken_at` and,
over all chains, by :mod:`detection.chains`.
"""

import hashlib
import json
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from detection import logs, origin


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
        """SHA-256 over the previous hash and this row's content, hex."""
        content = {
            "prev": self.prev_hash,
            "subject": str(self.subject_id),  # type: ignore[attr-defined]  # every concrete event has a subject
            "seq": self.seq,
            "actor": self.actor_id,
            "action": self.action,
            "before": self.before,
            "after": self.after,
            "reason": self.reason,
            "profile": self.profile_id,
            "request": self.request_id,
            "at": self.created_at.isoformat(),
        }
        if self.key_id is not None:  # rows from before there was a key keep their hash
            content["key"] = self.key_id
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @classmethod
    def broken_at(cls, subject: models.Model) -> int | None:
        """The ``seq`` of the first row that does not follow from the one before it; None for a whole chain."""
        previous = ""
        for expected, event in enumerate(cls._chain(subject).order_by("seq"), start=1):
            if event.seq != expected or event.prev_hash != previous or event.hash != event.digest():
                return expected
            previous = event.hash
        return None
