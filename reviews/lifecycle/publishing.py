"""Lets a worker know of a pending run, strict answer or request. The only module that publishes to the broker.

The row is the truth and the message at most a hint, so a request never waits for the broker: the
commit hands the row to one background thread of the process. What the thread cannot deliver (broker away,
frozen, too many waiting, process gone) it drops, and the sweep publishes again. A request whose caller waits
meanwhile ends there: they would wait in vain.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Any

from celery import Celery, current_app
from django.conf import settings
from django.db import Error, connections, transaction

from detection import logs
from detection.models import DetectionRequest, DetectionRun, StrictAnswer
from detection.models.runs import FAST
from detection.operations.lanes import IDLE
from detection.operations.optional import BROKER

logger = logging.getLogger(__name__)

WAITING = 1000
FLUSH_SECONDS = 1.0
REQUEST = "request_id"
"""The message header that carries the id of the request a run is done for."""

TASKS = {
    "fast": ("reviews.screen", "fast"),
    "verify": ("reviews.verify", "verify"),
    "large": ("reviews.judge_large", "large"),
    "strict": ("reviews.answer_strictly", "verify"),
    "history": ("reviews.settle_demo", "verify"),
    "detect": ("reviews.detect", "detect"),
    "detect_verify": ("reviews.detect", "detect_verify"),
}
"""What a message is about → the task and the queue its worker reads."""
AWAITED = ("detect", "detect_verify")
"""Those whose caller waits for them and for nothing else: their queues stand beside those of answers, so that no backlog is before them."""

ONCE = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
BOUNDED = {
    "redis": ONCE | {"socket_timeout": 0.3, "socket_connect_timeout": 0.3, "retry_on_timeout": False},
    "amqp": ONCE | {"read_timeout": 0.3, "write_timeout": 0.3},
}
"""Bounds on one publication, by the beginning of the broker's address. By default one that Redis refuses takes 0.6 s, one that
RabbitMQ refuses 2 s, and a frozen one never ends."""


def options() -> dict[str, Any]:
    """Transport options for a connection that must not make its caller wait."""
    url = settings.CELERY_BROKER_URL
    return next((bounds for kind, bounds in BOUNDED.items() if url.startswith(kind)), {})


def lane(missing: Iterable[str], *, large: bool = False) -> str:
    """The queue for a run with these reports missing: ``verify`` when only slow detectors are, ``large`` for all of a large
    answer."""
    if large:
        return "large"
    waiting = list(missing)
    return "verify" if waiting and not set(waiting) & set(FAST) else "fast"


def publish(run: DetectionRun, missing: Sequence[str] | None = None) -> None:
    """Once the transaction commits, let a worker know of ``run``. Never fails, never waits. ``missing``: its reports that
    are, where the caller knows."""
    request = logs.request_id()

    def hand_over() -> None:
        wanting = run.missing() if missing is None else missing
        _publisher().hand_over(run.pk, lane(wanting, large=run.large), request)

    transaction.on_commit(hand_over, robust=True)


def publish_strict(row: StrictAnswer) -> None:
    """Once the transaction commits, let a worker know of a pending strict answer. Never fails, never waits."""
    request = logs.request_id()
    transaction.on_commit(lambda: _publisher().hand_over(str(row.pk), "strict", request), robust=True)


def publish_history() -> None:
    """Once the transaction commits, let a worker go on with the history of the demo. Never fails, never waits."""
    transaction.on_commit(lambda: _publisher().hand_over("demo", "history"), robust=True)


def publish_request(row: DetectionRequest, *, asks_a_network: bool) -> None:
    """Once the transaction commits, let a worker know of a request; where none can be told, the request ends. Never waits."""
    request, lane = logs.request_id(), AWAITED[asks_a_network]
    transaction.on_commit(lambda: _publisher().hand_over(str(row.pk), lane, request), robust=True)


class Publisher(threading.Thread):
    """Publishes in the background; one for each process."""

    def __init__(self, app: Celery) -> None:
        super().__init__(name="publisher", daemon=True)
        self.app = app
        self.pid = os.getpid()
        self.waiting: Queue[tuple[int | str, str, str]] = Queue(WAITING)
        self.connection: Any = None
        self.silent = False

    def hand_over(self, pk: int | str, lane: str, request: str = "") -> None:
        """Take one row over for publication; drop it when too many wait."""
        try:
            self.waiting.put_nowait((pk, lane, request))
        except Full:
            self._dropped("too many messages wait", pk, lane)

    def run(self) -> None:
        """Publish what is handed over, for ever."""
        while True:
            pk, lane, request = self._next()
            try:
                if BROKER.ask(lambda: self.publish(pk, lane, request), otherwise=False):  # noqa: B023 — called at once
                    self.silent = False
                else:
                    self._disconnect()
                    self._dropped(f"the broker is away: {BROKER.reason}", pk, lane)
            except Exception as error:  # noqa: BLE001 - whatever the broker's client raises, the row is safe
                self._disconnect()
                self._dropped(f"{type(error).__name__}: {error}", pk, lane)
            finally:
                self.waiting.task_done()

    def _next(self) -> tuple[int | str, str, str]:
        """What is to be published next; no connection to the database is held while nothing comes."""
        try:
            return self.waiting.get(timeout=IDLE)
        except Empty:
            connections.close_all()
            return self.waiting.get()

    def publish(self, pk: int | str, lane: str, request: str = "") -> bool:
        """Send one message, with the id of the request that it is for; True, or raises what the broker's client raises."""
        if self.connection is None:
            self.connection = self.app.connection_for_write(transport_options=options(), connect_timeout=0.3)
        task, queue = TASKS[lane]
        headers = {REQUEST: request} if request else None
        self.app.send_task(
            task, args=[pk], queue=queue, connection=self.connection, retry=False, headers=headers
        )
        return True

    def _disconnect(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            with suppress(Exception):
                connection.release()

    def _dropped(self, reason: str, pk: int | str, lane: str) -> None:
        if not self.silent:
            logger.warning("doorbell_dropped %s; the sweep publishes again", reason)
        self.silent = True
        if lane in AWAITED:
            with suppress(Error):  # then the caller waits until its deadline
                DetectionRequest.end(pk, DetectionRequest.Outcome.UNTOLD)

    def flush(self, seconds: float) -> None:
        """Wait until everything handed over is published, at most ``seconds``."""
        end = time.monotonic() + seconds
        while self.waiting.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.01)


_lock = threading.Lock()
_current: Publisher | None = None


def _publisher() -> Publisher:
    """This process's publisher, started on first use: a thread does not survive a fork."""
    global _current
    with _lock:
        if _current is None or _current.pid != os.getpid():
            _current = Publisher(current_app)
            _current.start()
        return _current


@atexit.register
def flush(seconds: float = FLUSH_SECONDS) -> None:
    """Give the last messages of a short command time to be published."""
    if _current is not None and _current.pid == os.getpid():
        _current.flush(seconds)
