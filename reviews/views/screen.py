"""What every screen has in common: who may see it, how it is kept out of caches, how problems look."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

View = Callable[..., HttpResponseBase]
Row = TypeVar("Row", bound=Model)


class Asked(HttpRequest):
    """A request of a signed-in person that may come from htmx."""

    htmx: HtmxDetails
    user: User


def screen(view: View) -> View:
    """A page for signed-in people: nothing of it is cached, and a fragment is never taken for a page."""

    @wraps(view)
    def wrapped(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs) if request.user.is_authenticated else _log_in(request)
        response["Cache-Control"] = "no-store"
        patch_vary_headers(response, ["HX-Request"])
        return response

    return wrapped


def _log_in(request: Asked) -> HttpResponse:
    """The log-in page; for a fragment a 401 that sends the whole page there (SEC-11)."""
    if not request.htmx:
        return redirect_to_login(request.get_full_path())
    here = urlsplit(request.htmx.current_url_abs_path or "")
    back = redirect_to_login(here.path + (f"?{here.query}" if here.query else "") or resolve_url("queue"))
    return HttpResponse(status=401, headers={"HX-Redirect": back["Location"]})


def number(text: str | None) -> int | None:
    """A whole number from a query string, or None."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def older(found: QuerySet[Row], pk: str) -> QuerySet[Row]:
    """The rows older than the last one shown; a row that came meanwhile moves nothing."""
    try:
        last = (
            found.model._default_manager.filter(pk=UUID(pk)).values("created_at", "pk").first()
            if pk
            else None
        )
    except ValueError:
        last = None
    if last is None:
        return found
    return found.filter(
        Q(created_at__lt=last["created_at"]) | Q(created_at=last["created_at"], pk__lt=last["pk"])
    )


PROBLEMS = {
    400: ("Not understood", "The request could not be read. Reload the page and try again."),
    403: ("Not allowed", "Your role does not allow this. Ask an administrator if it should."),
    404: ("Not found", "This does not exist, or it belongs to a property that you cannot see."),
    500: (
        "Something broke",
        "Nothing you entered was changed. Try again; tell an administrator if it happens again.",
    ),
}


def problem(request: HttpRequest, status: int, text: str = "") -> HttpResponse:
    """An error as a page, or as a fragment for htmx."""
    title, usual = PROBLEMS[status]
    partial = bool(getattr(request, "htmx", False))
    template = "problem.html" if partial else f"{status}.html"
    page = render_to_string(
        template, {"title": title, "text": text or usual}
    )  # asks nobody, not even the database
    return HttpResponse(page, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return problem(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403 with the reason that the model gave."""
    return problem(request, 403, str(exception))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, for what is not there and for what is somebody else's alike (SEC-1)."""
    return problem(request, 404)


def broken(request: HttpRequest) -> HttpResponse:
    """500 without any detail."""
    return problem(request, 500)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose token is missing or old."""
    return problem(request, 403, "This form is too old to be trusted. Reload the page and send it again.")
