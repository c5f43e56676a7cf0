"""What a person passed on: it leaves their queue and nobody else's (F04)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Skip(models.Model):
    """One person passed on one review. The row is there as long as their queue leaves the review out."""

    class Reason(models.TextChoices):
        NOT_MINE = "not_mine", _("Not my field")
        TOO_LONG = "too_long", _("Too long for now")
        UNCLEAR = "unclear", _("I cannot judge it")
        LATER = "later", _("Later")
        OTHER = "other", _("Another reason")

    review = models.ForeignKey("reviews.HallucinationReview", on_delete=models.CASCADE, related_name="skips")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="skips")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["user", "-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "review"], name="one_skip_per_person_and_review"),
            models.CheckConstraint(
                condition=Q(reason__in=["not_mine", "too_long", "unclear", "later", "other"]),
                name="skip_reason_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} skipped review {self.review_id}: {self.reason}"


SKIP_REASONS = tuple(Skip.Reason.values)
