"""Databases of their own beside the one of this test run, of the same kind, for whole processes to work on."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from django.conf import settings
from django.db import connection

from hallu_site.backups.databases import TABLES
from tests.faults.processes import database_url

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def empty_database(folder: Path) -> Iterator[str]:
    """The URL of a new database without tables; gone with the block."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{folder}/{uuid4().hex[:8]}.sqlite3"
        return
    name = f"moved_{uuid4().hex[:8]}"
    url = database_url()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield url.replace(f"/{connection.settings_dict['NAME']}", f"/{name}")
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """A connection to it, which commits by itself."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as database:
            yield database
        return
    with psycopg.connect(url, autocommit=True) as database:
        yield database


def counted(url: str) -> dict[str, int]:
    """Table → how many rows it has."""
    with opened(url) as database:
        tables = [name for (name,) in database.execute(TABLES[connection.vendor]).fetchall()]
        asked = {name: f'SELECT count(*) FROM "{name}"' for name in tables}  # noqa: S608 - names that the database gave
        return {name: database.execute(query).fetchone()[0] for name, query in asked.items()}


def environment(url: str, var: Path, **more: str) -> dict[str, str]:
    """The variables of an installation on that database, with its own folder."""
    given = {
        "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
        "HALLU_TEST": "1",
        "HALLU_VAR": str(var),
        "DATABASE_URL": url,
        "CELERY_BROKER_URL": "djangodb://localhost",
        "CACHE_URL": "dbcache://cache_entries",
        "DJANGO_SECRET_KEY": settings.SECRET_KEY,
        "PYTHONUNBUFFERED": "1",
    }
    return os.environ | given | more


def manage(variables: dict[str, str], *commands: list[str]) -> str:
    """What ``manage.py`` prints for these commands, one after the other in one process; fails where one of them does."""
    calls = "; ".join(f"call_command(*{command!r})" for command in commands)
    program = f"import django; django.setup(); from django.core.management import call_command; {calls}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
