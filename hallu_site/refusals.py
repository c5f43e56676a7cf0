"""Says in the log what was refused: whom, where and to whom (status 400 to 499)."""

import logging
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from detection.access.addresses import client_address
from detection.models import ApiKey

log = logging.getLogger(__name__)


def tell(request: HttpRequest, response: HttpResponseBase) -> None:
    """One record for a response that refuses; none for another."""
    if 400 <= response.status_code < 500:
        log.info(
            "refused status=%s method=%s path=%r by=%s address=%s",
            response.status_code,
            request.method,
            request.path[:200],
            _by(request),
            client_address(request),
        )


def _by(request: HttpRequest) -> str:
    """The key or the person that sent the request, ``nobody`` for none; nothing is looked up for it."""
    key = getattr(request, "auth", None)
    if isinstance(key, ApiKey):
        return f"key:{key.pk}"
    person: Any = request.__dict__.get("_cached_user")
    return f"person:{person.pk}" if getattr(person, "is_authenticated", False) else "nobody"
