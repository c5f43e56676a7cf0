"""Callers who wait for what a worker does: in places of their own, with one thread that looks for all of them.

A process has :data:`settings.HALLU_WAITERS` threads more than it serves with, so that as many may wait while the others go
on. Whoever waits holds a thread that sleeps, and no connection to the database.
"""

import logging
import os
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.conf import settings
from django.db import connections
from rest_framework.request import Request

from detection.problems import TooManyWait

log = logging.getLogger(__name__)

PAUSES = ((0.1, 0.02), (0.5, 0.05))
"""Seconds for which somebody has been waiting, and between two looks until then: most is done at once."""
LONGEST_PAUSE = 0.1

Done = Callable[[Collection[Any]], Collection[Any]]
"""Which of these keys are done, in one query."""


class Ended(Enum):
    """How a wait ended: what was waited for is done, the time was over, or the caller had hung up."""

    DONE = "done"
    LATE = "late"
    GONE = "gone"


@dataclass(slots=True, eq=False)
class Waiter:
    """One caller, what they wait for, and how it ended."""

    done: Done
    key: Any
    connection: socket.socket | None
    since: float = field(default_factory=time.monotonic)
    woken: threading.Event = field(default_factory=threading.Event)
    ended: Ended = Ended.LATE

    def wake(self, ended: Ended) -> None:
        """Let the caller's thread go on."""
        self.ended = ended
        self.woken.set()

    def has_left(self) -> bool:
        """Whether the caller has hung up. A test's request has no connection, and stays."""
        if self.connection is None:
            return False
        try:
            return not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True


class Room:
    """The waiters of one process."""

    def __init__(self, places: int) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._lock = threading.Lock()
        self._waiting: set[Waiter] = set()
        self._looked_for = 0  # the process that has a thread which looks

    @contextmanager
    def place(self) -> Iterator[bool]:
        """A place for one who is going to wait; False while all are taken."""
        free = self._places.acquire(blocking=False)
        try:
            yield free
        finally:
            if free:
                self._places.release()

    def wait(self, waiter: Waiter, seconds: float) -> Ended:
        """Wait until it is done, the time is over or the caller has gone."""
        _let_go()
        with self._lock:
            self._waiting.add(waiter)
            if self._looked_for != os.getpid():
                self._looked_for = os.getpid()
                threading.Thread(target=self._look, name="waiters", daemon=True).start()
        waiter.woken.wait(seconds)
        with self._lock:
            self._waiting.discard(waiter)
        return waiter.ended

    def _look(self) -> None:
        """Look for all who wait, and end when nobody does."""
        try:
            while waiting := self._all():
                try:
                    _wake(waiting)
                except Exception:
                    connections.close_all()
                    log.exception("waiters_not_looked_for")  # they go on waiting, until their time is over
                time.sleep(_pause(waiting))
        finally:
            connections.close_all()

    def _all(self) -> list[Waiter]:
        with self._lock:
            self._waiting = {waiter for waiter in self._waiting if not waiter.woken.is_set()}
            if not self._waiting:
                self._looked_for = 0
            return list(self._waiting)


def _let_go() -> None:
    """Give this thread's connections back, but those of a transaction that somebody else is in."""
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close()


def _wake(waiting: Collection[Waiter]) -> None:
    """Wake those whose callers have gone and those for whom it is done."""
    groups: dict[Done, list[Waiter]] = defaultdict(list)
    for waiter in waiting:
        if waiter.has_left():
            waiter.wake(Ended.GONE)
        else:
            groups[waiter.done].append(waiter)
    for done, group in groups.items():
        found = set(done({waiter.key for waiter in group}))
        for waiter in group:
            if waiter.key in found:
                waiter.wake(Ended.DONE)


def _pause(waiting: Collection[Waiter]) -> float:
    """Seconds until the next look, by who has come last."""
    youngest = time.monotonic() - max(waiter.since for waiter in waiting)
    return next((pause for until, pause in PAUSES if youngest < until), LONGEST_PAUSE)


ROOM = Room(settings.HALLU_WAITERS)
place = ROOM.place


@contextmanager
def busy() -> Iterator[None]:
    """A place for one who is served with what takes long: others go on. Raises :class:`~detection.problems.TooManyWait`."""
    with place() as free:
        if not free:
            raise TooManyWait
        yield


def until(done: Done, key: Any, *, seconds: float, caller: Request) -> Ended:
    """Wait until ``key`` is among those that are ``done``, at most ``seconds`` and while the ``caller`` stays; whoever
    calls this has a :func:`place`."""
    return ROOM.wait(Waiter(done, key, caller.META.get("gunicorn.socket")), seconds)
