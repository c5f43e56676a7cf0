"""How long do the blocks of the dashboard take on a queue as after years of use?

    python -m benchmarks.dashboard_page [--reviews 50000] [--database URL] [--keep] [--times 5] [--days 28 365]

Fills a database as :mod:`benchmarks.queue_page` does, asks for the page and for each block as a signed-in person,
over the last days and over a year, and prints the same figures.
"""

import argparse
import os
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from benchmarks.queue_page import Cost, filled, line, measured, signed_in


def blocks(times: int, days: int) -> None:
    """The page and each block over so many days."""
    from django.test import Client
    from django.urls import reverse

    from reviews.dashboard.registry import BLOCKS

    client = signed_in(Client)
    first = datetime.now(UTC).date() - timedelta(days=days - 1)
    places: dict[str, tuple[str, dict[str, str]]] = {"page": (reverse("dashboard"), {})}
    for name in (*BLOCKS, "alerts"):
        places[name] = (reverse("dashboard-block", args=[name]), {"HX-Request": "true"})
    for name, (address, headers) in places.items():
        cost, ask = Cost(), partial(client.get, f"{address}?from={first}", headers=headers)
        ask()
        for _ in range(times):
            measured(cost, ask)
        line(f"{name}, {days} days", cost)


def main() -> None:
    """Fill, then measure block by block."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reviews", type=int, default=50_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--days", type=int, nargs="+", default=[28, 365])
    parser.add_argument("--database", help="URL of a PostgreSQL server; a SQLite file without it")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    folder = Path(os.environ.get("HALLU_VAR", "var")) / "dashboard_page"
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
        from reviews.models import HallucinationReview

        print(f"{HallucinationReview.objects.count():,} reviews\n")
        print("| page | p50 ms | p95 ms | of it SQL, p95 | queries | kB |\n|---|---|---|---|---|---|")
        for days in options.days:
            blocks(options.times, days)


if __name__ == "__main__":
    main()
