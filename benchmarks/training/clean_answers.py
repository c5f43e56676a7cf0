"""How much a verifier doubts correct answers: ``python -m benchmarks.training.clean_answers DATA`` (the folder of ``HALLU_DATA``).

Writes ``detection/core/verdict/clean_answers.json``: of the correct answers of the looked-at half of
``contrast_dev.jsonl.gz`` and of the pairs of :data:`LOOKED_AT`, the doubt (:func:`detection.core.verdict.doubt_of`) that 0, 1, 2, …
per cent of them exceed, for each language and for answers with verified figures and without. Those of ``training_answers.jsonl.gz`` are
left out: half of them were written to be far from the words of their sources.
"""

import io
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.contrast_counting import LOOKING, Row, part_of
from benchmarks.contrast_screening import Screening, read_rows
from benchmarks.own_database import own_database
from benchmarks.training.answered import falsified
from benchmarks.training.fit_local import PAIRS
from detection.core import pipeline
from detection.core.stores import Memory
from detection.core.verdict import doubt_of
from detection.core.verdict.doubt import CLEAN_ANSWERS

LOOKED_AT = ("c", "d", "e", "f", "g", "j", "k", "o")
SHARES = (0, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50)
LEAST = 100
"""So many correct answers of a kind and language are needed for limits of its own."""

Doubted = tuple[str, str, float]
"""Kind, language and doubt of a correct answer."""


def doubted(row: Row) -> Doubted:
    """One correct answer, judged."""
    from detection import runs

    context = Screening().context({"property": None, "period": None, **row})
    found = pipeline.screen(context, Memory(runs.due_detectors(None)))
    numbers = {claim.index for claim in found.claims if claim.kind != "statement"}
    figures = any(one.claim in numbers and one.status == "supported" for one in found.findings)
    return "figures" if figures else "words", str(row["lang"]), doubt_of(found.findings)


def clean_answers(data: Path) -> list[Doubted]:
    """All correct answers, judged over their figures of record."""
    dev = data / "contrast_dev.jsonl.gz"
    files = [(dev, data / "contrast_dev_figures.csv")]
    files += [(PAIRS / f"{name}.jsonl.gz", PAIRS / f"{name}.csv") for name in LOOKED_AT]
    found: list[Doubted] = []
    with own_database():
        from django.core.management import call_command
        from django.db import connections

        for path, figures in files:
            call_command("import_financials", str(figures), stdout=io.StringIO())
            connections.close_all()
            clean = [row for row in read_rows(path) if not falsified(row)]
            clean = [row for row in clean if path != dev or part_of(row) == LOOKING]
            with get_context("fork").Pool() as pool:
                found += pool.map(doubted, clean, chunksize=8)
    return found


def knots(doubts: Sequence[float]) -> list[tuple[float, float]]:
    """The doubt that each share of :data:`SHARES` exceeds."""
    return [(share, round(float(np.quantile(doubts, 1 - share / 100)), 4)) for share in SHARES]


def limits(found: Sequence[Doubted]) -> dict[str, list[tuple[float, float]]]:
    """Limits by kind, and by language and kind where there are enough answers."""
    groups: dict[str, list[float]] = {}
    for kind, language, doubt in found:
        groups.setdefault(kind, []).append(doubt)
        groups.setdefault(f"{language} {kind}", []).append(doubt)
    return {
        name: knots(each) for name, each in sorted(groups.items()) if len(each) >= LEAST or " " not in name
    }


def main(data: Path) -> None:
    """Judge, write, print."""
    found = clean_answers(data)
    by_kind = limits(found)
    told = {
        "date": datetime.now(UTC).date().isoformat(),
        "answers": len(found),
        "limits": {"local": by_kind},
    }
    CLEAN_ANSWERS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    for name, each in by_kind.items():
        print(name, each)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
