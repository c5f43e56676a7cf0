"""What monitoring costs over many answers: the sums of a year, the API's answer, the page.

    python -m benchmarks.monitoring [--runs 100000] [--calls 20]

Makes a database of its own (that of ``DATABASE_URL`` under a test name, else a file in a temporary folder),
fills it with finished runs spread over a year, three properties, two models and three languages, and prints
milliseconds: median and largest of ``--calls`` calls each.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from typing import Any

from benchmarks.own_database import own_database

YEAR = (date(2024, 1, 1), date(2024, 12, 31))


def fill(runs: int) -> None:
    """Finished runs of one answer each; only what monitoring reads varies."""
    from django.utils import timezone

    from detection.models import Answer, DetectionRun, MonitoredRun, Property, Query, ThresholdProfile

    random, profile = Random(7), ThresholdProfile.active()
    about = [Property.objects.create(code=code, name=code) for code in ("OAK", "ELM", "FIR")]
    query = Query.objects.create()
    for begin in range(0, runs, 5000):
        size = min(5000, runs - begin)
        answers = Answer.objects.bulk_create(
            [Answer(query=query, property=about[n % 3]) for n in range(size)]
        )
        done = DetectionRun.objects.bulk_create(
            [DetectionRun(answer=a, profile=profile, finished_at=timezone.now(), result={}) for a in answers]
        )
        MonitoredRun.objects.bulk_create([_kept(MonitoredRun, run, random) for run in done])


def _kept(row: Any, run: Any, random: Random) -> Any:
    risk, cites = random.random(), random.random() < 0.8
    counts = {
        "cited": 3,
        "cited_invalid": random.randint(0, 1),
        "claims": 5,
        "claims_uncited": random.randint(0, 2),
    }
    return row(
        run=run,
        finished_on=YEAR[0] + timedelta(days=random.randrange(366)),
        property=run.answer.property,
        model=random.choice(("writer-1", "writer-2")),
        language=random.choice(("en", "he", "zh")),
        risk_score=risk,
        high_risk=risk > 0.6,
        **(counts if cites else {}),
    )


def timed(what: str, call: Callable[[], object], calls: int) -> None:
    """Print the median and the largest of ``calls`` calls."""
    taken = []
    for _ in range(calls):
        began = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began) * 1000)
    print(f"{what:<34}{statistics.median(taken):>8.1f} ms{max(taken):>8.1f} ms")


def measure(calls: int) -> None:
    """The sums alone, narrowed ones, the API's answer and the page."""
    from django.contrib.auth.models import Group, User
    from django.test import Client

    from detection.models import ApiKey, MonitoredRun
    from detection.observing import monitoring

    every = MonitoredRun.objects.all()
    weeks = (date(2024, 10, 9), YEAR[1])
    timed("sums of a year", lambda: monitoring.by_day(every, *YEAR), calls)
    timed("sums of twelve weeks", lambda: monitoring.by_day(every, *weeks), calls)
    narrowed = every.filter(property__code="OAK", language="he", model="writer-1")
    timed("sums of a year, narrowed", lambda: monitoring.by_day(narrowed, *YEAR), calls)
    _, key = ApiKey.issue("measuring", ["read"], all_properties=True)
    asked = {"from": YEAR[0].isoformat(), "to": YEAR[1].isoformat()}
    headers = {"authorization": f"Bearer {key}"}
    timed(
        "GET /api/v1/monitoring/, a year",
        lambda: Client().get("/api/v1/monitoring/", asked, headers=headers),
        calls,
    )
    person = Client()
    vera = User.objects.create_user("vera")
    vera.groups.add(Group.objects.get_or_create(name="viewer")[0])
    person.force_login(vera)
    timed("page /monitoring/, a year", lambda: person.get("/monitoring/", asked), calls)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=20)
    given = parser.parse_args()
    with own_database() as vendor:
        fill(given.runs)
        print(f"{vendor}, {given.runs:,} runs{'':<9}{'median':>10}{'largest':>11}")
        measure(given.calls)


if __name__ == "__main__":
    main()
