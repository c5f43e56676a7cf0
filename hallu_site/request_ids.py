"""Gives every request an id that stands in all logs about it, those of the workers too (SPEC-08.41)."""

import random
import re
from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from detection import logs, origin
from hallu_site import refusals

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")
NO_TRACE = partial(HttpResponseNotAllowed, ["GET", "HEAD", "POST"])


def number_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: take the caller's ``X-Request-ID`` where it is a plain one, else make one, and return it. What was refused is
    logged, and nothing of the API is cached."""

    def numbered(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        name = given if GIVEN.fullmatch(given) else f"{random.getrandbits(128):032x}"
        with logs.working_for(name), origin.unknown():
            response = NO_TRACE() if request.method == "TRACE" else get_response(request)
            refusals.tell(request, response)
        response[HEADER] = name
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return numbered
