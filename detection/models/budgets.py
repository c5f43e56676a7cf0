"""The columns of an information budget, for every row that has one (contracts §4)."""

from django.db import models


class Budgeted(models.Model):
    """p1 and p0 as intervals, and bits, base 2: ``budget_gap`` is required − observed. None where nothing was
    measured."""

    p1_low = models.FloatField(null=True, blank=True)
    p1_high = models.FloatField(null=True, blank=True)
    p0_low = models.FloatField(null=True, blank=True)
    p0_high = models.FloatField(null=True, blank=True)
    required_bits = models.FloatField(null=True, blank=True)
    observed_bits = models.FloatField(null=True, blank=True)
    budget_gap = models.FloatField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def p1(self) -> tuple[float, float] | None:
        """P(true | with the evidence) as (lo, hi); None when it was not measured."""
        return None if self.p1_low is None or self.p1_high is None else (self.p1_low, self.p1_high)

    @property
    def p0(self) -> tuple[float, float] | None:
        """P(true | without the evidence) as (lo, hi); None when it was not measured."""
        return None if self.p0_low is None or self.p0_high is None else (self.p0_low, self.p0_high)
