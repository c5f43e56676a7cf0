"""Append-only histories: one chain of signed rows for each subject.

A row can be neither changed nor deleted (:mod:`detection.append_only`). Each row carries the hash of the one
before it, and its own is made with a key outside the database (:mod:`detection.keyed`), so that a gap or an edit made
behind the application's back is seen by :func:`fault` and, over all chains, by :mod:`detection.history.chains`.

What an event tells stands apart in its :class:`EventBody`, of which the row keeps a salted digest: a body can be erased,
which an event of the same chain tells, and the chain stays whole.
"""

import hashlib
import json
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from detection import keyed, logs, origin

ERASED = "erased"
"""The action of an event that tells which bodies of its chain were erased, and is never erased itself."""


STILL_TOLD = models.Q(body__salt__isnull=False)
"""Events whose bodies are there; by any of its columns but the key, which the event has itself."""


def content_of(event: Any) -> str:
    """A row of a history and the hash before it, as one text; ``event`` may be one of a migration."""
    content = {
        "prev": event.prev_hash,
        "subject": str(event.subject_id),
        "seq": event.seq,
        "actor": event.actor_id,
        "action": event.action,
        "profile": event.profile_id,
        "request": event.request_id,
        "at": event.created_at.isoformat(),
    }
    digest_of_body = getattr(event, "body_hash", "")
    if digest_of_body:
        content["body"] = digest_of_body
    else:  # rows of before bodies stood apart keep their hash
        content |= {"before": event.before, "after": event.after, "reason": event.reason}
    if event.key_id is not None:  # rows from before there was a key keep their hash
        content["key"] = event.key_id
    return json.dumps(content, sort_keys=True)


def digest(event: Any) -> str:
    """The hash of a row, made with the key, hex. No row of another history has the same."""
    return keyed.signed(event._meta.label_lower, content_of(event))


