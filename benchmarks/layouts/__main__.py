"""Print the tables of both phases."""

import argparse
import logging
import os
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import benchmarks.layouts
from benchmarks.layouts.cutting import SPLITTERS, chunks_of
from benchmarks.layouts.extracting import layouts
from benchmarks.layouts.measuring import counted
from benchmarks.layouts.screening import screened
from benchmarks.layouts.sheets import OWN, Sheet, public
from detection.core.evidence.tables import Table, read_document
from detection.core.types import Source

KINDS = ("direct", "computed", "digit_change", "digit_transposition", "near_miss_within_4pct", "unit_slip", "scale_slip",
         "sign_flip", "wrong_table_value", "off_period_value")  # fmt: skip
SHORT = ("direct", "computed", "digit", "swapped", "near", "unit", "scale", "sign", "cell", "period")


def measure(sheets: Sequence[Sheet], shown: str | None) -> None:
    """Print a line for each layout and splitter."""
    print(
        f"{'layout':<24} {'splitter':<18} {'right':>7} {'wrong':>7} {'lost':>7}   {'value':>7} {'label':>7} {'heads':>7}  ms/2000 chars"
    )
    for name, render in layouts().items():
        texts = [(sheet, render(sheet)) for sheet in sheets]
        for cut, split in SPLITTERS.items():
            score: Counter[str] = Counter()
            spent, size = 0.0, 0
            for sheet, text in texts:
                chunks = chunks_of(sheet.name, text, split)
                begin = time.process_time()
                tables = read_document(chunks)
                spent += time.process_time() - begin
                size += sum(len(chunk.text) for chunk in chunks)
                own = counted(sheet, tables)
                score.update(own)
                if shown == f"{name}/{cut}" and own["right"] < own["cells"]:
                    _show(sheet, own, chunks, tables)
            cells = max(1, score["cells"])
            shares = [
                f"{score[kind] / cells:7.1%}"
                for kind in ("right", "wrong", "lost", "value", "label", "heads")
            ]
            print(
                f"{name:<24} {cut:<18} {' '.join(shares[:3])}   {' '.join(shares[3:])}  {2e6 * spent / max(1, size):6.1f}"
            )


def _show(sheet: Sheet, own: Counter[str], chunks: Sequence[Source], tables: Sequence[Table]) -> None:
    print("---", sheet.name, dict(own))
    print("\n~~~\n".join(chunk.text for chunk in chunks))
    for table in tables:
        print(">>>", table.caption, [column.heads for column in table.columns], table.why)
        for row in table.rows:
            print(
                "   ",
                row.label,
                row.sections,
                [(c.column, c.text, c.value, c.unit) for c in table.cells if c.row == row.index],
            )


def screen(sheets: Sequence[Sheet]) -> None:
    """Print, for each layout and splitter, how many true answers and how many of each kind of wrong ones are supported."""
    head: Counter[str] = Counter(row["trace"] for sheet in sheets for row in sheet.rows)
    head.update(wrong["kind"] for sheet in sheets for row in sheet.rows for wrong in row["perturbations"])
    print(f"{'layout':<24} {'splitter':<18} " + " ".join(f"{short:>8}" for short in SHORT))
    print(f"{'of':<43} " + " ".join(f"{head[kind]:8}" for kind in KINDS))
    for name, render in layouts().items():
        for cut, split in SPLITTERS.items():
            score = screened(sheets, render, split)
            print(
                f"{name:<24} {cut:<18} "
                + " ".join(f"{score[kind] / max(1, score[f'{kind} n']):8.1%}" for kind in KINDS),
                flush=True,
            )


def main() -> None:
    """Run both phases."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    options = argparse.ArgumentParser(description=benchmarks.layouts.__doc__)
    options.add_argument("--tables", type=int, default=40, help="public tables to render, 0 for all")
    options.add_argument(
        "--screen", type=int, default=0, help="public tables whose answers are judged as well"
    )
    options.add_argument("--show", help="print the tables that fail in LAYOUT/SPLITTER")
    chosen = options.parse_args()
    path = Path(os.environ.get("HALLU_DATA", "../shared/data")) / "financial_numeric_verification.jsonl"
    others = public(path, chosen.tables) if path.exists() else []
    print(f"own tables: {len(OWN)}")
    measure(OWN, chosen.show)
    print(f"\npublic tables: {len(others)}")
    measure(others, chosen.show)
    if chosen.screen:
        screen(others[: chosen.screen])


if __name__ == "__main__":
    main()
