"""The two kinds of database, each dumped and filled by its own means: ``pg_dump`` and ``pg_restore``, and SQLite's backup.

Rows are counted in what was dumped: on PostgreSQL in the snapshot that ``pg_dump`` is given too, on SQLite in the copy.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from psycopg.conninfo import make_conninfo

TABLES = {
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
    # Without what SQLite keeps for itself, and virtual tables, whose rows stand in others.
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' "
    "AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY 1",
}

WHERE = ("host", "hostaddr", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey")
"""What PostgreSQL's programs are told of a connection: an older one refuses words that psycopg's own library knows."""


class Failed(Exception):
    """A dump that cannot be made or loaded; the text says why."""


def refuse_pool() -> None:
    """Raise :class:`Failed` behind PgBouncer, which gives ``pg_dump`` another connection of the server for each statement."""
    if settings.BEHIND_PGBOUNCER:
        raise Failed(
            "Connect to PostgreSQL itself, not through PgBouncer, and set HALLU_BEHIND_PGBOUNCER=false."
        )


def is_empty() -> bool:
    """Whether the database has no table. Raises :class:`Failed`."""
    with _told(), connection.cursor() as cursor:
        return not connection.introspection.table_names(cursor)


def rows() -> dict[str, int]:
    """Table → how many rows it has."""
    with connection.cursor() as cursor:
        return _counted(cursor)


def dump(target: IO[bytes], beside: Path) -> dict[str, int]:
    """Write the database to ``target`` as it is at one moment, though others go on writing; table → rows of it. ``beside``
    is a folder with room for a copy. Raises :class:`Failed`."""
    with _told():
        return _dump_postgresql(target) if connection.vendor == "postgresql" else _dump_sqlite(target, beside)


def load(source: IO[bytes], beside: Path) -> None:
    """Fill the empty database with a dump. Raises :class:`Failed`, and then leaves it empty."""
    with _told():
        if connection.vendor == "postgresql":
            _load_postgresql(source)
        else:
            _load_sqlite(source, beside)


@contextmanager
def _told() -> Iterator[None]:
    """What a database says when it cannot, as :class:`Failed`."""
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        raise Failed(f"The database refuses: {str(error).strip()}.") from error
    except OSError as error:
        raise Failed(f"The dump cannot be kept: {error.strerror}.") from error


def _counted(cursor: CursorWrapper | sqlite3.Cursor) -> dict[str, int]:
    cursor.execute(TABLES[connection.vendor])
    found = {}
    for (table,) in cursor.fetchall():
        cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608 - a name that the database gave
        found[table] = cursor.fetchone()[0]
    return found


# --- PostgreSQL
def _dump_postgresql(target: IO[bytes]) -> dict[str, int]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        program = ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
        with _client(program, stdout=subprocess.PIPE) as dumping:
            shutil.copyfileobj(dumping.stdout, target)
        return _counted(cursor)


def _load_postgresql(source: IO[bytes]) -> None:
    program = ["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges"]
    with _client(program, stdin=subprocess.PIPE) as loading:
        try:
            shutil.copyfileobj(source, loading.stdin)
            loading.stdin.close()
        except BrokenPipeError:
            pass  # it has ended, and says why


@contextmanager
def _client(program: list[str], **pipes: Any) -> Iterator[Any]:
    """One of PostgreSQL's own programs on this database. Raises :class:`Failed` with the last it said where it fails."""
    connection.ensure_connection()
    database = connection.connection.info
    where = {name: value for name, value in database.get_parameters().items() if name in WHERE}
    variables = os.environ | {"PGPASSWORD": database.password}
    with NamedTemporaryFile() as said:
        try:
            process = subprocess.Popen(  # noqa: S603 - a fixed command
                [*program, f"--dbname={make_conninfo(**where)}"], env=variables, stderr=said, **pipes
            )
        except FileNotFoundError:
            raise Failed(
                f"{program[0]} is not on the PATH. Install PostgreSQL's client programs (Debian: postgresql-client), of "
                "the server's version."
            ) from None
        with process:
            yield process
        if process.returncode:
            lines = Path(said.name).read_text(errors="replace").strip().splitlines()
            raise Failed(f"{program[0]} failed: {'; '.join(lines)[:500] or process.returncode}")


# --- SQLite
def _dump_sqlite(target: IO[bytes], beside: Path) -> dict[str, int]:
    with NamedTemporaryFile(dir=beside, prefix="hallu-", suffix=".part") as kept:
        connection.ensure_connection()
        with closing(sqlite3.connect(kept.name)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            found = _counted(copy.cursor())
        with Path(kept.name).open("rb") as made:
            shutil.copyfileobj(made, target)
        return found


def _load_sqlite(source: IO[bytes], beside: Path) -> None:
    with NamedTemporaryFile(dir=beside, prefix="hallu-", suffix=".part") as kept:
        shutil.copyfileobj(source, kept)
        kept.flush()
        with closing(sqlite3.connect(kept.name)) as copy:
            try:
                said = copy.execute("PRAGMA integrity_check").fetchone()[0]
            except sqlite3.DatabaseError as error:
                said = str(error)
            if said != "ok":
                raise Failed(f"The database in it is damaged: {said}.")
            connection.ensure_connection()
            copy.backup(connection.connection)
