"""The same key gives the same response: double clicks, retries and replays write once."""

import hashlib
import json
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from detection.models import ApiKey
from reviews.models.errors import KeyReused


class IdempotencyRecord(models.Model):
    """What was answered to one key of one caller.

    The caller is an API key (``POST /api/v1/answers/``) or a person (a verdict, a resolution): exactly one
    of ``caller`` and ``user`` is set, and a key is unique for each of them.
    """

    caller = models.ForeignKey(
        "detection.ApiKey",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="idempotency_records",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="idempotency_records",
    )
    key = models.CharField(max_length=200)
    body_hash = models.CharField(max_length=64)
    status_code = models.PositiveSmallIntegerField(default=200)
    response = models.JSONField(default=dict)
    answer = models.ForeignKey(
        "detection.Answer", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["caller", "key"], name="idempotency_key_unique_per_caller"),
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_unique_per_user"),
            models.CheckConstraint(
                condition=Q(caller__isnull=True, user__isnull=False)
                | Q(caller__isnull=False, user__isnull=True),
                name="idempotency_record_has_one_caller",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.status_code}"

    @staticmethod
    def hash_of(body: Any) -> str:
        """SHA-256 of a body's JSON with sorted keys, hex; what is not JSON is hashed by its text."""
        return hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()

    @classmethod
    def find(cls, caller: Any, key: str, body: Any) -> Self | None:
        """The record of this key, None when it is new or empty. Raises :class:`KeyReused` for another body.

        ``caller`` is an :class:`ApiKey` or a user.
        """
        record = cls.objects.filter(key=key, **_whose(caller)).first() if key else None
        if record and record.body_hash != cls.hash_of(body):
            raise KeyReused(key)
        return record

    @classmethod
    def remember(cls, caller: Any, key: str, body: Any, response: dict[str, Any]) -> None:
        """Keep the response to this key, in the transaction that did the work; without a key nothing."""
        if key:
            cls.objects.create(key=key, body_hash=cls.hash_of(body), response=response, **_whose(caller))


def _whose(caller: Any) -> dict[str, Any]:
    return {"caller": caller} if isinstance(caller, ApiKey) else {"user": caller}
