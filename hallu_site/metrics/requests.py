"""What web is asked, and how long that takes: counted in its processes, since a row for each request would cost more than the
request."""

import time
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from detection import spans
from hallu_site.metrics import folder

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
READING = frozenset(("GET", "HEAD", "OPTIONS"))
NO_ROUTE = "none"
"""Of what no pattern was found for: files, redirects to HTTPS, addresses that there are not."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

if folder.given():
    values.ValueClass = values.MultiProcessValue(folder.place)  # type: ignore[no-untyped-call]  # Prometheus'
_counted = CollectorRegistry()
ASKED = Counter("hallu_http_requests", "Requests answered.", ["route", "method", "status"], registry=_counted)
TOOK = Histogram(
    "hallu_http_request_seconds",
    "How long the answer to a request took, by whether its caller wished to wait for a result.",
    ["route", "method", "waits"],
    buckets=BUCKETS,
    registry=_counted,
)


def watch_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, to stand first: time and count each request by the name of its URL's pattern, and be the first span of what
    changes something or belongs to a caller's trace."""

    def watched(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        response = _spanned(request, get_response)
        route, method = _route(request), _method(request)
        waits = "true" if "wait" in request.META.get("HTTP_PREFER", "") else "false"
        ASKED.labels(route, method, str(response.status_code)).inc()
        TOOK.labels(route, method, waits).observe(time.perf_counter() - begun)
        return response

    return watched


def _spanned(request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
    given = request.META.get("HTTP_TRACEPARENT", "")
    if not spans.is_on() or not (given or request.method not in READING):
        return get_response(request)
    method = _method(request)
    with spans.span(method, {"http.request.method": method}, parent=given, kind="server") as span:
        response = get_response(request)
        span.rename(f"{method} {_route(request)}")
        span.note(
            {
                "http.route": _route(request),
                "http.response.status_code": response.status_code,
                "hallu.request": response.get("X-Request-ID", ""),
            }
        )
    return response


def _route(request: HttpRequest) -> str:
    """The name of the pattern; never the path, which has ids and words of people in it."""
    return request.resolver_match.view_name if request.resolver_match else NO_ROUTE


def _method(request: HttpRequest) -> str:
    return request.method if request.method in METHODS else "other"  # a caller may send any word


class Requests(Collector):
    """What all processes of this web counted since it was started."""

    def collect(self) -> Iterator[Metric]:
        """Both families."""
        shared = folder.given()
        of_all = MultiProcessCollector(None, str(shared)) if shared else _counted  # type: ignore[no-untyped-call]  # Prometheus'
        yield from of_all.collect()
