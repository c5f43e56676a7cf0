"""How long does the threshold workbench take over many labelled claims?

    python -m benchmarks.workbench_page [--claims 50000] [--times 9]

Makes a database of its own, fills it with finished runs of five claims whose verdicts are known
(:mod:`benchmarks.labelled_claims`), and prints the server's milliseconds of the page, of the fragment with the answers that
change and of a suggestion: ``first`` in a process that has computed nothing but whose measurements are stored in
blocks, ``another threshold`` with the window in memory, ``again`` with the curve in memory; and the kilobytes. Building
the blocks, which the sweep does, is timed apart.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.own_database import analyze, own_database

THRESHOLDS = (
    "currency_tolerance",
    "percentage_tolerance",
    "severity_contradicted",
    "overlap",
    "target_confidence",
)


def timed(ask: Callable[[], Any]) -> tuple[float, int]:
    """Milliseconds and bytes of one answer, which must be a page."""
    began = time.perf_counter()
    response = ask()
    spent = (time.perf_counter() - began) * 1000
    if response.status_code != 200:
        raise SystemExit(f"The page answered {response.status_code}.")
    return spent, len(response.content)


def forget() -> None:
    """What a process that has just started knows: nothing."""
    from reviews.tuning.replay import blocks
    from reviews.workbench import knobs, points, suggesting, window

    kept: tuple[Any, ...] = (
        window.WINDOWS, window.MEASURED, points.CURVES, points.POINTS, knobs.HISTOGRAMS, suggesting.SUGGESTIONS
    )  # fmt: skip
    for each in kept:
        each.clear()
    blocks.forget()


def line(name: str, spent: list[float], size: int) -> None:
    """One row of the table."""
    print(f"| {name} | {statistics.median(spent):.0f} | {max(spent):.0f} | {size / 1024:.0f} |", flush=True)


def measure(times: int) -> None:
    """Ask for every page as a senior does, without a network."""
    from django.contrib.auth.models import Group, User
    from django.test import Client

    senior = User.objects.create_user("senior")
    senior.groups.add(Group.objects.get_or_create(name="senior")[0])
    client = Client()
    client.force_login(senior)

    def page(path: str = "", **asked: str) -> Any:
        return client.get(f"/tuning/{path}", asked)

    began = time.perf_counter()
    timed(page)
    print(f"Blocks and first page in {time.perf_counter() - began:.1f} s.\n")
    print("| what | median ms | largest ms | KiB |\n|---|---|---|---|")
    spent, size = [], 0
    for _ in range(times):
        forget()
        taken, size = timed(page)
        spent.append(taken)
    line("page, first", spent, size)
    found = [timed(partial(page, threshold=name)) for name in THRESHOLDS[1:]]
    line("page, another threshold", [taken for taken, _size in found], found[0][1])
    found = [timed(page) for _ in range(times)]
    line("page, again", [taken for taken, _size in found], found[0][1])
    found = [timed(partial(page, "changes/", value=str(2 + at / 10))) for at in range(times)]
    line("answers that change", [taken for taken, _size in found], found[0][1])
    taken, size = timed(partial(page, "suggest/"))
    line("suggestion", [taken], size)


def main() -> None:
    """Fill and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--claims", type=int, default=50_000)
    parser.add_argument("--times", type=int, default=9)
    given = parser.parse_args()
    with own_database() as vendor:
        from benchmarks.labelled_claims import build

        began = time.perf_counter()
        build(given.claims // 5, 5, audit=1.0)
        analyze()
        print(f"{given.claims:,} labelled claims on {vendor} in {time.perf_counter() - began:.0f} s.")
        measure(given.times)


if __name__ == "__main__":
    main()
