"""SQLite changes most of a table's columns by making the table anew, and drops its triggers with the old one.

They are made again here, so that a migration has to think of those alone that are over what it changes.
"""

from typing import Any

from django.db.backends.sqlite3 import base, schema
from django.db.models import Model


class SchemaEditor(schema.DatabaseSchemaEditor):
    """Django's, which puts back the triggers of a table that it makes anew."""

    def _remake_table(self, model: type[Model], *args: Any, **changes: Any) -> None:
        kept = self._triggers(model._meta.db_table)
        super()._remake_table(model, *args, **changes)  # type: ignore[misc]  # not in the stubs
        for statement in kept:
            self.execute(statement, params=None)

    def _triggers(self, table: str) -> list[str]:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
            return [statement for (statement,) in cursor.fetchall()]


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, with that."""

    SchemaEditorClass = SchemaEditor
