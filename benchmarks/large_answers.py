"""Do large answers finish inside a worker's limits? (R7; python -m benchmarks.large_answers [NAME …] [--again])

An answer is stored and screened as a worker does it, on a test database of its own in SQLite: claims read, numbers,
citations and words measured, decided, stored. Printed for each step: clock, CPU time, queries, and the memory that the
process has needed at most until then. Each answer has a process of its own. ``--again`` screens a second one with
the same sources after it.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.hostile_text import ordinary

SHORT, LONG = 600, 1_000_000  # characters of an answer
ANSWERS = {
    "1 source": (SHORT, 1, 1_000),
    "10 sources": (SHORT, 10, 1_000),
    "100 sources": (SHORT, 100, 1_000),
    "1,000 sources": (SHORT, 1_000, 1_000),
    "10,000 sources": (SHORT, 10_000, 1_000),
    "1 MB": (LONG, 10, 1_000),
    "1 MB, 10,000 sources": (LONG, 10_000, 1_000),
}
"""Characters of the answer, how many sources, characters of each."""
TABLE = (
    "| USD thousand | Q3 2024 | Q2 2024 |\n|---|---|---|\n| Net operating income {n} | 1,{n:03} | 1,174 |\n"
)


def submitted(length: int, sources: int, size: int) -> Any:
    """An answer as it is submitted, with sources half of which have a table."""
    from reviews.lifecycle.intake import Submission

    drawn = random.Random(7)
    chunks = [
        TABLE.format(n=n) * (n % 2) + ordinary(size - (n % 2) * 110, drawn) + f"\nChunk {n}."
        for n in range(sources)
    ]
    return Submission(
        answer=ordinary(length, drawn),
        sources=[{"id": f"S{n}", "text": chunk, "title": f"Report {n}"} for n, chunk in enumerate(chunks)],
        detectors=["numeric", "citation", "grounding"],
    )


class Steps:
    """Prints what each step takes."""

    def __init__(self) -> None:
        self.queries = 0

    def counted(self, execute: Any, *query: Any) -> Any:
        """Count a query and run it."""
        self.queries += 1
        return execute(*query)

    def take(self, name: str, step: Callable[[], Any]) -> Any:
        """Do a step and print its line."""
        clock, cpu, before = time.perf_counter(), time.process_time(), self.queries
        outcome = step()
        spent = time.perf_counter() - clock, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"  {name:<22}{spent[0]:>9.2f} s{spent[1]:>9.2f} s CPU{self.queries - before:>7} queries{peak:>8.0f} MB",
            flush=True,
        )
        return outcome


def screened(steps: Steps, submission: Any) -> None:
    """One answer from its submission to its result."""
    from detection import runs
    from detection.models import DetectionRun
    from reviews.lifecycle import intake

    run = steps.take("stored", lambda: intake.submit(submission))
    run = DetectionRun.take(run.pk, seconds=30, limit=1)
    assert run is not None  # nobody else is here
    steps.take("claims read", lambda: runs.read(run))
    for name in run.due:
        prepared = steps.take(name, lambda: runs.screen(run, [name]))  # noqa: B023 - called at once
    steps.take("concluded", lambda: intake.conclude(run, prepared))
    run.refresh_from_db()
    numbers = Counter(claim.finding for claim in run.claims.exclude(kind="statement"))
    print(f"  {run.state}, {run.claims.count():,} claims, numbers: {dict(numbers.most_common())}")


def alone(name: str, *, again: bool) -> None:
    """Measure one answer in this process."""
    os.environ.update(HALLU_VAR=tempfile.mkdtemp(prefix="hallu-large-"), HALLU_LOG_LEVEL="ERROR")
    os.environ["DJANGO_SETTINGS_MODULE"] = "hallu_site.settings"
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    from detection.core import warming

    made = setup_databases(verbosity=0, interactive=False)
    warming.warm()
    steps = Steps()
    try:
        with connection.execute_wrapper(steps.counted):
            for _ in range(1 + again):
                screened(steps, submitted(*ANSWERS[name]))
    finally:
        teardown_databases(made, verbosity=0)


def main() -> None:
    """Measure the answers that are named, or all."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ANSWERS))
    options.add_argument("--again", action="store_true")
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    for name in chosen.names or ANSWERS:
        if chosen.here:
            alone(name, again=chosen.again)
            continue
        print(f"\n{name}", flush=True)
        command = [sys.executable, "-m", "benchmarks.large_answers", name, "--here"]
        subprocess.run([*command, "--again"] if chosen.again else command, check=True)


if __name__ == "__main__":
    main()
