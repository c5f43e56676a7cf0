"""``/metrics`` for Prometheus, and who may read it."""

import hmac
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from detection.observing.metrics import Database
from hallu_site.metrics.requests import Requests
from reviews.queue.backlog import Backlog

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Via")
COLLECTORS = (Database, Backlog, Requests)
"""What each layer tells of itself."""


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics as text; 401 or 403 for whoever may not read them, 503 while the database is away."""
    if not _may_read(request):
        if not settings.METRICS_TOKEN:
            return HttpResponse(
                "This address may not read the metrics.\n", status=403, content_type="text/plain"
            )
        asked = {"WWW-Authenticate": "Bearer"}
        return HttpResponse("A token is needed.\n", status=401, content_type="text/plain", headers=asked)
    registry = CollectorRegistry(auto_describe=False)
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    try:
        for each in COLLECTORS:
            registry.register(each())
        return HttpResponse(encode(registry), content_type=content_type)
    except DatabaseError as error:
        return HttpResponse(f"database: {type(error).__name__}\n", status=503, content_type="text/plain")


def _may_read(request: HttpRequest) -> bool:
    """By the token, where there is one; else by the address, unless a proxy stands between."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if settings.SECURE_PROXY_SSL_HEADER or any(name in request.headers for name in FORWARDED):
        return False
    return _near(str(request.META.get("REMOTE_ADDR", "")))


def _near(address: str) -> bool:
    try:
        return any(ip_address(address) in ip_network(each) for each in settings.METRICS_NETWORKS)
    except ValueError:
        return False
