"""What one reviewer says of one claim."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


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

    review_pass = models.ForeignKey("reviews.ReviewPass", on_delete=models.PROTECT, related_name="verdicts")
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


Verdict = ClaimVerdict.Verdict


def verdict_content(verdict: str, reason_code: str, corrected_value: str, note: str) -> dict[str, str]:
    """What somebody says of a claim, as a history and an idempotency record keep it."""
    return {
        "verdict": verdict,
        "reason_code": reason_code,
        "corrected_value": corrected_value,
        "note": note,
    }


def iso(time: datetime | None) -> str | None:
    """A time for the history."""
    return time.isoformat() if time else None
