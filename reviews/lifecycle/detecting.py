"""``:detect``: an answer judged by a worker for a caller who waits, and kept no longer than they wait.

The web side asks and collects; what a worker does is the same as ever (:func:`detection.toolkit.judge`), with the rights of the key.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from detection import runs, toolkit
from detection.models import ApiKey, DetectionRequest, FinancialPeriod, Property
from detection.operations import verifying
from detection.operations.cpu_time import OutOfTime
from detection.verifiers.deadlines import Deadline
from reviews.lifecycle import publishing

log = logging.getLogger(__name__)
Outcome = DetectionRequest.Outcome

FOR_TELLING = 1.0
"""Seconds before the caller's deadline at which no verifier is waited for any more: time to decide, store and reply."""
ROWS = ("property", "period")


@transaction.atomic
def ask(given: Mapping[str, Any], caller: ApiKey) -> DetectionRequest:
    """Have an answer judged for ``caller``; ``given`` are the keywords of :func:`detection.toolkit.judge`, and ``external_id``,
    with ``property`` for its ``about``."""
    named = {name: row.pk for name in ROWS if (row := given.get(name))}
    row = DetectionRequest.ask(caller, {**given, **named}, seconds=settings.HALLU_DETECT_SECONDS)
    due = runs.due_detectors(given.get("detectors"))
    publishing.publish_request(row, asks_a_network=verifying.asks_a_network(due))
    return row


def work(pk: str) -> None:
    """Judge a request, once; nothing when it is taken, or nobody waits for it any more."""
    row = DetectionRequest.take(pk)
    if row is None:
        return
    try:
        DetectionRequest.end(pk, Outcome.JUDGED, _judged(row))
    except OutOfTime:
        DetectionRequest.end(pk, Outcome.TOO_LARGE)
    except toolkit.NotAwaited:
        log.info("request_not_awaited id=%s", pk)
    except Exception:
        DetectionRequest.end(pk, Outcome.FAULT)
        raise


def _judged(row: DetectionRequest) -> str:
    """The Result as JSON."""
    given = row.given
    answer, external_id, about = given.pop("answer"), given.pop("external_id"), given.pop("property", None)
    period = given.pop("period", None)
    left = (row.until - timezone.now()).total_seconds() - FOR_TELLING
    result = toolkit.judge(
        answer,
        about=about and Property.objects.get(pk=about),
        period=period and FinancialPeriod.objects.select_related("property").get(pk=period),
        submitted_by=row.caller,
        awaited=toolkit.Awaited(Deadline(left), row.is_wanted),
        **given,
    )
    return json.dumps(
        result | {"external_id": external_id}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
