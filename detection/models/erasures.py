"""Orders to erase: whose they were, and what they have erased (SEC-19).

What is erased keeps its row, without its words: counts, verdicts and histories stay what they were. The row points at the
order, and the order's history lists the row with a digest of what it said.
"""

from collections.abc import Mapping
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from detection import keyed
from detection.models.events import Event


class Erasure(models.Model):
    """One order to erase: somebody's, or that of an age that was reached. ``ordered_by`` is None for an age, and for
    whoever runs this machine."""

    class Cause(models.TextChoices):
        ORDER = "order"
        AGE = "age"

    cause = models.CharField(max_length=5, choices=Cause.choices)
    ordered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cause__in=["order", "age"]), name="erasure_cause_is_known"
            )
        ]

    def __str__(self) -> str:
        return f"erasure {self.pk}"

    def said(self) -> str:
        """When something was erased by it, and by whose order, in a sentence."""
        day = date_format(self.created_at, "DATE_FORMAT")
        if self.cause == self.Cause.AGE:
            return gettext(
                "This was erased on %(day)s, when it had reached the age at which such things are."
            ) % {"day": day}
        who = self.ordered_by
        if who is None:
            return gettext("This was erased on %(day)s by order of whoever runs this machine.") % {"day": day}
        name = who.get_full_name() or who.get_username()
        return gettext("This was erased on %(day)s by order of %(name)s.") % {"day": day, "name": name}

    def told(self) -> dict[str, Any]:
        """The order as its history tells it."""
        return {"cause": self.cause, "ordered_by": self.ordered_by_id, "why": self.reason}

    @transaction.atomic
    def tell(self, erased: Mapping[str, Mapping[str, str]]) -> None:
        """Write into the order's history what it has erased: for each kind of row its keys, with digests of what they
        said. Must run inside the transaction that erased them."""
        counted = sum(map(len, erased.values()))
        after = {**self.told(), "rows": erased, "erased_rows": counted}
        ErasureEvent.append(self, "carried_out", actor=self.ordered_by, after=after, reason=self.reason)
        for kind, rows in erased.items():
            ErasedRows.add(kind, len(rows))


class ErasureEvent(Event):
    """What an order has erased."""

    subject = models.ForeignKey(Erasure, on_delete=models.PROTECT, related_name="events")

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="erasure_event_seq_unique")]


class ErasedRows(models.Model):
    """How many rows of a kind lost their words, or were deleted where they had no further use."""

    kind = models.CharField(max_length=20, primary_key=True)
    rows = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "erased"

    def __str__(self) -> str:
        return f"{self.kind}: {self.rows}"

    @classmethod
    @transaction.atomic
    def add(cls, kind: str, rows: int) -> None:
        """Count rows; two who add at the same time both count."""
        if rows:
            cls.objects.get_or_create(kind=kind)
            cls.objects.filter(kind=kind).update(rows=F("rows") + rows, last_at=timezone.now())

    @classmethod
    def counts(cls) -> dict[str, int]:
        """Every kind of which rows were erased, with how many."""
        return dict(cls.objects.order_by("kind").values_list("kind", "rows"))


class Erasable(models.Model):
    """A row whose words can be erased; then ``erasure`` is the order."""

    erasure = models.ForeignKey(
        Erasure, null=True, blank=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        abstract = True

    @classmethod
    def with_words(cls) -> models.QuerySet[Self]:
        """The rows that nobody has erased."""
        return cls._default_manager.filter(erasure__isnull=True)


def digest_of(*words: Any) -> str:
    """What an order keeps of words that it erases, hex: whoever has them and the key can show that it was these, and
    nobody finds them out from it who lacks the key."""
    return keyed.signed("erased", repr(words))
