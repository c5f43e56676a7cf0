"""Ends a worker process in which a task hangs, since a thread cannot be ended by itself.

The prefork pool has Celery's time limits; the threads pool of the embedded default has none. There the
detectors keep their own deadlines, and this is the last resort: a task that runs past its hard limit is
logged and the process ends at once. The supervisor starts a fresh one, the run's lease expires, the sweep
publishes again, and after ``RUN_ATTEMPTS`` attempts the run needs attention (``worker_crashed``). Until then
the lane's other threads go on working.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from celery.signals import task_postrun, task_prerun

logger = logging.getLogger(__name__)

EXIT_CODE = 70  # "internal software error" of sysexits.h


class Watchdog(threading.Thread):
    """Watches the tasks of this process against ``limits``, seconds by task name."""

    def __init__(
        self,
        limits: dict[str, int],
        *,
        leave: Callable[[int], None] = os._exit,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.limits, self.leave, self.clock = limits, leave, clock
        self.running: dict[str, tuple[str, float]] = {}
        self.stopped = threading.Event()

    def begun(self, task_id: str, sender: Any, **_: Any) -> None:
        """A task starts in one of the pool's threads."""
        if sender.name in self.limits:
            self.running[task_id] = (sender.name, self.clock())

    def ended(self, task_id: str, **_: Any) -> None:
        """A task ended, well or not."""
        self.running.pop(task_id, None)

    def hanging(self) -> list[str]:
        """The tasks past their limit, each as ``name[id]``."""
        now = self.clock()
        return [
            f"{name}[{task}]"
            for task, (name, begun) in list(self.running.items())
            if now - begun > self.limits[name]
        ]

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
