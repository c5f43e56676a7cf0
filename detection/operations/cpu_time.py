"""Limits of CPU time that end what a thread does, and nothing else: no process, no other thread.

Wall time would end work for what other processes do meanwhile. A thread that is over its limit gets an exception where
it stands; what waits, on a network or for a lock, uses no CPU time and is not ended.
"""

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK_SECONDS = 0.1
AGAIN_SECONDS = 1.0
"""Of CPU time, after which a thread that has caught the exception and goes on is told again."""
_raise = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise.argtypes = [ctypes.c_ulong, ctypes.py_object]


class OutOfTime(TimeoutError):
    """The thread has used the CPU time that it was given."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise :class:`OutOfTime` within the block once this thread has used so many seconds of CPU time in it.

    Meant for computing: whatever the block does may end anywhere, so it writes nothing that must be whole.
    """
    limit = _Limit(threading.get_ident(), clock_of(threading.get_ident()), seconds)
    _looking().limits.append(limit)
    try:
        yield
    finally:
        limit.end()


def clock_of(thread: int) -> Callable[[], float]:
    """The CPU time of a thread of this process, in seconds; wall time where the system does not count that."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


class _Limit:
    """The limit of one block of one thread."""

    def __init__(self, thread: int, clock: Callable[[], float], seconds: float) -> None:
        self.thread, self.clock, self.until = thread, clock, clock() + seconds
        self.over, self.lock = False, threading.Lock()

    def look(self) -> None:
        """Tell the thread when it is over its limit."""
        with self.lock:
            if not self.over and (now := self.clock()) > self.until:
                self.until = now + AGAIN_SECONDS
                _raise(self.thread, ctypes.py_object(OutOfTime))

    def end(self) -> None:
        """The block is left: nothing is to be raised from here on."""
        with self.lock:
            self.over = True


class _Looking(threading.Thread):
    """Looks at the limits of this process, ten times a second while there are any."""

    def __init__(self) -> None:
        super().__init__(name="cpu-time", daemon=True)
        self.pid = os.getpid()
        self.limits: list[_Limit] = []

    def run(self) -> None:
        """Look, for ever."""
        while True:
            time.sleep(LOOK_SECONDS)
            for limit in list(self.limits):
                limit.look()
                if limit.over:
                    self.limits.remove(limit)


_starting = threading.Lock()
_current: _Looking | None = None


def _looking() -> _Looking:
    """This process's thread, started on first use: a thread does not survive a fork."""
    global _current
    with _starting:
        if _current is None or _current.pid != os.getpid():
            _current = _Looking()
            _current.start()
        return _current
