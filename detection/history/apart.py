"""How migrations set the bodies of events apart from their rows, and put them back on the way back."""

from collections.abc import Callable, Sequence
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from detection.append_only import append_only, never_emptied

BODIES = "detection_eventbody"
CHAINED = ("subject_id", "seq")
TOLD = {
    "before": models.JSONField(blank=True, default=dict),
    "after": models.JSONField(blank=True, default=dict),
    "reason": models.TextField(blank=True, default=""),
}
"""What rows told themselves."""


def bodies_apart(app: str, *histories: str) -> list[Operation]:
    """The operations after which the events of ``histories``, models of ``app``, keep what they tell in rows apart. Rows of
    before keep their hash, which covers what they told.

    A body that was erased is empty on the way back, and the version before names its event. What is of one kind stands
    together: between columns and code Django builds all models anew.
    """
    tables = [f"{app}_{history}" for history in histories]
    guards = [guard for table in tables for guard in (append_only(table), never_emptied(table, CHAINED))]
    body = models.OneToOneField(
        "detection.EventBody",
        null=True,
        on_delete=django.db.models.deletion.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    digest = models.CharField(blank=True, default="", max_length=64)
    return [
        *(guard.backwards() for guard in guards),
        *(migrations.AddField(history, "body", body.clone()) for history in histories),
        *(migrations.AddField(history, "body_hash", digest.clone()) for history in histories),
        migrations.RunPython(_each(_move, tables), _each(_move_back, tables)),
        *(migrations.RemoveField(history, name) for history in histories for name in TOLD),
        *guards,
    ]


def _each(move: Callable[[Any, str], None], tables: Sequence[str]) -> Any:
    def moved(_apps: Any, editor: Any) -> None:
        for table in tables:
            move(editor, table)

    return moved


def _move(editor: Any, table: str) -> None:
    quoted = ", ".join(f'"{name}"' for name in TOLD)
    with editor.connection.cursor() as cursor:
        cursor.execute(f"SELECT COALESCE(MAX(id), 0) FROM {BODIES}")  # noqa: S608  # names of our own
        (base,) = cursor.fetchone()
        cursor.execute(
            f"INSERT INTO {BODIES} (id, {quoted}, salt) SELECT {base} + id, {quoted}, '' FROM {table}"  # noqa: S608
        )
        cursor.execute(f"UPDATE {table} SET body_id = {base} + id")  # noqa: S608
        if editor.connection.vendor == "postgresql":
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{BODIES}', 'id'), "  # noqa: S608
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {BODIES}), false)"
            )


def _move_back(editor: Any, table: str) -> None:
    there = f"FROM {BODIES} AS b WHERE b.id = {table}.body_id"
    changes = ", ".join(f'"{name}" = COALESCE((SELECT b."{name}" {there}), "{name}")' for name in TOLD)
    with editor.connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {changes}")  # noqa: S608  # names of our own
