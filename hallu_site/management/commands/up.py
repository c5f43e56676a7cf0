"""``manage.py up``: web, workers and sweeper of one machine, as child processes.

A worker process for each lane: in one process a verify lane full of slow verifiers would hold every
thread and with them the fast lane, and Celery limits threads by process, not by queue. That costs about
85 MB each, and gives the lanes a processor each.
"""

import fcntl
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from detection.operations.checks import INSTALLATION
from hallu_site import supervisor
from hallu_site.management.commands.process import PROCESSES
from hallu_site.supervisor import HOST


def commands() -> dict[str, list[str]]:
    """What runs side by side, by name."""
    return {
        name: [sys.executable, str(settings.BASE_DIR / "manage.py"), "process", name] for name in PROCESSES
    }


class Command(BaseCommand):
    """Runs until Ctrl-C or TERM, and leaves nothing running."""

    help = "Start web, workers and sweeper, and start again what dies."
    requires_system_checks = (INSTALLATION,)

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse to start twice, then become the supervisor, which holds the lock for as long as it lives."""
        port = settings.HALLU_PORT
        lock = _only_one(settings.HALLU_VAR / "up.lock")
        refuse_taken_port(port)
        os.set_inheritable(lock.fileno(), True)
        program = [sys.executable, "-I", supervisor.__file__, str(port), json.dumps(commands())]
        os.execv(sys.executable, program)  # noqa: S606 - the own interpreter


def refuse_taken_port(port: int) -> None:
    """Raise :class:`CommandError` when the port is taken, naming the way to another."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} cannot be used ({error.strerror}). Perhaps Hallu runs already; "
                f"for another port: HALLU_PORT={port + 1} ./run"
            ) from None


def _only_one(path: Path) -> TextIO:
    """Hold the lock of this ``HALLU_VAR``; raises :class:`CommandError` when another start holds it."""
    lock = path.open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise CommandError(
            f"Hallu already runs on {path.parent}. Stop it, or set HALLU_VAR and HALLU_PORT for a second one."
        ) from None
    return lock
