"""Does anything grow with what is stored? ``python -m benchmarks.million --database URL [--answers 1000000] [--keep]``.

Fills a database of its own on the PostgreSQL server at ``--database`` by ``manage.py fill_queue --answers``, spread over a
year, then asks for what people, machines and the sweeper ask for: the queue at several depths, a review, the dashboard,
``/metrics``, each step of a sweep, what is older than ``--days`` erased, one person's answers, an answer taken in and judged.
Prints for each the milliseconds, those of them in SQL, the number of queries, and which large tables are read from end to end. ``--keep`` as in benchmarks.queue_page.
"""

import argparse
import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.queue_page import Cost, Watch, filled, line, signed_in

DEPTHS = (0.0, 0.1, 0.5, 0.9, 1.0)
MANY = 10_000
ROUNDS = 5
WORST = 3
"""So many of the slowest queries of a step are printed with ``--slow``."""


@contextmanager
def watched(cost: Cost) -> Iterator[None]:
    """Add what the block costs."""
    from django.db import connection

    watch, began = Watch(), time.perf_counter()
    with connection.execute_wrapper(watch):
        yield
    cost.spent.append((time.perf_counter() - began) * 1000)
    cost.sql.append(watch.spent * 1000)
    cost.queries.add(watch.count)


class Slow:
    """Remembers the slowest queries."""

    def __init__(self) -> None:
        self.found: list[tuple[float, str]] = []

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run the query."""
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.found.append((time.perf_counter() - began, sql))

    def told(self) -> None:
        """Print the worst."""
        for seconds, sql in sorted(self.found, reverse=True)[:WORST]:
            print(f"    {seconds * 1000:.0f} ms: {sql[:1500]}")


class Scans:
    """Explains every query, and remembers which tables of more than :data:`MANY` rows it reads from end to end."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run the query."""
        if sql.startswith("SELECT") and not many:
            with context["connection"].connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {sql}", params)
                plan = "\n".join(row[0] for row in cursor)
                scans = re.findall(r"Seq Scan on (\w+).*?rows=(\d+)", plan)
            self.found |= {table for table, _ in scans if table in self.large()}
        return execute(sql, params, many, context)

    @staticmethod
    @cache
    def large() -> set[str]:
        """The tables that are large here."""
        from django.db import connection

        with connection.connection.cursor() as cursor:
            cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s", [MANY])
            return {row[0] for row in cursor}


class Table:
    """Measures row by row."""

    def __init__(self, times: int, only: "re.Pattern[str]", *, slow: bool) -> None:
        self.times, self.only, self.slow = times, only, slow

    def row(self, name: str, do: Callable[[], Any], times: int = 0) -> None:
        """Do something several times, once before without looking, and print what it cost."""
        if not self.only.search(name):
            return
        from django.db import connection

        cost, slow, scans = Cost(), Slow(), Scans()
        with connection.execute_wrapper(scans):
            do()
        for _ in range(times or self.times):
            with connection.execute_wrapper(slow), watched(cost):
                response = do()
                cost.size = len(getattr(response, "content", b""))
        line(f"{name}{''.join(f', all of {table}' for table in sorted(scans.found))}", cost)
        if self.slow:
            slow.told()


def first_sweep() -> None:
    """What a sweep does once, over everything that is there."""
    from django.utils import timezone

    from detection.observing import totals
    from reviews.tuning.replay import blocks

    began = time.perf_counter()
    totals.keep_up(timezone.now())
    print(
        f"| totals, counted for the first time | {(time.perf_counter() - began) * 1000:.0f} | | | | |",
        flush=True,
    )
    began, rounds = time.perf_counter(), 0
    while rounds < ROUNDS and blocks.keep_up():
        rounds += 1
    print(f"| packing, {rounds} rounds | {(time.perf_counter() - began) * 1000:.0f} | | | | |", flush=True)


def pages(table: Table) -> None:
    """What people open."""
    from django.test import Client
    from django.urls import reverse

    from detection.models import Answer
    from reviews.dashboard.registry import BLOCKS
    from reviews.models import HallucinationReview
    from reviews.queue import listing

    client, chance = signed_in(Client), random.Random(7)
    live = HallucinationReview.objects.filter(state="open")
    columns = ("pk", *listing.ORDERS[""].columns)
    for depth in DEPTHS:
        places = live.order_by(*(name for name in columns[1:])).values_list(*columns)
        place = places[int(depth * max(0, live.count() - 60))]
        cursor = listing._cursor(place[1:])
        table.row(f"queue at {depth:.0%}", partial(client.get, f"{reverse('queue')}?after={cursor}"))
    for asked in (
        "state=resolved",
        "state=all",
        "risk=high&language=en",
        "q=occupancy",
        "q=nothing says this",
    ):
        table.row(f"queue, {asked}", partial(client.get, f"{reverse('queue')}?{asked}"))
    for order in ("due", "oldest", "newest"):  # one that was chosen is kept, so they come last
        table.row(f"queue, {order}", partial(client.get, f"{reverse('queue')}?sort={order}"))
    reviews = list(HallucinationReview.objects.filter(pk__gte=0)[:200].values_list("pk", flat=True))
    answers = list(Answer.objects.all()[:200].values_list("pk", flat=True))
    table.row("review", lambda: client.get(reverse("review", args=[chance.choice(reviews)])))
    table.row("answers", partial(client.get, reverse("answers")))
    table.row("answer", lambda: client.get(reverse("answer", args=[chance.choice(answers)])))
    table.row("my work", partial(client.get, reverse("home")))
    table.row("dashboard", partial(client.get, reverse("dashboard")))
    for block in (*BLOCKS, "alerts"):
        address = reverse("dashboard-block", args=[block])
        table.row(f"dashboard, {block}", partial(client.get, address, headers={"HX-Request": "true"}))
    table.row("metrics", partial(client.get, "/metrics"))
    table.row("healthz/queue", partial(client.get, "/healthz/queue"))


