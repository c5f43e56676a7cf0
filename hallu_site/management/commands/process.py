"""``manage.py process NAME``: the one place that says how each process of an installation is started.

docker-compose.yml, the systemd units, the supervisor of ``./run`` and the tests start exactly this.
"""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from hallu_site.metrics import folder

LANES = {"fast": 2, "verify": 4, "large": 1}
"""The lanes, each with how many answers its worker judges at a time."""
QUEUES = {"fast": ("fast", "detect"), "verify": ("verify", "detect_verify"), "large": ("large",)}
"""The queues that the worker of a lane reads in turn."""
PROCESSES = ("web", *LANES, "sweep")
THREADS = 4
"""Those of a web process that accept and read; as many more as callers may wait have nothing to do but that."""
GRACE_SECONDS = 8
"""How long a request that is being answered may take when its process is told to end: Docker kills after ten."""
LOGGED = '%(h)s %(t)s "%(m)s %(U)s %(H)s" %(s)s %(b)s %(M)s'
"""A line for a request, without its query string and referrer: what people searched for stands in both."""
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - for gunicorn's sign of life and for counts, which a slow disk would hold up


class Command(BaseCommand):
    """Becomes the process, so that it gets the signals itself. Needs the settings alone: the process loads the apps."""

    help = "Become the process of that name: web, the worker of a lane or of several lanes, or the sweeper."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which, how large, and where it listens."""
        parser.add_argument(
            "names", nargs="+", choices=PROCESSES, metavar="NAME", help=f"one of {', '.join(PROCESSES)}"
        )
        parser.add_argument(
            "--concurrency", type=int, help="processes of web, or answers that a worker judges at a time"
        )
        parser.add_argument("--host", help="the address where web listens (127.0.0.1), at HALLU_PORT")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise :class:`CommandError` for what cannot be one process; otherwise never return."""
        command = command_line(options["names"], options["concurrency"], options["host"])
        os.chdir(settings.BASE_DIR)
        if options["names"] == ["web"]:
            os.environ[folder.VARIABLE] = str(folder.emptied(_counting_places()))
        os.execv(command[0], command)  # noqa: S606 - the own interpreter


def command_line(names: list[str], concurrency: int | None = None, host: str | None = None) -> list[str]:
    """The command of one process. Raises :class:`CommandError` for several names that are not all of lanes, and for options
    that the process has not."""
    if len(names) > 1 and not LANES.keys() >= set(names):
        raise CommandError(f"Only {', '.join(LANES)} can be one process together.")
    if host is not None and names != ["web"]:
        raise CommandError("Only web listens: --host is its own.")
    if concurrency is not None and (concurrency < 1 or names == ["sweep"]):
        raise CommandError("--concurrency is 1 or more, of web and of workers.")
    if names == ["sweep"]:
        return [sys.executable, str(settings.BASE_DIR / "manage.py"), "sweep"]
    if names == ["web"]:
        return _web(concurrency or 1 + settings.PRODUCTION, host or "127.0.0.1")
    return _worker(names, concurrency or sum(LANES[name] for name in names))


def _web(processes: int, host: str) -> list[str]:
    told = ["--access-logfile", "-", "--access-logformat", LOGGED]
    return [
        *[sys.executable, "-m", "gunicorn", "hallu_site.wsgi", "--bind", f"{host}:{settings.HALLU_PORT}"],
        *["--worker-class", "hallu_site.liveness.Worker", "--workers", str(processes)],
        *["--logger-class", "hallu_site.access_log.OneLine"],
        *["--threads", str(THREADS + settings.HALLU_WAITERS), "--graceful-timeout", str(GRACE_SECONDS)],
        *(["--worker-tmp-dir", str(SHARED_MEMORY)] if SHARED_MEMORY.is_dir() else []),
        *(told if settings.PRODUCTION else ["--log-level", "warning"]),
    ]


def _counting_places() -> list[Path]:
    """Where the processes of web may count: in production no file of the product is to be written."""
    own = settings.HALLU_VAR / "requests" / str(settings.HALLU_PORT)
    shared = SHARED_MEMORY / f"hallu-{os.getuid()}-{settings.HALLU_PORT}"
    return [shared, own] if settings.PRODUCTION else [own]


def _worker(lanes: list[str], concurrency: int) -> list[str]:
    # With its process id: RabbitMQ refuses a second worker of the same name, so of the same lanes on one machine.
    name = f"{'-'.join(lanes)}-{os.getpid()}"
    return [
        *[sys.executable, "-m", "celery", "--quiet", "--app", "hallu_site", "worker"],
        *["--queues", ",".join(queue for lane in lanes for queue in QUEUES[lane])],
        *["--hostname", f"{name}@%h"],
        *["--pool", settings.WORKER_POOL, "--concurrency", str(concurrency), "--loglevel", "WARNING"],
        *["--without-gossip", "--without-mingle", "--without-heartbeat"],
    ]
