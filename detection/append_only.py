"""Database triggers that keep rows as they were written, for migrations.

They hold whoever asks: the ORM, the admin, a shell on the database. Rebuilding a table on SQLite, as some later
migrations do, drops its triggers; a test compares what there is with what there must be, and so does
:mod:`detection.chains`.
"""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

FUNCTION = (
    "CREATE OR REPLACE FUNCTION hallu_append_only() RETURNS trigger AS $$ BEGIN "
    "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
)
FROZEN_FUNCTION = (
    "CREATE OR REPLACE FUNCTION hallu_frozen() RETURNS trigger AS $$ BEGIN "
    "RAISE EXCEPTION '% must not change in %', TG_ARGV[0], TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
)


def append_only(table: str) -> RunPython:
    """A migration operation after which rows of ``table`` can be inserted but neither changed nor deleted."""

    def forwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in _statements(table, editor.connection.vendor):
            editor.execute(statement, params=None)

    def backwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for verb in ("update", "delete"):
            _drop(editor, table, f"no_{verb}")

    return RunPython(forwards, backwards)


def never_emptied(table: str, unique: Sequence[str] = ()) -> RunPython:
    """A migration operation that closes the ways around :func:`append_only`, which looks at single rows: TRUNCATE on
    PostgreSQL, and INSERT OR REPLACE on SQLite, which deletes without asking the triggers for deletion. ``unique``
    are the columns that together are unique, beside the primary key."""

    def forwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION hallu_append_only()",
                params=None,
            )
            return
        same = " AND ".join(f'"{column}" = NEW."{column}"' for column in unique)
        taken = f"id = NEW.id OR ({same})" if unique else "id = NEW.id"
        editor.execute(
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "  # noqa: S608  # names out of our migrations
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {taken}) "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
            params=None,
        )

    def backwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        _drop(editor, table, "no_truncate" if editor.connection.vendor == "postgresql" else "no_replace")

    return RunPython(forwards, backwards)


def frozen(table: str, columns: Sequence[str], *, once: str = "", name: str = "frozen") -> RunPython:
    """A migration operation after which ``columns`` of a row keep their values; ``once`` is a condition on ``OLD``, in
    SQL, from which on they do (for example ``OLD.finished_at IS NOT NULL``). A second rule for one table needs a
    ``name`` of its own."""

    def forwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        postgres = editor.connection.vendor == "postgresql"
        differs = "IS DISTINCT FROM" if postgres else "IS NOT"
        changed = " OR ".join(f'OLD."{column}" {differs} NEW."{column}"' for column in columns)
        when = f"({once}) AND ({changed})" if once else changed
        named, quoted = ", ".join(columns), ", ".join(f'"{column}"' for column in columns)
        head = (
            f"CREATE TRIGGER {table}_{name} BEFORE UPDATE OF {quoted} ON {table} FOR EACH ROW WHEN ({when})"
        )
        refused = f"BEGIN SELECT RAISE(ABORT, '{named} must not change in {table}'); END"
        if postgres:
            editor.execute(FROZEN_FUNCTION, params=None)
        editor.execute(
            f"{head} EXECUTE FUNCTION hallu_frozen('{named}')" if postgres else f"{head} {refused}",
            params=None,
        )

    def backwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        _drop(editor, table, name)

    return RunPython(forwards, backwards)


def _drop(editor: BaseDatabaseSchemaEditor, table: str, name: str) -> None:
    suffix = f" ON {table}" if editor.connection.vendor == "postgresql" else ""
    editor.execute(f"DROP TRIGGER {table}_{name}{suffix}")


def _statements(table: str, vendor: str) -> list[str]:
    if vendor == "postgresql":
        return [FUNCTION] + [
            f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION hallu_append_only()"
            for verb in ("update", "delete")
        ]
    return [
        f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for verb in ("update", "delete")
    ]
