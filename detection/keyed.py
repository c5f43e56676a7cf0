"""Signatures and seals with a key that is not in the database: whoever can write there makes none (SEC-20), whoever
reads there opens none."""

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
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


def sealed(label: str, content: str) -> str:
    """``content`` encrypted and signed with the key that is written with; what is sealed under one ``label`` is not opened
    under another."""
    return _seal(label).encrypt(content.encode()).decode()


def unsealed(label: str, text: str) -> str:
    """What :func:`sealed` was given, with one of the keys that are accepted. Raises :class:`ValueError` for anything else."""
    try:
        return _seal(label).decrypt(text.encode()).decode()
    except InvalidToken:
        raise ValueError("It was not sealed with a key that is known here.") from None


def _seal(label: str) -> MultiFernet:
    digests = [hmac.digest(key, f"seal {label}".encode(), hashlib.sha256) for key in settings.AUDIT_KEYS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def _signature(key: bytes, label: str, content: str) -> str:
    return hmac.digest(key, f"{label}\n{content}".encode(), hashlib.sha256).hex()
