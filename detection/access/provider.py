"""Asking the OpenID Connect provider who somebody is: authorization code flow with state, nonce and PKCE, by Authlib.

The provider may be away, slow or not who it was: what it says is taken only with its signature, issuer, audience, nonce and
time right, and at most :data:`AT_ONCE` threads of a process wait for it, so that the others go on serving.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.http import HttpRequest, HttpResponse

from detection.identity_provider import IdentityProvider

SECONDS = 5
"""How long each of the requests to the provider may take."""
AT_ONCE = 2
PATIENCE = 1
"""How long a thread waits until it may ask."""
_asking = threading.BoundedSemaphore(AT_ONCE)


class ProviderAway(Exception):
    """The provider does not answer, or other people are asking it."""


class NotBelieved(Exception):
    """What came back was not asked for by this browser, is too old, or is not what the provider would say."""


class GivenUp(Exception):
    """The provider let nobody in, or the person gave up there."""


def begin(provider: IdentityProvider, request: HttpRequest, back: str) -> HttpResponse:
    """Send the browser to the provider, which sends it on to ``back``. Raises :class:`ProviderAway`, :class:`NotBelieved`."""
    with _asked():
        redirect: HttpResponse = _client(provider).authorize_redirect(request, back)
        return redirect


def claims(provider: IdentityProvider, request: HttpRequest) -> dict[str, Any]:
    """What the provider says of who has come back from it. Raises as :func:`begin`, and :class:`GivenUp`."""
    if "error" in request.GET:
        raise GivenUp(request.GET["error"][:60])
    wanted = {
        "iss": {"essential": True, "value": provider.issuer},
        "aud": {"essential": True, "value": provider.client_id},
    }
    with _asked():
        token = _client(provider).authorize_access_token(request, claims_options=wanted)
    told = token.get("userinfo")
    if not told or not isinstance(told.get("sub"), str) or not 0 < len(told["sub"]) <= 255:
        raise NotBelieved("no identity")
    return dict(told)


@contextmanager
def _asked() -> Iterator[None]:
    """What may go wrong in asking the provider, in our words."""
    # Imported here: the libraries take half a second, and only sign-ins by a provider need them.
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    if not _asking.acquire(timeout=PATIENCE):
        raise ProviderAway("others are asking it")
    try:
        yield
    except RequestException as error:
        raise ProviderAway(type(error).__name__) from error
    except (AuthlibBaseError, JoseError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise NotBelieved(f"{type(error).__name__}: {error}") from error
    finally:
        _asking.release()


def _client(provider: IdentityProvider) -> Any:
    """A client that has just read what the provider says of itself: one that is away is told here, and keys are the present
    ones."""
    from authlib.integrations.django_client import OAuth

    client = OAuth().register(
        "provider",
        client_id=provider.client_id,
        client_secret=provider.client_secret,
        server_metadata_url=provider.issuer.rstrip("/") + "/.well-known/openid-configuration",
        client_kwargs={"scope": provider.scopes, "code_challenge_method": "S256", "default_timeout": SECONDS}
        | {"max_redirects": 0},
    )
    if client.load_server_metadata().get("issuer") != provider.issuer:
        raise ValueError("it calls itself otherwise")
    return client
