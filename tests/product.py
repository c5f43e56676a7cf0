"""The product as a user runs it: ``./run`` in a folder and on a port of its own."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import GIVEN_UP_AFTER

ROOT = Path(__file__).resolve().parent.parent
STARTS_WITHIN = GIVEN_UP_AFTER  # the demo included


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(var: Path, port: int) -> dict[str, str]:
    """A user's environment: none of the test run's variables, its own folder and port."""
    own = ("HALLU", "DJANGO_", "DATABASE_URL", "CELERY_", "CACHE_URL")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    return kept | {"HALLU_VAR": str(var), "HALLU_PORT": str(port)}


@contextmanager
def running(var: Path, port: int, **variables: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """``./run`` in a session of its own, with the file that its output goes to; ended with the block."""
    output = var.parent / f"{var.name}-{port}.txt"
    given = environment(var, port) | variables
    with output.open("wb") as log:
        product = subprocess.Popen(
            ["./run"], cwd=ROOT, env=given, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield product, output
    finally:
        if product.poll() is None:
            os.killpg(product.pid, signal.SIGTERM)
            product.wait(GIVEN_UP_AFTER)


def await_page(product: subprocess.Popen[bytes], port: int, output: Path) -> None:
    """Return once the site answers; fail with what was printed when the product ends or stays silent."""
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and product.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60)
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"./run did not come up:\n{output.read_text()[-3000:]}")
