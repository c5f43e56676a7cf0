"""``GET /api/v1/calibration/``: do confidences mean what they say (F22)?"""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from detection.access import key_of
from detection.api.queries import KnownQuery
from detection.models import CalibrationMap
from reviews.calibration import figures
from reviews.calibration.query import CalibrationQuery
from reviews.calibration.serializers import CalibrationSerializer


class CalibrationView(KnownQuery, APIView):
    """Reliability, agreement of detectors and people, drift, and the calibration maps."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read"}
    query = {"GET": tuple(CalibrationQuery().fields)}

    @extend_schema(operation_id="calibration", parameters=[CalibrationQuery], responses=CalibrationSerializer)
    def get(self, request: Request) -> Response:
        """The figures over the answers that the key may see."""
        form = CalibrationQuery(data=request.query_params)
        form.is_valid(raise_exception=True)
        first, last, by = (form.validated_data.get(name) for name in ("from", "to", "by"))
        found = figures.seen(key_of(request), first, last, form.only())
        told = {
            "answers": len(found.measured.run),
            "labels": int((found.labels.answer >= 0).sum()),
            "confidence": figures.reliability(found),
            "by": figures.GROUPS[by](found) if by else {},
            "agreement": figures.agreement(found),
            "drift": figures.drifts(found),
            "maps": CalibrationMap.objects.all(),
        }
        return Response(CalibrationSerializer(told).data)
