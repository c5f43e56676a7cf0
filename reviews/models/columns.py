"""The columns of a review and what the database refuses of them. They stand apart because one of them is called
``property``: in its class there can be no property of Python's any more."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from reviews.models.queue_columns import INDEXES, ORDER
from reviews.models.states import (
    BLIND,
    PROOF,
    STEPS,
    Against,
    Outcome,
    Priority,
    SelectionReason,
    State,
    VoidCause,
)


def _confidence(field: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": 0, f"{field}__lte": 1}),
        name=f"review_{field}_between_0_and_1",
    )


def _has(kind: str) -> Any:
    return models.BooleanField(default=False, help_text=f"A claim of the kind {kind} asks for a verdict.")


class ReviewColumns(models.Model):
    """What is stored of a review. ``version`` rises with every verdict, assignment, snooze, resolution, undo,
    reopening and voiding, and a writer that saw an older one writes nothing."""

    State = State
    Outcome = Outcome
    SelectionReason = SelectionReason
    VoidCause = VoidCause
    Priority = Priority
    Against = Against

    language = models.CharField(max_length=20, blank=True)
    has_statement = _has("statement")
    has_currency = _has("currency")
    has_percentage = _has("percentage")
    has_ratio = _has("ratio")
    has_date = _has("date")
    has_number = _has("number")
    has_change = _has("change")

    answer = models.ForeignKey("detection.Answer", on_delete=models.PROTECT, related_name="reviews")
    run = models.ForeignKey("detection.DetectionRun", on_delete=models.PROTECT, related_name="reviews")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reviews_of_my_answers",
        help_text="Who asked the question.",
    )
    property = models.ForeignKey(
        "detection.Property", null=True, blank=True, on_delete=models.PROTECT, related_name="reviews"
    )
    period = models.ForeignKey(
        "detection.FinancialPeriod", null=True, blank=True, on_delete=models.PROTECT, related_name="reviews"
    )
    profile = models.ForeignKey(
        "detection.ThresholdProfile", on_delete=models.PROTECT, related_name="reviews"
    )

    state = models.CharField(max_length=13, choices=State.choices, default=State.OPEN)
    version = models.PositiveIntegerField(default=1)
    priority = models.PositiveSmallIntegerField(choices=Priority.choices)
    due_at = models.DateTimeField()
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="assigned_reviews",
    )
    selection_reason = models.CharField(max_length=14, choices=SelectionReason.choices)
    selection_probability = models.FloatField(null=True, blank=True)
    blind = models.BooleanField(
        default=False, help_text="Whoever judges it is not told what the detectors concluded."
    )
    snoozed_until = models.DateTimeField(null=True, blank=True)
    awaits_evidence_since = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Comes back before its time when a run or figures newer than this arrive.",
    )
    returned_at = models.DateTimeField(null=True, blank=True, help_text="When it came back from snooze.")
    against = models.CharField(
        max_length=15,
        choices=Against.choices,
        blank=True,
        default="",
        help_text="The gravest conclusion against one of its claims.",
    )
    queue_order = models.GeneratedField(
        expression=F("priority") * STEPS
        + Case(When(returned_at__isnull=False, then=Value(0)), default=Value(2))
        + Case(When(~BLIND & Q(against__in=PROOF), then=Value(0)), default=Value(1)),
        output_field=models.PositiveSmallIntegerField(),
        db_persist=True,
    )
    reopen_count = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    original_confidence = models.FloatField(null=True, blank=True)
    automatic_confidence = models.FloatField(null=True, blank=True)
    final_confidence = models.FloatField(null=True, blank=True)

    outcome = models.CharField(max_length=11, choices=Outcome.choices, blank=True)
    corrected_answer = models.TextField(blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="resolved_reviews",
    )
    void_cause = models.CharField(max_length=10, choices=VoidCause.choices, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)
    replaced_by = models.ForeignKey(
        "detection.Answer", null=True, blank=True, on_delete=models.PROTECT, related_name="replaces_reviews"
    )

    class Meta:
        abstract = True
        ordering = ORDER
        indexes = INDEXES
        constraints = [
            models.UniqueConstraint(
                fields=["answer"],
                condition=~Q(state__in=["resolved", "void"]) & ~Q(selection_reason="gold"),
                name="one_live_review_per_answer",
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="review_state_is_known"),
            models.CheckConstraint(
                condition=Q(state="resolved", outcome__in=Outcome.values, resolved_at__isnull=False)
                | (~Q(state="resolved") & Q(outcome="", resolved_at__isnull=True)),
                name="resolved_review_has_an_outcome",
            ),
            models.CheckConstraint(
                condition=Q(state="void", void_cause__in=VoidCause.values, voided_at__isnull=False)
                | (~Q(state="void") & Q(void_cause="", voided_at__isnull=True)),
                name="void_review_has_a_cause",
            ),
            models.CheckConstraint(
                condition=~Q(state="snoozed") | Q(snoozed_until__isnull=False),
                name="snoozed_review_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(awaits_evidence_since__isnull=True) | Q(state="snoozed"),
                name="only_a_snoozed_review_waits_for_evidence",
            ),
            models.CheckConstraint(
                condition=Q(priority__in=Priority.values), name="review_priority_is_known"
            ),
            models.CheckConstraint(
                condition=Q(against__in=["", *Against.values]), name="review_against_is_known"
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="review_version_starts_at_1"),
            models.CheckConstraint(
                condition=Q(selection_reason__in=SelectionReason.values),
                name="review_selection_reason_is_known",
            ),
            models.CheckConstraint(
                condition=Q(selection_probability__isnull=True)
                | Q(selection_probability__gt=0, selection_probability__lte=1),
                name="review_selection_probability_above_0",
            ),
            _confidence("original_confidence"),
            _confidence("automatic_confidence"),
            _confidence("final_confidence"),
        ]
