"""How long does deciding again take, and is it what the core decides?

    python -m benchmarks.tuning_replay [--answers 10000] [--times 5] [--checked 120]

Judges the demo answers for real, multiplies them to ``--answers`` in a SQLite database of its own, and prints: the time to
build blocks of what was measured and to load them cold and warm; the time of one replay, of one after a single threshold
changed, and its peak memory, at 10⁴, 10⁵ and 10⁶ claims (the same answers over and over); and the largest difference from
``pipeline.conclude`` over every decide threshold at its bounds and every scoring.
"""

import argparse
import os
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

SIZES = (10_000, 100_000, 1_000_000)


def spent(work: Callable[[], Any], times: int = 1) -> float:
    """The shortest of several times, in milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return min(taken)


def blocks_and_loading() -> Any:
    """Print what building, storing and loading cost; returns what was loaded."""
    from detection.models import DetectionRun
    from reviews.models import MeasuredBlock
    from reviews.tuning.replay import blocks, measured

    built = spent(lambda: measured.load(DetectionRun.objects.all()))
    stored = sum(len(block.columns) for block in MeasuredBlock.objects.iterator())
    count, rows = MeasuredBlock.objects.count(), DetectionRun.objects.count()
    print(
        f"| build {rows:,} runs into {count} blocks and a rest | {built:,.0f} ms | {built / rows:.2f} ms a run |"
    )
    blocks.forget()
    cold = spent(lambda: measured.load(DetectionRun.objects.all()))
    print(f"| load from blocks, the rest built | {cold:,.0f} ms | {stored / 1e6:.1f} MB stored |")
    warm = spent(lambda: measured.load(DetectionRun.objects.all()), 3)
    print(f"| load what the process remembers | {warm:,.0f} ms | |\n")
    return measured.load(DetectionRun.objects.all())


def repeated(loaded: Any, claims: int) -> Any:
    """The same answers over and over, until there are so many claims."""
    import numpy as np

    from reviews.tuning.replay.columns import join
    from reviews.tuning.replay.measured import Measured

    times = -(-claims // len(loaded.claim))
    columns = join([loaded.columns] * times)
    kept = Measured(columns, loaded.flag_threshold_bits)
    return kept.subset(np.arange(len(kept.run)) < np.searchsorted(kept.first, claims, "right") - 1)


def changed() -> Iterator[Mapping[str, Any]]:
    """Profiles in which each decide threshold has a bound of its own."""
    from detection.core.thresholds import DEFAULTS, form_fields

    for field in form_fields():
        if field.metadata["phase"] == "decide":
            default = getattr(DEFAULTS, field.name)
            bounds = [field.metadata["low"], field.metadata["high"]]
            if isinstance(default, bool):
                bounds = [not default]
            elif isinstance(default, tuple):
                bounds = [["usually"]]
            elif isinstance(default, Mapping):
                bounds = [dict.fromkeys(("local", "external"), bound) for bound in bounds]
            for value in field.metadata["choices"] or bounds:
                yield {"base": {field.name: value}}


def replays(loaded: Any, times: int) -> None:
    """Print the time of a replay by size."""
    from detection.core.strawberry import SCORINGS
    from reviews.tuning.replay.deciding import Replays, replay

    print(
        "| claims | answers | scoring | one replay | one threshold changed: median, slowest | peak memory |"
    )
    print("|---|---|---|---|---|---|")
    for claims in SIZES:
        measured = repeated(loaded, claims)
        for scoring in SCORINGS:
            once = spent(lambda: replay(measured, {}, scoring), times)  # noqa: B023  # called at once
            remembering = Replays(measured)
            remembering.at({}, scoring)
            each = sorted(spent(lambda: remembering.at(values, scoring)) for values in changed())  # noqa: B023
            tracemalloc.start()
            replay(measured, {}, scoring)
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            print(
                f"| {len(measured.claim):,} | {len(measured.run):,} | {scoring} | {once:,.0f} ms | "
                f"{each[len(each) // 2]:,.0f}, {each[-1]:,.0f} ms | {peak:,.0f} MB |",
                flush=True,
            )


def differing(again: Any, ends: list[Any]) -> tuple[int, float]:
    """How many claims and answers a replay decides otherwise than the core, and the largest distance of a number."""
    import numpy as np

    from reviews.tuning.replay.codes import STATUSES

    found = [finding for end in ends for finding in end.findings]
    verdicts = [end.verdict for end in ends]
    adjusted = np.array([each.adjusted_confidence for each in verdicts], float)
    apart = (
        again.severity - [each.severity for each in found],
        again.risk_score - [each.risk_score for each in verdicts],
        np.nan_to_num(again.adjusted_confidence) - np.nan_to_num(adjusted),
    )
    other = int((again.status != [STATUSES.index(each.status) for each in found]).sum())
    other += int((again.needs_review != [each.needs_review for each in verdicts]).sum())
    return other, max(float(np.abs(each).max()) for each in apart)


def compared(loaded: Any, checked: int) -> None:
    """Print how far replays are from the core's own conclusions."""
    from dataclasses import replace

    import numpy as np

    from detection import runs
    from detection.core import pipeline
    from detection.core.strawberry import SCORINGS
    from detection.core.thresholds import resolve
    from detection.models import DetectionRun
    from reviews.tuning.replay.deciding import Replays

    some = loaded.subset(np.arange(len(loaded.run)) < checked)
    given = []
    for run in DetectionRun.objects.filter(pk__in=some.run.tolist()).order_by("pk"):
        context = replace(runs.load(run), flag_threshold_bits=some.flag_threshold_bits)
        given.append((context, runs.reports_of(run), run.due, runs.facets(run.answer)))
    replaying, rows, furthest, other = Replays(some), 0, 0.0, 0
    for scoring in SCORINGS:
        for values in changed():
            again = replaying.at(values, scoring)
            ends = [
                pipeline.conclude(
                    replace(context, thresholds=resolve(values, facets), scoring=scoring), reports, due
                )
                for context, reports, due, facets in given
            ]
            decided, apart = differing(again, ends)
            other, furthest = other + decided, max(furthest, apart)
            rows += len(again.status)
    print(
        f"\n{rows:,} claims of {len(given)} answers compared: {other} decided otherwise, largest difference {furthest:.1e}."
    )


def main() -> None:
    """Fill, then measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument(
        "--checked", type=int, default=120, help="how many answers are compared with the core"
    )
    options = parser.parse_args()
    folder = Path(os.environ.get("HALLU_VAR", "var")) / "tuning_replay"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(HALLU_VAR=str(folder), HALLU_TEST="1", HALLU_LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="hallu_site.settings")  # fmt: skip
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_databases, teardown_databases

    made = setup_databases(verbosity=0, interactive=False)
    try:
        from detection.models import DetectionRun

        call_command("fill_queue", reviews=options.answers, stdout=open(os.devnull, "w"))  # noqa: SIM115
        print(f"{DetectionRun.objects.count():,} runs\n\n| step | time | |\n|---|---|---|")
        loaded = blocks_and_loading()
        replays(loaded, options.times)
        compared(loaded, options.checked)
    finally:
        teardown_databases(made, verbosity=0)


if __name__ == "__main__":
    main()
