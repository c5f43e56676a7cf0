"""``manage.py runtime_role``: the database role that serves, which owns no table. The owner calls it after ``migrate``."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from environ import Env
from psycopg import sql

from detection.operations.checks import INSTALLATION

ATTRIBUTES = sql.SQL("LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS")
WRITTEN = {"INSERT": "", "UPDATE": "_no_update", "DELETE": "_no_delete"}
"""What the role may write, and how the trigger ends whose tables it may not: :mod:`detection.append_only`. One that lets some
rows through, for what is erased, leaves it the verb."""


class Command(BaseCommand):
    """Make the role of ``HALLU_RUNTIME_DATABASE_URL`` and give it the rows of the tables, not the tables.

    It reads and writes rows. What a trigger keeps as it was written it may not even try to change, and no trigger,
    column or table is its to alter, so that whoever gets hold of a web process cannot rewrite what has happened.
    """

    help = "Make or renew the database role that serves. Run by the owner of the tables, after each migrate."
    requires_system_checks = (INSTALLATION,)

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` without PostgreSQL or the URL, or where the role is the one that asks."""
        if connection.vendor != "postgresql":
            raise CommandError("SQLite has no roles: only PostgreSQL is served by one that owns no table.")
        if not settings.RUNTIME_DATABASE_URL:
            raise CommandError("Set HALLU_RUNTIME_DATABASE_URL to the URL that web and workers connect with.")
        runtime = Env.db_url_config(settings.RUNTIME_DATABASE_URL)
        name, password = runtime["USER"], runtime["PASSWORD"]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            if cursor.fetchone()[0] == name:
                raise CommandError(f"{name} is the owner that asks. The role that serves has to be another.")
            _make(cursor, name, password)
            _grant(cursor, name)
        self.stdout.write(f"{name} reads and writes rows, and owns nothing.")


def _make(cursor: CursorWrapper, name: str, password: str) -> None:
    """A role with this password and no right over others; an owner that may make none finds it made."""
    role = sql.Identifier(name)
    cursor.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if not cursor.fetchone()[0]:
        return
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
    if cursor.fetchone() is None:
        cursor.execute(sql.SQL("CREATE ROLE {}").format(role))
    # Hashed here: the statement may be logged.
    hashed = connection.connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
    cursor.execute(
        sql.SQL("ALTER ROLE {} WITH {} PASSWORD {}").format(role, ATTRIBUTES, sql.Literal(hashed.decode()))
    )


def _grant(cursor: CursorWrapper, name: str) -> None:
    """The rows of every table of this schema, taken back and given anew, so that what is no longer due is gone."""
    role = sql.Identifier(name)
    for statement in (
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}",
        "GRANT USAGE ON SCHEMA public TO {}",
        "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}",
    ):
        cursor.execute(sql.SQL(statement).format(role))
    tables = set(connection.introspection.table_names(cursor)) - {"django_migrations"}
    cursor.execute(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger WHERE NOT tgisinternal AND tgqual IS NULL"
    )
    triggers = cursor.fetchall()
    for verb, ending in WRITTEN.items():
        kept = {table for table, trigger in triggers if ending and trigger == f"{table}{ending}"}
        for table in sorted(tables - kept):
            cursor.execute(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(verb), sql.Identifier(table), role))
