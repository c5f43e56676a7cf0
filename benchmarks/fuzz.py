"""Does a reader of the core fail, or take too long, for any text? Guided by what a text reaches (atheris).

    python -m benchmarks.fuzz [--seconds 600] [--corpus FOLDER] [--long 2000]

Makes texts of words, marks and letters that readers look for, splits them into sentences, reads numbers, periods, claims and
tables out of them, and compares one half with the other. Prints each text for which a reader raises or takes more CPU
than :data:`BUDGET`, once for each place; what reached something new stays in the corpus. Needs benchmarks/requirements-fuzz.txt.
"""

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["detection.core"]):
    from detection.core import claims, numbers, periods, text
    from detection.core.context import Context
    from detection.core.matching import numeric
    from detection.core.thresholds import Thresholds
    from detection.core.types import Case, Source

BUDGET = 4.0
"""Seconds of CPU for a text of some thousand characters: measured with every branch counted, some five times of what it takes."""
DEADLINE = 1.0
"""Seconds that comparing is given."""
WORDS = (
    "NOI ", "net operating income ", "occupancy ", "was ", "rose by ", "from ", "to ", "in ", "Q3 2024", "FY2023", "$1,234,567.89",
    "(1,234)", "95.2%", "1.25x", "12 bps", " million", "€", "₪", "万元", "百分之", " [S0]", "[S1]. ", ". ", "; ", "\n", "\t", " | ", "|---|---|\n",
    ",", "<table><tr><td>", "</td><td>", "</td></tr>", "<th colspan=3>", "   ", "2024-09-30", "30 September 2024", "year ended ", "H1", "רבעון שלישי ",
    "מיליון ", "הכנסות ", "第三季度", "同比增长", "the highest ", "more than ", "not ", "per quarter ", "total ", "average ", "one hundred ", "1st ",
    "(in thousands)", "-", "−", "%", "(", ")", "[", "]", "0", "9", "0.", "e", "²", "\u200f", "\u00a0", "’", "\"", "1. ", "- ", "* ", "# ",
)  # fmt: skip


def written(data: bytes, longest: int) -> str:
    """A text: each byte is a word of :data:`WORDS`, or says that letters of any kind follow."""
    provider = atheris.FuzzedDataProvider(data)
    parts: list[str] = []
    size = 0
    while provider.remaining_bytes() and size < longest:
        chosen = provider.ConsumeIntInRange(0, len(WORDS) + 7)
        part = WORDS[chosen] if chosen < len(WORDS) else provider.ConsumeUnicodeNoSurrogates(chosen % 8 + 1)
        parts.append(part)
        size += len(part)
    return "".join(parts)


def compared(text_of: str) -> None:
    """One half judged by the other, as a source and as a table."""
    answer, source = text_of[: len(text_of) // 2], text_of[len(text_of) // 2 :]
    case = Case(answer=answer, sources=(Source("S0", source), Source("S1", source.replace(" ", "\t"))))
    began = time.process_time()
    context = Context(
        case, claims.read(case), Thresholds(), expired=lambda: time.process_time() - began > DEADLINE
    )
    numeric.measure(context)


READERS: dict[str, Callable[[str], object]] = {
    "sentences": text.sentences,
    "numbers": numbers.extract,
    "periods": lambda given: [periods.find(given, language) for language in ("en", "he", "zh")],
    "claims": lambda given: claims.read(Case(answer=given)),
    "compared": compared,
}


class Watched:
    """Calls the readers, and tells of each fault once."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.told: set[str] = set()

    def __call__(self, data: bytes) -> None:
        given = written(data, self.longest)
        for name, read in READERS.items():
            began = time.process_time()
            try:
                read(given)
            except Exception as error:  # noqa: BLE001 - whatever a reader raises is what is looked for
                at = traceback.extract_tb(error.__traceback__)[-1]
                self.tell(f"{name}: {type(error).__name__} at {at.filename}:{at.lineno}: {error}", given)
            taken = time.process_time() - began
            if taken > BUDGET:
                self.tell(f"{name}: over {BUDGET:g} s", given, f"{taken:.1f} s, {len(given)} characters")

    def tell(self, fault: str, given: str, more: str = "") -> None:
        """Print a fault that was not there before."""
        if fault not in self.told:
            self.told.add(fault)
            print(f"\nFAULT {len(self.told)}: {fault} {more}\n{given!r}\n", flush=True)


def main() -> None:
    """Make texts until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", help="a folder to begin with and to add to; one of its own unless given")
    parser.add_argument("--long", type=int, default=2000, help="characters of the longest text")
    chosen = parser.parse_args()
    corpus = Path(chosen.corpus or tempfile.mkdtemp(prefix="hallu-fuzz-"))
    drawn = random.Random(1)
    for number in range(50):  # else it would begin with texts of one word
        (corpus / f"begin-{number}").write_bytes(drawn.randbytes(drawn.randint(20, 400)))
    limits = [
        f"-max_total_time={chosen.seconds}",
        f"-max_len={chosen.long}",
        "-timeout=600",
        "-rss_limit_mb=0",
        f"-artifact_prefix={corpus}/",  # else texts that took long would lie in the folder it was started in
    ]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], Watched(chosen.long))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
