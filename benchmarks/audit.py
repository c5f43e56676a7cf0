"""What the histories cost when there are many: verifying them, and the pages of the audit log.

    python -m benchmarks.audit [--events 1000000] [--calls 20]

Makes a database of its own (that of ``DATABASE_URL`` under a test name, else a file in a temporary folder), fills it
with chained events of 20,000 reviews of 30 properties, and prints the time and the largest memory of ``verify_audit``,
the server time of each page (median, 95th percentile) for a superuser and for a senior who sees a third of the
properties, and the time and size of the export.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from benchmarks.own_database import analyze, own_database

REVIEWS, PROPERTIES, GROUPS = 20_000, 30, 3
ACTIONS = ("taken", "decided", "decided", "decided", "released", "resolved", "reopened", "snoozed", "woken")


def reviews() -> list[Any]:
    """Reviews of one answer each, on properties of three groups."""
    from django.utils import timezone

    from detection.models import Answer, DetectionRun, Property, PropertyGroup, Query, ThresholdProfile
    from reviews.models import HallucinationReview

    groups = [PropertyGroup.objects.create(name=f"group {n}") for n in range(GROUPS)]
    places = [Property.objects.create(code=f"P{n}", name=f"Property {n}") for n in range(PROPERTIES)]
    for n, place in enumerate(places):
        place.groups.add(groups[n % GROUPS])
    profile, query, now = ThresholdProfile.active(), Query.objects.create(), timezone.now()
    made: list[Any] = []
    for begin in range(0, REVIEWS, 5000):
        answers = Answer.objects.bulk_create(
            [
                Answer(query=query, property=places[(begin + n) % PROPERTIES], text="NOI was $1.")
                for n in range(5000)
            ]
        )
        runs = DetectionRun.objects.bulk_create(
            [DetectionRun(answer=a, profile=profile, finished_at=now, result={}) for a in answers]
        )
        made += HallucinationReview.objects.bulk_create(
            [
                HallucinationReview(
                    answer=run.answer, run=run, property=run.answer.property, profile=profile, priority=2,
                    created_at=now, due_at=now, selection_reason="flagged",
                )
                for run in runs
            ]
        )  # fmt: skip
    return made


def fill(events: int) -> None:
    """Chains as :meth:`Event.append` writes them, in the order of time over all reviews."""
    from django.contrib.auth.models import User

    from detection.models import EventBody
    from reviews.models import ReviewEvent

    random, rows = Random(7), reviews()
    people = [User.objects.create_user(f"person{n}") for n in range(20)]
    last: dict[int, tuple[int, str]] = {}
    begun = datetime.fromisoformat("2024-01-01T00:00:00+00:00")
    for begin in range(0, events, 10_000):
        batch = []
        for n in range(begin, min(begin + 10_000, events)):
            review = rows[n % REVIEWS]
            seq, previous = last.get(review.pk, (0, ""))
            action = random.choice(ACTIONS) if seq else "opened"
            if seq and n >= events - REVIEWS:  # so that every history ends as its row says
                action = "reopened"
            event = ReviewEvent(
                subject=review, seq=seq + 1, prev_hash=previous, actor=random.choice(people) if seq else None,
                action=action, request_id=f"{n:032x}", created_at=begun + timedelta(seconds=n * 60),
            )  # fmt: skip
            event.tell(
                EventBody(before={"verdict": "supported"}, after={"claim": n % 5, "verdict": "rejected"})
            )
            last[review.pk] = (event.seq, event.hash)
            batch.append(event)
        ReviewEvent.write(batch)


def timed(what: str, call: Callable[[], object], calls: int) -> None:
    """Print the median and the 95th percentile of ``calls`` calls."""
    taken = []
    for _ in range(calls):
        began = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began) * 1000)
    print(
        f"{what:<52}{statistics.median(taken):>9.1f}{sorted(taken)[int(len(taken) * 0.95) - 1]:>9.1f} ms",
        flush=True,
    )


def verified(events: int) -> None:
    """``verify_audit`` over all of it."""
    from django.core.management import call_command

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    call_command("verify_audit")
    taken = time.perf_counter() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"verify_audit: {taken:.1f} s, {events / taken:,.0f} events a second, {grown:.1f} MB more at most",
        flush=True,
    )


def measured(calls: int) -> None:
    """The pages, for who sees everything and for who sees a third."""
    from django.contrib.auth.models import Group, User
    from django.test import Client

    from detection.models import PropertyGroup

    admin = User.objects.create_superuser("ada")
    senior = User.objects.create_user("sofia")
    senior.groups.add(Group.objects.get_or_create(name="senior")[0])
    PropertyGroup.objects.get(name="group 0").members.add(senior)
    pages: dict[str, dict[str, str]] = {
        "newest": {},
        "in the middle": {"after": "2024-12-01T00:00:00+00:00~review~500000"},
        "one action": {"action": "resolved"},
        "an action that is rare": {"action": "voided"},
        "one person": {"who": "person7"},
        "a person who did nothing": {"who": "ada"},
        "one day": {"first": "2024-06-01", "last": "2024-06-01"},
        "one review": {"kind": "review", "subject": "1"},
    }
    for person in (admin, senior):
        browser = Client()
        browser.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        for name, params in pages.items():
            timed(f"/audit/ {name}, {person.username}", partial(browser.get, "/audit/", params), calls)
        began, size = time.perf_counter(), 0
        for part in browser.get("/audit/export/").streaming_content:  # type: ignore[attr-defined]  # it streams
            size += len(part)
        print(
            f"export, {person.username}: {time.perf_counter() - began:.1f} s, {size / 1e6:.0f} MB", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=20)
    given = parser.parse_args()
    with own_database() as vendor:
        fill(given.events)
        analyze()
        print(f"{vendor}, {given.events:,} events", flush=True)
        verified(given.events)
        print(f"{'':<52}{'median':>9}{'p95':>9}")
        measured(given.calls)


if __name__ == "__main__":
    main()
