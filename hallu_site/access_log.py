"""Gunicorn's log of requests, in which a request can write no line of its own: gunicorn unquotes the path and escapes quotes
alone."""

from typing import Any

from gunicorn.glogging import Logger


class OneLine(Logger):  # type: ignore[misc]  # gunicorn has no types
    """``--logger-class hallu_site.access_log.OneLine``."""

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> dict[str, Any]:
        """The parts of a line, each on one line whatever the request holds."""
        found = super().atoms(resp, req, environ, request_time)
        return {name: _plain(value) if isinstance(value, str) else value for name, value in found.items()}


def _plain(text: str) -> str:
    """``text`` with everything that does not print written as an escape."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
