"""Figures of record: properties, periods, metrics and statement lines."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import viewsets
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from detection.access import READ, key_of, visible_periods, visible_properties
from detection.api.paging import Pages
from detection.api.queries import KnownQuery
from detection.finance import financials
from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
from detection.serializers.financials import (
    MetricsRow,
    MetricsSerializer,
    OutcomeSerializer,
    PeriodRow,
    PeriodSerializer,
    PropertyRow,
    PropertySerializer,
    StatementLineRow,
    StatementLineSerializer,
)

MOST_ROWS = 20_000


class FiguresViewSet(KnownQuery, viewsets.ModelViewSet[Any]):
    """What the four kinds of record have in common: scopes, visibility, the bulk upsert."""

    scopes = READ
    pagination_class = Pages
    kind: financials.Kind
    http_method_names = ["get", "post", "put", "patch", "delete", "head", "options"]

    def upsert(self, request: Request) -> Response:
        """Create or change many rows, all or none; every bad row is named."""
        rows = request.data
        if not isinstance(rows, list) or len(rows) > MOST_ROWS:
            raise ValidationError(f"Send a list of at most {MOST_ROWS} rows.")
        try:
            outcome = financials.upsert(
                self.kind, rows, visible_properties(key_of(request)), may_create=not _bound(request)
            )
        except financials.BadRows as bad:
            raise ValidationError(_by_row(bad)) from bad
        return Response(OutcomeSerializer(outcome).data)


def _bound(request: Request) -> bool:
    return not key_of(request).all_properties


def _by_row(bad: financials.BadRows) -> dict[Any, Any]:
    """Faults by position and field, so that the problem names ``[3].code``."""
    errors: dict[Any, Any] = {}
    for row in bad.rows:
        errors.setdefault(row.position, {}).setdefault(row.field, []).append(row.message)
    return errors


class PropertyViewSet(FiguresViewSet):
    """Properties of the portfolio."""

    queryset = Property.objects.none()
    serializer_class = PropertySerializer
    filterset_fields = ["code", "currency"]
    kind = financials.PROPERTIES

    @extend_schema(request=PropertyRow(many=True), responses=OutcomeSerializer)
    def bulk(self, request: Request) -> Response:
        """Create or change rows, all or none."""
        return self.upsert(request)

    def get_queryset(self) -> QuerySet[Property]:
        """The caller's properties."""
        return visible_properties(key_of(self.request)).order_by("-id")

    def perform_create(self, serializer: Any) -> None:
        """A key that is bound to properties cannot make another one."""
        if _bound(self.request):
            raise PermissionDenied("This API key is bound to its properties and cannot make new ones.")
        serializer.save()


class PeriodViewSet(FiguresViewSet):
    """Periods that properties report for."""

    queryset = FinancialPeriod.objects.none()
    serializer_class = PeriodSerializer
    filterset_fields = {"property__code": ["exact"], "label": ["exact"], "start": ["gte"], "end": ["lte"]}
    kind = financials.PERIODS

    @extend_schema(request=PeriodRow(many=True), responses=OutcomeSerializer)
    def bulk(self, request: Request) -> Response:
        """Create or change rows, all or none."""
        return self.upsert(request)

    def get_queryset(self) -> QuerySet[FinancialPeriod]:
        """The periods of the caller's properties."""
        rows = visible_periods(key_of(self.request))
        return rows.select_related("property").order_by("-id")


class MetricsViewSet(FiguresViewSet):
    """Figures of record, one row for each period."""

    queryset = FinancialMetrics.objects.none()
    serializer_class = MetricsSerializer
    filterset_fields = ["period__property__code", "period__label", "period"]
    kind = financials.METRICS

    @extend_schema(request=MetricsRow(many=True), responses=OutcomeSerializer)
    def bulk(self, request: Request) -> Response:
        """Create or change rows, all or none."""
        return self.upsert(request)

    def get_queryset(self) -> QuerySet[FinancialMetrics]:
        """The figures of the caller's properties."""
        rows = FinancialMetrics.objects.filter(period__in=visible_periods(key_of(self.request)))
        return rows.select_related("period__property").order_by("-id")


class StatementLineViewSet(FiguresViewSet):
    """Lines of income statements."""

    queryset = IncomeStatementData.objects.none()
    serializer_class = StatementLineSerializer
    filterset_fields = ["period__property__code", "period__label", "period", "account_code"]
    kind = financials.STATEMENT_LINES

    @extend_schema(request=StatementLineRow(many=True), responses=OutcomeSerializer)
    def bulk(self, request: Request) -> Response:
        """Create or change rows, all or none."""
        return self.upsert(request)

    def get_queryset(self) -> QuerySet[IncomeStatementData]:
        """The statement lines of the caller's properties."""
        rows = IncomeStatementData.objects.filter(period__in=visible_periods(key_of(self.request)))
        return rows.select_related("period__property").order_by("-id")
