"""Of correct answers, how many are flagged; of wrong ones, how many pass? Over pairs of both on the same evidence.

    python -m benchmarks.contrast FILE --figures CSV [--detectors numeric] [--verifier labels]
        [--part looking|measuring] [--fifth] [--workers N] [--json OUT] [--list OUT] [--check | --accept]

FILE (``.jsonl`` or ``.jsonl.gz``) holds a faithful answer and its twin with one falsification for each piece of evidence,
CSV the figures of record. Every answer is judged as the product judges one that it does not store, by the detectors of a
default installation and whatever verifier is configured in the environment, unless told otherwise. Printed, for all
pairs and by kind of change, evidence, layout of documents, language and set:

- **false alarms**: correct answers with ``has_hallucinations`` or ``needs_review``;
- **misses**: wrong ones with neither;
- **both right**: pairs whose correct answer passes and whose wrong one is flagged;
- **not judged**: answers with the status ``not_verified`` and no flag, neither right nor wrong, in all denominators;

each with its 95 % Wilson interval. Odd numbers of pairs are for looking, even ones for measuring: the list of what was
found says nothing of the latter but id, label and whether it was flagged. ``--check`` compares with the last accepted
run of the same rows, pair by pair, and fails where a figure has left its 95 % bootstrap; ``--accept`` keeps this run.
The gate does it for numbers alone and for all detectors:

    python -m benchmarks.contrast FILE --figures CSV --fifth --check --detectors numeric --detectors default
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path

from benchmarks.contrast_counting import (
    FIGURES,
    PARTS,
    Judged,
    Rate,
    Row,
    grouped,
    in_fifth,
    left,
    listed,
    pairs_of,
    part_of,
    rates,
)
from benchmarks.contrast_screening import Screening, read_rows
from benchmarks.own_database import own_database
from detection.core.pipeline import DETECTORS

DEFAULT = "default"
ACCEPTED = Path(__file__).with_name("contrast_accepted.json")
Table = Mapping[str, Mapping[str, Rate]]


def judged_rows(
    rows: Sequence[Row], runs: Mapping[str, Screening], figures: Path, workers: int
) -> dict[str, list[Judged]]:
    """Every row judged in each of these ways, in order, over a database of its own with these figures of record."""
    os.environ.pop("DATABASE_URL", None)
    with own_database():
        from django.core.management import call_command
        from django.db import connections

        call_command("import_financials", str(figures), stdout=io.StringIO())
        if workers == 1:
            return {name: [one.judge(row) for row in rows] for name, one in runs.items()}
        connections.close_all()
        with get_context("fork").Pool(workers) as pool:
            return {name: pool.map(one.judge, rows, chunksize=8) for name, one in runs.items()}


def table_of(judged: Sequence[Judged]) -> Table:
    """The rates of each line."""
    return {name: rates(pairs) for name, pairs in grouped(pairs_of(judged)).items()}


def show(table: Table) -> None:
    """Print a line for each group, and the kinds of line apart."""
    print(f"{'pairs':<34}{'n':>5}" + "".join(f"{name:>24}" for name in FIGURES))
    kind = ""
    for name, line in table.items():
        if name.split()[0] != kind:
            print()
        kind = name.split()[0]
        print(
            f"{name:<34}{line[FIGURES[0]][3]:>5}" + "".join(f"{_shown(line[each]):>24}" for each in FIGURES)
        )


def _shown(rate: Rate) -> str:
    share, low, high, _ = rate
    return f"{share:.1%} [{100 * low:.1f}, {100 * high:.1f}]"


def accept(judged: Sequence[Judged], name: str, path: Path = ACCEPTED) -> None:
    """Keep a run as the accepted one of its name: of each row its id and whether it was flagged, nothing else."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[name] = {one.id: one.flagged for one in judged}
    path.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"\nAccepted: {name}, {len(judged)} answers.")


def check(judged: Sequence[Judged], name: str, path: Path = ACCEPTED) -> int:
    """Compare with the accepted run of this name and print what has left it; the exit code."""
    kept = (json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}).get(name)
    if kept is None:
        print(f"\nNo run is accepted: {name}. Repeat with --accept instead of --check.")
        return 1
    moved = left(judged, kept)
    changed = sum(one.flagged is not kept[one.id] for one in judged)
    print(f"\n{changed} of {len(judged)} answers are judged otherwise than in the accepted run.")
    for line in moved:
        print(f"left the accepted run: {line}")
    if moved:
        print("If that is meant, repeat with --accept instead of --check.")
    return 1 if moved else 0


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--figures", type=Path, required=True, help="figures of record, a file to import")
    parser.add_argument(
        "--detectors",
        action="append",
        metavar="NAMES",
        help="comma-separated; default: those that are switched on. Given again: a further run",
    )
    parser.add_argument("--verifier", choices=["labels"], help="labels: the perfect verifier")
    parser.add_argument("--part", choices=PARTS, help="default: both")
    parser.add_argument("--fifth", action="store_true", help="only the fixed fifth that the gate runs")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--list", type=Path, help="write what was found there, a line an answer")
    held = parser.add_mutually_exclusive_group()
    held.add_argument("--check", action="store_true", help="fail where a figure left the accepted run")
    held.add_argument("--accept", action="store_true", help="keep this run as the accepted one")
    return parser


def wanted(rows: Sequence[Row], chosen: argparse.Namespace) -> list[Row]:
    """The rows that the command line chose."""
    return [
        row for row in rows if chosen.part in (None, part_of(row)) and (in_fifth(row) or not chosen.fifth)
    ]


def runs_of(chosen: argparse.Namespace) -> dict[str, Screening]:
    """The ways to judge that the command line chose, by name. Ends the program for a detector that there is not."""
    found = {}
    for given in chosen.detectors or [DEFAULT]:
        named = None if given == DEFAULT else tuple(name.strip() for name in given.split(","))
        if unknown := set(named or ()) - set(DETECTORS):
            raise SystemExit(
                f"Unknown detectors: {', '.join(sorted(unknown))}. Known: {', '.join(DETECTORS)}."
            )
        name = f"{given} detectors" if named is None else ",".join(named)
        name += f", verifier {chosen.verifier}" if chosen.verifier else ""
        found[name] = Screening(named, chosen.verifier == "labels")
    return found


def write(chosen: argparse.Namespace, tables: Mapping[str, Table], judged: Sequence[Judged]) -> None:
    """The files that were asked for; the list is of the last run."""
    if chosen.json:
        chosen.json.write_text(json.dumps(tables, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if chosen.list:
        chosen.list.write_text("".join(f"{listed(one)}\n" for one in judged), encoding="utf-8")


def main(given: Sequence[str] | None = None) -> int:
    """Judge, print, write, compare; 1 when a figure has left the accepted run."""
    chosen = options().parse_args(given)
    rows = wanted(read_rows(chosen.file), chosen)
    tables, failed = {}, 0
    found = judged_rows(rows, runs_of(chosen), chosen.figures, chosen.workers)
    for name, judged in found.items():
        tables[name] = table_of(judged)
        print(f"\n{name}; {len(rows)} answers; 95 % Wilson intervals")
        show(tables[name])
        if chosen.accept:
            accept(judged, name)
        if chosen.check:
            failed |= check(judged, name)
    write(chosen, tables, judged)
    return failed


if __name__ == "__main__":
    sys.exit(main())
