"""Answers to be judged for somebody who waits for it and keeps nothing (``:detect``): rows that live as long as they wait.

A row is the queue: whoever takes it judges it, and whoever asked deletes it, with its result or without. One that is past
its deadline is nobody's, and the sweep deletes it.
"""

import json
import uuid
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import models, transaction
from django.utils import timezone

from detection.models.access import ApiKey


class DetectionRequest(models.Model):
    """What a caller wants judged by ``until``, and what came of it.

    ``body`` and ``result`` are JSON as text: nothing is asked of them, and the result goes out as it was written.
    """

    class Outcome(models.TextChoices):
        """What became of it: judged, more than a caller can wait for, a fault, or no worker could be told of it."""

        JUDGED = "judged"
        TOO_LARGE = "too_large"
        FAULT = "fault"
        UNTOLD = "untold"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    caller = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+")
    body = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(db_index=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, blank=True, choices=Outcome)
    result = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(outcome__in=["", "judged", "too_large", "fault", "untold"]),
                name="outcome_of_a_request_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(outcome="judged") | models.Q(result=""),
                name="only_a_judged_request_has_a_result",
            ),
        ]

    def __str__(self) -> str:
        return f"request {self.pk}"

    @property
    def given(self) -> dict[str, Any]:
        """What was asked for."""
        given: dict[str, Any] = json.loads(self.body)
        return given

    @classmethod
    def ask(cls, caller: ApiKey, given: Mapping[str, Any], *, seconds: float) -> Self:
        """A request of ``caller``, who waits for so many seconds."""
        now = timezone.now()
        until = now + timedelta(seconds=seconds)
        return cls.objects.create(caller=caller, body=json.dumps(given), created_at=now, until=until)

    @classmethod
    def take(cls, pk: Any) -> Self | None:
        """Take one to judge it, once; None when somebody has it, or nobody waits for it any more."""
        now = timezone.now()
        free = cls.objects.filter(pk=pk, taken_at=None, outcome="", until__gt=now)
        return (
            cls.objects.select_related("caller").filter(pk=pk).first() if free.update(taken_at=now) else None
        )

    @classmethod
    def end(cls, pk: Any, outcome: Outcome, result: str = "") -> bool:
        """Say what came of one; False when it has ended already or nobody waits for it any more."""
        unended = cls.objects.filter(pk=pk, outcome="")
        return bool(unended.update(outcome=outcome, result=result))

    def is_wanted(self) -> bool:
        """Whether somebody still waits for it."""
        return type(self).objects.filter(pk=self.pk, outcome="", until__gt=timezone.now()).exists()

    @classmethod
    def ended(cls, keys: Collection[Any]) -> set[Any]:
        """Those of these requests that have an outcome."""
        return set(cls.objects.filter(pk__in=keys).exclude(outcome="").values_list("pk", flat=True))

    @classmethod
    @transaction.atomic
    def collect(cls, pk: Any) -> Self | None:
        """One with what came of it, which is deleted here; None when it was deleted before."""
        row = cls.objects.select_for_update().filter(pk=pk).first()
        cls.objects.filter(pk=pk).delete()
        return row

    @classmethod
    def forget_late(cls, now: datetime) -> int:
        """Delete those that are past their deadline; returns how many."""
        return cls.objects.filter(until__lte=now).delete()[0]
