"""Ends a worker process in which a task hangs, since a thread that waits for ever cannot be ended by itself.

The prefork pool has Celery's time limits; the threads pool of the embedded default has none. There the
detectors keep their own deadlines, one that computes for too long is ended alone (:mod:`detection.operations.cpu_time`), and
this is the last resort: a task that has used no CPU time for its limit is logged and the process ends at once. A task that
goes on, however slowly on a busy machine, is left alone. The supervisor starts a fresh one, the run's lease expires, the sweep
publishes again, and after ``RUN_ATTEMPTS`` attempts the run needs attention (``worker_crashed``). Until then
the lane's other threads go on working.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from celery.signals import task_postrun, task_prerun

from detection.operations.cpu_time import clock_of

logger = logging.getLogger(__name__)

EXIT_CODE = 70  # "internal software error" of sysexits.h


@dataclass(slots=True)
class _Task:
    """A task at work: the CPU time of its thread, what that was when it was last seen to go on, and when that was."""

    name: str
    used: Callable[[], float]
    seen: float
    since: float


class Watchdog(threading.Thread):
    """Watches the tasks of this process against ``limits``, seconds by task name."""

    def __init__(
        self,
        limits: dict[str, int],
        *,
        leave: Callable[[int], None] = os._exit,
        clock: Callable[[], float] = time.monotonic,
        used_by: Callable[[int], Callable[[], float]] = clock_of,
    ) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.limits, self.leave, self.clock, self.used_by = limits, leave, clock, used_by
        self.running: dict[str, _Task] = {}
        self.stopped = threading.Event()

    def begun(self, task_id: str, sender: Any, **_: Any) -> None:
        """A task starts in one of the pool's threads."""
        if sender.name in self.limits:
            used = self.used_by(threading.get_ident())
            self.running[task_id] = _Task(sender.name, used, used(), self.clock())

    def ended(self, task_id: str, **_: Any) -> None:
        """A task ended, well or not."""
        self.running.pop(task_id, None)

    def hanging(self) -> list[str]:
        """The tasks that have used no CPU time for longer than their limit, each as ``name[id]``."""
        return [f"{task.name}[{key}]" for key, task in list(self.running.items()) if self._idle(task)]

    def _idle(self, task: _Task) -> bool:
        used, now = task.used(), self.clock()
        if used > task.seen:
            task.seen, task.since = used, now
        return now - task.since > self.limits[task.name]

    def look(self) -> None:
        """End the process if a task hangs."""
        if hanging := self.hanging():
            logger.critical("task_hangs %s: this worker ends, its work is taken up again", ", ".join(hanging))
            self.leave(EXIT_CODE)

    def run(self) -> None:
        """Look once a second until told to stop."""
        while not self.stopped.wait(1):
            self.look()


def start(limits: dict[str, int]) -> Watchdog:
    """Watch this process from now on."""
    watchdog = Watchdog(limits)
    task_prerun.connect(watchdog.begun, weak=False)
    task_postrun.connect(watchdog.ended, weak=False)
    watchdog.start()
    return watchdog
