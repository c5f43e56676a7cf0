"""A server that is frozen keeps no time: its own limits end nothing, so that the client has one too.

``ANSWER_SECONDS`` of the entry in ``DATABASES`` (None: no limit) is how long one statement may take to be answered;
:mod:`detection.operations.patience` sets it.
"""

from select import POLLIN, poll
from time import monotonic
from types import SimpleNamespace
from typing import Any

import psycopg
from django.db.backends.postgresql import base, operations
from psycopg.pq import TransactionStatus

FRESH = 1.0
"""Seconds after an answer in which a server is not asked whether it still gives any: of nine questions of a POST that is one."""
REST = 1.0
"""Seconds for which a process connects no more after a server let it wait in vain: each of its threads would be held as long."""


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when an answer does not come within ``seconds``."""

    seconds: float | None = None
    doubted: float | None = None
    """Seconds for the next answer alone, before which nobody has asked whether the server still gives any."""
    answered = 0.0

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Drive a statement to its end. Raises :class:`psycopg.OperationalError` when it takes too long."""
        try:
            found = super().wait(
                gen, interval, (self.doubted or self.seconds) if timeout is None else timeout
            )
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.pgconn.finish()  # an answer that comes later is none to the next statement
            raise
        self.answered, self.doubted = monotonic(), None
        return found

    def is_silent(self) -> bool:
        """Whether nothing has come that was not asked for: the end of the connection, or its reason."""
        if self.closed:
            return False
        waiting = poll()
        waiting.register(self.pgconn.socket, POLLIN)
        return not waiting.poll(0)


class DatabaseOperations(operations.DatabaseOperations):
    """Django's, with :mod:`hallu_site.postgresql.compiler`."""

    compiler_module = "hallu_site.postgresql.compiler"


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's, over :class:`Connection`."""

    ops_class = DatabaseOperations
    _rests_until = 0.0

    Database = SimpleNamespace(**vars(psycopg) | {"connect": Connection.connect})  # type: ignore[assignment]  # as good as the module

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        """Connect, within ``connect_timeout`` of the options. Raises :class:`psycopg.OperationalError` where that fails, and
        at once while the last who tried waited in vain."""
        if monotonic() < DatabaseWrapper._rests_until:
            raise psycopg.errors.ConnectionTimeout("The server has just let another connection wait in vain.")
        try:
            connection: Connection = super().get_new_connection(conn_params)
        except psycopg.errors.ConnectionTimeout:
            DatabaseWrapper._rests_until = monotonic() + REST
            raise
        connection.seconds = self.settings_dict.get("ANSWER_SECONDS")
        return connection

    def is_usable(self) -> bool:
        """Whether the server answers, asked no longer than it may take to connect. Where it has just answered, and has not
        hung up since, the next statement asks it, and waits no longer."""
        if self.connection is None:
            return False
        usual = self.connection.seconds
        patience = self.settings_dict["OPTIONS"].get("connect_timeout", usual)
        if monotonic() - self.connection.answered < FRESH and self.connection.is_silent():
            self.connection.doubted = patience
            return True
        self.connection.seconds = patience
        try:
            return super().is_usable()
        finally:
            self.connection.seconds = usual
