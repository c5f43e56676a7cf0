"""Strict answers: written from sources alone, or not at all (RAG-01…RAG-12).

A row is the queue as well: while ``finished_at`` is empty it is pending work, whatever became of the message that announced
it. It is finished once and never changes after that.
"""

import builtins
import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from detection.core.marks import mark_of
from detection.models.erasures import Erasable, Erasure, digest_of
from detection.models.frames import ChunkFrames

ERASED = "erased"
"""What stands where a reason was that may have quoted a text."""


class StrictAnswer(Erasable):
    """A question, what the reader was given for it, and what the model wrote.

    ``answer`` is the checked text with its sources, or the fallback; ``raw`` is the model's own text, for analysts;
    ``judged`` is the answer by which the raw text is judged like any other. ``confidence`` is the mean source score of a
    success, 0 otherwise; ``latency_ms`` the model's time.
    """

    class Status(models.TextChoices):
        SUCCESS = "success"
        INSUFFICIENT_CONTEXT = "insufficient_context"
        LOW_CONFIDENCE = "low_confidence"
        HALLUCINATION_DETECTED = "hallucination_detected"
        NOT_VERIFIED = "not_verified"
        ERROR = "error"

    class Style(models.TextChoices):
        INLINE = "inline"
        END = "end"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.TextField()
    sources = models.JSONField(default=list, blank=True, help_text="The sources as given.")
    preset = models.CharField(max_length=40)
    strictness = models.JSONField(
        default=dict, help_text="The settings used: the preset's, overlaid by own ones."
    )
    citation_style = models.CharField(max_length=6, choices=Style.choices, default=Style.INLINE)
    language = models.CharField(
        max_length=20, blank=True, help_text="As asked for; once finished, the answer's."
    )
    audience = models.CharField(max_length=200, blank=True)
    property = models.ForeignKey(
        "detection.Property", null=True, blank=True, on_delete=models.PROTECT, related_name="strict_answers"
    )
    submitted_by = models.ForeignKey(
        "detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT, related_name="strict_answers"
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    status = models.CharField(max_length=30, choices=Status.choices, blank=True)
    answer = models.TextField(blank=True)
    raw = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    confidence = models.FloatField(default=0.0)
    is_safe = models.BooleanField(default=False)
    layers = models.JSONField(default=list, blank=True)
    cited = models.JSONField(default=list, blank=True, help_text="Ids of the sources that the answer cites.")
    model = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=20, blank=True)
    cost = models.JSONField(default=dict, blank=True)
    latency_ms = models.FloatField(default=0.0)
    judged = models.OneToOneField(
        "detection.Answer", null=True, blank=True, on_delete=models.PROTECT, related_name="strict"
    )

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(finished_at__isnull=True), name="strict_answer_owed"
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True, status="")
                | Q(
                    finished_at__isnull=False,
                    status__in=[
                        "success",
                        "insufficient_context",
                        "low_confidence",
                        "hallucination_detected",
                        "not_verified",
                        "error",
                    ],
                ),
                name="finished_strict_answer_has_a_status",
            ),
            models.CheckConstraint(
                condition=Q(is_safe=False) | Q(status="success"), name="only_a_success_is_safe"
            ),
        ]

    def __str__(self) -> str:
        return self.question[:80] or f"strict answer {self.pk}"

    @builtins.property
    def state(self) -> str:
        """queued or running until it is finished, then its status."""
        if self.finished_at:
            return str(self.status)
        return "running" if self.lease_until and self.lease_until > timezone.now() else "queued"

    @classmethod
    def pending(cls, now: datetime) -> models.QuerySet[Self]:
        """Strict answers that somebody should work on now: unfinished and not held."""
        free = Q(lease_until__isnull=True) | Q(lease_until__lte=now)
        return cls.objects.filter(free, finished_at__isnull=True)

    @classmethod
    def take(cls, pk: Any, *, seconds: float) -> Self | None:
        """Hold one for ``seconds`` and count the attempt; None when it is held, finished or unknown."""
        now = timezone.now()
        held = {"lease_until": now + timedelta(seconds=seconds), "attempts": F("attempts") + 1}
        taken = cls.pending(now).filter(pk=pk).update(**held)
        return cls.objects.select_related("property", "submitted_by").get(pk=pk) if taken else None

    @classmethod
    def refusal_of(cls, answer: Any) -> str | None:
        """Why this answer, a raw text, was not shown to its reader; None for every other answer."""
        refused = cls.objects.filter(judged=answer, status=cls.Status.HALLUCINATION_DETECTED)
        return refused.values_list("reason", flat=True).first()

    def prolong(self, *, seconds: int) -> bool:
        """Keep the lease for longer; False where it is finished, or where somebody else took it meanwhile."""
        mine = StrictAnswer.objects.filter(pk=self.pk, attempts=self.attempts, finished_at=None)
        return bool(mine.update(lease_until=timezone.now() + timedelta(seconds=seconds)))

    def finish(self, **outcome: Any) -> bool:
        """Unfinished → finished with ``outcome``; False when somebody else was first, and then nothing is written."""
        unfinished = StrictAnswer.objects.filter(pk=self.pk, finished_at=None)
        won = bool(unfinished.update(finished_at=timezone.now(), lease_until=None, **outcome))
        self.refresh_from_db()
        return won

    @classmethod
    @transaction.atomic
    def erase(cls, order: Erasure, keys: Collection[Any]) -> dict[str, str]:
        """Take the words of these strict answers; returns a digest for each that had any. Outcome and the layer that
        refused stay. One that nobody has written yet never will be."""
        found = cls.with_words().select_for_update().filter(pk__in=keys).order_by("pk").in_bulk()
        for row in found.values():
            row.layers = [{**layer, "reason": layer["reason"] and ERASED} for layer in row.layers]
        StrictAnswer.objects.bulk_update(found.values(), ["layers"])
        words: dict[str, Any] = {"question": "", "sources": [], "audience": "", "answer": "", "raw": ""}
        cls.objects.filter(pk__in=found).update(erasure=order, **words, reason="", cited=[], lease_until=None)
        cls.objects.filter(pk__in=found, finished_at=None).update(
            finished_at=timezone.now(), status=cls.Status.ERROR, reason=ERASED
        )
        given = [one for row in found.values() for one in row.sources]
        ChunkFrames.erase([mark_of(one.get("title") or "", one.get("text") or "") for one in given])
        return {
            str(pk): digest_of(row.question, row.sources, row.answer, row.raw) for pk, row in found.items()
        }

    def be_judged_as(self, answer: Any) -> None:
        """Remember the answer by which the raw text is judged; once."""
        StrictAnswer.objects.filter(pk=self.pk, judged=None).update(judged=answer)
        self.refresh_from_db(fields=["judged"])
