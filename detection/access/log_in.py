"""How often a password may be guessed (SEC-21): by account and address, by address, by account and by all together.

Nobody is locked out by others: a guess from elsewhere never counts against an address that failed nothing, nor against a
device on which the account has logged in before. What was guessed is kept in axes' rows.
"""

import logging
import math
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db.models import Max, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from detection.access import idle

log = logging.getLogger(__name__)

COOL_OFF = timedelta(minutes=15)
"""How long a failure counts, and how long an account is closed for an address or a device after the last one."""
PAUSE = timedelta(minutes=1)
"""Between two attempts of an address that has to go slowly."""
OF_AN_ADDRESS = 20
OF_AN_ACCOUNT = 20
OF_ALL = 300
"""Failures after which an address, the strangers to an account, or all strangers that failed anything go slowly."""
DEVICE_AGE = timedelta(days=180)


class Failures(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Axes' handler, counting by account, address and device."""

    def get_failures(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        """``AXES_FAILURE_LIMIT`` where the attempt has to wait, and ``request.opens_after`` says how long; else 0."""
        request.opens_after = _wait(request, (credentials or {}).get("username") or "")
        return settings.AXES_FAILURE_LIMIT if request.opens_after else 0

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **given: Any
    ) -> None:
        """Count the failure, and log it without the name, which may be a password in the wrong field."""
        if request is not None:
            factor = "code" if "code" in credentials else "password"
            log.info("log_in_failed factor=%s address=%s", factor, request.axes_ip_address)
            device = device_of(request, credentials.get("username") or "")
            request.axes_user_agent = device or f"unknown device: {request.axes_user_agent}"[:255]
        super().user_login_failed(sender, credentials, request, **given)

    def user_logged_in(self, sender: Any, request: Any, user: Any, **given: Any) -> None:
        """Begin the session's times, and have the device known from now on."""
        super().user_logged_in(sender, request, user, **given)
        idle.begin(request.session)
        request.logged_in_as = user.get_username()


def _wait(request: Any, name: str) -> timedelta:
    """How long the next attempt has to wait; nothing where it may be made now."""
    device = device_of(request, name)
    here = Q(ip_address=request.axes_ip_address)
    pair = Q(user_agent=device) if device else here & Q(username=name)
    recent = AccessAttempt.objects.filter(attempt_time__gt=request.axes_attempt_time - COOL_OFF)
    found = recent.aggregate(
        pair=Sum("failures_since_start", filter=pair, default=0),
        pair_last=Max("attempt_time", filter=pair),
        here=Sum("failures_since_start", filter=here, default=0),
        here_last=Max("attempt_time", filter=here),
        account=Sum("failures_since_start", filter=Q(username=name), default=0),
        all=Sum("failures_since_start", default=0),
    )
    now: datetime = request.axes_attempt_time
    opens: datetime = now
    attacked = found["account"] >= OF_AN_ACCOUNT or found["all"] >= OF_ALL
    if found["pair"] >= settings.AXES_FAILURE_LIMIT:
        opens = found["pair_last"] + COOL_OFF
    elif not device and found["here"] >= (1 if attacked else OF_AN_ADDRESS):
        opens = found["here_last"] + PAUSE
    return max(timedelta(), opens - now)


def cool_off(_request: Any = None) -> timedelta:
    """How long axes keeps a failure."""
    return COOL_OFF


def refused(request: Any, response: HttpResponse, credentials: Any) -> HttpResponse:
    """The page that says when the log-in opens again: 429, for names that there are and that there are not alike."""
    wait: timedelta = getattr(request, "opens_after", COOL_OFF)
    context = {"minutes": max(1, math.ceil(wait / timedelta(minutes=1)))}
    seconds = str(max(1, math.ceil(wait.total_seconds())))
    page = render(request, "registration/lockout.html", context, status=429)
    page["Retry-After"] = seconds
    return page


def device_of(request: HttpRequest, name: str) -> str:
    """The name of the device, where the account has logged in on it before; else empty."""
    try:
        device = _signer(name).unsign(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), max_age=DEVICE_AGE
        )
    except BadSignature:
        return ""
    return f"known device: {device}"


def know_devices(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: who logs in leaves a signed cookie, which says of which account but opens nothing."""

    def knowing(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        name = getattr(request, "logged_in_as", None)
        if name is not None:
            response.set_cookie(
                settings.DEVICE_COOKIE_NAME,
                _signer(name).sign(secrets.token_urlsafe(16)),
                max_age=DEVICE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return knowing


def _signer(name: str) -> TimestampSigner:
    return TimestampSigner(salt=f"device of {name}")
