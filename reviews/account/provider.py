"""Signing in by the OpenID Connect provider, where one is configured: there and back."""

import logging
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from detection.access import provider as asking
from detection.access.sign_in import PROVIDER, first_step
from detection.identity_provider import IdentityProvider
from detection.models.identities import Closed, Identity, Unknown

log = logging.getLogger(__name__)
AFTER = "after_provider"
"""Where a session keeps the page that was asked for."""

PROBLEMS: dict[type[Exception], tuple[int, Any]] = {
    asking.ProviderAway: (
        503,
        _(
            "Your organisation's log-in does not answer. Try again in a minute; nothing is wrong with your account."
        ),
    ),
    asking.NotBelieved: (
        403,
        _(
            "Your organisation's log-in was begun elsewhere, took too long, or sent what cannot be trusted. Begin again."
        ),
    ),
    asking.GivenUp: (403, _("Your organisation's log-in let nobody in. Begin again.")),
    Closed: (403, _("Your account here was closed. An administrator can open it.")),
}


@never_cache
@require_safe
def begin(request: HttpRequest) -> HttpResponseBase:
    """To the provider. A link and no form: the policy lets forms lead to this site alone."""
    provider = _configured()
    if request.headers.get("Sec-Fetch-Site") == "cross-site":  # nobody comes in by another site's doing
        return redirect("login")
    after = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(after, {request.get_host()}, require_https=request.is_secure())
    request.session[AFTER] = after if safe else resolve_url(settings.LOGIN_REDIRECT_URL)
    try:
        return asking.begin(provider, request, request.build_absolute_uri(reverse("provider-back")))
    except (asking.ProviderAway, asking.NotBelieved) as error:
        return _refused(request, error)


@never_cache
@require_safe
def back(request: HttpRequest) -> HttpResponseBase:
    """From the provider: in, on to the second step, or back to the log-in page with what is wrong."""
    provider = _configured()
    try:
        claims = asking.claims(provider, request)
        person = Identity.signed_in(provider, claims)
    except Unknown:
        return _unknown(request, f"{provider.issuer} {claims['sub']}")
    except tuple(PROBLEMS) as error:
        return _refused(request, error)
    after = request.session.pop(AFTER, None) or resolve_url(settings.LOGIN_REDIRECT_URL)
    confirmed = provider.has_second_factor(claims)
    entered = first_step(request, person, PROVIDER, after, confirmed=confirmed)
    return redirect(after if entered else "second-step")


def _configured() -> IdentityProvider:
    if settings.OIDC is None:
        raise Http404
    return settings.OIDC


def _unknown(request: HttpRequest, identity: str) -> HttpResponse:
    """Whoever the provider knows and nobody here: with what an administrator needs to link them."""
    log.warning("identity_unknown identity=%r", identity)
    text = gettext("You have no account here yet. Ask an administrator to link one with what stands below.")
    return _page(request, 403, text, identity=identity)


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    log.warning("sign_in_refused kind=%s reason=%r", type(error).__name__, str(error))
    status, text = PROBLEMS[type(error)]
    return _page(request, status, str(text))


def _page(request: HttpRequest, status: int, text: str, identity: str = "") -> HttpResponse:
    context = {
        "provider": True,
        "problem": text,
        "identity": identity,
        "next": request.session.get(AFTER, ""),
    }
    return render(request, "registration/login.html", context, status=status)
