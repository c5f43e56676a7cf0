"""What a backend submits: a question, an answer to it, the sources it was written from."""

import builtins
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from detection.models.erasures import Erasable


class Query(models.Model):
    """What a backend asked for, by its own id. A newer answer to the same query supersedes the older one;
    each answer keeps the question, property and period that it was given for."""

    external_id = models.CharField(max_length=200, null=True, blank=True)
    asked_by = models.CharField(max_length=200, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="queries"
    )
    submitted_by = models.ForeignKey(
        "detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT, related_name="queries"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "queries"
        constraints = [
            models.UniqueConstraint(
                fields=["submitted_by", "external_id"],
                condition=Q(external_id__isnull=False),
                name="query_external_id_unique_per_caller",
            )
        ]

    def __str__(self) -> str:
        return self.external_id or f"query {self.pk}"


class Answer(Erasable):
    """One answer, exactly as submitted: offsets of claims point into ``text``. One that was erased says nothing any more."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    query = models.ForeignKey(Query, on_delete=models.PROTECT, related_name="answers")
    question = models.TextField(blank=True)
    property = models.ForeignKey(
        "detection.Property", null=True, blank=True, on_delete=models.PROTECT, related_name="answers"
    )
    period = models.ForeignKey(
        "detection.FinancialPeriod", null=True, blank=True, on_delete=models.PROTECT, related_name="answers"
    )
    text = models.TextField(blank=True)
    language = models.CharField(max_length=20, blank=True)
    direction = models.CharField(
        max_length=3, choices=[("ltr", "left to right"), ("rtl", "right to left")], default="ltr"
    )
    original_confidence = models.FloatField(null=True, blank=True)
    model = models.CharField(max_length=200, blank=True)
    question_type = models.CharField(max_length=40, blank=True)
    iteration = models.PositiveIntegerField(null=True, blank=True)
    max_iterations = models.PositiveIntegerField(null=True, blank=True)
    requested_detectors = models.JSONField(null=True, blank=True)
    submitted_by = models.ForeignKey(
        "detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT, related_name="answers"
    )
    submitted_for = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="submitted_answers",
        help_text="Whom the key acted for; empty where it acted for nobody, and for answers of before this was kept.",
    )
    supersedes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="superseded_by"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(
                fields=["created_at"], condition=Q(erasure__isnull=True), name="answer_that_says_something"
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(original_confidence__isnull=True)
                | Q(original_confidence__gte=0, original_confidence__lte=1),
                name="answer_confidence_between_0_and_1",
            )
        ]

    def __str__(self) -> str:
        return self.text[:80] or f"answer {self.pk}"

    @builtins.property
    def is_superseded(self) -> bool:
        """Whether a newer answer to the same query exists."""
        return Answer.objects.filter(supersedes=self).exists()


class Source(models.Model):
    """One chunk that the answer was written from. ``ref`` is what ``[ref]`` in the answer cites."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="sources")
    ref = models.CharField(max_length=200)
    parent_ref = models.CharField(max_length=200, null=True, blank=True)
    text = models.TextField(blank=True)
    title = models.CharField(max_length=500, blank=True)
    score = models.FloatField(null=True, blank=True)
    quality = models.FloatField(null=True, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["answer", "position"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "ref"], name="source_ref_unique_per_answer"),
            models.UniqueConstraint(fields=["answer", "position"], name="source_position_unique_per_answer"),
            models.CheckConstraint(
                condition=Q(quality__isnull=True) | Q(quality__gte=0, quality__lte=1),
                name="source_quality_between_0_and_1",
            ),
        ]

    def __str__(self) -> str:
        return f"[{self.ref}] {self.title}"
