"""Calls made side by side, in threads, with one deadline for all of them."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from detection.core.ports import VerifierTimeout
from detection.core.threads import carried

Result = TypeVar("Result")


def side_by_side(
    calls: Sequence[Callable[[], Result]],
    *,
    limit: int,
    seconds: float,
    permit: AbstractContextManager[object] | None = None,
) -> list[Result | Exception]:
    """What each call returned or raised, in order; :class:`VerifierTimeout` for those without a result after
    ``seconds``.

    At most ``limit`` run at once, and where a ``permit`` is given only as many as it lets in. A call that runs
    past the deadline is left to end by itself; one that has not begun by then never begins.
    """
    batch = _Batch(calls, permit or nullcontext())
    work = carried(batch.work)
    for _ in range(min(limit, len(calls))):
        threading.Thread(target=work, daemon=True).start()
    return batch.results(seconds)


class _Batch(Generic[Result]):
    """Calls, and what became of them so far."""

    def __init__(self, calls: Sequence[Callable[[], Result]], permit: AbstractContextManager[object]) -> None:
        self._calls = calls
        self._permit = permit
        self._waiting: SimpleQueue[int] = SimpleQueue()
        self._done: dict[int, Result | Exception] = {}
        self._changed = threading.Condition()
        self._over = False
        for position in range(len(calls)):
            self._waiting.put(position)

    def work(self) -> None:
        """Make calls until none waits or the time is over."""
        while True:
            try:
                position = self._waiting.get_nowait()
            except Empty:
                return
            with self._permit:
                if self._over:
                    return
                outcome = self._outcome(position)
            with self._changed:
                self._done[position] = outcome
                self._changed.notify()

    def _outcome(self, position: int) -> Result | Exception:
        try:
            return self._calls[position]()
        except Exception as failure:  # noqa: BLE001 — carried over to the waiting thread
            return failure

    def results(self, seconds: float) -> list[Result | Exception]:
        """Wait for all calls, at most ``seconds``."""
        until = time.monotonic() + seconds
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._done) == len(self._calls), timeout=until - time.monotonic()
            )
            self._over = True
            late = VerifierTimeout(f"No answer within {seconds:g} seconds.")
            return [self._done.get(position, late) for position in range(len(self._calls))]
