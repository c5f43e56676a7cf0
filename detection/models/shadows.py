"""What a shadow profile would have made of an answer, beside what was delivered (review-queue §5.5)."""

from typing import Self

from django.db import models

from detection.models.runs import DetectionRun
from detection.models.thresholds import ThresholdProfile


class ShadowFlag(models.Model):
    """The verdict of a shadow profile on one answer. ``run`` is the live run that was delivered; ``measured_by`` the
    shadow run that measured anew, None when the live run's measurements were decided again."""

    run = models.ForeignKey(DetectionRun, on_delete=models.PROTECT, related_name="shadow_flags")
    profile = models.ForeignKey(ThresholdProfile, on_delete=models.PROTECT, related_name="shadow_flags")
    measured_by = models.ForeignKey(
        DetectionRun, null=True, blank=True, on_delete=models.PROTECT, related_name="shadow_flags_measured"
    )
    needs_review = models.BooleanField()
    delivered_needs_review = models.BooleanField(help_text="What the active profile said at that time.")
    risk_level = models.CharField(max_length=10)
    flagged = models.JSONField(default=list, help_text="Indexes of the claims that it would ask about.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["run", "profile"], name="one_shadow_flag_per_run_and_profile"),
        ]
        indexes = [
            models.Index(
                fields=["profile", "-id"],
                condition=~models.Q(needs_review=models.F("delivered_needs_review")),
                name="shadow_flag_that_differs",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.profile.version} of {self.run}"

    @classmethod
    def differing(cls, profile: ThresholdProfile) -> models.QuerySet[Self]:
        """Answers on which ``profile`` would have decided otherwise than what was delivered."""
        return cls.objects.filter(profile=profile).exclude(needs_review=models.F("delivered_needs_review"))
