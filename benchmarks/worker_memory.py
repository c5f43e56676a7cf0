"""Do workers grow? ``python -m benchmarks.worker_memory [--answers 10000] [--seconds 600] [--stores NAME]``.

Starts an installation as ``benchmarks.load`` does, submits answers over HTTP and, after every 500 that are judged, prints the
proportional set size of each lane's worker with its children: what the operator sees, with the children that were replaced
meanwhile (P10). Ends after ``--answers`` or, at the next 500, after ``--seconds``.
"""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.installation import Installation, below, megabytes, running, set_up, stores
from benchmarks.load import CONFIGURATIONS, Load, processes

STEP = 500
LANES = ("fast", "verify")


class Watched:
    """The workers' sizes in megabytes, by lane, after each step; how many processes each has had."""

    def __init__(self, there: Installation) -> None:
        self.there = there
        self.sizes: dict[str, list[float]] = {lane: [] for lane in LANES}
        self.had: dict[str, set[int]] = {lane: set() for lane in LANES}

    def look(self, answers: int) -> None:
        """Take the sizes and print them."""
        cells = []
        for lane in LANES:
            pid = self.there.pid(lane)
            if pid is None:
                raise SystemExit(f"The worker of the lane {lane} is gone.")
            self.had[lane] |= set(below(pid))
            self.sizes[lane].append(megabytes(pid))
            cells.append(f"{self.sizes[lane][-1]:.0f} MB, {len(self.had[lane])} processes so far")
        print(f"| {answers} | {' | '.join(cells)} |", flush=True)

    def sum_up(self) -> None:
        """Print how much larger each is at the end, and at most, than after the first step."""
        for lane, sizes in self.sizes.items():
            last, most = (size / sizes[0] * 100 - 100 for size in (sizes[-1], max(sizes)))
            print(f"{lane}: {last:+.0f} % at the end, {most:+.0f} % at most")


def measure(told: argparse.Namespace, folder: Path) -> None:
    """Submit step after step and look at the workers after each."""
    database, broker = CONFIGURATIONS[told.stores]
    with stores(database, broker, folder) as given:
        set_up(given, folder)
        from django.core.management import call_command

        from detection.models import ApiKey

        call_command("collectstatic", interactive=False, verbosity=0)
        key = ApiKey.issue("memory", ["submit", "read"])[1]
        with running(processes(told.workers), folder / "log") as there:
            load = Load(there, given.own, argparse.Namespace(answers=STEP, clients=4), key)
            watched, until = Watched(there), time.monotonic() + told.seconds
            print(f"| answers | {' | '.join(LANES)} |\n|---|---|---|")
            for answers in range(STEP, told.answers + 1, STEP):
                load.measured()
                watched.look(answers)
                if time.monotonic() > until:
                    break
            watched.sum_up()


def main() -> None:
    """Measure in a folder of its own."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # everything that was started ends first
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--workers", type=int, default=2, help="children of each lane")
    parser.add_argument("--stores", choices=CONFIGURATIONS, default="PostgreSQL, Redis")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hallu-memory-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # started by root, PostgreSQL runs as a user of its own and must reach its data
        measure(told, folder)


if __name__ == "__main__":
    main()
