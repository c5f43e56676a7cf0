"""Citations of a source that exists and does not say it (CIT-01): ``python -m benchmarks.misplaced_citations FILE``.

True sentences over real filings, once citing the chunk that holds their figure and once another chunk of the same
question. Reported: the wrong citations that are found, whether the chunk named instead is right, and false alarms.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cited_sentences import Cited, citing, read
from detection.core import claims
from detection.core.context import Context
from detection.core.pipeline import screen
from detection.core.stores import Memory
from detection.core.types import Case, Misplaced

COUNT = 200
DUE = ("numeric", "citation", "grounding")


def misplaced(one: Cited, ref: str) -> tuple[Misplaced, ...]:
    """What is found misplaced when the sentence cites ``ref``."""
    case = Case(citing(one.sentence, ref), question=one.question, sources=one.sources)
    found = screen(Context(case, claims.read(case)), Memory(DUE))
    return tuple(found.decisions["citation"].misplaced)


def run(rows: Sequence[Cited], shown: bool) -> None:
    """Print the figures; with ``shown`` the sentences that were judged wrongly."""
    both = [(one, ref) for one in rows if (ref := one.misplaced)][:COUNT]
    alarms = [one for one, _ in both if misplaced(one, one.right)]
    found = [(one, ref, misplaced(one, ref)) for one, ref in both]
    caught = [(one, wrong[0].better) for one, _, wrong in found if wrong]
    named = sum(better == one.right for one, better in caught)
    print(f"wrong but valid id: {len(caught)} of {len(both)} found ({len(caught) / len(both):.1%})")
    print(f"  of those the chunk that holds the figure is named: {named}")
    print(f"right id: {len(alarms)} of {len(both)} false alarms ({len(alarms) / len(both):.1%})")
    if shown:
        print(*(f"alarm | {one.right} | {one.sentence}" for one in alarms), sep="\n")
        missed = [f"missed | {ref} | {one.sentence}" for one, ref, wrong in found if not wrong]
        print(*missed, sep="\n")


def main() -> None:
    """Run the benchmark over the file named on the command line."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("file", type=Path)
    options.add_argument("--show", action="store_true", help="print what was judged wrongly")
    chosen = options.parse_args()
    run(read(chosen.file), chosen.show)


if __name__ == "__main__":
    main()
