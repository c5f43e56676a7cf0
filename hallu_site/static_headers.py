"""What static files say to browsers, beside what Django's own middleware adds."""

from typing import Any

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
"""Of a file that is opened by itself: it loads and runs nothing, and nobody frames it. Drawings carry styles."""


def keep_apart(headers: Any, path: str, url: str) -> None:
    """Add the policy; WhiteNoise calls it for each file, before the middleware of pages would."""
    headers["Content-Security-Policy"] = POLICY
