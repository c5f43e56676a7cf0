"""The API paths of detection, under ``/api/v1/``."""

from typing import Any

from django.urls import path
from rest_framework.routers import SimpleRouter

from detection.api import openapi  # noqa: F401  # openapi registers the scheme of the keys
from detection.api.facts import FactViewSet, RejectedFactViewSet
from detection.api.figures import MetricsViewSet, PeriodViewSet, PropertyViewSet, StatementLineViewSet
from detection.api.monitoring import MonitoringView
from detection.api.profiles import ProfileViewSet
from detection.api.traces import TraceViewSet

router = SimpleRouter()
router.register("properties", PropertyViewSet, basename="property")
router.register("periods", PeriodViewSet, basename="period")
router.register("financial-metrics", MetricsViewSet, basename="financial-metrics")
router.register("income-statements", StatementLineViewSet, basename="income-statement")
router.register("traces", TraceViewSet, basename="trace")
router.register("threshold-profiles", ProfileViewSet, basename="threshold-profile")
router.register("facts/rejected", RejectedFactViewSet, basename="rejected-fact")
router.register("facts", FactViewSet, basename="fact")

BULK: dict[str, Any] = {"post": "bulk"}
urlpatterns = [
    path("properties:bulk", PropertyViewSet.as_view(BULK), name="properties-bulk"),
    path("periods:bulk", PeriodViewSet.as_view(BULK), name="periods-bulk"),
    path("financial-metrics:bulk", MetricsViewSet.as_view(BULK), name="financial-metrics-bulk"),
    path("income-statements:bulk", StatementLineViewSet.as_view(BULK), name="income-statements-bulk"),
    path("monitoring/", MonitoringView.as_view(), name="api-monitoring"),
    *router.urls,
]
