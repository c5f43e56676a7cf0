"""How long a process waits for the database: web processes shortly, since somebody waits for them, workers longer.

PgBouncer takes no limits from a connection, since it hands the server's connections round: there the server's two limits are
in its own configuration, ``deploy/pgbouncer.ini``, which has a database for each lane. Commands such as ``migrate`` have no limits. On SQLite there is one writer and no server, and nothing to limit here.
"""

from dataclasses import dataclass
from typing import Literal

from django.conf import settings
from django.db import connections


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to connect, for one statement, and for a lock that another transaction holds."""

    connect: int
    statement: int
    lock: int


LANES = {
    "web": Patience(connect=2, statement=5, lock=2),
    "worker": Patience(connect=5, statement=30, lock=10),
}
MARGIN = 1
"""Seconds after which an answer is given up that the server should have ended itself: it is frozen, or cut off."""


def limit(lane: Literal["web", "worker"]) -> None:
    """Limit all connections that this process opens from now on."""
    database, patience = settings.DATABASES["default"], LANES[lane]
    if not database["ENGINE"].endswith("postgresql"):
        return
    connections.close_all()
    options = database.setdefault("OPTIONS", {})
    if not settings.BEHIND_PGBOUNCER:
        limits = f"-c statement_timeout={patience.statement}s -c lock_timeout={patience.lock}s"
        options["options"] = f"{options.get('options', '')} {limits}".strip()
    options["connect_timeout"] = patience.connect
    database["ANSWER_SECONDS"] = patience.statement + MARGIN
