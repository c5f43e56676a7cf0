"""What is remembered: facts that passed the memory gate, and those that did not, for analysis (SPEC-08.15…18).

A fact that could not be verified in time is kept with reduced confidence and due again at ``verify_after``; then it
is verified, or withdrawn. Each change of state is one conditional UPDATE with its event.
"""

import uuid
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from detection.core.marks import mark_of
from detection.models.budgets import Budgeted
from detection.models.erasures import Erasable, Erasure, digest_of
from detection.models.events import Event
from detection.models.frames import ChunkFrames

HELD = timedelta(seconds=60)
"""How long one verifier has a due fact to itself before another may try."""

GIVEN = ("content", "language", "property", "evidence", "stated_confidence", "submitted_by")
"""What a fact came with, whatever is found out about it."""

BETWEEN_0_AND_1 = Q(stated_confidence__gte=0, stated_confidence__lte=1, confidence__gte=0)
"""With ``confidence`` at most as stated: verification never makes a fact surer than its source was (SPEC-08.17)."""


class GatedFact(Erasable, Budgeted):
    """A fact with its provenance and what was measured of it. Bits are base 2, ``budget_gap`` is required − observed;
    ``finding`` is the gate's code, ``reason`` its words."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    content = models.TextField()
    language = models.CharField(max_length=20, blank=True)
    property = models.ForeignKey("detection.Property", null=True, blank=True, on_delete=models.PROTECT)
    evidence = models.JSONField(
        default=list,
        blank=True,
        help_text="The sources as given: id, parent_id, text, title, score, quality, metadata.",
    )
    stated_confidence = models.FloatField()
    confidence = models.FloatField()
    finding = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    method = models.CharField(max_length=40, blank=True)
    model = models.CharField(max_length=200, blank=True)
    measurement = models.JSONField(
        default=dict, blank=True, help_text="What each detector measured, by its name."
    )
    profile = models.ForeignKey("detection.ThresholdProfile", on_delete=models.PROTECT, related_name="+")
    submitted_by = models.ForeignKey("detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        abstract = True
        ordering = ["-created_at", "-id"]
        default_related_name = "%(class)ss"
        constraints = [
            models.CheckConstraint(
                condition=BETWEEN_0_AND_1 & Q(confidence__lte=F("stated_confidence")),
                name="%(class)s_confidence_at_most_as_stated",
            )
        ]

    def __str__(self) -> str:
        return self.content[:80]

    @classmethod
    def _emptied(cls, order: Erasure, found: "Mapping[Any, GatedFact]", **more: Any) -> dict[str, str]:
        words: dict[str, Any] = {"content": "", "evidence": [], "reason": "", "measurement": {}}
        cls._default_manager.filter(pk__in=found).update(erasure=order, **words, **more)
        marks = [
            mark_of(one.get("title") or "", one.get("text") or "")
            for row in found.values()
            for one in row.evidence
        ]
        ChunkFrames.erase(marks)
        return {str(pk): digest_of(row.content, row.evidence) for pk, row in found.items()}


class Fact(GatedFact):
    """A remembered fact. ``reduced`` marks one that is trusted less than its evidence might carry; ``reason`` says why."""

    class Status(models.TextChoices):
        VERIFIED = "verified"
        UNVERIFIED = "unverified"
        WITHDRAWN = "withdrawn"

    status = models.CharField(max_length=10, choices=Status.choices)
    reduced = models.BooleanField(default=False)
    verify_after = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_reason = models.TextField(blank=True)

    class Meta(GatedFact.Meta):
        abstract = False
        indexes = [
            models.Index(
                fields=["verify_after"],
                condition=Q(verify_after__isnull=False),
                name="fact_due_for_verification",
            )
        ]
        constraints = [
            *GatedFact.Meta.constraints,
            models.CheckConstraint(
                condition=Q(status__in=["verified", "unverified", "withdrawn"]), name="fact_status_is_known"
            ),
            models.CheckConstraint(
                condition=Q(verify_after__isnull=True) | Q(status="unverified"),
                name="only_an_unverified_fact_is_due",
            ),
            models.CheckConstraint(
                condition=Q(status="withdrawn", withdrawn_at__isnull=False)
                | (~Q(status="withdrawn") & Q(withdrawn_at__isnull=True)),
                name="a_withdrawn_fact_has_its_time",
            ),
        ]

    @classmethod
    @transaction.atomic
    def store(cls, **columns: Any) -> Self:
        """Remember a fact."""
        fact = cls.objects.create(**columns)
        fact._log("stored", after=fact._standing())
        return fact

    @classmethod
    def due(cls, now: datetime) -> models.QuerySet[Self]:
        """Facts whose verification is pending, those that wait longest first."""
        return cls.objects.filter(verify_after__lte=now).order_by("verify_after", "pk")

    def take(self, now: datetime) -> bool:
        """Hold a due fact for one attempt; False when somebody else was first. An attempt that dies with its process
        leaves the fact due again."""
        mine = Fact.objects.filter(pk=self.pk, verify_after=self.verify_after, verify_after__lte=now)
        taken = bool(mine.update(verify_after=now + HELD, attempts=F("attempts") + 1))
        if taken:
            self.refresh_from_db()
        return taken

    def verify(self, **columns: Any) -> bool:
        """Unverified and due → verified, with what was measured; False when it was withdrawn meanwhile."""
        changes = {**columns, "status": self.Status.VERIFIED, "verify_after": None}
        return self._move("verified", self._owed(), changes, columns.get("reason", ""))

    @transaction.atomic
    def refuse(self, **columns: Any) -> bool:
        """Unverified and due → withdrawn, since its evidence does not carry it, and kept for analysis (SPEC-08.18)."""
        refused = self._withdraw(self._owed(), columns["reason"])
        if refused:
            given = {name: getattr(self, name) for name in GIVEN}
            RejectedFact.objects.create(fact=self, **given, **columns)
        return refused

    def postpone(self, until: datetime) -> bool:
        """Try again at ``until``; waiting is no news, so it has no event."""
        return bool(self._owed().update(verify_after=until))

    def give_up(self, reason: str) -> bool:
        """Stay unverified for good."""
        return self._move("given_up", self._owed(), {"verify_after": None}, reason)

    def withdraw(self, *, actor: Any = None, reason: str = "") -> bool:
        """Take the fact out of memory; it stays to be looked at. False when that was done already."""
        return self._withdraw(Fact.objects.filter(pk=self.pk, withdrawn_at=None), reason, actor)

    @classmethod
    @transaction.atomic
    def erase(cls, order: Erasure, keys: Collection[Any]) -> dict[str, str]:
        """Take the words of these facts and of their histories; returns a digest for each that had any. They stay
        withdrawn or remembered as they were."""
        found = cls.with_words().select_for_update().filter(pk__in=keys).order_by("pk").in_bulk()
        digests = cls._emptied(order, found, withdrawn_reason="")
        FactEvent.erase_bodies({pk: fact._standing() for pk, fact in found.items()})
        return digests

    def _withdraw(self, allowed: models.QuerySet["Fact"], reason: str, actor: Any = None) -> bool:
        changes = {
            "status": self.Status.WITHDRAWN,
            "withdrawn_at": timezone.now(),
            "withdrawn_reason": reason,
            "verify_after": None,
        }
        return self._move("withdrawn", allowed, changes, reason, actor)

    def _owed(self) -> models.QuerySet["Fact"]:
        """This fact if its verification is still pending and nobody else has taken it."""
        return Fact.objects.filter(pk=self.pk, verify_after=self.verify_after, verify_after__isnull=False)

    @transaction.atomic
    def _move(
        self,
        action: str,
        allowed: models.QuerySet["Fact"],
        changes: Mapping[str, Any],
        reason: str = "",
        actor: Any = None,
    ) -> bool:
        before = self._standing()
        if not allowed.update(**changes):
            return False
        self.refresh_from_db()
        self._log(action, before=before, after=self._standing(), reason=reason, actor=actor)
        return True

    def _standing(self) -> dict[str, Any]:
        return {
            "status": str(self.status),
            "confidence": self.confidence,
            "reduced": self.reduced,
            "finding": self.finding,
        }

    def _log(self, action: str, **content: Any) -> None:
        FactEvent.append(self, action, profile=self.profile, **content)


class RejectedFact(GatedFact):
    """A fact that its evidence does not carry, kept for analysis and never given out as memory (SPEC-08.18). ``fact``
    is the one it was withdrawn from when its verification came later."""

    fact = models.ForeignKey(Fact, null=True, blank=True, on_delete=models.PROTECT, related_name="rejections")

    class Meta(GatedFact.Meta):
        abstract = False

    @classmethod
    @transaction.atomic
    def erase(cls, order: Erasure, keys: Collection[Any]) -> dict[str, str]:
        """Take the words of these facts; returns a digest for each that had any."""
        found = cls.with_words().select_for_update().filter(pk__in=keys).order_by("pk").in_bulk()
        return cls._emptied(order, found)


class FactEvent(Event):
    """What happened to a fact."""

    subject = models.ForeignKey(Fact, on_delete=models.PROTECT, related_name="events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="fact_event_seq_unique")]
