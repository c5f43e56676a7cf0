"""Every URL of the site: the screens at the root, the API under /api/v1/, the admin."""

from django.contrib import admin
from django.urls import include, path

from hallu_site.health import healthz, queue, readyz
from hallu_site.metrics.page import metrics
from hallu_site.reference import SchemaView, docs

urlpatterns = [
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("healthz/queue", queue, name="queue-health"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("api/v1/schema/", SchemaView.as_view(), name="api-schema"),
    path("api/v1/docs/", docs, name="api-docs"),
    path("api/v1/", include("detection.api.urls")),
    path("api/v1/", include("reviews.api.urls")),
    path("", include("reviews.urls")),
]

handler400 = "reviews.display.screen.bad_request"
handler403 = "reviews.display.screen.forbidden"
handler404 = "reviews.display.screen.not_found"
handler500 = "reviews.display.screen.broken"
