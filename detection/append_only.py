"""Database triggers that make a table append-only, for migrations."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


def append_only(table: str) -> RunPython:
    """A migration operation after which rows of ``table`` can be inserted but neither changed nor deleted."""

    def forwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in _statements(table, editor.connection.vendor):
            editor.execute(statement, params=None)

    def backwards(_apps: object, editor: BaseDatabaseSchemaEditor) -> None:
        for verb in ("update", "delete"):
            suffix = f" ON {table}" if editor.connection.vendor == "postgresql" else ""
            editor.execute(f"DROP TRIGGER {table}_no_{verb}{suffix}")

    return RunPython(forwards, backwards)


def _statements(table: str, vendor: str) -> list[str]:
    message = f"{table} is append-only"
    if vendor == "postgresql":
        function = (
            "CREATE OR REPLACE FUNCTION hallu_append_only() RETURNS trigger AS $$ BEGIN "
            "RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
        )
        return [function] + [
            f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION hallu_append_only()"
            for verb in ("update", "delete")
        ]
    return [
        f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} BEGIN SELECT RAISE(ABORT, '{message}'); END"
        for verb in ("update", "delete")
    ]
