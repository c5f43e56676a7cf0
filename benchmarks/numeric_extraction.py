"""Numbers read from text: recall on core forms, clean texts, speed (python -m benchmarks.numeric_extraction FILE [--misses]).

FILE holds rows of text with expected spans. A claim counts when its span overlaps, its kind and value agree
and, for currency, its unit. Precision is by text: one spurious claim of a kind that a text is labelled
completely for, outside the spans to ignore, and the text is not clean. Intervals are bootstrapped over texts.
Peers run beside it when they are installed; a missing one is named, never estimated.
"""

import argparse
import importlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from detection.core.number_words import CODE_MEANS, CURRENCY_SIGNS
from detection.core.numbers import extract
from detection.core.types import NumericClaim

PEERS = ("recognizers_text_suite", "quantulum3", "price_parser")
HOSTILE = ("111,", "1.", "$", "Q1 ", "9", "(", "[S", "1 ", " ")
KINDS = ("currency", "percentage", "ratio", "date", "number")
Row = dict[str, Any]


def interval(hits: Sequence[tuple[int, int]], rounds: int = 500) -> tuple[float, float, float]:
    """Share and its 95 % bootstrap interval over documents, each ``(right, all)``."""
    drawn = random.Random(7)
    shares = []
    for _ in range(rounds):
        sample = drawn.choices(hits, k=len(hits))
        total = sum(count for _, count in sample)
        shares.append(sum(right for right, _ in sample) / total if total else 0.0)
    shares.sort()
    total = sum(count for _, count in hits)
    return sum(r for r, _ in hits) / total, shares[int(0.025 * rounds)], shares[int(0.975 * rounds)]


def found(expected: Row, claims: Iterable[NumericClaim]) -> bool:
    """Whether one of ``claims`` is the expected number."""
    return any(
        claim.kind == expected["kind"]
        and claim.start < expected["end"]
        and expected["start"] < claim.end
        and _same_value(expected, claim)
        for claim in claims
    )


def _same_value(expected: Row, claim: NumericClaim) -> bool:
    if isinstance(claim.value, str):
        return claim.value == str(expected["value"])
    close = abs(claim.value - Decimal(str(expected["value"]))) <= abs(Decimal(str(expected["value"]))) / 10**9
    return close and (claim.kind != "currency" or _unit(expected["unit"]) == claim.unit)


def _unit(stated: str) -> str:
    plain = stated.rstrip("?")
    return CODE_MEANS.get(plain, CURRENCY_SIGNS.get(plain.lower(), plain))


def clean(row: Row, claims: Iterable[NumericClaim]) -> bool:
    """Whether no claim of a completely labelled kind stands outside the expected and ignored spans."""
    known = [(span["start"], span["end"]) for span in (*row["expected"], *row["ignore"])]
    return not any(
        claim.kind in row["complete_for"]
        and not any(claim.start < end and start < claim.end for start, end in known)
        for claim in claims
    )


def timings(rows: Sequence[Row], read: Callable[[str], object]) -> tuple[float, float]:
    """Median and 99th percentile of one text, in milliseconds."""
    times = []
    for row in rows:
        begin = time.perf_counter()
        read(row["text"])
        times.append((time.perf_counter() - begin) * 1000)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def _table(title: str, cells: dict[str, list[tuple[int, int]]]) -> None:
    print(f"\n{title}")
    for name in sorted(cells):
        share, low, high = interval(cells[name])
        print(f"  {name:<62} {share:7.1%}  [{low:.1%}, {high:.1%}]  n={sum(n for _, n in cells[name])}")


def report(rows: Sequence[Row], show_misses: bool) -> None:
    """Print recall per kind and suite, clean texts per kind, and speed."""
    recall: dict[str, list[tuple[int, int]]] = defaultdict(list)
    suites: dict[str, list[tuple[int, int]]] = defaultdict(list)
    texts: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        claims = extract(row["text"])
        for expected in row["expected"]:
            right = found(expected, claims)
            recall[f"{expected['scope']} {expected['kind']}"].append((right, 1))
            if expected["scope"] == "core":
                suites[f"{expected['kind']} {expected['source_suite']}"].append((right, 1))
                if show_misses and not right:
                    print(
                        "MISS",
                        expected["kind"],
                        expected["surface"],
                        expected["value"],
                        "|",
                        row["text"][:140],
                    )
        for kind in row["complete_for"]:
            texts[kind].append((clean({**row, "complete_for": [kind]}, claims), 1))
            if show_misses and not texts[kind][-1][0]:
                print(
                    "EXTRA",
                    kind,
                    [claim.text for claim in claims if claim.kind == kind],
                    "|",
                    row["text"][:140],
                )
    _table("Recall by scope and kind", recall)
    _table("Core recall by suite", suites)
    _table("Clean texts by kind", texts)


def main() -> None:
    """Run the benchmark over the file named on the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--misses", action="store_true")
    chosen = options.parse_args()
    rows = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    if "expected" in rows[0]:
        report(rows, chosen.misses)
    else:
        rows = [{"text": row["answer"]} for row in rows]
    median, tail = timings(rows, extract)
    print(f"\nTime of one text: p50 {median:.3f} ms, p99 {tail:.3f} ms, n={len(rows)}")
    for seed in HOSTILE:
        begin = time.perf_counter()
        extract(seed * (1_000_000 // len(seed)))
        print(f"  1 MB of {seed!r:<8} {(time.perf_counter() - begin) * 1000:8.0f} ms")
    for peer in PEERS:
        try:
            importlib.import_module(peer)
        except ImportError:
            print(f"Peer {peer}: not installed, not compared.")


if __name__ == "__main__":
    main()
