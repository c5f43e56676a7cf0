"""Passes the tests several times beside busy processes: ``python -m benchmarks.tests_under_load --runs 10 --load 20``.

Further arguments go to ``./test``, ``--pg`` among them. Ends with 1 when a run fails.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def load(processes: int) -> Iterator[None]:
    """So many processes that want a core each, all the time."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def main() -> int:
    """Run them and print how each run ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--load", type=int, default=20)
    given, rest = parser.parse_known_args()
    failed = 0
    with load(given.load):
        for number in range(1, given.runs + 1):
            began = time.monotonic()
            status = subprocess.run([ROOT / "test", "-q", *rest], cwd=ROOT).returncode
            failed += status != 0
            seconds = time.monotonic() - began
            print(f"run {number} of {given.runs}: exit status {status}, {seconds:.0f} s", flush=True)
    print(f"{given.runs - failed} of {given.runs} runs passed beside {given.load} busy processes")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
