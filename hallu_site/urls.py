"""Every URL of the site: the screens at the root, the API under /api/v1/, the admin."""

from django.contrib import admin
from django.urls import include, path, re_path

from detection.problems import not_found
from hallu_site.health import healthz, queue, readyz
from hallu_site.metrics.page import metrics

urlpatterns = [
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("healthz/queue", queue, name="queue-health"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("api/v1/", include("detection.api.urls")),
    path("api/v1/", include("reviews.api.urls")),
    re_path(r"^api/", not_found),
    path("", include("reviews.urls")),
]

handler400 = "reviews.display.screen.bad_request"
handler403 = "reviews.display.screen.forbidden"
handler404 = "reviews.display.screen.not_found"
handler500 = "reviews.display.screen.broken"
