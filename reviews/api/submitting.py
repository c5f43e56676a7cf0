"""Taking an answer in over HTTP: once for each idempotency key, and waiting for the result when asked to."""

import re
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from detection.access import key_of
from detection.api import waiting
from detection.models import Answer, ApiKey, DetectionRun
from detection.serializers.submissions import SubmissionSerializer
from reviews.lifecycle import intake
from reviews.lifecycle.results import live_runs
from reviews.models import IdempotencyRecord, KeyReused

LONGEST_WAIT = 10
LONGEST_KEY = 200


def idempotency_key(request: Request) -> str:
    """The ``Idempotency-Key`` header, empty without one. Raises a 422 for one that cannot be kept."""
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise ValidationError({"Idempotency-Key": f"Give up to {LONGEST_KEY} printable characters."})
    return key


def take_in(request: Request, key: str) -> tuple[dict[str, Any], bool]:
    """Store the answer in the request's body; what to reply, and whether it was stored just now.

    The same key and body give the first reply again and start nothing; of two at once one waits for the other.
    Raises a 422 for invalid fields and for a key that was used with another body.
    """
    caller, body = key_of(request), request.data
    earlier = earlier_reply(caller, key, body)
    if earlier is not None:
        return earlier, False
    form = SubmissionSerializer(data=body, context={"caller": caller})
    form.is_valid(raise_exception=True)
    try:
        return _store(form, caller, key, body), True
    except IntegrityError:
        earlier = earlier_reply(caller, key, body)
        if earlier is None:
            raise
        return earlier, False


def earlier_reply(caller: ApiKey, key: str, body: Any) -> dict[str, Any] | None:
    """What was replied to this key before, None when it is new or empty. Raises a 422 for another body."""
    try:
        record = IdempotencyRecord.find(caller, key, body)
    except KeyReused as error:
        raise ValidationError({"Idempotency-Key": str(error)}) from error
    return record.response if record else None


@transaction.atomic
def _store(form: SubmissionSerializer, caller: ApiKey, key: str, body: Any) -> dict[str, Any]:
    """The answer and the record of its key, in one transaction."""
    run = intake.submit(intake.Submission(**form.submission()), caller)
    reply: dict[str, Any] = {
        "id": str(run.answer_id),
        "external_id": run.answer.query.external_id,
        "status": "queued",
    }
    ignored = form.ignored()
    if ignored:
        reply["ignored_fields"] = ignored
    if key:
        IdempotencyRecord.objects.create(
            caller=caller,
            key=key,
            body_hash=IdempotencyRecord.hash_of(body),
            status_code=202,
            response=reply,
            answer=run.answer,
        )
    return reply


def preferred_wait(request: Request) -> int:
    """Seconds that ``Prefer: wait=N`` asks for, at most 10; 0 without it (RFC 7240)."""
    found = re.search(
        r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,9})", request.headers.get("Prefer", ""), re.IGNORECASE
    )
    return min(int(found[1]), LONGEST_WAIT) if found else 0


def finished_in_time(answer: Answer, seconds: int, caller: Request) -> bool:
    """Wait until the answer's run has finished, at most ``seconds`` and while the ``caller`` stays; whether it has. Nobody waits for a
    large answer, nor while as many wait as may."""
    if live_runs().filter(answer=answer, large=True).exists():
        return False
    with waiting.place() as free:
        ended = free and waiting.until(_ended, answer.pk, seconds=seconds, caller=caller)
    if ended is not waiting.Ended.DONE:
        return False
    return live_runs().filter(answer=answer).values_list("finished_at", flat=True).first() is not None


def _ended(answers: Collection[UUID]) -> set[UUID]:
    """Those of which the latest run has finished, or will not."""
    runs = live_runs().filter(answer__in=answers).values_list("answer", "finished_at", "failed_reason")
    latest = {answer: bool(finished or failed) for answer, finished, failed in reversed(list(runs))}
    return {answer for answer, ended in latest.items() if ended}


def state_of(answer: Answer) -> str:
    """The state of the answer's latest run."""
    run: DetectionRun | None = live_runs().filter(answer=answer).defer("result").first()
    return run.state if run else "queued"
