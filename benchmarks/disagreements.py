"""Do sources that contradict each other get the word, and those that merely differ not?

    python -m benchmarks.disagreements FILE [--figures CSV] [--part looking|measuring]

FILE holds cases, ``{id, about number|statement, disagree, question, property, period, sources, answer}`` a line, a source its text or its title and
text. Printed: of the
cases that disagree how many get the reason ``sources_disagree``, and of the others, with Wilson intervals; each that is missed
and each that is wrong. Or it holds contrast pairs (:mod:`benchmarks.contrast`): then each faithful answer that gets the word is
printed.
"""

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.contrast_counting import PARTS, Row, part_of, wilson
from benchmarks.contrast_screening import Screening, read_rows
from benchmarks.own_database import own_database
from detection.core import pipeline
from detection.core.stores import Memory

CODE = "sources_disagree"


@dataclass(frozen=True, slots=True)
class Found:
    """A row with the status of the answer and the reasons by which its evidence disagrees."""

    row: Row
    status: str
    reasons: tuple[str, ...]


def judge(row: Row) -> Found:
    """One row, judged by a default installation."""
    from detection import runs

    conclusion = pipeline.screen(Screening().context(row), Memory(runs.due_detectors(None)))
    verdict = conclusion.verdict
    texts = tuple(reason.text for reason in verdict.reasons if reason.code == CODE)
    return Found(row, str(verdict.answer_status), texts)


def as_row(case: Row) -> Row:
    """A case in the shape of a contrast pair's row."""
    sources = [
        {"id": f"S{place}", "title": "", "text": one}
        if isinstance(one, str)
        else {"id": f"S{place}", "title": one[0], "text": one[1]}
        for place, one in enumerate(case["sources"])
    ]
    return {"property": None, "period": None, "wrong_text": None, **case, "sources": sources}


def judged(rows: Sequence[Row], figures: Path | None) -> Iterator[Found]:
    """The rows, judged over a database of their own with these figures of record."""
    os.environ.pop("DATABASE_URL", None)
    with own_database():
        from django.core.management import call_command

        if figures is not None:
            call_command("import_financials", str(figures), stdout=io.StringIO())
        for row in rows:
            yield judge(row)


def show_cases(found: Sequence[Found]) -> None:
    """The two rates, and what is wrong with them."""
    for about in ("number", "statement"):
        for disagree in (True, False):
            these = [one for one in found if one.row["about"] == about and one.row["disagree"] is disagree]
            hits = [one for one in these if one.reasons]
            low, high = wilson(len(hits) / max(len(these), 1), len(these))
            word = "contradicting" if disagree else "merely differing"
            print(
                f"{about:<10} {word:<17} {len(hits):>3} of {len(these)}  [{100 * low:.0f}, {100 * high:.0f}] %"
            )
            wrong = [one for one in these if bool(one.reasons) is not disagree]
            for one in wrong:
                print(f"    {one.row['id']} ({one.status}) {one.reasons}")


def show_pairs(name: str, found: Sequence[Found]) -> None:
    """How many faithful answers get the word, and each of them."""
    told = [one for one in found if one.reasons]
    print(f"{name}: {len(told)} of {len(found)} faithful answers")
    for one in told:
        print(f"    {one.row['id']}: {one.row['answer']}")
        for text in one.reasons:
            print(f"        {text}")


def main(given: Sequence[str] | None = None) -> int:
    """Judge and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--figures", type=Path, help="figures of record, a file to import")
    parser.add_argument("--part", choices=PARTS, help="of contrast pairs; default: both")
    chosen = parser.parse_args(given)
    rows = read_rows(chosen.file)
    if "disagree" in rows[0]:
        show_cases(list(judged([as_row(case) for case in rows], chosen.figures)))
        return 0
    faithful = [row for row in rows if row["label"] == "correct" and chosen.part in (None, part_of(row))]
    show_pairs(chosen.file.name, list(judged(faithful, chosen.figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
