"""A small OpenID Connect provider: discovery, keys, authorization code flow with PKCE, RS256. Its faults are data.

It lets everybody in as :attr:`Provider.person` says, and checks of its client what a provider must: the address to go back
to, the secret, the code, which opens once, and the verifier of the code's challenge.
"""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "hallu", "a secret between two servers"
KEY, OTHER_KEY = (RSAKey.generate_key(2048, {"kid": "first", "use": "sig"}) for _ in range(2))


@dataclass
class Faults:
    """What the provider does wrong. ``claims`` stand in the token instead of the right ones, None takes one out."""

    claims: Mapping[str, Any] = field(default_factory=dict)
    forged: bool = False  # signed with a key that is not published
    algorithm: str = "RS256"
    without_token: bool = False
    away: bool = False
    hangs: threading.Event | None = None
    refuses: bool = False
    issuer: str = ""
    """How it calls itself where it describes itself."""


@dataclass
class Provider:
    """A running provider."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "u-1", "preferred_username": "noa"})
    faults: Faults = field(default_factory=Faults)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for."""

    def described(self) -> dict[str, Any]:
        """What it publishes of itself."""
        return {
            "issuer": self.faults.issuer or self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def authorized(self, asked: Mapping[str, str]) -> str:
        """Where a browser goes back to."""
        assert asked["client_id"] == CLIENT
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        back = {"state": asked["state"]}
        if self.faults.refuses:
            return f"{asked['redirect_uri']}?{urlencode({'error': 'access_denied', **back})}"
        code = secrets.token_urlsafe(12)
        self.codes[code] = dict(asked)
        return f"{asked['redirect_uri']}?{urlencode({'code': code, **back})}"

    def exchanged(self, sent: Mapping[str, str], credentials: str) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer to a code."""
        asked = self.codes.pop(sent.get("code", ""), None)
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        right = (
            asked and challenge == asked["code_challenge"] and sent["redirect_uri"] == asked["redirect_uri"]
        )
        if credentials != f"{CLIENT}:{SECRET}" or not right or asked is None:
            return 400, {"error": "invalid_grant"}
        token = {"access_token": secrets.token_urlsafe(12), "token_type": "Bearer"}
        return 200, token if self.faults.without_token else token | {"id_token": self.token(asked["nonce"])}

    def token(self, nonce: str) -> str:
        """Who is there, signed."""
        now = int(time.time())
        right = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.person}
        claims = {
            name: value for name, value in (right | dict(self.faults.claims)).items() if value is not None
        }
        key: Any = OTHER_KEY if self.faults.forged else KEY
        if self.faults.algorithm == "RS256":
            return jwt.encode({"alg": "RS256", "kid": "first"}, claims, key)
        header = {"alg": self.faults.algorithm, "kid": "first"}
        signed = ".".join(_encoded(json.dumps(part).encode()) for part in (header, claims))
        # With what everybody knows, the public key, as the secret; or with nothing.
        mark = (
            hmac.digest(KEY.as_pem(private=False), signed.encode(), "sha256")
            if header["alg"] == "HS256"
            else b""
        )
        return f"{signed}.{_encoded(mark)}"


def _encoded(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).decode().rstrip("=")


class _Handler(BaseHTTPRequestHandler):
    provider: Provider
    wbufsize = -1

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if not self._answers(parts.path):
            return
        if parts.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            self.send_response(302)
            self.send_header("Location", self.provider.authorized(asked))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        keys = {"keys": [KEY.as_dict(private=False)]}
        self._send(200, keys if parts.path == "/keys" else self.provider.described())

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if self._answers(self.path):
            credentials = base64.b64decode(
                self.headers.get("Authorization", "").removeprefix("Basic ")
            ).decode()
            self._send(
                *self.provider.exchanged({name: values[0] for name, values in sent.items()}, credentials)
            )

    def _answers(self, path: str) -> bool:
        self.provider.asked.append(path)
        if self.provider.faults.hangs:
            self.provider.faults.hangs.wait()
        if self.provider.faults.away:
            self.close_connection = True
        return not self.provider.faults.away

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # its name
        """Nothing."""


@contextmanager
def running(port: int = 0) -> Iterator[Provider]:
    """A provider on this machine."""
    provider = Provider()
    handler = type("Handler", (_Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    provider.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
