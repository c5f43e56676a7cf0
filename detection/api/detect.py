"""Judge an answer without storing anything."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from detection import toolkit
from detection.access import key_of
from detection.api.queries import KnownQuery
from detection.serializers.results import ResultSerializer
from detection.serializers.submissions import SubmissionSerializer

NOT_JUDGED = ("asked_by", "model")


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
        """Judge the body's answer now."""
        form = SubmissionSerializer(data=request.data, context={"caller": key_of(request)})
        form.is_valid(raise_exception=True)
        given = form.submission()
        external_id, _ = given.pop("external_id"), [given.pop(n, None) for n in NOT_JUDGED]
        about, key = given.pop("property", None), key_of(request)
        result = toolkit.judge(given.pop("answer"), about=about, submitted_by=key, **given)
        return Response({**result, "external_id": external_id})
