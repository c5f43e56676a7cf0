"""Numbers read from text: recall on core forms, clean texts, peers (python -m benchmarks.numeric_extraction FILE [--misses]).

FILE holds rows of text with expected spans. A claim counts when its span overlaps, its kind and value agree
and, for currency, its unit. Precision is by text: one spurious claim of a kind that a text is labelled
completely for, outside the spans to ignore, and the text is not clean. Intervals are bootstrapped over texts.
Peers run beside it by the same rule when they are installed (:mod:`benchmarks.numeric_peers`).
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.numeric_peers import Reader, installed
from detection.core.numbers import CODE_MEANS, CURRENCY_SIGNS, extract
from detection.core.types import NumericClaim

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


def _table(title: str, cells: dict[str, list[tuple[int, int]]]) -> None:
    print(f"\n{title}")
    for name in sorted(cells):
        share, low, high = interval(cells[name])
        print(f"  {name:<62} {share:7.1%}  [{low:.1%}, {high:.1%}]  n={sum(n for _, n in cells[name])}")


Outcomes = dict[str, list[tuple[int, int]]]
"""Of each cell of a table, ``(right, all)`` for every text."""


def judged(rows: Sequence[Row], read: Reader, kinds: Collection[str]) -> tuple[Outcomes, Outcomes, Outcomes]:
    """Recall by scope and kind, core recall by suite, and clean texts by kind, for the ``kinds`` a reader knows."""
    recall: Outcomes = defaultdict(list)
    suites: Outcomes = defaultdict(list)
    texts: Outcomes = defaultdict(list)
    for row in rows:
        claims = read(row["text"])
        for expected in row["expected"]:
            if expected["kind"] in kinds or (expected["kind"] == "ratio" and "number" in kinds):
                right = int(found(expected, claims))
                recall[f"{expected['scope']} {expected['kind']}"].append((right, 1))
                if expected["scope"] == "core":
                    suites[f"{expected['kind']} {expected['source_suite']}"].append((right, 1))
        for kind in row["complete_for"]:
            if kind in kinds:
                texts[kind].append((int(clean({**row, "complete_for": [kind]}, claims)), 1))
    return recall, suites, texts


def misses(rows: Sequence[Row]) -> None:
    """Print every core number that is not found and every claim that makes a text unclean."""
    for row in rows:
        claims = extract(row["text"])
        for expected in row["expected"]:
            if expected["scope"] == "core" and not found(expected, claims):
                print(
                    "MISS", expected["kind"], expected["surface"], expected["value"], "|", row["text"][:140]
                )
        for kind in row["complete_for"]:
            if not clean({**row, "complete_for": [kind]}, claims):
                spurious = [claim.text for claim in claims if claim.kind == kind]
                print("EXTRA", kind, spurious, "|", row["text"][:140])


def beside(title: str, columns: dict[str, Outcomes]) -> None:
    """Print the share of each column, a line for each kind; ``–`` where a reader does not know the kind."""
    print(f"\n{title}\n  {'':<24}" + "".join(f"{name:>18}" for name in columns) + "       n")
    for cell in sorted({cell for outcomes in columns.values() for cell in outcomes}):
        shares, counts = [], []
        for outcomes in columns.values():
            right = [one for one, _ in outcomes.get(cell, ())]
            counts.append(len(right))
            shares.append(f"{sum(right) / len(right):>18.1%}" if right else f"{'–':>18}")
        print(f"  {cell:<24}" + "".join(shares) + f"{max(counts):>8}")


def compare(rows: Sequence[Row], recall: Outcomes, texts: Outcomes) -> None:
    """Print our recall and clean texts beside those of each installed peer by the same rule."""
    peers, missing = installed()
    theirs = {peer.name: judged(rows, peer.read, peer.kinds) for peer in peers}
    if theirs:
        title = "Recall beside the peers (none knows ratios: their plain numbers count as such)"
        beside(title, {"ours": recall} | {name: outcomes[0] for name, outcomes in theirs.items()})
        beside(
            "Clean texts beside the peers",
            {"ours": texts} | {name: outcomes[2] for name, outcomes in theirs.items()},
        )
    for line in missing:
        print(line)


def main() -> None:
    """Run the benchmark over the file named on the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument(
        "--misses", action="store_true", help="also print what is missed and what is spurious"
    )
    chosen = options.parse_args()
    rows = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    if chosen.misses:
        misses(rows)
    recall, suites, texts = judged(rows, extract, KINDS)
    _table("Recall by scope and kind", recall)
    _table("Core recall by suite", suites)
    _table("Clean texts by kind", texts)
    compare(rows, recall, texts)


if __name__ == "__main__":
    main()
