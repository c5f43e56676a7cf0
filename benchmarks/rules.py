"""What the checks by rule cost on a typical answer: ``python -m benchmarks.rules [--answers 300]``.

Citations and word overlap of answers with seven figures and ten chunks of about 600 characters, measured and decided;
reading the claims, which every check shares, apart. What a process has read of a chunk it may remember, so that each
answer has chunks of its own. CPU time of this process.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.numeric_latency import Asked, asked
from benchmarks.portfolio import portfolio
from detection.core import citations, claims
from detection.core.citations import grounding
from detection.core.context import Context
from detection.core.types import Case

LIMIT = 3.0
"""Milliseconds that citations and word overlap may take together, at the 95th percentile."""
SHARES = (0.5, 0.95, 0.99)


def clocked(step: Callable[[], Any]) -> tuple[Any, float]:
    """What ``step`` returns, and its CPU milliseconds."""
    started = time.process_time()
    outcome = step()
    return outcome, (time.process_time() - started) * 1000


def measured(one: Asked) -> dict[str, float]:
    """The CPU milliseconds of each check of one answer."""
    case = Case(one.answer, sources=one.sources)
    read, reading = clocked(partial(claims.read, case))
    context = Context(case, read)
    found = {"claims read": reading}
    for detector in (citations, grounding):
        stored, measuring = clocked(partial(detector.measure, context))
        _, deciding = clocked(partial(detector.decide, stored, context))
        found[detector.__name__.rpartition(".")[2]] = measuring + deciding
    return found | {"citations and grounding": found["citations"] + found["grounding"]}


def report(answers: Sequence[Asked]) -> None:
    """Measure every answer and print the table."""
    measured(answers[0])
    steps: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        for step, took in measured(one).items():
            steps[step].append(took)
    print(f"{'CPU milliseconds':<28}" + "".join(f"{f'p{share * 100:.0f}':>8}" for share in SHARES))
    for step, spent in steps.items():
        column = sorted(spent)
        print(f"{step:<28}" + "".join(f"{column[int(share * (len(column) - 1))]:>8.2f}" for share in SHARES))
    print(f"asked of citations and grounding: p95 under {LIMIT:g}")


def main() -> None:
    """Run the benchmark."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--answers", type=int, default=300)
    report(asked(portfolio(), options.parse_args().answers))


if __name__ == "__main__":
    main()
