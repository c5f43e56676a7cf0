"""Verification owed: what an answer waits for whose verifier was away, overloaded, out of money, or gave no probabilities.

One row for each run that concluded without its verifier. Its columns are written once and its end once, so that the rows of an answer
are the history of what it was owed. Where none is open nothing is owed.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from detection.models.answers import Answer
from detection.models.runs import DetectionRun

if TYPE_CHECKING:
    from uuid import UUID

MOST_TRIES = 12
"""So often an answer is judged again in vain while its verifier answers others; then it is given up."""
PROVEN_WELL = ("outage", "degraded")
"""Reasons for which it is judged again only once the verifier has answered a probe: to fail then is the answer's own."""
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(hours=17)
"""Between two of these; the pause doubles from one to the other."""
PATIENCE, LONGEST_PATIENCE = timedelta(seconds=30), timedelta(minutes=15)
"""How long a verifier is left alone that asked to wait: where it did not say how long, and at most."""


class OwedVerification(models.Model):
    """That the statements of one finished run are still to be verified, why, since when, and what became of it.

    ``since`` is carried over from run to run, ``tries`` counts how often it was judged again in vain although its verifier was well. An answer has one
    open row at most, and each is paid by one run at most, whoever asks for it and however often.
    """

    class Reason(models.TextChoices):
        OUTAGE = "outage"
        OVERLOAD = "overload"
        RATE_LIMIT = "rate_limit"
        BUDGET = "budget"
        DEGRADED = "degraded"

    class Ending(models.TextChoices):
        JUDGED_AGAIN = "judged_again"
        SETTLED = "settled"
        SUPERSEDED = "superseded"
        GIVEN_UP = "given_up"

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="owed_verifications")
    run = models.OneToOneField(DetectionRun, on_delete=models.CASCADE, related_name="owed_verification")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    since = models.DateTimeField()
    noted_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="Before that it is not judged again.")
    tries = models.PositiveSmallIntegerField(default=0)
    ended_at = models.DateTimeField(null=True, blank=True)
    ending = models.CharField(max_length=12, choices=Ending.choices, blank=True)
    again = models.OneToOneField(
        DetectionRun, null=True, blank=True, on_delete=models.CASCADE, related_name="pays"
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["due_at", "id"], condition=Q(ended_at__isnull=True), name="owed_by_due"),
            models.Index(
                fields=["noted_at"], condition=Q(since__lt=F("noted_at")), name="owed_again_by_time"
            ),
            models.Index(fields=["ended_at"], condition=Q(again__isnull=False), name="owed_paid_by_time"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["answer"], condition=Q(ended_at__isnull=True), name="one_owed_verification_per_answer"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ending="", again__isnull=True)
                | Q(ended_at__isnull=False, ending="judged_again", again__isnull=False)
                | Q(
                    ended_at__isnull=False,
                    ending__in=["settled", "superseded", "given_up"],
                    again__isnull=True,
                ),
                name="owed_verification_ends_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason} of {self.run}"

    def shown(self) -> dict[str, Any]:
        """As JSON: why, since when, not before when, tried how often."""
        times = {"since": self.since.isoformat(), "due_at": self.due_at.isoformat()}
        return {"reason": self.reason, **times, "tries": self.tries}

    def shown_ended(self) -> dict[str, Any]:
        """As JSON, with the run that was to be verified and how it ended."""
        ended = {"ended_at": self.ended_at and self.ended_at.isoformat(), "ending": self.ending or None}
        return {**self.shown(), "run": self.run_id, **ended}

    @classmethod
    def open(cls) -> models.QuerySet[Self]:
        """What is owed now, what is due first before."""
        return cls.objects.filter(ended_at__isnull=True).order_by("due_at", "id")

    @classmethod
    def in_vain(cls) -> models.QuerySet[Self]:
        """Of answers that were judged again and are owed as much as before."""
        return cls.objects.filter(since__lt=F("noted_at"))

    @classmethod
    def of(cls, answers: "Iterable[UUID]") -> "dict[UUID, Self]":
        """What each of these answers is owed now; one query."""
        return {row.answer_id: row for row in cls.open().filter(answer__in=answers)}

    @classmethod
    def note(cls, run: DetectionRun, reason: str, seconds: float, now: datetime) -> Self:
        """Note that the statements of ``run`` are to be verified, ``seconds`` from now at the earliest. Belongs into the transaction that
        finishes the run."""
        cls.pay(run.answer, run)  # whoever began the run, it judged what was owed until now
        paid = cls.objects.filter(again=run).first()
        in_vain = (paid.tries if paid else 0) + (paid is not None and reason in PROVEN_WELL)
        return cls.objects.create(
            answer_id=run.answer_id,
            run=run,
            reason=reason,
            since=paid.since if paid else now,
            noted_at=now,
            due_at=_due(reason, seconds, in_vain, now),
            tries=in_vain,
        )

    @classmethod
    def pay(cls, answer: Answer, again: DetectionRun) -> bool:
        """End what ``answer`` is owed by the run that judges it again; False where nothing is owed. Belongs into the
        transaction that makes the run."""
        return bool(cls.open().filter(answer=answer).update(again=again, **_ended(cls.Ending.JUDGED_AGAIN)))

    @property
    def is_hopeless(self) -> bool:
        """Whether it was tried often enough while the verifier answered others."""
        return self.reason in PROVEN_WELL and self.tries >= MOST_TRIES

    def give_up(self) -> bool:
        """End it unpaid: every try was in vain. False when somebody else ended it."""
        return bool(
            OwedVerification.objects.filter(pk=self.pk, ended_at=None).update(**_ended(self.Ending.GIVEN_UP))
        )

    @classmethod
    def forgive(cls, settled: models.QuerySet[Any]) -> int:
        """End what nobody waits for any more: of answers that a newer one replaced or that were erased, and of those of
        ``settled`` reviews (by ``answer``); how many."""
        newer = Answer.objects.filter(supersedes=OuterRef("answer"))
        owed = cls.objects.filter(ended_at__isnull=True)
        replaced = owed.filter(Exists(newer)).update(**_ended(cls.Ending.SUPERSEDED))
        decided = Exists(settled.filter(answer=OuterRef("answer"))) | Q(answer__erasure__isnull=False)
        return replaced + owed.filter(decided).update(**_ended(cls.Ending.SETTLED))


def _ended(how: OwedVerification.Ending) -> dict[str, Any]:
    return {"ended_at": timezone.now(), "ending": how}


def _due(reason: str, seconds: float, tries: int, now: datetime) -> datetime:
    """When it may be judged again: a rate limit says when, money comes with the day, and each try in vain costs longer."""
    if reason == OwedVerification.Reason.BUDGET:
        return (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    pause = min(SHORTEST * 2 ** (tries - 1), LONGEST) if tries else timedelta()
    if reason == OwedVerification.Reason.RATE_LIMIT:
        asked = timedelta(seconds=seconds) if seconds else PATIENCE
        pause = max(pause, min(asked, LONGEST_PATIENCE))
    return now + pause
