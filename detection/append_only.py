"""Database triggers that keep rows as they were written, for migrations.

They hold whoever asks: the ORM, the admin, a shell on the database. Rebuilding a table on SQLite, as some later
migrations do, drops its triggers; a test compares what there is with what there must be, and so does
:mod:`detection.history.guards`, word by word.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation

FUNCTIONS = {
    "hallu_append_only": " BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END ",
    "hallu_frozen": " BEGIN RAISE EXCEPTION '% must not change in %', TG_ARGV[0], TG_TABLE_NAME; END ",
}
"""What the triggers of PostgreSQL call, by its name."""


class Guard(Operation):
    """A migration operation that makes triggers on ``table``: those that ``triggers`` names for a kind of database, each
    with its statement. No ``RunPython``, for which Django builds every model anew: a fourth of a first migration."""

    def __init__(self, table: str, triggers: Callable[[str], dict[str, str]]) -> None:
        self.table, self.triggers = table, triggers

    def backwards(self) -> Operation:
        """The operation that drops the triggers, and makes them on the way back: before a table is built anew."""
        return _Lifted(self)

    def make(self, editor: BaseDatabaseSchemaEditor) -> None:
        """Make the triggers, which are not there."""
        vendor = editor.connection.vendor
        if vendor == "postgresql":
            for name, body in FUNCTIONS.items():
                made = f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $${body}$$ LANGUAGE plpgsql"
                editor.execute(made, params=None)
        for statement in self.triggers(vendor).values():
            editor.execute(statement, params=None)

    def drop(self, editor: BaseDatabaseSchemaEditor) -> None:
        """Drop the triggers, where they are there."""
        suffix = f" ON {self.table}" if editor.connection.vendor == "postgresql" else ""
        for name in self.triggers(editor.connection.vendor):
            editor.execute(f"DROP TRIGGER IF EXISTS {name}{suffix}")

    def state_forwards(self, app_label: str, state: Any) -> None:
        """No model knows of triggers."""

    def database_forwards(self, app_label: str, editor: Any, from_state: Any, to_state: Any) -> None:
        """Make them."""
        self.make(editor)

    def database_backwards(self, app_label: str, editor: Any, from_state: Any, to_state: Any) -> None:
        """Drop them."""
        self.drop(editor)


class _Lifted(Operation):
    """A guard the other way round."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def state_forwards(self, app_label: str, state: Any) -> None:
        """No model knows of triggers."""

    def database_forwards(self, app_label: str, editor: Any, from_state: Any, to_state: Any) -> None:
        """Drop them."""
        self.guard.drop(editor)

    def database_backwards(self, app_label: str, editor: Any, from_state: Any, to_state: Any) -> None:
        """Make them."""
        self.guard.make(editor)


def append_only(table: str, verbs: Sequence[str] = ("update", "delete"), *, unless: str = "") -> Guard:
    """A migration operation after which rows of ``table`` can be inserted but neither changed nor deleted, or only one of
    the two: ``verbs``. ``unless`` is a condition on ``OLD`` and ``NEW``, in SQL, under which a row may be changed all the
    same."""

    def triggers(vendor: str) -> dict[str, str]:
        each = "FOR EACH ROW " if vendor == "postgresql" else ""
        when = {"update": f"WHEN (NOT ({unless})) "} if unless else {}
        refused = (
            "EXECUTE FUNCTION hallu_append_only()"
            if vendor == "postgresql"
            else f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
        return {
            f"{table}_no_{verb}": f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
            f"{each}{when.get(verb, '')}{refused}"
            for verb in verbs
        }

    return Guard(table, triggers)


def never_emptied(table: str, unique: Sequence[str] = ()) -> Guard:
    """A migration operation that closes the ways around :func:`append_only`, which looks at single rows: TRUNCATE on
    PostgreSQL, and INSERT OR REPLACE on SQLite, which deletes without asking the triggers for deletion. ``unique``
    are the columns that together are unique, beside the primary key."""

    def triggers(vendor: str) -> dict[str, str]:
        if vendor == "postgresql":
            name = f"{table}_no_truncate"
            refused = "FOR EACH STATEMENT EXECUTE FUNCTION hallu_append_only()"
            return {name: f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {table} {refused}"}
        same = " AND ".join(f'"{column}" = NEW."{column}"' for column in unique)
        taken = f"id = NEW.id OR ({same})" if unique else "id = NEW.id"
        name = f"{table}_no_replace"
        return {
            name: f"CREATE TRIGGER {name} BEFORE INSERT ON {table} "  # noqa: S608  # names out of our migrations
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {taken}) "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        }

    return Guard(table, triggers)


def frozen(table: str, columns: Sequence[str], *, once: str = "", name: str = "frozen") -> Guard:
    """A migration operation after which ``columns`` of a row keep their values; ``once`` is a condition on ``OLD``, in
    SQL, from which on they do (for example ``OLD.finished_at IS NOT NULL``). A second rule for one table needs a
    ``name`` of its own."""

    def triggers(vendor: str) -> dict[str, str]:
        postgres = vendor == "postgresql"
        differs = "IS DISTINCT FROM" if postgres else "IS NOT"
        changed = " OR ".join(f'OLD."{column}" {differs} NEW."{column}"' for column in columns)
        when = f"({once}) AND ({changed})" if once else changed
        named, quoted = ", ".join(columns), ", ".join(f'"{column}"' for column in columns)
        head = (
            f"CREATE TRIGGER {table}_{name} BEFORE UPDATE OF {quoted} ON {table} FOR EACH ROW WHEN ({when})"
        )
        refused = f"BEGIN SELECT RAISE(ABORT, '{named} must not change in {table}'); END"
        return {
            f"{table}_{name}": f"{head} EXECUTE FUNCTION hallu_frozen('{named}')"
            if postgres
            else f"{head} {refused}"
        }

    return Guard(table, triggers)
