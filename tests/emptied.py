"""How a test that commits leaves its database: as the migrations made it, but for the groups.

Django's own way truncates every table on PostgreSQL, which makes new files for all of its indexes, and writes content
types and permissions again: 0.2 to 0.3 seconds a test there, 0.1 on SQLite. Here rows are deleted where there are any; on
PostgreSQL by a superuser, which tests of roles need anyway.
"""

from functools import cache

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from detection.models import ThresholdProfile

KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""What the migrations and their end write and no test changes."""


def empty(*_case: object) -> None:
    """Delete every row of every table that is not :data:`KEPT`, whatever the database's triggers say of it, and put the first
    version of the thresholds back. Which tables hold rows is asked in one statement."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")  # no trigger, no foreign key
        cursor.execute(_filled())
        for (table,) in cursor.fetchall():
            triggers = _without_triggers(cursor, table) if connection.vendor == "sqlite" else ()
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608  # names of our models
            for made in triggers:
                cursor.execute(made)
    _first_profile()


def _without_triggers(cursor: CursorWrapper, table: str) -> list[str]:
    """Drop the triggers of a table on SQLite; the statements that make them."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
    triggers = dict(cursor.fetchall())
    for name in triggers:
        cursor.execute(f"DROP TRIGGER {name}")
    return [*triggers.values()]


@cache
def _filled() -> str:
    names = sorted({*connection.introspection.django_table_names()} - KEPT)
    quoted = map(connection.ops.quote_name, names)
    return " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {table})"  # noqa: S608  # likewise
        for name, table in zip(names, quoted, strict=True)
    )


def _first_profile() -> None:
    """The active profile that the migrations make."""
    ThresholdProfile.objects.get_or_create(version=1, defaults={"values": {"base": {}}, "state": "active"})
