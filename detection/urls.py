"""The API paths of detection, under ``/api/v1/``."""

from typing import Any

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.routers import SimpleRouter

from detection import api, openapi  # noqa: F401  # openapi registers the scheme of the keys

router = SimpleRouter()
router.register("properties", api.PropertyViewSet, basename="property")
router.register("periods", api.PeriodViewSet, basename="period")
router.register("financial-metrics", api.MetricsViewSet, basename="financial-metrics")
router.register("income-statements", api.StatementLineViewSet, basename="income-statement")
router.register("threshold-profiles", api.ProfileViewSet, basename="threshold-profile")

BULK: dict[str, Any] = {"post": "bulk"}
urlpatterns = [
    path("answers:detect", api.DetectView.as_view(), name="api-detect"),
    path("properties:bulk", api.PropertyViewSet.as_view(BULK), name="properties-bulk"),
    path("periods:bulk", api.PeriodViewSet.as_view(BULK), name="periods-bulk"),
    path("financial-metrics:bulk", api.MetricsViewSet.as_view(BULK), name="financial-metrics-bulk"),
    path("income-statements:bulk", api.StatementLineViewSet.as_view(BULK), name="income-statements-bulk"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("docs/", SpectacularSwaggerSplitView.as_view(url_name="api-schema"), name="api-docs"),
    *router.urls,
]
