"""How often a number is bound to what a careful reader says it belongs to: metric, period and property.

    python -m benchmarks.binding [FOLDER] [--show LANGUAGE]

Reads ``LANGUAGE.jsonl`` from the folder (default: the project's own cases, ``tests/core/binding_cases``). A line is
an answer with each of its numbers, dates apart, labelled; no binding where the words name none, which means the
answer's own. A number is read where spans overlap; one not read, and one read but not labelled, is wrong. Printed for each
language: numbers, the share with the right metric, period, property, all three, and its 95 % bootstrap interval
over lines. The cases were written for this project and partly while the rules were; no peer binds numbers.
"""

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detection.core import claims
from detection.core.numbers import dates
from detection.core.types import Alias, Case, Claim, Named, Period

CASES = Path(__file__).resolve().parent.parent / "tests" / "core" / "binding_cases"
PARTS = ("metric", "period", "property")


@dataclass(frozen=True, slots=True)
class Judged:
    """One number: what it was bound to, what it should be, and which parts are right."""

    text: str
    found: tuple[str | None, ...] | None
    wanted: tuple[str | None, ...] | None
    right: dict[str, bool]

    @property
    def all_right(self) -> bool:
        """Whether metric, period and property are right."""
        return all(self.right.values())


def case_of(row: dict[str, Any], language: str) -> Case:
    """The case that a line of labelled data describes."""
    stated = dates.of_iso(row["period"]) if "period" in row else None
    period = None
    if stated and stated.start and stated.end:
        period = Period(1, row.get("property", ""), row["period"], stated.start, stated.end)
    return Case(
        row["text"],
        language=language,
        property=row.get("property"),
        period=period,
        properties=tuple(Named(code, name) for code, name in row.get("properties", ())),
        aliases=tuple(Alias(code, "", name) for code, name in row.get("accounts", ())),
    )


def judged(row: dict[str, Any], language: str) -> list[Judged]:
    """Each number of a line beside its label."""
    read = [one for one in claims.read(case_of(row, language)) if one.kind not in ("statement", "date")]
    pairs: list[tuple[Claim | None, dict[str, Any] | None]] = []
    for label in row["claims"]:
        start, end = _place(row["text"], label)
        claim = next((one for one in read if one.start < end and start < one.end), None)
        pairs.append((claim, label))
    labelled = [id(claim) for claim, _ in pairs]
    pairs += [(claim, None) for claim in read if id(claim) not in labelled]
    return [_judged(row, claim, label) for claim, label in pairs]


def _place(text: str, label: dict[str, Any]) -> tuple[int, int]:
    start = -1
    for _ in range(label.get("occurrence", 1)):
        start = text.index(label["text"], start + 1)
    return start, start + len(label["text"])


def _judged(row: dict[str, Any], claim: Claim | None, label: dict[str, Any] | None) -> Judged:
    own = {"period": row.get("period"), "property": row.get("property")}
    found = tuple(getattr(claim, part) for part in PARTS) if claim else None
    wanted = tuple(label[part] for part in PARTS) if label else None
    right = dict.fromkeys(PARTS, False)
    if found and wanted:
        right = {
            part: (one or own.get(part)) == (other or own.get(part))
            for part, one, other in zip(PARTS, found, wanted, strict=True)
        }
    return Judged(claim.text if claim else label["text"] if label else "", found, wanted, right)


def rows(folder: Path, language: str) -> Iterator[dict[str, Any]]:
    """The labelled lines of a language."""
    with (folder / f"{language}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def interval(lines: list[list[Judged]], draws: int = 2000) -> tuple[float, float]:
    """The 95 % bootstrap interval, over lines, of the share of numbers bound right."""
    counted = [(sum(one.all_right for one in line), len(line)) for line in lines if line]
    chance = random.Random(7)
    shares = []
    for _ in range(draws):
        drawn = chance.choices(counted, k=len(counted))
        shares.append(sum(right for right, _ in drawn) / sum(count for _, count in drawn))
    shares.sort()
    return shares[int(draws * 0.025)], shares[int(draws * 0.975)]


def _table(folder: Path) -> None:
    print(f"{'language':<10}{'lines':>7}{'numbers':>9}{'metric':>9}{'period':>9}{'property':>10}{'all':>8}   95 % interval")  # fmt: skip
    for path in sorted(folder.glob("*.jsonl")):
        lines = [judged(row, path.stem) for row in rows(folder, path.stem)]
        numbers = [one for line in lines for one in line]
        parts = [sum(one.right[part] for one in numbers) / len(numbers) for part in PARTS]
        every = sum(one.all_right for one in numbers) / len(numbers)
        low, high = interval(lines)
        shares = f"{parts[0]:>9.1%}{parts[1]:>9.1%}{parts[2]:>10.1%}{every:>8.1%}"
        print(f"{path.stem:<10}{len(lines):>7}{len(numbers):>9}{shares}   {low:.1%} to {high:.1%}")


def _show(folder: Path, language: str) -> None:
    for row in rows(folder, language):
        wrong = [one for one in judged(row, language) if not one.all_right]
        if wrong:
            print(f"\n{row['text']}  [{row['why']}]")
        for one in wrong:
            print(f"  {one.text!r}: found {one.found}, wanted {one.wanted}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=CASES)
    parser.add_argument(
        "--show", metavar="LANGUAGE", help="print the lines of this language with a wrong number"
    )
    given = parser.parse_args()
    if given.show:
        _show(given.folder, given.show)
    else:
        _table(given.folder)


if __name__ == "__main__":
    main()
