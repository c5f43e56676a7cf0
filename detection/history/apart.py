"""How migrations set the bodies of events apart from their rows, and put them back on the way back."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from detection.append_only import append_only, never_emptied

BODIES = "detection_eventbody"
TOLD = {
    "before": models.JSONField(blank=True, default=dict),
    "after": models.JSONField(blank=True, default=dict),
    "reason": models.TextField(blank=True, default=""),
}
"""What rows told themselves."""


def bodies_apart(app: str, history: str) -> list[Operation]:
    """The operations after which the events of ``history``, a model of ``app``, keep what they tell in rows apart. Rows of
    before keep their hash, which covers what they told.

    A body that was erased is empty on the way back, and the version before names its event.
    """
    table = f"{app}_{history}"
    guards = (append_only(table), never_emptied(table, ("subject_id", "seq")))
    body = models.OneToOneField(
        "detection.EventBody",
        null=True,
        on_delete=django.db.models.deletion.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    return [
        *(guard.backwards() for guard in guards),
        migrations.AddField(history, "body", body),
        migrations.AddField(history, "body_hash", models.CharField(blank=True, default="", max_length=64)),
        migrations.RunPython(_moving(table), _moving_back(table)),
        *(migrations.RemoveField(history, name) for name in TOLD),
        *guards,
    ]


def _moving(table: str) -> Any:
    def move(_apps: Any, editor: Any) -> None:
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

    return move


def _moving_back(table: str) -> Any:
    def move(_apps: Any, editor: Any) -> None:
        there = f"FROM {BODIES} AS b WHERE b.id = {table}.body_id"
        changes = ", ".join(f'"{name}" = COALESCE((SELECT b."{name}" {there}), "{name}")' for name in TOLD)
        with editor.connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {changes}")  # noqa: S608  # names of our own

    return move
