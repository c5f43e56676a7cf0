"""Judge an answer without keeping anything."""

from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.views import APIView

from detection.access import key_of
from detection.api import waiting
from detection.api.queries import KnownQuery
from detection.models import DetectionRequest
from detection.operations import costs
from detection.problems import NotInTime, TooLarge, TooManyWait
from detection.serializers.results import ResultSerializer
from detection.serializers.submissions import SubmissionSerializer
from reviews.lifecycle import detecting

Outcome = DetectionRequest.Outcome
NOT_JUDGED = ("asked_by", "model")
INSTEAD = "Post it to /api/v1/answers/ instead, and read its result by its id"
TOO_LARGE = (
    f"Judging this takes longer than a request may. {INSTEAD}: large answers have a lane of their own there."
)
CALLER_LEFT = 499
"""What nginx calls a request whose caller has gone; nobody reads it."""


AT_THE_DEADLINE = (
    f"No worker judged it within the time that a request may take. Send it again, or: {INSTEAD}."
)
TOO_MANY_WAIT = f"As many callers wait for results as may. Send it again in some seconds, or: {INSTEAD}."
UNTOLD = f"No worker can be told of it now. {INSTEAD}: what is stored there is found without being told of."


class DetectView(KnownQuery, APIView):
    """Judge an answer and forget it: the same detection and the same Result, nothing kept."""

    scopes: ClassVar[dict[str, str]] = {"POST": "submit"}

    @extend_schema(
        operation_id="answers_detect",
        tags=["answers"],
        request=SubmissionSerializer,
        responses=ResultSerializer,
    )
    def post(self, request: Request) -> HttpResponse:
        """Have the body's answer judged while the caller waits: 413 for a large one, which is to be posted instead, and 503
        with ``Retry-After`` where no worker has judged it in time or too many wait already. Whoever hangs up ends it."""
        form = SubmissionSerializer(data=request.data, context={"caller": key_of(request)})
        form.is_valid(raise_exception=True)
        given = {name: value for name, value in form.submission().items() if name not in NOT_JUDGED}
        sources = sum(len(one.get("text") or "") for one in given.get("sources", ()))
        if costs.is_large(len(given["answer"]), sources):
            raise TooLarge(TOO_LARGE)
        with waiting.place() as free:
            if not free:
                raise TooManyWait(TOO_MANY_WAIT)
            return _answered(request, given)


def _answered(request: Request, given: dict[str, Any]) -> HttpResponse:
    """What a worker makes of it, for a caller who has a place to wait in."""
    row = detecting.ask(given, key_of(request))
    try:
        ended = waiting.until(
            DetectionRequest.ended, row.pk, seconds=settings.HALLU_DETECT_SECONDS, caller=request
        )
    finally:
        found = DetectionRequest.collect(row.pk)
    if ended is waiting.Ended.GONE:
        return HttpResponse(status=CALLER_LEFT, reason="Caller Left")
    outcome = found.outcome if found else ""
    if found is None or outcome != Outcome.JUDGED:
        raise _problem(outcome)
    return HttpResponse(found.result, content_type="application/json")


def _problem(outcome: str) -> APIException:
    """Why there is no result."""
    if outcome == Outcome.TOO_LARGE:
        return TooLarge(TOO_LARGE)
    if outcome == Outcome.FAULT:
        return APIException("Something went wrong on our side; it has been logged.")
    return NotInTime(UNTOLD if outcome == Outcome.UNTOLD else AT_THE_DEADLINE)
