"""What is remembered of verifiers behind a network: what their endpoints can do, and what they cost."""

import logging
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import models, transaction
from django.db.models import F, Sum
from django.utils import timezone

from detection.verifiers.stores import Capability

log = logging.getLogger(__name__)

SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(seconds=10), timedelta(minutes=5)
"""Between two probes of an endpoint that fails them; the pause doubles from one to the other."""
SMALLEST_USD = Decimal("0.000000001")
"""Money is kept to this: a hundredth of one token at ten cents a million."""


class VerifierEndpoint(models.Model):
    """What one model at one address can do, found out at ``probed_at``, its last error, and whether it is well: observations, replaced by
    the next."""

    base_url = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    logprobs = models.BooleanField(default=True)
    top_logprobs = models.PositiveSmallIntegerField(default=0)
    limit_name = models.CharField(max_length=40, blank=True)
    temperature = models.BooleanField(default=True)
    reasoning_effort = models.CharField(max_length=20, blank=True)
    answer_tokens = models.PositiveIntegerField(default=0)
    probed_at = models.DateTimeField(null=True, blank=True)
    lacking_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when it gives no log-probabilities."
    )
    gave_logprobs = models.BooleanField(
        default=False,
        help_text="Whether it ever gave log-probabilities: what is verified without them then is owed.",
    )
    last_error = models.CharField(max_length=300, blank=True)
    last_error_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(
        null=True, blank=True, help_text="When it last answered a probe with all that it can do."
    )
    well_since = models.DateTimeField(
        null=True, blank=True, help_text="When it first answered one after it had failed some."
    )
    down_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when it has answered no probe so."
    )
    down_reason = models.CharField(max_length=40, blank=True)
    probe_after = models.DateTimeField(null=True, blank=True)
    probes = models.PositiveIntegerField(default=0, help_text="How many probes in a row it failed.")

    class Meta:
        ordering = ["base_url", "model"]
        constraints = [models.UniqueConstraint(fields=["base_url", "model"], name="one_row_per_endpoint")]

    def __str__(self) -> str:
        return f"{self.model} at {self.base_url}"

    @property
    def capability(self) -> Capability | None:
        """How to ask it, None when that was never found out."""
        if self.probed_at is None:
            return None
        return Capability(
            logprobs=self.logprobs,
            top_logprobs=self.top_logprobs,
            limit_name=self.limit_name,
            temperature=self.temperature,
            reasoning_effort=self.reasoning_effort,
            answer_tokens=self.answer_tokens,
            probed_at=self.probed_at,
            lacking_since=self.lacking_since,
            gave_logprobs=self.gave_logprobs,
        )

    @classmethod
    def known(cls, base_url: str, model: str) -> Capability | None:
        """What is known of a model at an address."""
        row = cls.objects.filter(base_url=base_url, model=model).first()
        return row.capability if row else None

    @classmethod
    def remember(cls, base_url: str, model: str, capability: Capability) -> None:
        """Replace what is known."""
        found = {
            "logprobs": capability.logprobs,
            "top_logprobs": capability.top_logprobs,
            "limit_name": capability.limit_name,
            "temperature": capability.temperature,
            "reasoning_effort": capability.reasoning_effort,
            "answer_tokens": capability.answer_tokens,
            "probed_at": capability.probed_at,
            "lacking_since": capability.lacking_since,
            "gave_logprobs": capability.gave_logprobs,
        }
        cls.objects.update_or_create(base_url=base_url, model=model, defaults=found)

    @classmethod
    def give_up_logprobs(cls, base_url: str, model: str) -> bool:
        """Take for what it can do that it gives no log-probabilities any more: from now on answers are sampled. False where
        it gives them, or never did."""
        fallen = cls.objects.filter(base_url=base_url, model=model, logprobs=False, gave_logprobs=True)
        return bool(fallen.update(gave_logprobs=False, probed_at=timezone.now()))

    @classmethod
    @transaction.atomic
    def stood(cls, base_url: str, model: str) -> None:
        """It answered a probe with all that it can do."""
        row, _ = cls.objects.select_for_update().get_or_create(base_url=base_url, model=model)
        now = timezone.now()
        fine = {"answered_at": now, "down_since": None, "down_reason": "", "probe_after": None, "probes": 0}
        if row.down_since:
            log.warning("verifier_back model=%s at=%s after=%s", model, base_url, now - row.down_since)
            fine["well_since"] = now
        cls.objects.filter(pk=row.pk).update(**fine)

    @classmethod
    @transaction.atomic
    def fell(
        cls, base_url: str, model: str, reason: str, now: datetime, patience: float | None = None
    ) -> None:
        """It failed a probe by the code ``reason``, and from ``now`` on is left alone for as many seconds as it asked for,
        at least for a pause that doubles with each failure."""
        row, _ = cls.objects.select_for_update().get_or_create(base_url=base_url, model=model)
        if not row.down_since:
            log.error("verifier_down model=%s at=%s reason=%s", model, base_url, reason)
        pause = min(SHORTEST_PAUSE * 2 ** min(row.probes, 20), LONGEST_PAUSE)
        after = now + max(pause, timedelta(seconds=patience or 0.0))
        told = {"down_since": row.down_since or timezone.now(), "down_reason": reason[:40]}
        cls.objects.filter(pk=row.pk).update(**told, probe_after=after, probes=row.probes + 1)

    @classmethod
    def note(cls, base_url: str, model: str, error: str) -> None:
        """Replace the last error; an empty one says that it is over."""
        noted = {"last_error": error[:300], "last_error_at": timezone.now() if error else None}
        cls.objects.update_or_create(base_url=base_url, model=model, defaults=noted)


class VerifierSpending(models.Model):
    """What one model of one backend was asked and cost on one day (UTC). ``cached`` counts the claims that the
    cache answered instead, ``missed`` those that it did not."""

    day = models.DateField()
    backend = models.CharField(max_length=20)
    model = models.CharField(max_length=200)
    calls = models.PositiveBigIntegerField(default=0)
    cached = models.PositiveBigIntegerField(default=0)
    missed = models.PositiveBigIntegerField(default=0)
    tokens_in = models.PositiveBigIntegerField(default=0)
    tokens_out = models.PositiveBigIntegerField(default=0)
    usd = models.DecimalField(max_digits=18, decimal_places=9, default=Decimal(0))

    class Meta:
        ordering = ["-day", "backend", "model"]
        verbose_name_plural = "verifier spending"
        constraints = [
            models.UniqueConstraint(fields=["day", "backend", "model"], name="one_row_per_day_and_model"),
            models.CheckConstraint(condition=models.Q(usd__gte=0), name="spending_is_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.backend} {self.model}"

    @classmethod
    @transaction.atomic
    def add(cls, day: date, backend: str, model: str, **counts: int | Decimal) -> None:
        """Add to the day's ``calls``, ``cached``, ``missed``, ``tokens_in``, ``tokens_out`` and ``usd``; two who
        add at the same time both count."""
        row, _ = cls.objects.get_or_create(day=day, backend=backend, model=model)
        if "usd" in counts:
            counts["usd"] = Decimal(counts["usd"]).quantize(SMALLEST_USD)
        cls.objects.filter(pk=row.pk).update(**{name: F(name) + count for name, count in counts.items()})

    @classmethod
    def spent(cls, day: date) -> Decimal:
        """US dollars that all backends together cost on a day."""
        total = cls.objects.filter(day=day).aggregate(total=Sum("usd"))["total"]
        return total or Decimal(0)
