"""What does a message cost? ``python -m benchmarks.messages [--broker URL] [--pool POOL] [--tasks 3000] [--idle 40]``.

A worker as the product starts one, which serves one task at a time, does a task that does nothing but note when it began.
Prints the time from handing over to begun while nothing else waits (P6), then, with ``--tasks`` of them waiting, how many a
second it does and the CPU of its processes for each (P5): receiving, acknowledging late, new children, all of Celery's. Without ``--broker`` it is the embedded one over SQLite. Queues of a Redis are emptied: give it a database of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.installation import cpu_seconds
from benchmarks.queue_page import percentile

NAME = "benchmarks.nothing"
PAUSE = 0.3
"""Seconds between two messages while nothing waits."""
PATIENCE = 300.0


def noting(place: Path) -> Any:
    """The product's Celery with a task that appends to ``place``: its number and when it began."""
    from hallu_site.celery import app

    out = place.open("a", buffering=1, encoding="utf-8")

    @app.task(name=NAME)
    def nothing(number: int) -> None:
        out.write(json.dumps([number, time.time()]) + "\n")

    return app


def serve(place: Path, pool: str) -> None:
    """Be the worker."""
    import django

    django.setup()
    options = ["--pool", pool, "--concurrency", "1", "--queues", "fast", "--loglevel", "ERROR"]
    noting(place).worker_main(["worker", "--without-gossip", "--without-mingle", *options])


def noted(place: Path, least: int) -> list[list[float]]:
    """What the worker noted, once it noted ``least``. Raises :class:`TimeoutError`."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        lines = place.read_text(encoding="utf-8").splitlines()
        if len(lines) >= least:
            return [json.loads(line) for line in lines]
        time.sleep(0.02)
    raise TimeoutError(f"fewer than {least} tasks were done in {PATIENCE:.0f} s")


def idle(send: Callable[[int], None], place: Path, count: int) -> list[float]:
    """Milliseconds from before a message is sent until its task began; each after the one before it."""
    spent = []
    for number in range(1, count + 1):
        time.sleep(PAUSE)
        began = time.time()
        send(number)
        spent.append((noted(place, number + 1)[-1][1] - began) * 1000)
    return spent


def measure(place: Path, pool: str, tasks: int, idle_count: int) -> None:
    """Start the worker, then measure what waits for nothing and what waits in a row."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    app = noting(place)
    app.control.purge()

    def send(number: int) -> None:
        app.send_task(NAME, [number], queue="fast", retry=False)

    with working(place, pool):
        send(0)
        noted(place, 1)
        spent = idle(send, place, idle_count)
    print(
        f"| begun, idle | p50 {percentile(spent, 0.5):.1f} ms | p95 {percentile(spent, 0.95):.1f} ms | of {len(spent)} |"
    )
    for number in range(tasks):
        send(number)
    with working(place, pool) as worker:
        begun = len(noted(place, 1 + idle_count + tasks // 10))
        before = cpu_seconds(worker)
        rows = noted(place, 1 + idle_count + tasks)[begun:]
        cpu = cpu_seconds(worker) - before
    seconds = rows[-1][1] - rows[0][1]
    print(
        f"| in a row | {(len(rows) - 1) / seconds:.0f} a second | {cpu * 1000 / len(rows):.2f} ms CPU each | of {len(rows)} |"
    )


@contextmanager
def working(place: Path, pool: str) -> Iterator[int]:
    """A worker as long as the block lasts, by the id of its main process."""
    worker = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.messages", "--serve", str(place), "--pool", pool]
    )
    try:
        yield worker.pid
    finally:
        worker.terminate()
        worker.wait(30)


def main() -> None:
    """Measure in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--broker", help="URL of a Redis database of its own; the embedded broker without it")
    parser.add_argument("--pool", default="solo", choices=("solo", "threads", "prefork"))
    parser.add_argument("--tasks", type=int, default=3000)
    parser.add_argument("--idle", type=int, default=40)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ |= {
        "HALLU_TEST": "1",
        "DJANGO_SETTINGS_MODULE": "hallu_site.settings",
        "HALLU_LOG_LEVEL": "ERROR",
    }
    if options.serve:
        serve(options.serve, options.pool)
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HALLU_VAR"] = folder
        os.environ["CELERY_BROKER_URL"] = options.broker or "djangodb://localhost"
        place = Path(folder) / "noted"
        place.touch()
        measure(place, options.pool, options.tasks, options.idle)


if __name__ == "__main__":
    main()
