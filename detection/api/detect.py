"""Judge an answer without storing anything."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from detection import toolkit
from detection.access import key_of
from detection.api.queries import KnownQuery
from detection.operations import costs
from detection.operations.cpu_time import OutOfTime
from detection.problems import TooLarge
from detection.serializers.results import ResultSerializer
from detection.serializers.submissions import SubmissionSerializer

NOT_JUDGED = ("asked_by", "model")
TOO_LARGE = (
    "Judging this takes longer than a request may. Post it to /api/v1/answers/ instead, and read its result by its id: "
    "large answers have a lane of their own there."
)


class DetectView(KnownQuery, APIView):
    """Judge an answer and forget it: the same detection and the same Result, nothing stored."""

    scopes: ClassVar[dict[str, str]] = {"POST": "submit"}

    @extend_schema(
        operation_id="answers_detect",
        tags=["answers"],
        request=SubmissionSerializer,
        responses=ResultSerializer,
    )
    def post(self, request: Request) -> Response:
        """Judge the body's answer now; 413 for a large one, which is to be posted instead."""
        form = SubmissionSerializer(data=request.data, context={"caller": key_of(request)})
        form.is_valid(raise_exception=True)
        given = form.submission()
        sources = sum(len(one.get("text") or "") for one in given.get("sources", ()))
        if costs.is_large(len(given["answer"]), sources):
            raise TooLarge(TOO_LARGE)
        external_id, _ = given.pop("external_id"), [given.pop(n, None) for n in NOT_JUDGED]
        about, key = given.pop("property", None), key_of(request)
        try:
            result = toolkit.judge(given.pop("answer"), about=about, submitted_by=key, **given)
        except OutOfTime:
            raise TooLarge(TOO_LARGE) from None
        return Response({**result, "external_id": external_id})
