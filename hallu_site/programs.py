"""What programs ask, apart from what people see: the API, the questions whether a process lives, the metrics.

They show a key, a token or nothing, keep no cookie and read no page. So nothing of the pages' middleware runs for
them: no session, language, form token, message or frame. They get the headers of security that mean something
beside a page, and every error as a problem (RFC 9457), those of no view too.
"""

from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.security import SecurityMiddleware
from django.urls import Resolver404, is_valid_path, resolve
from django.utils import translation
from rest_framework.exceptions import NotFound

from detection import problems

API = "/api/"
ALONE = frozenset({"/api", "/healthz", "/healthz/queue", "/readyz", "/metrics"})
"""What programs ask outside of the API."""


def answer_programs(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answer programs here. What stands after it in the settings is for pages alone."""
    secured = cast("Callable[[HttpRequest], HttpResponseBase]", SecurityMiddleware(_answer))

    def answered(request: HttpRequest) -> HttpResponseBase:
        if not (request.path_info.startswith(API) or request.path_info in ALONE):
            return get_response(request)
        try:
            # A page that this thread showed before has left its language.
            with translation.override(settings.LANGUAGE_CODE):
                response = secured(request)
        except Exception as error:  # noqa: BLE001 - the last resort: whatever it is, its answer is no page
            response = problems.outside_views(error, request)
        if not response.has_header("Content-Length") and isinstance(response, HttpResponse):
            response["Content-Length"] = str(len(response.content))
        return response

    return answered


def _answer(request: HttpRequest) -> HttpResponseBase:
    """The view's answer. Raises what it raises, and :class:`NotFound` where there is none."""
    request.get_host()  # raises what is answered with a 400
    problems.refuse_chunks(request)
    try:
        match = request.resolver_match = resolve(request.path_info)
    except Resolver404:
        raise NotFound(f"There is nothing at this address.{_meant(request.path_info)}") from None
    response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    render = getattr(response, "render", None)
    return render() if render else response


def _meant(path: str) -> str:
    """The address that differs by a slash at its end, in words; empty where there is none."""
    other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
    return f" {other} is an address." if is_valid_path(other) else ""
