"""What every screen has in common: who may see it, how it is kept out of caches, how problems look."""

import sys
from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_htmx.middleware import HtmxDetails

from detection import logs, problems
from detection.access import roles
from detection.models import Erasure
from reviews.models import NotAllowed
from reviews.models.guards import require_reviewer

View = Callable[..., HttpResponseBase]
Row = TypeVar("Row", bound=Model)
SAFE = ("GET", "HEAD", "OPTIONS")


class Asked(HttpRequest):
    """A request of a signed-in person that may come from htmx."""

    htmx: HtmxDetails
    user: User


class Erased(Exception):
    """What somebody asks to see was erased by ``order``. ``decided`` is how a person had decided it, in words, ``review``
    the number of the review whose history is left."""

    def __init__(self, order: Erasure, decided: str = "", review: int | None = None) -> None:
        super().__init__(str(order))
        self.order, self.decided, self.review = order, decided, review


def screen(view: View) -> View:
    """A page for signed-in people with a role: nothing of it is cached, and a fragment is never taken for a page.

    With none a person sees nobody's answers (F12): 403.
    """

    @wraps(view)
    def with_a_role(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not roles(request.user):
            raise PermissionDenied(gettext("You have no role here yet. Ask an administrator for one."))
        return view(request, *args, **kwargs)

    return personal(with_a_role)


def judging(view: View) -> View:
    """An action of those who give verdicts; 403 for everybody else, whatever state its review is in."""

    @wraps(view)
    def by_a_reviewer(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            require_reviewer(request.user)
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from refusal
        return view(request, *args, **kwargs)

    return screen(by_a_reviewer)


def personal(view: View) -> View:
    """A page for everybody who is signed in, about themselves or about how things work here.

    ``Server-Timing`` tells a browser how many milliseconds it took to make.
    """

    @wraps(view)
    def wrapped(request: Asked, *args: Any, **kwargs: Any) -> HttpResponseBase:
        begun = perf_counter()
        try:
            response = view(request, *args, **kwargs) if request.user.is_authenticated else _log_in(request)
        except Erased as erased:
            response = _gone(request, erased)
        response["Server-Timing"] = f"app;dur={(perf_counter() - begun) * 1000:.1f}"
        response["Cache-Control"] = "no-store"
        patch_vary_headers(response, ["HX-Request"])
        return response

    return wrapped


def _gone(request: Asked, erased: Erased) -> HttpResponse:
    """410: that it was erased, when, by whose order and why, and what is left."""
    if request.htmx:
        return problem(request, 410, erased.order.said())
    return render(request, "reviews/shared/erased.html", {"erased": erased}, status=410)


def _log_in(request: Asked) -> HttpResponse:
    """The log-in page; for a fragment a 401 with the form for the dialog, so that nothing entered is lost (SEC-11)."""
    if request.htmx:
        return render(request, "registration/_login.html", {"provider": bool(settings.OIDC)}, status=401)
    return redirect_to_login(request.get_full_path() if request.method in SAFE else _page_of(request))


def _page_of(request: Asked) -> str:
    """The page whose form was sent: after the log-in there is nothing to see at the form's own address."""
    before = urlsplit(request.headers.get("Referer", ""))
    if before.netloc != request.get_host():
        return resolve_url("queue")
    return before.path + (f"?{before.query}" if before.query else "")


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
    400: (_("Not understood"), _("The request could not be read. Reload the page and try again.")),
    403: (_("Not allowed"), _("Your role does not allow this. Ask an administrator if it should.")),
    404: (_("Not found"), _("This does not exist, or it belongs to a property that you cannot see.")),
    410: (_("Erased"), _("This was erased.")),
    503: (
        _("Not available now"),
        _(
            "The database does not answer or takes nothing at the moment. Nothing was changed; try again in a few seconds."
        ),
    ),
    500: (
        _("Something broke"),
        _("Nothing you entered was changed. Try again; tell an administrator if it happens again."),
    ),
}


def problem(request: HttpRequest, status: int, text: str = "") -> HttpResponse:
    """An error as a page, or as a fragment for htmx; a failure of ours with the number that the logs have."""
    title, usual = PROBLEMS[status]
    template = "problem.html" if getattr(request, "htmx", False) else "problem_page.html"
    number = logs.request_id() if status >= 500 else ""
    page = render_to_string(
        template, {"title": title, "text": text or usual, "number": number}
    )  # asks nobody, not even the database
    headers = {"Cache-Control": "no-store"} | (
        {"Retry-After": str(problems.RETRY_SECONDS)} if status == 503 else {}
    )
    return HttpResponse(page, status=status, headers=headers)


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
    """500 without any detail; 503 where the database is away, which Django asks here too."""
    return problem(request, 503 if problems.database_away(sys.exc_info()[1]) else 500)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose token is missing or old."""
    return problem(
        request, 403, gettext("This form is too old to be trusted. Reload the page and send it again.")
    )
