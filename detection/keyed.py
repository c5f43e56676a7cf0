"""Signatures with a key that is not in the database, so that whoever can write there can make none (SEC-20)."""

import hashlib
import hmac

from django.conf import settings


def signed(label: str, content: str) -> str:
    """HMAC-SHA256 of ``content`` with the key that is written with, hex. What is signed under one ``label`` is not under
    another."""
    return _signature(settings.AUDIT_KEYS[0], label, content)


def is_signed(signature: str, label: str, content: str) -> bool:
    """Whether ``signature`` was made by :func:`signed` with one of the keys that are accepted."""
    given = signature.encode()
    return any(
        hmac.compare_digest(given, _signature(key, label, content).encode()) for key in settings.AUDIT_KEYS
    )


def _signature(key: bytes, label: str, content: str) -> str:
    return hmac.digest(key, f"{label}\n{content}".encode(), hashlib.sha256).hex()
