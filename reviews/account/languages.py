"""The language of the screens: a person's own choice, else that of this browser, else what it asks for (F39)."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

from reviews.models import Preferences

ALWAYS_ENGLISH = "/admin/"
"""What operators read: its texts are English whatever a header asks for."""


def speak(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, after authentication: one query for a person, none for anybody else.

    Django's own has chosen by cookie and header before. A person's choice is left in the cookie, so that the
    page to sign in speaks it too.
    """

    def spoken(request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(ALWAYS_ENGLISH):
            _activate(request, "en")
            return get_response(request)
        chosen = Preferences.of_request(request.user).language
        if chosen not in dict(settings.LANGUAGES):
            return get_response(request)
        _activate(request, chosen)
        response = get_response(request)
        cookie = settings.LANGUAGE_COOKIE_NAME
        if request.COOKIES.get(cookie) != chosen and cookie not in response.cookies:
            _remember(response, chosen)
        return response

    return spoken


def _activate(request: HttpRequest, language: str) -> None:
    translation.activate(language)
    request.LANGUAGE_CODE = language


def _remember(response: HttpResponseBase, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
