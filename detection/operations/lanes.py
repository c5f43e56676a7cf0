"""Threads that do for others what these must not wait for."""

import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from django.db import connections

log = logging.getLogger(__name__)

IDLE = 1.0
"""Seconds that a connection is held for the next job."""

Result = TypeVar("Result")
Job = tuple[Callable[[], Any], "Future[Any]"]


class Lane:
    """One thread that does jobs one after the other, and closes its connection when none has come for
    :data:`IDLE`. It is started with the first job, and anew in a process that was forked."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._pid = 0
        self._silent = False
        self._jobs: SimpleQueue[Job] = SimpleQueue()

    @property
    def started(self) -> bool:
        """Whether this process has given it a job."""
        return self._pid == os.getpid()

    def submit(self, job: Callable[[], Result]) -> "Future[Result]":
        """Do a job after those before it, unless it is cancelled before its turn."""
        done: Future[Result] = Future()
        with self._lock:
            if not self.started:
                self._jobs, self._pid = SimpleQueue(), os.getpid()
                threading.Thread(target=self._work, args=(self._jobs,), name=self._name, daemon=True).start()
        self._jobs.put((job, done))
        return done

    def _work(self, jobs: "SimpleQueue[Job]") -> None:
        while True:
            try:
                job, done = jobs.get(timeout=IDLE)
            except Empty:
                connections.close_all()
                job, done = jobs.get()
            if done.set_running_or_notify_cancel():
                self._do(job, done)

    def _do(self, job: Callable[[], Any], done: "Future[Any]") -> None:
        try:
            done.set_result(job())
            self._silent = False
        except Exception as error:  # noqa: BLE001 — carried over to whoever waits, and logged
            connections.close_all()
            self._report(error)
            done.set_exception(error)

    def _report(self, error: Exception) -> None:
        """Log the first of the failures in a row."""
        if not self._silent:
            log.warning("lane_failed lane=%s error=%s: %s", self._name, type(error).__name__, error)
        self._silent = True
