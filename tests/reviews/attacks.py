"""What somebody does who owns the database, and what ``verify_audit`` says of it."""

import io
from typing import Any

from django.core.management import CommandError, call_command
from django.db import connection

from detection.history.guards import statements

EVENTS = "reviews_reviewevent"
BODIES = "detection_eventbody"
OF_EVENT = f"id = (SELECT body_id FROM {EVENTS} WHERE seq = %s)"  # noqa: S608  # names of our own


def ran(*arguments: str) -> tuple[str, bool]:
    """What the command printed, and whether it ended well."""
    out = io.StringIO()
    try:
        call_command("verify_audit", *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}", error.returncode != 1
    return out.getvalue(), True


def found(*arguments: str) -> list[str]:
    """The lines of what is broken, of a command that ends with 1 because of them."""
    said, well = ran(*arguments)
    assert not well, said
    return [line.removeprefix("BROKEN ") for line in said.splitlines() if line.startswith("BROKEN ")]


def by_sql(statement: str, *values: Any) -> None:
    """Any statement."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statement, values)


def drop(trigger: str, table: str) -> None:
    """Take a trigger away."""
    by_sql(f"DROP TRIGGER {trigger}" + (f" ON {table}" if connection.vendor == "postgresql" else ""))


def behind_its_back(statement: str, *values: Any, table: str = EVENTS) -> None:
    """Take the triggers of TABLE away, change its rows, put the triggers back."""
    of_table = {name: made for (on, name), made in statements().items() if on == table}
    for name in of_table:
        drop(name, table)
    by_sql(statement.replace("TABLE", table), *values)
    for made in of_table.values():
        by_sql(made)
