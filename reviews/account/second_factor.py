"""The second step of the log-in, and one's own second factor: a code of an app, or a recovery code."""

from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from detection import keyed
from detection.access import sessions, sign_in
from detection.models import SecondFactor
from detection.models.second_factors import CODE, LABEL, WrongCode, address, offered
from reviews.display.screen import Asked, personal

OFFERED = "offered_secret"
"""Where a session keeps, sealed, the secret that somebody was shown and has not used yet."""


@never_cache
@csrf_protect
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: Asked) -> HttpResponseBase:
    """Ask for a code, of a person who has passed the first step; or to set up an app, of one who has to and never did."""
    passed = sign_in.passed_first_step(request)
    if passed is None:
        return redirect("queue" if request.user.is_authenticated else "login")
    person, step = passed
    code = request.POST.get("code", "")
    if not SecondFactor.objects.filter(user=person).exists():
        return _set_up_first(request, person, step, code)
    if request.method == "POST":
        known = authenticate(request, username=person.username, code=code)
        if known is not None:
            return _entered(request, known, step)
    return _asked(request, wrong=request.method == "POST")


def _asked(request: Asked, *, wrong: bool) -> HttpResponse:
    template = "registration/_code.html" if request.htmx else "registration/second_step.html"
    context = {"wrong": "code" if wrong else ""}
    return render(request, template, context, status=422 if wrong and request.htmx else 200)


def _entered(request: Any, person: User, step: sign_in.FirstStep) -> HttpResponse:
    sign_in.enter(request, person, step.way, request.confirmed)
    return render(request, "registration/_signed_in.html") if request.htmx else redirect(step.after)


def _set_up_first(request: Asked, person: User, step: sign_in.FirstStep, code: str) -> HttpResponse:
    if request.method == "POST":
        codes = _set(request, person, code, replaces=False)
        if codes:
            sign_in.enter(request, person, step.way, CODE)
            return render(request, "registration/recovery_codes.html", {"codes": codes, "after": step.after})
    context = _shown(request, person) | {"wrong": "code" if request.method == "POST" else ""}
    return render(request, "registration/set_up.html", context)


def _shown(request: HttpRequest, person: User) -> dict[str, Any]:
    """The secret that is offered, as a picture and to be typed; the same one until it is used."""
    secret = _offer(request) or offered()
    request.session[OFFERED] = keyed.sealed(LABEL, secret)
    picture = segno.make(address(person, secret), error="m").svg_data_uri(scale=5, border=4, light="white")
    return {"picture": picture, "secret": " ".join(secret[n : n + 4] for n in range(0, len(secret), 4))}


def _offer(request: HttpRequest) -> str:
    """The secret that this session was offered; empty for none."""
    try:
        return keyed.unsealed(LABEL, request.session.get(OFFERED, ""))
    except ValueError:
        return ""


def _set(request: HttpRequest, person: User, code: str, *, replaces: bool) -> list[str]:
    """The recovery codes of the second factor that is set now; none where the code was wrong."""
    secret = _offer(request)
    try:
        codes = SecondFactor.set(person, secret, code, replaces=replaces) if secret else []
    except WrongCode:
        return []
    request.session.pop(OFFERED, None)
    return codes


@personal
@sensitive_post_parameters("code", "new_code")
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: Asked) -> HttpResponseBase:
    """One's own second factor. Whoever has one changes it, its recovery codes, or goes without, by a code of it alone; whoever
    is logged in elsewhere as the same person is out."""
    person = User.objects.get(pk=request.user.pk)
    had = SecondFactor.objects.filter(user=person).first()
    if request.method != "POST":
        return _page(request, had)
    if had and authenticate(request, username=person.username, code=request.POST.get("code", "")) is None:
        return _page(request, had, wrong="code")
    if had and "renew" in request.POST:
        return _codes(request, SecondFactor.renew_recovery(person))
    if had and "remove" in request.POST and not sign_in.must_confirm(person):
        SecondFactor.remove(person, actor=person)
        sessions.end_of(person, but=request.session.session_key)
        messages.success(request, gettext("You log in without a second step from now on."))
        return redirect("second-factor")
    codes = _set(request, person, request.POST.get("new_code", ""), replaces=bool(had))
    if not codes:
        return _page(request, had, wrong="new_code")
    sessions.end_of(person, but=request.session.session_key)
    request.session[sign_in.CONFIRMED] = CODE
    return _codes(request, codes)


def _page(request: Asked, had: SecondFactor | None, wrong: str = "") -> HttpResponse:
    context = _shown(request, request.user) | {
        "had": had,
        "left": len(had.recovery) if had else 0,
        "must": sign_in.must_confirm(request.user),
        "wrong": wrong,
        "section": "me",
    }
    return render(request, "reviews/account/second_factor.html", context, status=422 if wrong else 200)


def _codes(request: Asked, codes: list[str]) -> HttpResponse:
    context = {"codes": codes, "section": "me"}
    return render(request, "reviews/account/recovery_codes.html", context)
