"""How long do the screens take on a queue as after years of use?

    python -m benchmarks.queue_page [--reviews 50000] [--database URL] [--keep] [--times 15] [--only PATTERN]

Fills a database of its own (a SQLite file, or one on the PostgreSQL server at ``--database``) by ``manage.py
fill_queue``, asks for every page as a signed-in person does, without a network, and prints for each the server's
milliseconds, those of them in SQL, the number of queries and the kilobytes. ``--keep`` leaves the database for the
next time and uses one that was left; without it the database is removed.
"""

import argparse
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

FILTERS: dict[str, tuple[str, ...]] = {
    "state": ("open", "in_review", "resolved", "snoozed", "void", "all"),
    "risk": ("high", "moderate", "low"),
    "kind": ("currency", "percentage", "ratio", "statement"),
    "language": ("en", "he", "zh"),
    "mine": ("held", "assigned"),
    "assignee": ("none", "noam"),
    "holder": ("dana",),
    "property": ("*",),
    "period": ("*",),
    "q": ("occupancy", "#17", "תפוסה", "收入", "nothing says this"),
}
ORDERS = ("due", "oldest", "newest")
TOGETHER = ("risk=high&language=en&kind=currency", "state=all&q=occupancy", "state=resolved&risk=low")


@dataclass(slots=True)
class Cost:
    """What the requests of one kind cost: milliseconds of each, those in SQL, queries, bytes of the last."""

    spent: list[float] = field(default_factory=list)
    sql: list[float] = field(default_factory=list)
    queries: set[int] = field(default_factory=set)
    size: int = 0


class Watch:
    """Counts and times the queries of a request."""

    def __init__(self) -> None:
        self.count, self.spent = 0, 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run the query."""
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.count += 1
            self.spent += time.perf_counter() - began


def measured(cost: Cost, ask: Callable[[], Any], expected: tuple[int, ...] = (200,)) -> Any:
    """Ask once, add what it cost, refuse an unexpected status."""
    from django.db import connection

    watch, began = Watch(), time.perf_counter()
    with connection.execute_wrapper(watch):
        response = ask()
    cost.spent.append((time.perf_counter() - began) * 1000)
    cost.sql.append(watch.spent * 1000)
    cost.queries.add(watch.count)
    cost.size = len(response.content)
    if response.status_code not in expected:
        raise SystemExit(f"{response.request['PATH_INFO']} answered {response.status_code}.")
    return response


def percentile(values: list[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def line(name: str, cost: Cost) -> None:
    """One row of the table."""
    queries = "–".join(str(n) for n in sorted({min(cost.queries), max(cost.queries)}))
    print(
        f"| {name} | {percentile(cost.spent, 0.5):.0f} | {percentile(cost.spent, 0.95):.0f} | "
        f"{percentile(cost.sql, 0.95):.1f} | {queries} | {cost.size / 1024:.0f} |",
        flush=True,
    )


def queue_addresses() -> Iterator[str]:
    """The list under each filter alone and some together; a star stands for a value of each kind that is there."""
    from detection.models import FinancialPeriod, Property

    there = {"property": Property.objects.values_list("code", flat=True), "period": FinancialPeriod.objects.values_list("label", flat=True)}  # fmt: skip
    yield ""
    for name, values in FILTERS.items():
        for value in values:
            yield f"{name}={quote(next(iter(there[name]), '') if value == '*' else value)}"
    yield from TOGETHER
    for order in ORDERS:
        yield f"sort={order}"


def pages(times: int, wanted: "re.Pattern[str]") -> None:
    """Every list and page that a person opens."""
    from django.test import Client
    from django.urls import reverse

    from detection.models import Answer
    from reviews.models import HallucinationReview

    client, chance = signed_in(Client), random.Random(7)

    def row(name: str, address: Callable[[], str]) -> None:
        if wanted.search(name):
            cost = Cost()
            client.get(address())
            for _ in range(times):
                measured(cost, lambda: client.get(address()))
            line(name, cost)

    for query in queue_addresses():  # an order that was chosen is kept; so the orders come last
        row(f"queue {query or 'as it opens'}", partial("{}?{}".format, reverse("queue"), query))
    row("my work", lambda: reverse("home"))
    row("answers", lambda: reverse("answers"))
    for words in ("occupancy", "#17", "nothing says this"):
        row(f"answers q={words}", partial("{}?q={}".format, reverse("answers"), quote(words)))
    reviews = list(HallucinationReview.objects.order_by("?").values_list("pk", flat=True)[:200])
    answers = list(Answer.objects.order_by("?").values_list("pk", flat=True)[:200])
    row("review", lambda: reverse("review", args=[chance.choice(reviews)]))
    row("history", lambda: reverse("review-history", args=[chance.choice(reviews)]))
    row("answer", lambda: reverse("answer", args=[chance.choice(answers)]))
    row("monitoring", lambda: reverse("monitoring"))


def actions(times: int, wanted: "re.Pattern[str]") -> None:
    """What a reviewer does: next, a verdict, resolve and next."""
    if not wanted.search("actions"):
        return
    from django.test import Client
    from django.urls import reverse

    from reviews.models import HallucinationReview

    client = signed_in(Client)
    following, verdict, resolving = Cost(), Cost(), Cost()
    for _ in range(times):
        opened = measured(following, lambda: client.post(reverse("queue-next")), (302,))
        review = HallucinationReview.objects.get(pk=int(opened["Location"].strip("/").split("/")[-1]))
        for claim in review.to_decide():
            given = {"version": review.version, "verdict": "supported", "idempotency_key": f"b-{claim.pk}"}
            address = reverse("claim-verdict", args=[review.pk, claim.pk])
            measured(verdict, partial(client.post, address, given, headers={"HX-Request": "true"}))
            review.refresh_from_db()
        body = {"version": review.version, "final_confidence": "0.9", "then": "next"}
        address = reverse("review-resolve", args=[review.pk])
        measured(resolving, partial(client.post, address, body), (302,))
    line("next", following)
    line("verdict", verdict)
    line("resolve and next", resolving)


def signed_in(client: Any) -> Any:
    """A client of the demo's reviewer."""
    from django.contrib.auth.models import User

    signed = client(headers={"host": "localhost"})
    signed.force_login(User.objects.get(username="dana"), "django.contrib.auth.backends.ModelBackend")
    return signed


