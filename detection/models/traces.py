"""Audited reasoning traces (SPEC-08.23). A trace is stored once with what was found and never changed: database
triggers (migration 0007) refuse updates and deletions, so that an audit can be shown to others as it was."""

import builtins
import uuid
from collections.abc import Collection, Sequence
from typing import Any, Self

from django.db import models, transaction
from django.db.models import Q

from detection.core.marks import mark_of
from detection.core.types import CONCLUSIONS
from detection.models.budgets import Budgeted
from detection.models.erasures import Erasable, Erasure, digest_of
from detection.models.frames import ChunkFrames


class Trace(Erasable):
    """One audit of one trace. ``derivable`` says whether the answer follows from the steps alone, None when that
    could not be told or was not asked; ``worst`` is the worst status among its steps."""

    class Method(models.TextChoices):
        EXECUTOR = "executor"
        ENTAILMENT = "entailment"
        NONE = "none"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.TextField(blank=True)
    context = models.JSONField(default=list, blank=True, help_text="The sources as they were given.")
    answer = models.TextField(blank=True)
    language = models.CharField(max_length=20, blank=True)
    property = models.ForeignKey(
        "detection.Property", null=True, blank=True, on_delete=models.PROTECT, related_name="traces"
    )
    submitted_by = models.ForeignKey(
        "detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT, related_name="traces"
    )
    profile = models.ForeignKey("detection.ThresholdProfile", on_delete=models.PROTECT, related_name="traces")
    worst = models.CharField(max_length=15)
    derivable = models.BooleanField(null=True, blank=True)
    executor_answer = models.TextField(blank=True)
    method = models.CharField(max_length=10, choices=Method.choices, default=Method.NONE)
    reason = models.TextField(blank=True)
    measurement = models.JSONField(
        default=dict,
        blank=True,
        help_text="The answer beside its steps; empty where it was not held against them.",
    )
    cost = models.JSONField(default=dict, blank=True)
    duration_ms = models.FloatField(default=0.0)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(method__in=["executor", "entailment", "none"]), name="trace_method_is_known"
            ),
            models.CheckConstraint(
                condition=Q(derivable__isnull=True) | ~Q(method="none"), name="trace_verdict_has_a_method"
            ),
        ]

    def __str__(self) -> str:
        return self.question[:80] or f"trace {self.pk}"

    @builtins.property
    def verdict(self) -> str:
        """derivable, not_derivable or unknown."""
        return {True: "derivable", False: "not_derivable", None: "unknown"}[self.derivable]

    @classmethod
    @transaction.atomic
    def erase(cls, order: Erasure, keys: Collection[Any]) -> dict[str, str]:
        """Take the words of these traces and of their steps; returns a digest for each that had any. What was found of
        each step stays."""
        found = cls.with_words().select_for_update().filter(pk__in=keys).order_by("pk").in_bulk()
        said: dict[Any, list[str]] = {pk: [] for pk in found}
        for pk, text in (
            TraceStep.objects.filter(trace__in=found).order_by("index").values_list("trace", "text")
        ):
            said[pk].append(text)
        TraceStep.objects.filter(trace__in=found).update(
            erasure=order,
            text="",
            citations=[],
            unknown_citations=[],
            reason="",
            strawberry=None,
            measurement={},
        )
        words: dict[str, Any] = {"question": "", "context": [], "answer": "", "executor_answer": ""}
        cls.objects.filter(pk__in=found).update(erasure=order, **words, reason="", measurement={})
        given = [one for row in found.values() for one in row.context]
        ChunkFrames.erase([mark_of(one.get("title") or "", one.get("text") or "") for one in given])
        return {
            str(pk): digest_of(row.question, row.context, row.answer, said[pk]) for pk, row in found.items()
        }

    @transaction.atomic
    def record(self, steps: "Sequence[TraceStep]") -> Self:
        """Store the trace with its steps, once. Raises :class:`ValueError` for one that is stored already."""
        if not self._state.adding:
            raise ValueError(f"Trace {self.pk} is stored already and never changes.")
        self.save(force_insert=True)
        TraceStep.objects.bulk_create(steps, batch_size=100)
        return self


class TraceStep(Budgeted):
    """One step and what was found of it, with the ``conclusion`` that a claim of an answer has. Probabilities are 0 to 1, bits base 2 at the midpoints; the pairs and the
    budget as it was delivered stand in ``strawberry``, what was measured in ``measurement``."""

    class Status(models.TextChoices):
        CONTRADICTED = "CONTRADICTED"
        NOT_IN_CONTEXT = "NOT_IN_CONTEXT"
        UNVERIFIABLE = "UNVERIFIABLE"
        ENTAILED = "ENTAILED"

    trace = models.ForeignKey(Trace, on_delete=models.PROTECT, related_name="steps")
    index = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    citations = models.JSONField(default=list, blank=True)
    unknown_citations = models.JSONField(default=list, blank=True)
    confidence = models.FloatField(null=True, blank=True)
    status = models.CharField(max_length=15, choices=Status.choices)
    conclusion = models.CharField(max_length=15, choices=[(word, word) for word in CONCLUSIONS])
    finding = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    rests_on = models.JSONField(default=list, blank=True, help_text="Indexes of earlier steps, from 0.")
    strawberry = models.JSONField(null=True, blank=True)
    measurement = models.JSONField(default=dict, blank=True)
    erasure = models.ForeignKey(
        "detection.Erasure",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )

    class Meta:
        ordering = ["trace", "index"]
        constraints = [
            models.UniqueConstraint(fields=["trace", "index"], name="step_index_unique_per_trace"),
            models.CheckConstraint(
                condition=Q(status__in=["CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE", "ENTAILED"]),
                name="step_status_is_known",
            ),
            models.CheckConstraint(condition=Q(conclusion__in=CONCLUSIONS), name="step_conclusion_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.index + 1}. {self.status}: {self.text[:60]}"
