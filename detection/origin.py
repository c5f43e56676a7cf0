"""Which API key sent the request that is being worked for, so that histories can name it."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_key: ContextVar[Any] = ContextVar("api_key", default=None)


@contextmanager
def unknown() -> Iterator[None]:
    """Begin a request that nobody has shown a key for; when it ends, its key is forgotten."""
    token = _key.set(None)
    try:
        yield
    finally:
        _key.reset(token)


def sent_by(key: Any) -> None:
    """From here on, this request is one of ``key``."""
    _key.set(key)


def key() -> Any:
    """The :class:`~detection.models.ApiKey` of the request at hand, None outside the API."""
    return _key.get()
