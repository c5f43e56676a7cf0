"""What monitoring keeps of a finished run: a slim row beside the run, so that a year of answers is added up
without reading one result (CIT-11)."""

from datetime import UTC
from typing import TYPE_CHECKING, Self

from django.db import models
from django.db.models import F, Q

from detection.models.runs import DetectionRun

if TYPE_CHECKING:
    from detection.core.types import CitationDecision


class MonitoredRun(models.Model):
    """One live run: its risk and how it cites. The four counts are empty where citation rules did not count:
    the check did not run, or the answer was not expected to cite."""

    run = models.OneToOneField(
        DetectionRun, on_delete=models.CASCADE, primary_key=True, related_name="monitored"
    )
    finished_on = models.DateField(help_text="The day in UTC.")
    property = models.ForeignKey(
        "detection.Property", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    submitted_by = models.ForeignKey(
        "detection.ApiKey", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    model = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=20, blank=True)
    risk_score = models.FloatField()
    high_risk = models.BooleanField()
    cited = models.PositiveIntegerField(null=True, blank=True, help_text="Distinct ids that it cites.")
    cited_invalid = models.PositiveIntegerField(
        null=True, blank=True, help_text="Those among them that no source has."
    )
    claims = models.PositiveIntegerField(null=True, blank=True, help_text="Sentences that claim something.")
    claims_uncited = models.PositiveIntegerField(
        null=True, blank=True, help_text="Those among them that are long and cite nothing."
    )

    class Meta:
        ordering = ["-run"]
        indexes = [models.Index(fields=["finished_on"], name="monitored_by_day")]
        constraints = [
            models.CheckConstraint(
                condition=Q(cited=None) | Q(cited_invalid__lte=F("cited")), name="invalid_citations_are_cited"
            ),
            models.CheckConstraint(
                condition=Q(claims=None) | Q(claims_uncited__lte=F("claims")),
                name="uncited_claims_are_claims",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.run_id} of {self.finished_on}"

    @classmethod
    def keep(cls, run: DetectionRun, rules: "CitationDecision | None") -> Self | None:
        """Keep a finished run, once; None for a run that is no live one, which counts for nothing here."""
        if run.purpose != DetectionRun.Purpose.LIVE or run.finished_at is None:
            return None
        about = run.answer
        kept = cls(
            run=run,
            finished_on=run.finished_at.astimezone(UTC).date(),
            property_id=about.property_id,
            submitted_by_id=about.submitted_by_id,
            model=about.model,
            language=about.language,
            risk_score=run.risk_score or 0.0,
            high_risk=run.risk_level == "high",
            **(_counts(rules) if rules is not None and rules.expected else {}),
        )
        cls.objects.bulk_create([kept], ignore_conflicts=True)
        return kept


def _counts(rules: "CitationDecision") -> dict[str, int]:
    return {
        "cited": len(rules.valid) + len(rules.invalid),
        "cited_invalid": len(rules.invalid),
        "claims": rules.total_claims,
        "claims_uncited": min(rules.uncited_count, rules.total_claims),
    }
