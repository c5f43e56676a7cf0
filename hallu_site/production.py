"""What a start must have before it may serve: a secret key, and in production nothing that is unsafe there."""

import hashlib
import hmac
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from environ import Env

KEY_CHARACTERS = 50
KEY_DIFFERENT = 5
"""What Django's own check asks of a secret key (security.W009): so many characters, so many of them different."""


class Variables(Env):  # type: ignore[misc]  # django-environ has no types
    """The environment, whose texts are what they are: django-environ takes one that begins with ``$`` for the name of another
    variable, and one random secret in fifty begins so."""

    def str(self, var: str, default: str = "") -> str:
        """The text of ``var``; ``default`` where it is not set."""
        found: str = self.ENVIRON.get(var, default)
        return found


def kept_secret_key(folder: Path) -> str:
    """The key of a local installation: made once, kept beside the database, never in the repository. Of processes that start
    at the same time one makes it, whole."""
    kept = folder / "secret_key"
    if not kept.exists():
        with NamedTemporaryFile("w", dir=folder) as made:  # which only its owner reads
            made.write(get_random_secret_key() + get_random_secret_key())
            made.flush()
            with suppress(FileExistsError):
                os.link(made.name, kept)
    return kept.read_text().strip()


def audit_keys(given: str, file: str, secret_key: str) -> tuple[bytes, ...]:
    """The keys that sign histories: the first writes, all are accepted. ``given`` and ``file`` hold secrets with spaces or
    line ends between them; without any, the secret key is the one. Raises ImproperlyConfigured for a file that cannot
    be read."""
    try:
        secrets = given.split() + (Path(file).read_text().split() if file else [])
    except OSError as error:
        raise ImproperlyConfigured(
            f"HALLU_AUDIT_KEY_FILE: {file} cannot be read: {error.strerror}."
        ) from None
    return tuple(
        hmac.digest(secret.encode(), b"hallu histories", hashlib.sha256) for secret in secrets or [secret_key]
    )


def refuse_unsafe(
    *, secret_key: str, embedded_broker: bool, debug: bool, hosts: Sequence[str], https: str
) -> None:
    """Stop a production start that would be unsafe, with one sentence that names what to set (contracts §8)."""
    if not secret_key:
        raise ImproperlyConfigured(
            "DATABASE_URL is PostgreSQL but DJANGO_SECRET_KEY is not set. Set it to 50 random characters or more."
        )
    if len(secret_key) < KEY_CHARACTERS or len(set(secret_key)) < KEY_DIFFERENT:
        raise ImproperlyConfigured(
            "DJANGO_SECRET_KEY is too easy to guess. Set it to 50 random characters or more."
        )
    if embedded_broker:
        raise ImproperlyConfigured(
            "The embedded broker is for SQLite only. Set CELERY_BROKER_URL, for example redis://localhost:6379/0."
        )
    if debug:
        raise ImproperlyConfigured("DJANGO_DEBUG must be off when DATABASE_URL is PostgreSQL.")
    if any(not host.strip("*.") for host in hosts):
        raise ImproperlyConfigured(
            "DJANGO_ALLOWED_HOSTS lets any name in. Set it to the names under which the site is asked for."
        )
    if https == "false":
        raise ImproperlyConfigured(
            "Without HTTPS passwords and keys cross the network in the clear. Leave HALLU_HTTPS out, or set it to "
            "insecure where nobody listens."
        )


def at_least(least: int, name: str, given: int) -> int:
    """A setting's number. Raises ImproperlyConfigured for a smaller one than makes sense."""
    if given < least:
        raise ImproperlyConfigured(f"{name} is {given}; it is {least} at least.")
    return given


def days(variable: str, given: str) -> int | None:
    """The days of a variable that says how long something is kept, None for ``forever``. Raises ImproperlyConfigured for
    anything else: what was a slip of the pen could not be brought back."""
    if given == "forever":
        return None
    if not (given.isascii() and given.isdigit() and 1 <= int(given) <= 36_500):
        raise ImproperlyConfigured(
            f"{variable}: {given!r} is not accepted; give forever, or days, 1 at least."
        )
    return int(given)


def database(url: str) -> dict[str, Any]:
    """The entry of ``DATABASES`` for ``DATABASE_URL``. Raises ImproperlyConfigured for a database that is neither."""
    entry: dict[str, Any] = Env.db_url_config(url)
    if not str(entry.get("ENGINE", "")).endswith(("sqlite3", "postgresql")):
        raise ImproperlyConfigured("DATABASE_URL names neither PostgreSQL nor SQLite, and there is no third.")
    return entry


def one_of(variable: str, given: str, *accepted: str) -> str:
    """The value of a variable that has few. Raises ImproperlyConfigured that names them."""
    if given not in accepted:
        raise ImproperlyConfigured(f"{variable}: {given!r} is not accepted; give {' or '.join(accepted)}.")
    return given


def address(variable: str, given: str) -> str:
    """The value of a variable that is an HTTP address, or empty. Raises ImproperlyConfigured for anything else."""
    parts = urlsplit(given)
    if given and not (parts.scheme in ("http", "https") and parts.hostname):
        raise ImproperlyConfigured(f"{variable}: give an http or https address, or nothing.")
    return given


def known_passwords(file: str) -> list[dict[str, Any]]:
    """The validator of the passwords in ``file``, one a line in small letters; none without a file. Raises
    ImproperlyConfigured for one that is not there."""
    if not file:
        return []
    if not Path(file).is_file():
        raise ImproperlyConfigured(f"HALLU_PASSWORD_LIST: {file} is no file.")
    name = "django.contrib.auth.password_validation.CommonPasswordValidator"
    return [{"NAME": name, "OPTIONS": {"password_list_path": file}}]


def second_factor(given: str) -> bool | str:
    """Who comes in by two steps: nobody has to, those who administer, or ``everybody``. Raises ImproperlyConfigured for
    anything else."""
    taken = one_of("HALLU_SECOND_FACTOR", given.lower(), "true", "false", "everybody")
    return taken if taken == "everybody" else taken == "true"


def share(variable: str, given: float) -> float:
    """The value of a variable that is a share, 0 to 1. Raises ImproperlyConfigured for any other."""
    if not 0 <= given <= 1:
        raise ImproperlyConfigured(f"{variable}: {given:g} is not accepted; give a share from 0 to 1.")
    return given
