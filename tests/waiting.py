"""Waiting for something to come true, however busy the machine is."""

import threading
import time
from collections.abc import Callable, Iterable

GIVEN_UP_AFTER = 600.0
"""Seconds after which what does not come true is taken for a fault: no machine is so busy."""


def until(true: Callable[[], object]) -> None:
    """Return when the condition holds; fail when it never does."""
    end = time.monotonic() + GIVEN_UP_AFTER
    while not true():
        assert time.monotonic() < end, f"not true after {GIVEN_UP_AFTER:g} s"
        time.sleep(0.01)


def ended(threads: Iterable[threading.Thread]) -> None:
    """Wait for threads that have nothing left to do."""
    for thread in threads:
        thread.join(GIVEN_UP_AFTER)
        assert not thread.is_alive()
