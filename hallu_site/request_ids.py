"""Gives every request an id that stands in all logs about it, those of the workers too (SPEC-08.41)."""

import random
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from detection import logs, origin

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")


def number_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: take the caller's ``X-Request-ID`` where it is a plain one, else make one, and return it."""

    def numbered(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        name = given if GIVEN.fullmatch(given) else f"{random.getrandbits(128):032x}"
        with logs.working_for(name), origin.unknown():
            response = get_response(request)
        response[HEADER] = name
        return response

    return numbered
