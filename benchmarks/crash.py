"""Are answers lost when workers are killed and the broker forgets? ``python -m benchmarks.crash --broker URL``.

Submits ``--answers`` answers to a fresh installation, kills the workers with -9 three times in the middle of
them, empties the broker each time and starts again, a sweeper beside the workers. Prints how many
finished, how long that took and what was doubled. Exits with 1 unless every answer finished once.

``--broker redis://…`` empties that database: give one that nothing else uses.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from hallu_site.management.commands.process import LANES

ROOT = Path(__file__).resolve().parent.parent
KILLS = 3


def set_up(broker: str, var: Path) -> None:
    """Make a fresh installation in ``var`` and load Django on it."""
    os.environ |= {
        "HALLU_VAR": str(var),
        "DATABASE_URL": f"sqlite:///{var}/hallu.sqlite3",
        "CELERY_BROKER_URL": broker,
        "DJANGO_SETTINGS_MODULE": "hallu_site.settings",
        "HALLU_LOG_LEVEL": "ERROR",
        "PYTHONWARNINGS": "ignore",  # Celery's remark on running as root
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def submit(count: int) -> float:
    """Submit ``count`` answers; the slowest submission in milliseconds."""
    from reviews.lifecycle.intake import Submission, submit

    source = {"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89; occupancy was 95.2%."}
    slowest = 0.0
    for number in range(count):
        text = f"NOI was ${number + 1},234,567 in Q3 2024 [S0]. Occupancy was 95.2% [S0]. Rents will rise."
        began = time.perf_counter()
        submit(Submission(answer=text, sources=[source]))
        slowest = max(slowest, time.perf_counter() - began)
    return slowest * 1000


@contextmanager
def processes(*commands: Sequence[str]) -> Iterator[None]:
    """Run commands, each in a session of its own, and ``kill -9`` them at the end."""
    started = [
        subprocess.Popen([sys.executable, *command], cwd=ROOT, start_new_session=True) for command in commands
    ]
    try:
        yield
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def started() -> list[list[str]]:
    """The workers of all lanes, of two answers at a time, and a sweeper."""
    lanes = [["manage.py", "process", lane, "--concurrency", "2"] for lane in LANES]
    return [*lanes, ["manage.py", "process", "sweep"]]


def empty_broker() -> int:
    """Forget every message; how many there were."""
    from celery import current_app
    from kombu import Queue

    from reviews.lifecycle import publishing

    publishing.flush(10)
    if current_app.conf.broker_url.startswith("redis"):
        import redis

        client = redis.Redis.from_url(current_app.conf.broker_url)
        waiting = sum(int(client.llen(queue)) for queue in LANES)
        client.flushdb()
        return waiting
    with current_app.connection_for_write() as connection:
        queues = [Queue(lane)(connection.default_channel) for lane in LANES]
        for queue in queues:
            queue.declare()  # RabbitMQ empties none that was never there
        return sum(int(queue.purge() or 0) for queue in queues)


def finished() -> int:
    """Finished runs."""
    from detection.models import DetectionRun

    return DetectionRun.objects.filter(finished_at__isnull=False).count()


def wait_for(count: int, seconds: float) -> bool:
    """Wait until ``count`` runs are finished; False when that takes longer than ``seconds``."""
    end = time.monotonic() + seconds
    while finished() < count and time.monotonic() < end:
        time.sleep(0.05)
    return finished() >= count


def doubled() -> dict[str, int]:
    """What must be nought: runs without their full set of reports, answers with two live reviews."""
    from django.db.models import Count

    from detection.models import Answer, DetectionRun

    runs = DetectionRun.objects.annotate(there=Count("reports"))
    return {
        "runs with too few or too many reports": sum(run.there != len(run.due) for run in runs),
        "runs of one answer more than one": Answer.objects.annotate(n=Count("runs")).filter(n__gt=1).count(),
        "answers with two reviews": Answer.objects.annotate(n=Count("reviews")).filter(n__gt=1).count(),
        "attempts beyond one": sum(run.attempts > 1 for run in runs),
    }


def main() -> int:
    """Run the benchmark; 0 when every answer finished once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--broker", default="djangodb://localhost")
    parser.add_argument("--answers", type=int, default=200)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hallu-crash-") as var:
        set_up(chosen.broker, Path(var))
        empty_broker()
        return crash(chosen.broker, chosen.answers)


def crash(broker: str, count: int) -> int:
    """Submit, kill, forget, start again, count."""
    print(f"{count} answers on {broker}; slowest submission {submit(count):.0f} ms")
    for number in range(1, KILLS + 1):
        with processes(*started()):
            wait_for(number * count // (KILLS + 3), 90)
        print(f"kill -9 number {number}: {finished()} finished, {empty_broker()} messages forgotten")
    began = time.monotonic()
    with processes(*started()):
        all_there = wait_for(count, 180)
    wrong = doubled()
    print(f"{finished()} of {count} finished, {time.monotonic() - began:.1f} s after the last start")
    for what, number in wrong.items():
        print(f"{what}: {number}")
    wrong.pop("attempts beyond one")
    return 0 if all_there and not any(wrong.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
