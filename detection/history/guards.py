"""The triggers that keep rows as they were written, as they are in the database, against what the migrations make."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from detection.append_only import FUNCTIONS, Guard
from detection.history.chains import Broken

TRIGGERS = """
    SELECT t.tgname, c.relname, pg_get_triggerdef(t.oid, true), t.tgenabled::text
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = {schema} AND c.relname = ANY(%s)
"""
BODIES = "SELECT proname, prosrc, proconfig IS NULL FROM pg_proc WHERE proname = ANY(%s) AND pronamespace = {schema}"
OURS = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
TEMPORARY = "pg_my_temp_schema()"
Key = tuple[str, str]
"""A trigger's table and name."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """The text that makes a trigger, and whether it fires."""

    text: str
    fires: bool = True


def unguarded() -> Iterator[Broken]:
    """What of the triggers is missing, switched off, or not as the migrations make it; and what stands beside them."""
    made = statements()
    tables = sorted({table for table, _ in made})
    if connection.vendor == "postgresql":
        yield from _switched_off()
        yield from (broken := list(_bodies()))
        if any(one.what == "is missing" for one in broken):
            return  # nothing can be made of it to compare with
        there, wanted = _postgres(tables, OURS), _as_made(made, tables)
    else:
        there, wanted = _sqlite(tables), {key: Trigger(statement) for key, statement in made.items()}
    for key in sorted({*wanted, *there}):
        what = _wrong(wanted.get(key), there.get(key))
        if what:
            yield Broken(" ".join(key), 0, what)


def _wrong(wanted: Trigger | None, there: Trigger | None) -> str:
    if there is None:
        return "is missing"
    if wanted is None:
        return "is not made by any migration"
    if there.text != wanted.text:
        return "is not as the migrations make it"
    return "" if there.fires else "is switched off"


def statements() -> dict[Key, str]:
    """The statement that makes each trigger, by its table and name, after all migrations."""
    loader = MigrationLoader(None)
    plan = [key for leaf in sorted(loader.graph.leaf_nodes()) for key in loader.graph.forwards_plan(leaf)]
    guards = [
        operation
        for key in dict.fromkeys(plan)
        for operation in loader.disk_migrations[key].operations
        if isinstance(operation, Guard)
    ]
    return {
        (guard.table, name): statement
        for guard in guards
        for name, statement in guard.triggers(connection.vendor).items()
    }


def _sqlite(tables: list[str]) -> dict[Key, Trigger]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {(table, name): Trigger(sql) for name, table, sql in cursor.fetchall() if table in tables}


def _switched_off() -> Iterator[Broken]:
    """Whether sessions are told, by the database or the role, to let no trigger fire."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW session_replication_role")
        (role,) = cursor.fetchone()
    if role == "replica":
        yield Broken("session_replication_role", 0, "keeps all of them from firing")


def _bodies() -> Iterator[Broken]:
    """The functions that triggers call, where they do something else."""
    with connection.cursor() as cursor:
        cursor.execute(BODIES.format(schema=OURS), [list(FUNCTIONS)])
        there = {name: (body, plain) for name, body, plain in cursor.fetchall()}
    for name, body in FUNCTIONS.items():
        if name not in there:
            yield Broken(f"function {name}", 0, "is missing")
        elif there[name] != (body, True):
            yield Broken(f"function {name}", 0, "is not as the migrations make it")


def _postgres(tables: list[str], schema: str) -> dict[Key, Trigger]:
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS.format(schema=schema), [tables])
        return {
            (table, name): Trigger(text, enabled in ("O", "A"))
            for name, table, text, enabled in cursor.fetchall()
        }


def _as_made(made: dict[Key, str], tables: list[str]) -> dict[Key, Trigger]:
    """The triggers as PostgreSQL tells them when the migrations have made them: made on empty tables of the same names
    that this session alone sees, which are gone again at once."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'CREATE TEMPORARY TABLE "{table}" (LIKE "{table}")')
        for statement in made.values():
            cursor.execute(statement)
        wanted = _postgres(tables, TEMPORARY)
        transaction.set_rollback(True)
    return wanted