def api(table: Table) -> None:
    """What backends do: submit, and read; and what a worker does with an answer."""
    from django.test import Client

    from detection.models import Answer, ApiKey, DetectionRun
    from reviews.toolkit import screen_now

    key = ApiKey.issue(f"million {time.time():.0f}", ["submit", "read"], all_properties=True)[1]
    client = Client(headers={"host": "localhost", "Authorization": f"Bearer {key}"})
    numbers = count(int(time.time()))

    def post() -> Any:
        number = next(numbers)
        body = {
            "external_id": f"m-{number}",
            "answer": f"Net operating income was $1,{number % 1000:03},000.00 in Q3 2024 [S0]. Occupancy was 95.2% [S0].",
            "sources": [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89. Occupancy was 95.2%."}],
        }  # fmt: skip
        return client.post(
            "/api/v1/answers/",
            json.dumps(body),
            "application/json",
            headers={"Idempotency-Key": f"m-{number}"},
        )

    table.row("POST", post)
    pending = DetectionRun.objects.filter(finished_at=None, failed_reason="")

    def judge() -> None:
        post()
        screen_now(pending.latest("id"))

    table.row("POST and judging", judge)
    answer = Answer.objects.order_by("-created_at").first()
    table.row("GET an answer", partial(client.get, f"/api/v1/answers/{answer.pk}/" if answer else ""))
    table.row("GET answers", partial(client.get, "/api/v1/answers/"))


def sweeps(table: Table) -> None:
    """Each step of a sweep."""
    from django.conf import settings
    from django.utils import timezone

    from detection import facts, runs
    from detection.history import heads
    from detection.observing import totals
    from reviews.audit.histories import HISTORIES
    from reviews.erasing import retention
    from reviews.lifecycle import owing
    from reviews.management.commands import sweep
    from reviews.models import HallucinationReview, Lease
    from reviews.tuning.replay import blocks

    steps: dict[str, Callable[[], Any]] = {
        "leases": lambda: Lease.expire(timezone.now()),
        "snoozed": lambda: HallucinationReview.wake_due(timezone.now()),
        "owed": lambda: owing.pay(timezone.now()),
        "totals": lambda: totals.keep_up(timezone.now()),
        "publish": lambda: sweep._publish(timezone.now()),
        "facts": lambda: facts.verify_due(timezone.now()),
        "packing": blocks.keep_up,
        "frames": lambda: runs.forget(timezone.now()),
        "heads": lambda: heads.push(HISTORIES, settings.AUDIT_HEADS, timezone.now()),
        "retention, nothing is due": lambda: retention.sweep(timezone.now()),
        "the whole sweep": lambda: sweep.sweep(timezone.now()),
    }
    for name, step in steps.items():
        table.row(f"sweep: {name}", step)


def erasing(table: Table, days: int) -> None:
    """What is erased since its time is over, ``days`` after it came, and by an order."""
    from django.core.management import call_command
    from django.utils import timezone

    from detection.models import Answer
    from reviews.erasing import retention

    now = timezone.now()
    for kind in ("answers", "histories", "idempotency"):
        erase = partial(retention.KINDS[kind], now - timedelta(days=days))
        table.row(f"retention: a batch of {kind}", erase)
        table.row(
            f"retention: {kind}, none is so old", partial(retention.KINDS[kind], now - timedelta(days=9999))
        )
    some = [str(pk) for pk in Answer.with_words().order_by("created_at").values_list("pk", flat=True)[:20]]
    silent = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    table.row(
        "erase --dry-run, 20 answers", lambda: call_command("erase", answer=some, dry_run=True, stdout=silent)
    )
    asked_by = partial(call_command, "erase", asked_by="nobody", dry_run=True, stdout=silent)
    table.row("erase --dry-run, of a person", asked_by)


def main() -> None:
    """Fill, then measure row by row."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--database", required=True, help="URL of a PostgreSQL server")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--days", type=int, default=300, help="what is older is erased")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", default="", help="a pattern of the names of rows")
    parser.add_argument("--slow", action="store_true", help="print the slowest queries of each row")
    options = parser.parse_args()
    folder = Path(os.environ.get("HALLU_VAR", "var")) / "million"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(HALLU_VAR=str(folder), HALLU_TEST="1", HALLU_LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="hallu_site.settings", DATABASE_URL=options.database)  # fmt: skip
    import django
    from django.conf import settings

    django.setup()
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    began = time.monotonic()
    with filled(0, keep=options.keep, answers=options.answers):
        from django.db import connection

        from detection.models import Answer, Claim
        from reviews.models import HallucinationReview

        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
            size = cursor.fetchone()[0]
        print(
            f"{Answer.objects.count():,} answers, {Claim.objects.count():,} claims, {HallucinationReview.objects.count():,} "
            f"reviews, {size}; filled in {time.monotonic() - began:.0f} s\n"
        )
        print("| what | p50 ms | p95 ms | of it SQL, p95 | queries | kB |\n|---|---|---|---|---|---|")
        first_sweep()
        table = Table(options.times, re.compile(options.only), slow=options.slow)
        pages(table)
        api(table)
        sweeps(table)
        erasing(table, options.days)


if __name__ == "__main__":
    main()
