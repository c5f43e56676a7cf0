"""What a review is: its columns, its constraints and the one guarded way to change it.

The methods that change it are added layer by layer: :mod:`reviews.models.holding` (who works on it),
:mod:`~reviews.models.settling` (verdicts and outcome), :mod:`~reviews.models.missed` (claims nobody asked about),
:mod:`~reviews.models.shelving` (skip, assign, snooze), :mod:`~reviews.models.undoing`,
:mod:`~reviews.models.carrying` (newer answers and runs) and :mod:`~reviews.models.review` (how it opens and ends).
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.models.errors import CHANGED, HAPPENED, Conflict
from reviews.models.events import ReviewEvent
from reviews.models.sorting import INDEXES, ORDER, Sorting


class State(models.TextChoices):
    """Where a review stands. Open to adjudication are live; resolved and void are ends."""

    OPEN = "open", _("Open")
    IN_REVIEW = "in_review", _("In review")
    SECOND_REVIEW = "second_review", _("Second review")
    ADJUDICATION = "adjudication", _("Adjudication")
    RESOLVED = "resolved", _("Resolved")
    SNOOZED = "snoozed", _("Snoozed")
    VOID = "void", _("Void")


class Outcome(models.TextChoices):
    """How a review ended."""

    APPROVED = "approved", _("Approved")
    CORRECTED = "corrected", _("Corrected")
    REJECTED = "rejected", _("Rejected")
    NO_DECISION = "no_decision", _("No decision")


class SelectionReason(models.TextChoices):
    """Why an answer is in the queue."""

    FLAGGED = "flagged", _("Flagged by the detectors")
    AUDIT_RANDOM = "audit_random", _("Random audit")
    AUDIT_BOUNDARY = "audit_boundary", _("Audit near a threshold")
    MANUAL = "manual", _("Sent by a person")
    AUDIT_SHADOW = "audit_shadow", _("Audit of a shadow profile")
    AUDIT_STRATUM = "audit_stratum", _("Audit of a stratum")
    GOLD = "gold", _("Gold")
    REOPENED = "reopened", _("Reopened")


class VoidCause(models.TextChoices):
    """Why a review ended without a decision."""

    SUPERSEDED = "superseded", _("A newer answer replaced it")
    DUPLICATE = "duplicate", _("Duplicate")
    WITHDRAWN = "withdrawn", _("Source withdrawn")


class Priority(models.IntegerChoices):
    """Smaller is more urgent, so that one ascending index is the order of the queue."""

    HIGH = 0, _("High")
    MEDIUM = 1, _("Medium")
    LOW = 2, _("Low")


AUDITS = (
    SelectionReason.AUDIT_RANDOM,
    SelectionReason.AUDIT_BOUNDARY,
    SelectionReason.AUDIT_SHADOW,
    SelectionReason.AUDIT_STRATUM,
)
BLIND = Q(blind=True) | Q(selection_reason__in=AUDITS)
"""The blind lane (F22): every audit, and what was mixed in."""
ENDED = (State.RESOLVED, State.VOID)

PRIORITY_OF_RISK = {"high": Priority.HIGH, "moderate": Priority.MEDIUM, "low": Priority.LOW}
PERSONAL = ("skipped", "requeued", "carried")
"""What changes nothing for anybody else, and so is no reason for a conflict."""
DUE_IN = {
    Priority.HIGH: timedelta(hours=4),
    Priority.MEDIUM: timedelta(days=1),
    Priority.LOW: timedelta(days=3),
}
"""Time to a decision by priority; wall-clock hours."""


def _confidence(field: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": 0, f"{field}__lte": 1}),
        name=f"review_{field}_between_0_and_1",
    )


class ReviewRecord(Sorting):
    """The columns and constraints of a review; ``version`` rises with every verdict, assignment, snooze,
    resolution, undo, reopening and voiding, and a writer that saw an older one writes nothing."""

    State = State
    Outcome = Outcome
    SelectionReason = SelectionReason
    VoidCause = VoidCause
    Priority = Priority

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
    queue_order = models.GeneratedField(
        expression=F("priority") * 2 + Case(When(returned_at__isnull=False, then=Value(0)), default=Value(1)),
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

    def __str__(self) -> str:
        return f"review {self.pk} ({self.state})"

    def _lock(self) -> None:
        """Read the row anew and keep it from other writers until the transaction ends."""
        self.refresh_from_db(from_queryset=type(self)._default_manager.select_for_update())

    def _write(self, version: int, **changes: Any) -> None:
        """Change the row if ``version`` is still its version, which rises. Raises :class:`Conflict`."""
        rows = type(self)._default_manager.filter(pk=self.pk, version=version)
        if not rows.update(version=F("version") + 1, **changes):
            raise self._last_change()
        self.refresh_from_db()

    def _check_version(self, version: int) -> None:
        if version != self.version:
            raise self._last_change()

    def _last_change(self) -> Conflict:
        """The conflict that names who changed the review last, and how."""
        events = ReviewEvent.objects.filter(subject_id=self.pk).exclude(action__in=PERSONAL)
        last = events.select_related("actor").order_by("-seq").first()
        if last is None:
            return Conflict(gettext("This review was changed."))
        return Conflict(HAPPENED.get(last.action, CHANGED), who=last.actor, when=last.created_at)

    def _log(self, action: str, *, actor: Any = None, profile: Any = None, **content: Any) -> ReviewEvent:
        """Write the next event of this review, in the transaction of the change."""
        return ReviewEvent.append(self, action, actor=actor, profile=profile, **content)
