"""``GET /api/v1/monitoring/``: the four rates over time (CIT-11)."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from detection.access import key_of, visible_monitored_runs
from detection.api.queries import KnownQuery
from detection.observing import monitoring
from detection.serializers.monitoring import MonitoringQuery, MonitoringSerializer


class MonitoringView(KnownQuery, APIView):
    """Mean risk, share of high risk, invalid citations and uncited claims, by day or week."""

    scopes: ClassVar[dict[str, str]] = {"GET": "read"}
    query = {"GET": tuple(MonitoringQuery().fields)}

    @extend_schema(operation_id="monitoring", parameters=[MonitoringQuery], responses=MonitoringSerializer)
    def get(self, request: Request) -> Response:
        """The rates over the answers that the key may see."""
        form = MonitoringQuery(data=request.query_params)
        form.is_valid(raise_exception=True)
        first, last, every = (form.validated_data[name] for name in ("from", "to", "every"))
        rows = visible_monitored_runs(key_of(request)).filter(**form.narrowed())
        days = monitoring.by_day(rows, first, last)
        found = {
            "every": every,
            "total": monitoring.stretch(days, first, last),
            "periods": monitoring.stretches(days, first, last, every),
        }
        return Response(MonitoringSerializer(found).data)
