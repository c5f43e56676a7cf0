"""When a session ends by itself (SEC-11): after a time without a request, and twelve hours after it began."""

import time
from collections.abc import Callable, MutableMapping
from functools import wraps
from typing import Any, TypeVar, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.http import HttpRequest, HttpResponse

BEGAN, SEEN, ENDED = "began", "seen", "ended"
"""Where a session keeps when it began, the last request of its person, and why the one before it ended."""
EVERY = 60
"""Seconds between two entries of a last request, so that reads stay reads."""

View = TypeVar("View", bound=Callable[..., Any])


def begin(session: MutableMapping[str, Any]) -> None:
    """Somebody has logged in."""
    session.pop(ENDED, None)
    session[BEGAN] = session[SEEN] = int(time.time())


def by_itself(view: View) -> View:
    """A view that pages ask by themselves, with nobody there: it keeps no session alive."""

    @wraps(view)
    def asked(request: Any, *args: Any, **kwargs: Any) -> Any:
        not_by_a_person(request)
        return view(request, *args, **kwargs)

    return cast(View, asked)


def not_by_a_person(request: Any) -> None:
    """This request keeps no session alive."""
    request.made_by_itself = True


def end_idle(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, after authentication: log out whose time is over, and keep why for the log-in page."""

    def timed(request: HttpRequest) -> HttpResponse:
        if not _has_session(request):
            return get_response(request)
        ended = _over(request.session)
        if ended:
            logout(request)
            request.session[ENDED] = ended
        response = get_response(request)
        if SESSION_KEY in request.session and not getattr(request, "made_by_itself", False):
            _seen(request.session)
        return response

    return timed


def _has_session(request: HttpRequest) -> bool:
    """Whether somebody is logged in."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated


def _over(session: MutableMapping[str, Any]) -> dict[str, int]:
    """How many minutes without a request, or hours in all, have ended the session; empty while it goes on."""
    if SEEN not in session:
        begin(session)
    now = time.time()
    if now - session[BEGAN] >= settings.SESSION_COOKIE_AGE:
        return {"hours": settings.SESSION_COOKIE_AGE // 3600}
    if now - session[SEEN] >= settings.HALLU_IDLE_MINUTES * 60:
        return {"minutes": settings.HALLU_IDLE_MINUTES}
    return {}


def _seen(session: MutableMapping[str, Any]) -> None:
    now = int(time.time())
    if now - session.get(SEEN, now) >= EVERY:
        session[SEEN] = now
