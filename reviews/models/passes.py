"""One reviewer's way through one review: the lease while working, the pass, the verdicts on claims."""

import uuid
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LONGEST_PAUSE = 60
"""Seconds between two signs of life that still count as active work; a heartbeat comes every 60 s."""


class Lease(models.Model):
    """Somebody is working on a review now. Transient: it protects against wasted work, while the
    review's ``version`` protects against lost data."""

    review = models.OneToOneField(
        "reviews.HallucinationReview", on_delete=models.CASCADE, related_name="lease"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="leases")
    pass_no = models.PositiveSmallIntegerField()
    token = models.UUIDField(default=uuid.uuid4)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.user} until {self.expires_at:%H:%M}"

    @property
    def is_live(self) -> bool:
        """Whether the lease still holds others off."""
        return self.expires_at > timezone.now()


class ReviewPass(models.Model):
    """One person's judging of a review. Pass 1 judges, pass 2 is the blind second opinion.

    A draft survives release and lease expiry. A reopened review's submitted passes are withdrawn: they
    stay readable, and whoever gave them may judge again.
    """

    class State(models.TextChoices):
        DRAFT = "draft"
        SUBMITTED = "submitted"
        WITHDRAWN = "withdrawn"

    review = models.ForeignKey("reviews.HallucinationReview", on_delete=models.PROTECT, related_name="passes")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="review_passes"
    )
    pass_no = models.PositiveSmallIntegerField()
    blind = models.BooleanField(
        default=False, help_text="The detector's verdict was hidden; fixed when taken."
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    started_at = models.DateTimeField(default=timezone.now)
    last_active_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    active_seconds = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "review passes"
        ordering = ["review", "pass_no", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["review", "reviewer"],
                condition=~Q(state="withdrawn"),
                name="one_pass_in_force_per_reviewer",
            ),
            models.UniqueConstraint(
                fields=["review", "pass_no"],
                condition=Q(state="submitted"),
                name="one_submitted_pass_per_number",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "submitted", "withdrawn"]), name="pass_state_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(state="submitted") | Q(submitted_at__isnull=False),
                name="submitted_pass_has_its_time",
            ),
            models.CheckConstraint(condition=Q(pass_no__gte=1), name="pass_number_starts_at_1"),
        ]

    def __str__(self) -> str:
        return f"pass {self.pass_no} of review {self.review_id} by {self.reviewer}"

    def touch(self, now: datetime) -> None:
        """Count the time since the last sign of life as active, unless the pause was longer than a beat."""
        pause = (now - self.last_active_at).total_seconds()
        self.active_seconds += int(pause) if 0 < pause <= LONGEST_PAUSE else 0
        self.last_active_at = now
        self.save(update_fields=["active_seconds", "last_active_at"])

    def decided(self) -> "models.QuerySet[ClaimVerdict]":
        """The verdicts a person has given; suggestions carried from elsewhere are not among them."""
        return self.verdicts.filter(decided_at__isnull=False)

    def suggestions(self) -> "models.QuerySet[ClaimVerdict]":
        """Verdicts carried from an older answer or run that nobody has confirmed or changed yet."""
        return self.verdicts.filter(decided_at__isnull=True)


class ClaimVerdict(models.Model):
    """What one reviewer says of one claim. ``carried_from`` without ``decided_at`` is a suggestion from an
    older version of the answer and decides nothing until confirmed."""

    class Verdict(models.TextChoices):
        SUPPORTED = "supported", _("Supported")
        CORRECTED = "corrected", _("Corrected")
        REJECTED = "rejected", _("Rejected")
        CANNOT_TELL = "cannot_tell", _("Cannot tell")
        NOT_A_CLAIM = "not_a_claim", _("Not a claim")

    class Reason(models.TextChoices):
        WRONG_VALUE = "wrong_value", _("Wrong value")
        WRONG_PERIOD = "wrong_period", _("Wrong period")
        WRONG_ENTITY = "wrong_entity", _("Wrong entity")
        WRONG_METRIC = "wrong_metric", _("Wrong metric")
        WRONG_UNIT_OR_SCALE = "wrong_unit_or_scale", _("Wrong unit or scale")
        ROUNDING_OR_TOLERANCE = "rounding_or_tolerance", _("Rounding or tolerance")
        STALE_DATABASE = "stale_database", _("Stale database")
        CITATION_MISSING = "citation_missing", _("Citation missing")
        CITATION_WRONG_SOURCE = "citation_wrong_source", _("Citation names the wrong source")
        UNSUPPORTED_INFERENCE = "unsupported_inference", _("Unsupported inference")
        CONTRADICTED_BY_SOURCE = "contradicted_by_source", _("Contradicted by a source")
        EXTRACTION_ERROR = "extraction_error", _("Extraction error")
        DB_DATA_ERROR = "db_data_error", _("Error in the database")
        OTHER = "other", _("Other (say which)")

    review_pass = models.ForeignKey(ReviewPass, on_delete=models.PROTECT, related_name="verdicts")
    claim = models.ForeignKey("detection.Claim", on_delete=models.PROTECT, related_name="verdicts")
    verdict = models.CharField(max_length=12, choices=Verdict.choices)
    reason_code = models.CharField(max_length=30, choices=Reason.choices, blank=True)
    corrected_value = models.TextField(blank=True)
    note = models.TextField(blank=True)
    examined = models.BooleanField(default=True, help_text="The reviewer looked at this claim.")
    detector_visible = models.BooleanField(default=True)
    carried_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="carried_to"
    )
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["review_pass", "claim"]
        constraints = [
            models.UniqueConstraint(fields=["review_pass", "claim"], name="one_verdict_per_pass_and_claim"),
            models.CheckConstraint(
                condition=Q(verdict__in=["supported", "corrected", "rejected", "cannot_tell", "not_a_claim"]),
                name="claim_verdict_is_known",
            ),
            models.CheckConstraint(
                condition=~Q(verdict="corrected") | ~Q(corrected_value=""), name="correction_has_a_value"
            ),
            models.CheckConstraint(
                condition=Q(decided_at__isnull=False) | Q(carried_from__isnull=False),
                name="undecided_verdict_is_carried",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.claim}: {self.verdict}"

    def clean(self) -> None:
        """Refuse a correction without its value and the reason "other" without words."""
        if self.verdict == self.Verdict.CORRECTED and not self.corrected_value.strip():
            raise ValidationError({"corrected_value": gettext("Say what the claim should read.")})
        if self.reason_code == self.Reason.OTHER and not self.note.strip():
            raise ValidationError({"note": gettext("Say what the other reason is.")})

    def content(self) -> dict[str, str]:
        """What a history keeps of it."""
        return verdict_content(self.verdict, self.reason_code, self.corrected_value, self.note)


def verdict_content(verdict: str, reason_code: str, corrected_value: str, note: str) -> dict[str, str]:
    """What somebody says of a claim, as a history and an idempotency record keep it."""
    return {
        "verdict": verdict,
        "reason_code": reason_code,
        "corrected_value": corrected_value,
        "note": note,
    }


def decided_claims(review_pass: ReviewPass | None) -> set[int]:
    """Ids of the claims that a pass has decided; none without a pass."""
    return set(review_pass.decided().values_list("claim_id", flat=True)) if review_pass else set()
