"""Real worker and sweeper processes on the database and broker of the tests."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

from hallu_site.management.commands.process import LANES
from tests.waiting import GIVEN_UP_AFTER

LEASE_SECONDS, SWEEP_SECONDS = 2, 1


def database_url() -> str:
    """The URL of the database of this test run."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return str(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}").geturl())


def environment(**more: str) -> dict[str, str]:
    """The variables of a child: the same database and broker, short leases."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
        "HALLU_TEST": "1",
        "HALLU_VAR": str(settings.HALLU_VAR),
        "DATABASE_URL": database_url(),
        "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
        "HALLU_RUN_LEASE_SECONDS": str(LEASE_SECONDS),
        "HALLU_SWEEP_SECONDS": str(SWEEP_SECONDS),
        "PYTHONUNBUFFERED": "1",
        **more,
    }


class Process:
    """``manage.py`` with a command in a session of its own, its output in ``log``."""

    def __init__(self, command: list[str], log: Path, **more: str) -> None:
        self.log = log
        with log.open("a") as output:
            self.child = subprocess.Popen(
                [sys.executable, "manage.py", *command],
                stdout=output,
                stderr=output,
                cwd=settings.BASE_DIR,
                env=environment(**more),
                start_new_session=True,
            )

    def kill(self) -> None:
        """``kill -9`` the process and all its children at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


def worker(log: Path, *lanes: str, pool: str = "threads", **more: str) -> Process:
    """A worker of two threads or children, of all lanes where none is named."""
    named = lanes or tuple(LANES)
    return Process(["process", *named, "--concurrency", "2"], log, HALLU_WORKER_POOL=pool, **more)


def sweeper(log: Path, **more: str) -> Process:
    """A sweeper."""
    return Process(["process", "sweep"], log, **more)


@contextmanager
def running(*processes: Process) -> Iterator[None]:
    """Kill the processes at the end, whatever happened."""
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def wait_until(true: Callable[[], bool], *logs: Path, seconds: float = GIVEN_UP_AFTER) -> None:
    """Wait for a condition; when it does not come true, fail and show the end of the logs."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            tails = "\n".join(f"--- {log.name}\n{log.read_text()[-4000:]}" for log in logs)
            raise AssertionError(f"not true after {seconds} s\n{tails}")
        time.sleep(0.1)