class EventBody(models.Model):
    """What an event tells: what was before and after it, and why. Never changed; it may be erased.

    ``salt`` is random and goes with it, so that nobody finds out by guessing what a digest was of; bodies of before they
    stood apart have none.
    """

    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    reason = models.TextField(blank=True)
    salt = models.CharField(max_length=32, blank=True)

    class Meta:
        verbose_name_plural = "event bodies"

    def __str__(self) -> str:
        return f"body {self.pk}"

    def digest(self) -> str:
        """The salted digest that its event keeps, hex; empty for a body of before, which the event's own hash covers."""
        if not self.salt:
            return ""
        content = json.dumps([self.salt, self.before, self.after, self.reason], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


class WithBodies(models.Manager[Any]):
    """Events with what they tell, in one query."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Every event; one whose body is gone too."""
        return super().get_queryset().select_related("body")


class Event(models.Model):
    """One thing that somebody did to a subject, and why. Concrete classes add ``subject``.

    ``actor`` is a person and ``key`` the API key that sent the request; with neither it was the system.
    ``request_id`` is the number of the request in all logs. ``before``, ``after`` and ``reason`` are those of the body,
    and empty where that was erased.
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
    # Never NULL, yet joined as if it were: the row stays when its body is erased.
    body = models.OneToOneField(
        EventBody, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    body_hash = models.CharField(max_length=64, blank=True, default="")
    profile = models.ForeignKey(
        "detection.ThresholdProfile", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    objects = WithBodies()

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

    @property
    def told(self) -> EventBody | None:
        """The body; None where it is gone."""
        try:
            return self.body
        except EventBody.DoesNotExist:
            return None

    @property
    def before(self) -> dict[str, Any]:
        """What was before."""
        return self.told.before if self.told else {}

    @property
    def after(self) -> dict[str, Any]:
        """What is since."""
        return self.told.after if self.told else {}

    @property
    def reason(self) -> str:
        """Why it was done, in the words of whoever did it."""
        return self.told.reason if self.told else ""

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
        _require_transaction()
        type(subject)._default_manager.select_for_update().values_list("pk").get(pk=subject.pk)
        last = cls._chain(subject).order_by("-seq").first()
        event = cls._next(subject, last, action, actor=actor, profile=profile)
        event.tell(EventBody(before=before or {}, after=after or {}, reason=reason))
        return cls.write([event])[0]

    @classmethod
    def begin(
        cls,
        subject: models.Model,
        action: str,
        *,
        actor: Any = None,
        after: dict[str, Any],
        reason: str = "",
        profile: Any = None,
    ) -> Self:
        """Write the first event of a ``subject`` that this transaction has made, which nobody else knows of yet."""
        _require_transaction()
        event = cls._next(subject, None, action, actor=actor, profile=profile)
        event.tell(EventBody(after=after, reason=reason))
        return cls.write([event])[0]

    @classmethod
    def _next(
        cls,
        subject: models.Model,
        last: "Event | None",
        action: str,
        *,
        actor: Any = None,
        profile: Any = None,
    ) -> Self:
        return cls(
            subject=subject,
            seq=last.seq + 1 if last else 1,
            prev_hash=last.hash if last else "",
            actor=actor if getattr(actor, "pk", None) else None,
            key=origin.key(),
            action=action,
            profile=profile,
            request_id=logs.request_id()[:64],
            created_at=timezone.now(),
        )

    def tell(self, body: EventBody) -> None:
        """Give the event its body; nothing is stored yet."""
        body.salt = body.salt or secrets.token_hex(16)
        self.body, self.body_hash = body, body.digest()
        self.hash = self.digest()

    @classmethod
    def write(cls, events: "Sequence[Self]") -> "Sequence[Self]":
        """Store events with their bodies, in two statements."""
        bodies = [event.body for event in events if event.body]
        EventBody.objects.bulk_create(bodies, batch_size=500)
        for event, body in zip(events, bodies, strict=True):
            event.body_id = body.pk
        return cls._default_manager.bulk_create(events, batch_size=500)

    @classmethod
    def erase_bodies(
        cls,
        standing: Mapping[Any, Mapping[str, Any]],
        *,
        actor: Any = None,
        reason: str = "",
        kept: Collection[str] = (),
    ) -> int:
        """Erase what the chains of some subjects tell, but for the actions ``kept``, and write into each chain which
        bodies went, with how its subject stands: ``standing``, by the subject's key. Returns how many bodies went. Must run
        inside the transaction that erases the rest.

        A row of before bodies stood apart is sealed, so that it can be verified without its body; one whose content is not
        what was written is not, and stays broken. A number of queries that does not grow with the subjects.
        """
        _require_transaction()
        subjects = cls._subjects().select_for_update().order_by("pk").in_bulk(standing)
        heads, by_subject = PlainHead.of(cls, subjects), cls._default_manager.filter(subject__in=subjects)
        chains: dict[Any, list[Self]] = {}
        for event in by_subject.order_by("subject_id", "seq"):
            chains.setdefault(event.subject_id, []).append(event)
        gone: list[int] = []
        told = []
        for subject, chain in chains.items():
            going = [event for event in chain if event.told and event.action not in (ERASED, *kept)]
            if not going:
                continue
            head = heads.get(str(subject))
            plain = head.seq if head and head.is_genuine() else 0
            seals = {str(event.seq): event.seal(plain=event.seq <= plain) for event in going}
            event = cls._next(subjects[subject], chain[-1], ERASED, actor=actor)
            event.tell(EventBody(after={**standing[subject], "bodies": seals}, reason=reason))
            told.append(event)
            gone += [event.body_id for event in going if event.body_id]
        cls.write(told)
        EventBody.objects.filter(pk__in=gone).delete()
        return len(gone)

    def seal(self, *, plain: bool) -> str:
        """What an erasing event keeps of a row that cannot be verified without its body; empty for one that can, and for
        one that is not what was written. ``plain``: see :meth:`wrong`."""
        if self.body_hash or self.wrong(self.seq, self.prev_hash, plain=plain):
            return ""
        return self._sealed()

    def _sealed(self) -> str:
        bare = [self.prev_hash, self.seq, self.actor_id, self.key_id, self.action, self.profile_id]
        rest = [self.request_id, self.created_at.isoformat(), self.hash]
        return hashlib.sha256(json.dumps(bare + rest).encode()).hexdigest()

    @classmethod
    def _subjects(cls) -> Any:
        fields: Any = cls._meta
        return fields.get_field("subject").related_model._default_manager

    @classmethod
    def _chain(cls, subject: models.Model) -> models.QuerySet[Self]:
        by_subject: dict[str, Any] = {"subject": subject}
        return cls._default_manager.filter(**by_subject)

    def digest(self) -> str:
        """The hash that this row must have: of the previous hash and its content, made with the key, hex."""
        return digest(self)

    def wrong(self, seq: int, previous: str, *, plain: bool, erased: "BodyErased | None" = None) -> str:
        """What is wrong with this row as number ``seq`` behind the hash ``previous``; empty for nothing. ``plain``: it may
        have a hash that was made without a key. ``erased``: what the chain tells of the erasure of its body."""
        if self.seq != seq:
            return f"event {seq} is missing"
        found = self._wrong_without_body(erased) if self.told is None else self._wrong_body(erased)
        if not found and (self.told or self.body_hash):
            found = self._wrong_hash(plain=plain)
        return found or ("" if self.prev_hash == previous else "it does not follow the event before it")

    def _wrong_body(self, erased: "BodyErased | None") -> str:
        if erased:
            return f"its body is there, and event {erased.by} tells that it was erased"
        there = self.told
        return CHANGED if there and there.digest() != self.body_hash else ""

    def _wrong_without_body(self, erased: "BodyErased | None") -> str:
        if erased is None:
            return "its body is gone, and no event tells that it was erased"
        return "" if self.body_hash or erased.seal == self._sealed() else CHANGED

    def _wrong_hash(self, *, plain: bool) -> str:
        content = content_of(self)
        if keyed.is_signed(self.hash, self._meta.label_lower, content):
            return ""
        if self.hash != hashlib.sha256(content.encode()).hexdigest():
            return CHANGED
        return "" if plain else "its hash was made without the key"

    @classmethod
    def broken_at(cls, subject: models.Model) -> int | None:
        """The ``seq`` at which the chain of ``subject`` breaks; None for a whole chain."""
        head = PlainHead.of(cls, [subject.pk]).get(str(subject.pk))
        found = fault(list(cls._chain(subject).order_by("seq")), head)
        return found[0] if found else None


CHANGED = "its content is not what was written"


@dataclass(frozen=True, slots=True)
class BodyErased:
    """That a body was erased: by which event, and the seal of its row."""

    by: int
    seal: str


def erased_in(chain: Iterable[Event]) -> dict[int, BodyErased]:
    """Which bodies of a chain were erased, by the numbers of their events."""
    return {
        int(seq): BodyErased(event.seq, seal)
        for event in chain
        if event.action == ERASED
        for seq, seal in event.after.get("bodies", {}).items()
    }


def _require_transaction() -> None:
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("An event belongs into the transaction of its change.")


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


def fault(chain: Sequence[Event], head: PlainHead | None) -> tuple[int, str] | None:
    """The first row of a chain that is wrong, by its number, and what is; None for a whole chain.

    ``head`` is the plain head of its subject, None for one that never had any.
    """
    if head is not None and not head.is_genuine():
        return head.seq, "what was noted of the chain when hashes got a key was changed"
    plain, seq, previous, erased = head.seq if head else 0, 0, "", erased_in(chain)
    for seq, event in enumerate(chain, start=1):
        what = event.wrong(seq, previous, plain=seq <= plain, erased=erased.get(event.seq))
        if not what and head and seq == plain and event.hash != head.hash:
            what = "it is not the event that was there when hashes got a key"
        if what:
            return event.seq, what
        previous = event.hash
    return (seq + 1, f"event {seq + 1} is missing") if seq < plain else None
