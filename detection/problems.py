"""Every error of the API as problem details (RFC 9457, ``application/problem+json``).

A problem has ``type``, ``title``, ``status``, ``detail`` and ``instance``; invalid fields stand in
``errors`` as ``{"field": "sources[3].id", "message": "…"}``. :func:`handle` is the last resort too: what nobody
expected is logged and answered with a plain 500, never with a page.
"""

import http
import logging
import math
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelError
from django.db import IntegrityError, InterfaceError, OperationalError
from django.db.models import ProtectedError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from detection.models import Erasable, Erasure
from detection.models.finance import StillBound

log = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 5
READ_ONLY = "25006"
"""PostgreSQL's code for a write in a transaction that may only read."""
TYPES = {
    400: "malformed", 401: "not-authenticated", 403: "not-allowed", 404: "not-found", 405: "method-not-allowed",
    406: "not-acceptable", 409: "conflict", 410: "erased", 411: "length-required", 413: "too-large", 415: "unsupported-media-type",
    422: "invalid-fields", 429: "too-many-requests", 500: "internal", 503: "database-away",
}  # fmt: skip


class TooLarge(exceptions.APIException):
    """413: the body is over the size limit; nothing of it was kept."""

    status_code = 413
    default_detail = "The body is too large."


class LengthRequired(exceptions.APIException):
    """411: nobody reads a body whose length is not known before."""

    status_code = 411
    default_detail = "Send the body with a Content-Length, not in chunks."


class Conflict(exceptions.APIException):
    """409: somebody else was first. ``extra`` members (who, when) are added to the problem."""

    status_code = 409
    default_detail = "Somebody else changed this in the meantime."

    def __init__(self, detail: str | None = None, **extra: Any) -> None:
        super().__init__(detail)
        self.extra = extra


class Gone(exceptions.APIException):
    """410: there was something here, and it was erased: when, and by whose order."""

    status_code = 410
    default_detail = "This was erased."

    def __init__(self, order: Erasure) -> None:
        super().__init__(order.said())
        self.extra = {"erased_at": order.created_at.isoformat(), "reason": order.reason}


class TellsErased:
    """A view that answers with 410 for a row whose words were erased."""

    def get_object(self) -> Any:
        """The row. Raises :class:`Gone`."""
        row = super().get_object()  # type: ignore[misc]  # it stands before a view that has it
        order = erasure_of(row)
        if order:
            raise Gone(order)
        return row


def erasure_of(row: Any) -> Erasure | None:
    """The order by which a row, or the answer that it is about, was erased."""
    about: Erasable = row if isinstance(row, Erasable) else row.answer
    return about.erasure


def handle(error: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler: any exception of a view as problem details."""
    content, status, headers = _told(error, _path(context))
    response = Response(content, status=status, headers=headers)
    response.content_type = MEDIA_TYPE
    return response


def outside_views(error: Exception, request: HttpRequest) -> HttpResponse:
    """An exception that no view of the API raised, as problem details."""
    content, status, headers = _told(error, request.path)
    return JsonResponse(content, status=status, headers=headers, content_type=MEDIA_TYPE)


def _told(error: Exception, path: str) -> tuple[dict[str, Any], int, dict[str, str]]:
    """The problem, its status and its headers."""
    known = _known(error)
    if known is None:
        log.error("request_failed path=%s", path, exc_info=error)
        known = exceptions.APIException("Something went wrong on our side; it has been logged.")
    status = _status(known)
    content = _problem(status, _detail(known), path)
    if isinstance(known, exceptions.ValidationError):
        content["errors"] = [{"field": name, "message": text} for name, text in fields(known.detail)]
    content.update(getattr(known, "extra", {}))
    return content, status, _headers(known, status)


def _known(error: Exception) -> exceptions.APIException | None:
    """``error`` as one of the API's own exceptions; None for what nobody expected."""
    if isinstance(error, exceptions.APIException):
        return error
    if isinstance(error, Http404):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(error, RequestDataTooBig):
        return TooLarge()
    if isinstance(error, SuspiciousOperation):
        return exceptions.ParseError(str(error))
    if isinstance(error, ModelError):
        return exceptions.ValidationError(
            error.message_dict if hasattr(error, "error_dict") else error.messages
        )
    if database_away(error):
        log.warning("database_away: %s", error)
        return DatabaseAway()
    if isinstance(error, StillBound):
        return Conflict(str(error.args[0]))
    if isinstance(error, ProtectedError):
        return Conflict("Other records depend on this one, so it cannot be deleted.")
    return (
        Conflict("Another request has just stored the same.") if isinstance(error, IntegrityError) else None
    )


def database_away(error: BaseException | None) -> bool:
    """Whether an error says that the database is away, took too long or takes nothing now, so that the same may be tried later."""
    read_only = getattr(error.__cause__, "sqlstate", "") == READ_ONLY if error else False
    return read_only or isinstance(error, OperationalError | InterfaceError)


class DatabaseAway(exceptions.APIException):
    """503: nothing could be read or stored; the caller is told when to come back."""

    status_code = 503
    default_detail = (
        "The database cannot be reached or takes nothing now; nothing was stored. Send the request again."
    )


class NotInTime(exceptions.APIException):
    """503: nobody had done it by the time that the caller is to have a reply; nothing was kept."""

    status_code = 503
    default_detail = "This was not done within the time that a request may take. Send it again."
    extra: ClassVar[dict[str, str]] = {"type": "urn:hallu:problem:not-in-time"}


class TooManyWait(NotInTime):
    """503: as many callers of this process wait for what takes long as may."""

    default_detail = "As many callers wait for results as may. Send it again in some seconds."


def _status(error: exceptions.APIException) -> int:
    """A validation error is 422 here: 400 is kept for bodies that are no JSON."""
    return 422 if isinstance(error, exceptions.ValidationError) else error.status_code


def _detail(error: exceptions.APIException) -> str:
    if isinstance(error, exceptions.ValidationError):
        return "; ".join(f"{name}: {text}" for name, text in list(fields(error.detail))[:5])
    return str(error.detail)


def _path(context: Mapping[str, Any]) -> str:
    request = context.get("request")
    return str(request.path) if request is not None else ""


def _problem(status: int, detail: str, path: str) -> dict[str, Any]:
    return {
        "type": f"urn:hallu:problem:{TYPES.get(status, 'error')}",
        "title": http.HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": path,
    }


def _headers(error: exceptions.APIException, status: int) -> dict[str, str]:
    headers: dict[str, str] = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = str(error.auth_header)  # type: ignore[attr-defined]  # DRF sets it on 401
    if status == 503:
        headers["Retry-After"] = str(RETRY_SECONDS)
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    return headers


def fields(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(field, message) for everything a validation error names: ``sources[3].id``."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from fields(inner, _inside(path, name))
    elif isinstance(detail, list | tuple):
        for position, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list | tuple)
            yield from fields(inner, f"{path}[{position}]" if nested else path)
    else:
        yield path or "body", str(detail)


def _inside(path: str, name: Any) -> str:
    if name == "non_field_errors":
        return path
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else str(name)


def refuse_chunks(request: HttpRequest) -> None:
    """Raise :class:`LengthRequired` for a request in chunks: Django reads no body without ``Content-Length`` and would
    take it for an empty one."""
    if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
        raise LengthRequired
