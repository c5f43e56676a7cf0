"""Audits drawn later by hand, from the answers that a threshold decides about (review-queue §5.2, "Queue more audits")."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class AuditDraw(models.Model):
    """One unflagged run took part in one draw: ``probability`` is how many were drawn of how many could be, and
    ``audited`` says whether this one was. Append-only.

    What was decided when the run concluded stays on the run; both together are the probability that it comes to
    be looked at (:func:`reviews.lifecycle.sampling.probabilities`).
    """

    run = models.ForeignKey("detection.DetectionRun", on_delete=models.PROTECT, related_name="audit_draws")
    stratum = models.CharField(max_length=100)
    probability = models.FloatField()
    audited = models.BooleanField(default=False)
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="audit_draws"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(probability__gt=0, probability__lte=1), name="audit_draw_probability_above_0"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stratum}: run {self.run_id}, {self.probability:g}"
