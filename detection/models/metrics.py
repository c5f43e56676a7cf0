"""Running totals of what finished runs found, so that reading them does not mean counting everything again."""

from collections.abc import Mapping
from datetime import datetime
from typing import Self

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone


class MetricTotals(models.Model):
    """What the runs that finished until ``through`` add up to, by name. One row; it only moves forward."""

    through = models.DateTimeField()
    totals = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "metric totals"

    def __str__(self) -> str:
        return f"through {self.through:%Y-%m-%d %H:%M:%S}"

    @classmethod
    def current(cls) -> Self | None:
        """The row; None before the first totals were kept."""
        return cls.objects.filter(pk=1).first()

    @classmethod
    def keep(cls, before: "MetricTotals | None", through: datetime, totals: Mapping[str, float]) -> bool:
        """Replace the totals that were read; False when somebody else was first, and then nothing is written."""
        values = {"through": through, "totals": dict(totals)}
        if before is None:
            return cls.objects.get_or_create(pk=1, defaults=values)[1]
        return bool(cls.objects.filter(pk=1, through=before.through).update(**values))


class LeftOut(models.Model):
    """How many calls a store that the product can do without did not get, since it was away (``detection.operations.optional``)."""

    store = models.CharField(max_length=20, primary_key=True)
    calls = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "left out"

    def __str__(self) -> str:
        return f"{self.store}: {self.calls}"

    @classmethod
    @transaction.atomic
    def add(cls, store: str, calls: int) -> None:
        """Count calls that went without ``store``; two who add at the same time both count."""
        cls.objects.get_or_create(store=store)
        cls.objects.filter(store=store).update(calls=F("calls") + calls, last_at=timezone.now())
