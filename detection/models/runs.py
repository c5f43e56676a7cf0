"""Runs: one judging of one answer under one profile, its claims and its detectors' reports.

A run's row is the queue: while ``finished_at`` is empty it is pending work, whatever became of the message
that announced it. Its state is derived, never stored twice. A lease says that somebody works on it now;
the fence number, raised with every lease, keeps a worker that lost its lease from writing late.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

FAST = ("numeric", "citation", "grounding")
SLOW = ("strawberry", "judge")


class StaleLease(Exception):
    """The lease was lost to another worker; nothing was written."""


class DetectionRun(models.Model):
    """One judging of one answer. A finished run never changes; judging again makes a new one."""

    class Purpose(models.TextChoices):
        LIVE = "live"
        SHADOW = "shadow"
        RESCREEN = "rescreen"

    answer = models.ForeignKey("detection.Answer", on_delete=models.PROTECT, related_name="runs")
    profile = models.ForeignKey("detection.ThresholdProfile", on_delete=models.PROTECT, related_name="runs")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.LIVE)
    due = models.JSONField(default=list, help_text="Detectors that must report before the run can conclude.")
    read_at = models.DateTimeField(null=True, blank=True)

    attempts = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last attempt began; unknown of those before it was kept."
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    failed_reason = models.CharField(max_length=100, blank=True)
    large = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Judging it takes long: a lane of its own, behind which no small one waits.",
    )
    traceparent = models.CharField(
        max_length=55,
        blank=True,
        db_default="",
        help_text="The span that asked for it, as W3C writes it: what is done for it later belongs to that trace.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    engine = models.PositiveSmallIntegerField(
        db_default=0, help_text="The engine that concluded it; 0 before engines were counted."
    )

    has_hallucinations = models.BooleanField(null=True, blank=True)
    answer_status = models.CharField(max_length=30, blank=True)
    risk_score = models.FloatField(null=True, blank=True)
    risk_level = models.CharField(max_length=10, blank=True)
    action = models.CharField(max_length=20, blank=True)
    needs_review = models.BooleanField(null=True, blank=True)
    adjusted_confidence = models.FloatField(null=True, blank=True)
    raw_confidence = models.FloatField(null=True, blank=True, help_text="The adjusted one before a map.")
    calibration = models.ForeignKey(
        "detection.CalibrationMap", null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    verifier = models.CharField(
        max_length=300, null=True, blank=True, help_text="Who judged: see CalibrationMap."
    )
    result = models.JSONField(null=True, blank=True, help_text="The result as it was delivered.")
    erasure = models.ForeignKey(
        "detection.Erasure",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        db_constraint=False,
        db_index=False,
        related_name="+",
        help_text="The order by which its answer was erased; then neither result nor measurements are there.",
    )
    audit_stratum = models.CharField(max_length=30, blank=True)
    audit_probability = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["id"], condition=Q(finished_at__isnull=True, failed_reason=""), name="run_owed"
            ),
            models.Index(fields=["answer", "-id"], name="run_by_answer"),
            models.Index(fields=["finished_at"], name="run_by_finish"),
            models.Index(fields=["created_at"], name="run_by_start"),
            models.Index(fields=["answer", "-id"], condition=Q(purpose="rescreen"), name="run_again"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["answer"],
                condition=Q(finished_at__isnull=True, failed_reason="") & ~Q(purpose="shadow"),
                name="one_unfinished_run_per_answer",
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(result__isnull=False),
                name="finished_run_has_a_result",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.answer_id}"

    @property
    def state(self) -> str:
        """queued, running, completed or needs_attention."""
        if self.finished_at:
            return "completed"
        if self.failed_reason:
            return "needs_attention"
        return "running" if self.lease_until and self.lease_until > timezone.now() else "queued"

    @classmethod
    def pending(cls, now: datetime) -> models.QuerySet[Self]:
        """Runs that somebody should work on now: unfinished and not held."""
        free = Q(lease_until__isnull=True) | Q(lease_until__lte=now)
        return cls.objects.filter(free, finished_at__isnull=True, failed_reason="")

    @classmethod
    def waiting_for_verifier(cls, now: datetime) -> models.QuerySet[Self]:
        """Runs that the fast lane is done with and nobody works on now; shadow runs wait behind them."""
        return cls.pending(now).filter(read_at__isnull=False).exclude(purpose=cls.Purpose.SHADOW)

    @classmethod
    def newest(cls) -> models.QuerySet[Self]:
        """The runs that speak for their answers: of each answer the newest that is no shadow run."""
        speaking = cls.objects.exclude(purpose=cls.Purpose.SHADOW)
        return speaking.filter(~Exists(speaking.filter(answer=OuterRef("answer"), pk__gt=OuterRef("pk"))))

    @classmethod
    def later(cls) -> models.QuerySet[Self]:
        """The finished runs that judged the answer of the run of an outer query once more, after it: rescreenings alone do, since
        a shadow run speaks for no answer."""
        again = cls.objects.filter(purpose=cls.Purpose.RESCREEN, finished_at__isnull=False)
        return again.filter(answer=OuterRef("answer"), pk__gt=OuterRef("pk"))

    @classmethod
    def outdated(cls, engine: int) -> models.QuerySet[Self]:
        """Finished runs that speak for their answers and were concluded by an engine older than ``engine``; none of what
        was erased."""
        return cls.newest().filter(finished_at__isnull=False, engine__lt=engine, erasure__isnull=True)

    @classmethod
    def unfinished(cls) -> models.QuerySet[Self]:
        """Runs whose answers wait for them, held ones among them; neither failed nor shadow runs."""
        owed = cls.objects.filter(finished_at__isnull=True, failed_reason="")
        return owed.exclude(purpose=cls.Purpose.SHADOW)

    @classmethod
    def take(cls, pk: int, *, seconds: int, limit: int) -> Self | None:
        """Lease a run for ``seconds``, with what it is judged by loaded; None when it is held or done.

        The attempt is counted before the work, so that a run which kills its worker is not tried for
        ever: after ``limit`` attempts without progress it fails as ``worker_crashed`` and needs attention.
        """
        now = timezone.now()
        taken = cls.pending(now).filter(pk=pk, attempts__lt=limit)
        held = {"tried_at": now, "lease_until": now + timedelta(seconds=seconds)}
        if taken.update(attempts=F("attempts") + 1, fence=F("fence") + 1, **held):
            # One join of all that is seldom there takes PostgreSQL longer to plan than all else that a run asks.
            there = cls.objects.select_related("profile", "answer__submitted_by")
            return there.prefetch_related("answer__property", "answer__period", "answer__sources").get(pk=pk)
        cls.pending(now).filter(pk=pk, attempts__gte=limit).update(failed_reason=f"worker_crashed({limit})")
        return None

    @classmethod
    def take_back(cls, now: datetime, most: int) -> list[Self]:
        """End the leases that ran out, the oldest ``most``, and return their runs, each to one caller: whoever held them is gone or
        stands still, and took their message along. What it writes late still counts where nobody has taken the run since."""
        lapsed = cls.objects.filter(finished_at__isnull=True, failed_reason="", lease_until__lte=now)
        found = lapsed.order_by("id")[:most]
        return [
            run for run in found if run._mine().filter(lease_until=run.lease_until).update(lease_until=None)
        ]

    def renew(self, *, seconds: int) -> None:
        """Keep the lease for longer. Raises :class:`StaleLease` when it was lost."""
        until = timezone.now() + timedelta(seconds=seconds)
        if not self._mine().update(lease_until=until):
            raise StaleLease(str(self))

    def prolong(self, *, seconds: int) -> bool:
        """Keep the lease for longer; False where it was lost or given back, and then it stays so."""
        until = timezone.now() + timedelta(seconds=seconds)
        return bool(self._mine().filter(lease_until__isnull=False).update(lease_until=until))

    def release(self, *, progressed: bool) -> None:
        """Give the lease back; progress forgives the attempts so far, even where they were too many. Losing it meanwhile is
        no error."""
        changes: dict[str, Any] = {"lease_until": None}
        if progressed:
            changes |= {"attempts": 0, "failed_reason": ""}
        self._mine().update(**changes)

    def enlarge(self) -> None:
        """Move to the lane of large answers: it took longer than one of its size does."""
        self._mine().update(large=True)
        self.large = True

    def fail(self, reason: str) -> None:
        """Give up for ``reason``, which no further attempt would change: it needs attention."""
        self._mine().update(lease_until=None, failed_reason=reason[:100])

    def _mine(self) -> models.QuerySet["DetectionRun"]:
        return DetectionRun.objects.filter(pk=self.pk, fence=self.fence, finished_at__isnull=True)

    @transaction.atomic
    def store(self, reports: Sequence["DetectorReport"]) -> None:
        """Store reports of detectors. One that is there already is overwritten, never doubled.

        Locks the run, so that nobody takes it meanwhile. Raises :class:`StaleLease` when the lease was lost.
        """
        locked = DetectionRun.objects.select_for_update().filter(pk=self.pk)
        fence, finished_at = locked.values_list("fence", "finished_at").get()
        if fence != self.fence or finished_at:
            raise StaleLease(f"{self}: fence {self.fence}, now {fence}")
        DetectorReport.objects.bulk_create(
            reports,
            update_conflicts=True,
            unique_fields=["run", "detector"],
            update_fields=["status", "measurements", "reason", "cost", "duration_ms"],
        )

    def took(self) -> dict[str, float]:
        """The milliseconds of each detector that has reported."""
        return dict(self.reports.order_by().values_list("detector", "duration_ms"))

    def missing(self) -> list[str]:
        """Due detectors whose report is not there yet, in order of running."""
        there = set(self.reports.order_by().values_list("detector", flat=True))
        return [name for name in (*FAST, *SLOW) if name in self.due and name not in there]

    def close(self, **verdict: Any) -> bool:
        """Finish the run with its verdict; False when somebody else did, and then nothing is written."""
        columns = {**verdict, "finished_at": timezone.now(), "lease_until": None}
        won = bool(self._mine().update(**columns))
        for name, value in columns.items() if won else ():
            setattr(self, name, value)
        return won


class DetectorReport(models.Model):
    """What one detector measured; ``measurements`` is the only truth of it (:mod:`detection.core.codec`)."""

    class Status(models.TextChoices):
        OK = "ok"
        SKIPPED = "skipped"
        TIMEOUT = "timeout"
        ERROR = "error"
        RATE_LIMITED = "rate_limited"
        AWAY = "away"

    run = models.ForeignKey(DetectionRun, on_delete=models.CASCADE, related_name="reports")
    detector = models.CharField(max_length=20)
    status = models.CharField(max_length=20, choices=Status.choices)
    reason = models.CharField(max_length=300, blank=True)
    measurements = models.JSONField(null=True, blank=True)
    cost = models.JSONField(default=dict, blank=True)
    duration_ms = models.FloatField(default=0.0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["run", "detector"]
        constraints = [
            models.UniqueConstraint(fields=["run", "detector"], name="one_report_per_run_and_detector"),
            models.CheckConstraint(
                condition=Q(status__in=["ok", "skipped", "timeout", "error", "rate_limited", "away"]),
                name="report_status_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.detector}: {self.status}"


class Claim(models.Model):
    """One claim of a run. Never deleted, since verdicts hang on it, save one that a reviewer added and took
    back. The columns below ``reading`` are written when the run concludes and are what people filter on; of
    a reviewer's claim they stay empty: no detector judged it."""

    class Origin(models.TextChoices):
        DETECTOR = "detector"
        REVIEWER = "reviewer"

    run = models.ForeignKey(DetectionRun, on_delete=models.PROTECT, related_name="claims")
    index = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.DETECTOR)
    text = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    sentence = models.PositiveIntegerField()
    statement = models.PositiveIntegerField(null=True, blank=True)
    citations = models.JSONField(default=list)
    reading = models.JSONField(default=dict, help_text="The claim as the core read it.")

    status = models.CharField(max_length=15, blank=True)
    finding = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    flagged = models.BooleanField(default=False)
    metric = models.CharField(max_length=60, blank=True)
    period = models.CharField(max_length=40, blank=True)
    value = models.CharField(max_length=60, blank=True)
    expected = models.CharField(max_length=60, blank=True)
    deviation = models.FloatField(null=True, blank=True, help_text="Signed, relative to the expected value.")
    p1_low = models.FloatField(null=True, blank=True)
    p1_high = models.FloatField(null=True, blank=True)
    p0_low = models.FloatField(null=True, blank=True)
    p0_high = models.FloatField(null=True, blank=True)
    overlap = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["run", "index"]
        constraints = [
            models.UniqueConstraint(fields=["run", "index"], name="claim_index_unique_per_run"),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="claim_has_text"),
            models.CheckConstraint(
                condition=Q(
                    status__in=["", "supported", "contradicted", "unsupported", "unverified", "not_checked"]
                ),
                name="claim_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(origin__in=["detector", "reviewer"]), name="claim_origin_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(origin="reviewer") | Q(flagged=False, status="", finding=""),
                name="no_detector_judged_a_reviewers_claim",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.index}: {self.text[:60]}"
