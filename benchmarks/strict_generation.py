"""What strict generation lets pass and what it refuses (RAG-01…RAG-12): ``python -m benchmarks.strict_generation FILE``.

A scripted model "writes" true sentences over real filings, citing the chunk that holds their figure, and corrupted ones:
a source that does not exist, another figure, a phrase that leans on general knowledge, no citation. Asked: at most 5 % of
the true ones refused, no fabricated citation passed.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.cited_sentences import Cited, citing, draw, read
from detection.core import pipeline
from detection.core.context import Context
from detection.core.generation import Generated, Request, asserted, generate
from detection.core.ports import Text
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case
from detection.verifiers.embedded.local import LocalVerifier

PHRASES = tuple(phrase for phrase in DEFAULTS.indicator_phrases if phrase.isascii())


class Scripted:
    """A model that writes what it is told to."""

    name = "scripted"

    def __init__(self, text: str) -> None:
        self._text = text

    def complete(
        self, system: str, prompt: str, *, maximum_tokens: int = 512, temperature: float = 0.0
    ) -> Text:
        """The text."""
        return Text(self._text, self.name)


def fabricated(one: Cited) -> Iterator[tuple[str, str]]:
    """Beside a right citation in every second row, alone otherwise."""
    alone = citing(one.sentence, f"S{90 + draw(one.id) % 10}")
    yield "fabricated citation", alone if draw(one.id) % 2 else f"{citing(one.sentence, one.right)} {alone}"


def wrong_figure(one: Cited) -> Iterator[tuple[str, str]]:
    """One mistake a row, chosen by its id."""
    if one.wrong:
        kind, sentence = one.wrong[draw(one.id) % len(one.wrong)]
        yield f"wrong figure: {kind}", citing(sentence, one.right)


def leaning(one: Cited) -> Iterator[tuple[str, str]]:
    """A phrase of the list in front."""
    phrase = PHRASES[draw(one.id) % len(PHRASES)]
    yield "indicator phrase", f"{phrase.capitalize()}, {citing(one.sentence, one.right)}"


def uncited(one: Cited) -> Iterator[tuple[str, str]]:
    """The true sentence without its citation."""
    yield "no citation", one.sentence


def corrupted(rows: Sequence[Cited], each: int) -> Iterator[tuple[Cited, str, str]]:
    """``each`` rows of every kind; no row serves two kinds."""
    left = iter(rows)
    for corruption in (fabricated, wrong_figure, leaning, uncited):
        made = ((one, kind, text) for one in left for kind, text in corruption(one))
        yield from islice(made, each)


def detected(case: Case) -> pipeline.Conclusion:
    """The full detection of a text over its sources alone, with the embedded verifier."""
    every = DEFAULTS.changed(minimum_claim_length=0)
    context = Context(case, asserted(case), every, verifier=LocalVerifier())
    return pipeline.screen(context, Memory(("numeric", "citation", "grounding", "strawberry")))


def written(one: Cited, text: str) -> Generated:
    """What comes of this text."""
    case = Case("", question=one.question, sources=one.sources)
    return generate(case, Scripted(text), DEFAULTS, Request(), detected)


def refused_by(found: Generated) -> str:
    """The first layer that refused, with the status; empty for an answer that is shown."""
    return next((f"{found.status}: {layer.name}" for layer in found.layers if layer.reason), "")


def run(rows: list[Cited], count: int, shown: bool) -> None:
    """Print both tables, over ``count`` true and about as many corrupted answers; with ``shown`` every refused true sentence and every corrupted one that passed."""
    true = rows[:count]
    refusals = [(one, written(one, citing(one.sentence, one.right))) for one in true]
    refused = [(one, found) for one, found in refusals if not found.is_safe]
    print(f"true, correctly cited: {len(true)}; refused {len(refused)} ({len(refused) / len(true):.1%})")
    print(f"  by layer: {dict(Counter(refused_by(found) for _, found in refused))}")
    total, passed = Counter[str](), Counter[str]()
    leaked = []
    for one, kind, text in corrupted(rows[::-1], count // 4):
        found = written(one, text)
        total[kind] += 1
        passed[kind] += found.is_safe
        leaked += [(kind, text)] if found.is_safe else []
    print(f"{'corrupted':<42}{'n':>5}{'passed':>8}")
    for kind in sorted(total):
        print(f"{kind:<42}{total[kind]:>5}{passed[kind]:>8}")
    print(f"{'all':<42}{total.total():>5}{passed.total():>8}")
    if shown:
        for one, found in refused:
            print("refused |", one.sentence, "|", found.reason)
        for kind, text in leaked:
            print("passed |", kind, "|", text)


def main() -> None:
    """Run the benchmark over the file named on the command line."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("file", type=Path)
    options.add_argument("--count", type=int, default=200, help="true answers, and corrupted ones")
    options.add_argument("--show", action="store_true", help="print what was judged wrongly")
    chosen = options.parse_args()
    run(read(chosen.file), chosen.count, chosen.show)


if __name__ == "__main__":
    main()
