"""The port to stores that the product can do without: the cache and the broker.

Whoever asks says what holds without the store. A call that fails or is late costs its caller the deadline once; then this
process leaves the store alone for :data:`REST` seconds, and whoever asks meanwhile goes without it at once. What was left out
is counted in rows, for the metrics. A cache or a broker that is a table needs the database, as all else does:
what the database refuses is not caught here.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import BaseDatabaseCache
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from detection.operations.lanes import Lane

log = logging.getLogger(__name__)

REST = 2.0
AWAY = (OSError, RedisError, OperationalError)
"""How the clients say that a store is away, late or refuses."""
clock = time.monotonic

Result = TypeVar("Result")
_books = Lane("left-out")


class OptionalStore:
    """One store as this process sees it. Safe between threads.

    With ``waited_for`` its callers answer somebody: a call then has ``settings.OPTIONAL_STORE_SECONDS`` in all, since what
    a socket waits for covers neither the look-up of a name nor several replies. The clients of others bound their calls.
    """

    def __init__(self, name: str, *, waited_for: Callable[[], bool] = lambda: False) -> None:
        self.name = name
        self._waited_for = waited_for
        self._lane = Lane(name)
        self._lock = threading.Lock()
        self._unwritten = 0
        self.forget()

    def forget(self) -> None:
        """Take the store for well, as a process does that starts."""
        self._until, self.reason = 0.0, ""

    def ask(self, call: Callable[[], Result], otherwise: Result) -> Result:
        """What the store answered; ``otherwise`` while it is away. Raises what the call raises for any other reason."""
        if self.reason and not self._may_try():
            self._leave_out()
            return otherwise
        try:
            answered = self._in_time(call) if self._waited_for() else call()
        except AWAY as error:
            self._failed(error)
            return otherwise
        if self.reason:
            log.warning("store_back store=%s", self.name)
            self.forget()
        self._write_down()
        return answered

    def _may_try(self) -> bool:
        """Whether the rest is over; who asks meanwhile leaves it to this one to find out."""
        with self._lock:
            over = clock() >= self._until
            if over:
                self._until = clock() + REST
            return over

    def _in_time(self, call: Callable[[], Result]) -> Result:
        waiting = self._lane.submit(lambda: _outcome(call))
        try:
            answered, error = waiting.result(settings.OPTIONAL_STORE_SECONDS)
        finally:
            waiting.cancel()
        if error is not None:
            raise error
        return answered  # type: ignore[return-value]  # without an error there is an answer

    def _failed(self, error: Exception) -> None:
        if not self.reason:
            log.warning("store_away store=%s error=%s: %s", self.name, type(error).__name__, error)
        self._until, self.reason = clock() + REST, type(error).__name__
        self._leave_out()
        self._write_down()

    def _leave_out(self) -> None:
        with self._lock:
            self._unwritten += 1

    def _write_down(self) -> None:
        """Have the calls that were left out entered in the row; nobody waits for that."""
        if self._unwritten:
            _books.submit(self._enter)

    def _enter(self) -> None:
        from detection.models import LeftOut  # the settings are read before there are models

        with self._lock:
            calls, self._unwritten = self._unwritten, 0
        try:
            LeftOut.add(self.name, calls)
        except Exception:
            with self._lock:
                self._unwritten += calls
            raise


def _outcome(call: Callable[[], Result]) -> tuple[Result | None, Exception | None]:
    """What a call gave or raised."""
    try:
        return call(), None
    except Exception as error:  # noqa: BLE001 — raised again where the call was made
        return None, error


CACHE = OptionalStore("cache", waited_for=lambda: not isinstance(caches["default"], BaseDatabaseCache))
BROKER = OptionalStore("broker")


def left_alone() -> Mapping[str, str]:
    """The stores that this process goes without now, each with the reason."""
    return {store.name: store.reason for store in (CACHE, BROKER) if store.reason}


def written(seconds: float = 10.0) -> None:
    """Wait until all that was left out so far is counted, at most ``seconds``."""
    if _books.started:
        _books.submit(lambda: None).result(seconds)
