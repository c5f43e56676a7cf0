"""What does a scrape of ``/metrics`` cost, and the question whether the verifier is overloaded?

    python -m benchmarks.metrics_scrape [--runs 100000] [--waiting 10000] [--database URL]

Fills a database of its own (a SQLite file, or on the PostgreSQL server at ``--database``) with finished runs of five
claims and five reports each, prints the clock's milliseconds, and removes it again.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

BATCH = 1000
RESULT = {"claims": [{"text": "x" * 100} for _ in range(60)]}
STATUSES = ("supported", "unsupported", "contradicted")
DETECTORS = ("numeric", "citation", "grounding", "strawberry", "judge")


def fill(count: int, *, finished: bool) -> None:
    """Add runs, the youngest finished ten seconds ago, each ten seconds after the one before; or waiting ones."""
    from django.utils import timezone

    from detection.models import Answer, DetectionRun, Query, ThresholdProfile

    query, profile, now = Query.objects.create(), ThresholdProfile.active(), timezone.now()
    for start in range(0, count, BATCH):
        answers = [
            Answer(query=query, text="NOI was $1.", language="en") for _ in range(min(BATCH, count - start))
        ]
        ends = [now - timedelta(seconds=10 * (count - start - n)) for n in range(len(answers))]
        made = [
            DetectionRun(
                answer=answer,
                profile=profile,
                read_at=now,
                due=["strawberry"],
                finished_at=end if finished else None,
                risk_level="low" if finished else "",
                result=RESULT if finished else None,
            )
            for answer, end in zip(Answer.objects.bulk_create(answers), ends, strict=True)
        ]
        stored = DetectionRun.objects.bulk_create(made)
        if finished:
            add_findings(stored)


def add_findings(runs: list[Any]) -> None:
    """Five claims and five reports for each run."""
    from detection.models import Claim, DetectorReport

    chance = random.Random(1)
    Claim.objects.bulk_create(
        Claim(
            run=run,
            index=n,
            kind="statement",
            text="x",
            start=0,
            end=1,
            sentence=0,
            status=chance.choice(STATUSES),
        )
        for run in runs
        for n in range(5)
    )
    DetectorReport.objects.bulk_create(
        DetectorReport(run=run, detector=name, status="ok", duration_ms=chance.uniform(0, 100)) for run in runs for name in DETECTORS
    )  # fmt: skip


def took(what: str, act: Callable[[], Any], times: int = 1) -> None:
    """Print the median of so many calls."""
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        spent.append((time.perf_counter() - started) * 1000)
    print(f"| {what} | {statistics.median(spent):,.1f} |")


def scrape() -> None:
    """Read the metrics once."""
    from django.test import Client

    if Client(headers={"host": "localhost"}).get("/metrics").status_code != 200:
        raise SystemExit("The metrics could not be read.")


def main() -> None:
    """Fill, then measure before and after the sweep has kept the totals, and under a backlog."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--waiting", type=int, default=10_000)
    parser.add_argument("--database", help="URL of a PostgreSQL server; a temporary SQLite file without it")
    options = parser.parse_args()
    os.environ.update(HALLU_VAR=tempfile.mkdtemp(prefix="hallu-metrics-"), HALLU_TEST="1")
    os.environ["DJANGO_SETTINGS_MODULE"] = "hallu_site.settings"
    os.environ.pop("DATABASE_URL", None)
    if options.database:
        os.environ["DATABASE_URL"] = options.database
    import django

    django.setup()
    from django.test.utils import setup_databases, teardown_databases

    made = setup_databases(verbosity=0, interactive=False)
    try:
        fill(options.runs, finished=True)
        measure(options.runs, options.waiting)
    finally:
        teardown_databases(made, verbosity=0)


def measure(runs: int, waiting: int) -> None:
    """Print the table."""
    from django.test import Client
    from django.utils import timezone

    from detection.models import DetectionRun
    from detection.observing import totals
    from detection.operations import overload

    Client(headers={"host": "localhost"}).get("/healthz")  # the first request loads the site
    print(f"| {runs:,} finished runs | ms |\n|---|---|")
    took("scrape before any totals are kept", scrape)
    took("first totals, by the sweep", lambda: totals.keep_up(timezone.now()))
    took("scrape", scrape, times=11)
    took("totals a minute later", lambda: totals.keep_up(timezone.now() + timedelta(minutes=2)))
    fill(waiting, finished=False)
    took(f"scrape while {waiting:,} wait", scrape, times=11)
    one = DetectionRun.objects.filter(finished_at=None).first()
    took(f"is the verifier overloaded, while {waiting:,} wait", lambda: overload.leaves_out(one), times=11)  # type: ignore[arg-type]  # there is one


if __name__ == "__main__":
    main()
