"""A test database made by all migrations, once: what they made is kept, and every test process takes a copy.

On SQLite a file is kept, beside what Python compiles; on PostgreSQL a database of the same server that others are
made from. Either is named by the sources that migrations are made of, and is made by the first process that finds none.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (
    "*/migrations/*.py",
    "*/models/**/*.py",
    "*/models.py",
    "*/append_only.py",
    "*/apps.py",
    "hallu_site/settings.py",
)
"""The migrations, what they import, and what a signal makes at their end: content types and permissions."""
LOCKS = ("requirements.txt", "requirements-dev.txt")
"""The other apps with migrations, by their versions."""
PREFIX = "test_hallu_migrated_"
LOCK = 4_255_885  # "HALLU" on a telephone's keys, and nobody else's advisory lock on PostgreSQL


def key() -> str:
    """What names the kept database: a hash of all it is made of."""
    paths = [path for pattern in SOURCES for path in sorted(ROOT.glob(pattern))]
    parts = [sys.version, *(path.read_text() for path in [*paths, *(ROOT / name for name in LOCKS)])]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def make() -> None:
    """Connect to a test database of this process, made by all migrations."""
    stated = connection.settings_dict
    mine = stated["TEST"]["NAME"] or f"test_{stated['NAME']}"
    if connection.vendor == "sqlite":
        _copy_file(Path(mine))
    else:
        _copy_database(mine)


def install(at: Path) -> None:
    """A database for an installation of its own, in the file ``at``: a copy of the kept one where this run keeps a
    file, one made by ``manage.py migrate`` where it does not."""
    if connection.vendor == "sqlite" and _kept_file().exists():
        shutil.copy(_kept_file(), at)
        return
    fresh = os.environ | {
        "HALLU_TEST": "true",
        "HALLU_VAR": str(at.parent),
        "DATABASE_URL": f"sqlite:///{at}",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=fresh, check=True)


@contextmanager
def another(folder: Path) -> Iterator[str]:
    """The URL of a further database of the same kind, made by all migrations, gone at the end."""
    if connection.vendor == "sqlite":
        at = folder / "another.sqlite3"
        install(at)
        yield f"sqlite:///{at}"
        return
    name = f"another_{uuid4().hex[:8]}"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{PREFIX}{key()}"')
    try:
        yield str(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}").geturl())
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _kept_file() -> Path:
    return Path(sys.pycache_prefix or settings.HALLU_VAR) / "migrated" / f"{key()}.sqlite3"


def _copy_file(mine: Path) -> None:
    kept = _kept_file()
    folder = kept.parent
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        if not kept.exists():
            _migrate()
            made = shutil.copy(mine, kept.with_suffix(".made"))
            Path(made).rename(kept)
    for left in mine.parent.glob(f"{mine.name}*"):  # by a run that was killed, with its log
        left.unlink()
    shutil.copy(kept, mine)
    _connect(str(mine))


def _copy_database(mine: str) -> None:
    kept = PREFIX + key()
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until the cursor's connection is closed
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        there = {row[0] for row in cursor.fetchall()}
        if kept not in there:
            _migrate()
            cursor.execute(f'ALTER DATABASE "{mine}" RENAME TO "{kept}"')
        for older in there - {kept}:
            cursor.execute(f'DROP DATABASE "{older}"')
        cursor.execute(f'DROP DATABASE IF EXISTS "{mine}"')
        cursor.execute(f'CREATE DATABASE "{mine}" TEMPLATE "{kept}"')
    _connect(mine)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Alone among the processes that make or copy the kept file."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _migrate() -> None:
    """Make the test database of this process by all migrations, and leave it."""
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    connection.close()


def _connect(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    connection.ensure_connection()