@contextmanager
def filled(reviews: int, *, keep: bool, answers: int = 0) -> Iterator[None]:
    """A database with so many reviews, or so many answers and their detectors' reports; a kept one is used as it is."""
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    made = setup_databases(verbosity=0, interactive=False, keepdb=keep, serialized_aliases=())
    try:
        from detection.models import Answer
        from reviews.models import HallucinationReview

        if HallucinationReview.objects.count() < reviews or Answer.objects.count() < answers:
            given = {"answers": answers} if answers else {"reviews": reviews, "without_reports": True}
            call_command("fill_queue", **given, stdout=open(os.devnull, "w"))  # noqa: SIM115
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        yield
    finally:
        if not keep:
            teardown_databases(made, verbosity=0)


def main() -> None:
    """Fill, then measure page by page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reviews", type=int, default=50_000)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--database", help="URL of a PostgreSQL server; a SQLite file without it")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", default="", help="a pattern of the names of rows")
    options = parser.parse_args()
    folder = Path(os.environ.get("HALLU_VAR", "var")) / "queue_page"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(HALLU_VAR=str(folder), HALLU_TEST="1", HALLU_LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="hallu_site.settings")  # fmt: skip
    os.environ.pop("DATABASE_URL", None)
    if options.database:
        os.environ["DATABASE_URL"] = options.database
    import django
    from django.conf import settings

    django.setup()
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    with filled(options.reviews, keep=options.keep):
        from detection.models import Claim
        from reviews.models import HallucinationReview

        print(f"{HallucinationReview.objects.count():,} reviews, {Claim.objects.count():,} claims\n")
        print("| page | p50 ms | p95 ms | of it SQL, p95 | queries | kB |\n|---|---|---|---|---|---|")
        wanted = re.compile(options.only)
        pages(options.times, wanted)
        actions(options.times, wanted)


if __name__ == "__main__":
    main()
