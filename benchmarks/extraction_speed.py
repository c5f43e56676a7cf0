"""How fast are numbers read? (python -m benchmarks.extraction_speed FILE [--seconds 5] [--size 1000000])

FILE holds typical answers, a line each with its text in ``answer`` (``perf_answers.jsonl``). Printed: answers a
second and core for us, for a bare scan with ``re`` and with ``regex`` that finds runs of digits and understands
nothing, and for each installed peer; then how the time grows with the text, and what texts made to be slow cost.
Times are CPU times of this process. Bare scans and ours take turns of one pass over all answers, so that a
neighbour's load falls on each alike; the first pass of ours, with empty caches, is printed as well.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import regex

from benchmarks.hostile_text import growth, milliseconds, ordinary
from benchmarks.numeric_peers import installed
from detection.core.numbers import extract

BARE = r"[$€£¥₪]?\s?\(?\d[\d,]*(?:\.\d+)?\)?(?:\s?(?:%|percent|x\b|million|billion))?"
SIZES = (1_000, 10_000, 100_000, 1_000_000)
LONG_RUNS = {
    "50,000 digits": "9" * 50_000,
    "50,000 commas": "1" + "," * 50_000,
    "50,000 brackets": "(" * 25_000 + "[" * 25_000 + "$5",
    "50,000 blanks": "$" + " " * 50_000 + "5",
    "10,000 scales": "$5 " + "million " * 10_000,
    "10,000 signs": "$" * 10_000 + "5",
    "10,000 words": "one hundred " * 5_000,
    "10,000 Han digits": "五百万" * 3_333 + "元",
}
Reading = Callable[[str], object]


def pace(answers: Sequence[str], read: Reading) -> float:
    """Answers a second of CPU time, over one pass."""
    return len(answers) / (milliseconds(lambda: [read(answer) for answer in answers]) / 1000)


def pace_within(answers: Sequence[str], read: Reading, seconds: float) -> tuple[float, int]:
    """Answers a second of CPU time over as many answers as ``seconds`` allow, and how many these were."""
    read(answers[0])  # peers load their tables on the first call
    begin, count, spent = time.process_time(), 0, 0.0
    while count < len(answers) and spent < seconds:
        read(answers[count])
        count += 1
        spent = time.process_time() - begin
    return count / spent, count


def paces(answers: Sequence[str], rounds: int) -> float:
    """Print ours beside the bare scans; returns the median of ours."""
    scans = {f"bare scan, {module.__name__}": module.compile(BARE) for module in (re, regex)}
    readings: dict[str, Reading] = {"ours": extract}
    readings |= {name: lambda text, scan=scan: [*scan.finditer(text)] for name, scan in scans.items()}  # type: ignore[misc]
    first = pace(answers, extract)
    taken: dict[str, list[float]] = {name: [] for name in readings}
    for _ in range(rounds):
        for name, read in readings.items():
            taken[name].append(pace(answers, read))
    claims = sum(len(extract(answer)) for answer in answers)
    length = sum(map(len, answers)) / len(answers)
    print(f"{len(answers)} answers, {length:.0f} characters and {claims / len(answers):.1f} numbers each")
    print(f"\n{'answers / s / core':<24} {'median':>9} {'fastest':>9}")
    for name, values in taken.items():
        print(f"{name:<24} {median(values):>9,.0f} {max(values):>9,.0f}")
    print(f"{'ours, first pass':<24} {first:>9,.0f}")
    return median(taken["ours"])


def beside_peers(answers: Sequence[str], ours: float, seconds: float) -> None:
    """Print each peer's pace and, for those that read all of a text, how many times as fast ours is."""
    peers, missing = installed()
    if peers:
        print(f"\n{'peer':<24} {'answers/s':>9} {'ours is':>9}")
    fastest = 0.0
    for peer in peers:
        speed, count = pace_within(answers, peer.read, seconds)
        note = f"{ours / speed:>8.0f}×" if peer.running_text else "   one price a text, not of our class"
        print(f"{peer.name:<24} {speed:>9.1f} {note}   ({count} answers)", flush=True)
        fastest = max(fastest, speed if peer.running_text else 0.0)
    if fastest:
        print(
            f"Ours is {ours / fastest:.0f} times as fast as the fastest peer of the same recall class (asked: 50)."
        )
    for line in missing:
        print(line)


def lengths(largest: int) -> None:
    """Print what one ordinary text costs as it grows; linear work keeps the last column."""
    print(f"\n{'ordinary text':<24} {'CPU ms':>9} {'µs / 1,000 characters':>23}")
    for size in (size for size in SIZES if size <= largest):
        text = ordinary(size, random.Random(5))
        repeats = max(1, 100_000 // size)
        spent = milliseconds(lambda: [extract(text) for _ in range(repeats)]) / repeats  # noqa: B023 - called at once
        print(f"{size:<24,} {spent:>9.2f} {spent * 1_000_000 / size:>23.0f}", flush=True)


def long_runs() -> None:
    """Print what texts of one thing repeated cost."""
    print(f"\n{'text':<24} {'CPU ms':>9} {'claims':>9}")
    for name, text in LONG_RUNS.items():
        spent = milliseconds(lambda: extract(text))  # noqa: B023 - called at once
        print(f"{name:<24} {spent:>9.1f} {len(extract(text)):>9}", flush=True)


def main() -> None:
    """Print every table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("file", type=Path)
    options.add_argument("--rounds", type=int, default=9, help="passes over all answers")
    options.add_argument("--seconds", type=float, default=5, help="CPU time given to each peer")
    options.add_argument("--size", type=int, default=1_000_000, help="characters of the largest text")
    chosen = options.parse_args()
    answers = [json.loads(line)["answer"] for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    ours = paces(answers, chosen.rounds)
    beside_peers(answers, ours, chosen.seconds)
    lengths(chosen.size)
    long_runs()
    growth("extract", extract, chosen.size)


if __name__ == "__main__":
    main()
