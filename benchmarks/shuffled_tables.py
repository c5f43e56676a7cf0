"""Support by chance: derived claims beside shuffled tables and beside other values (python -m benchmarks.shuffled_tables [FILE]).

Each true sentence whose number is computed is judged against its own sources with the values of every column
put into another order (the labels stay), so that the number no longer follows. Support as ``derived`` from
other cells than the sentence's own is support by chance; an order that leaves the values of those cells as they
were is not counted, nor support from the text around the table, which stays. In the second variant the sources stay and the number becomes another one of the same
length. FILE holds rows as of ``numeric_verification``; without it, and beside it, generated tables in three
languages are measured. Intervals are bootstrapped over documents.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from benchmarks.numeric_extraction import interval
from benchmarks.numeric_verification import judged
from benchmarks.tables_made import made
from detection.core.evidence.tables import Cell, read
from detection.core.types import Finding, Source

Sources = tuple[Source, ...]
_DIGITS = regex.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Stated:
    """A true sentence that states the computed number ``surface``, with its sources."""

    doc: str
    group: str
    sentence: str
    surface: str
    sources: Sources


def of_file(path: Path) -> Iterator[Stated]:
    """The computed true sentences of a file of ``numeric_verification``, grouped by operation where one is found."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["trace"] == "computed":
            sources = tuple(Source(chunk["id"], chunk["text"]) for chunk in row["source_chunks"])
            yield Stated(row["doc"], "", row["answer_sentence"], row["gold_surface"], sources)


def cells(source: Source) -> list[tuple[int, Cell]]:
    """The value cells of the tables of a chunk in order, each with the number of its table."""
    found = [(number, cell) for number, table in enumerate(read(source)) for cell in table.cells]
    return sorted(found, key=lambda one: one[1].start)


def shuffled(source: Source, chance: random.Random) -> Source:
    """The chunk with the cells of each column and unit in another order."""
    places = cells(source)
    columns: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for index, (table, cell) in enumerate(places):
        columns[table, cell.column, cell.unit].append(index)
    texts = [cell.text for _, cell in places]
    for inside in columns.values():
        for index, other in zip(inside, chance.sample(inside, len(inside)), strict=True):
            texts[index] = places[other][1].text
    parts, low = [], 0
    for (_, cell), text in zip(places, texts, strict=True):
        parts += [source.text[low : cell.start], text]
        low = cell.end
    return Source(source.ref, "".join([*parts, source.text[low:]]))


def operands(findings: Sequence[Finding], sources: Sources) -> set[tuple[str, int]]:
    """The cells that the derivations of ``findings`` took, by the number of the cell in its chunk."""
    order = {
        (source.ref, cell.start): index for source in sources for index, (_, cell) in enumerate(cells(source))
    }
    spans = [span for finding in findings if finding.matched for span in finding.matched.operands]
    return {(span.source, order.get((span.source, span.start), -1 - span.start)) for span in spans}


def other_value(sentence: str, surface: str, chance: random.Random) -> tuple[str, str]:
    """The sentence with other digits in its number, as many of them and the first one not 0."""
    digits = iter([str(chance.randint(1, 9)), *(str(chance.randint(0, 9)) for _ in range(len(surface)))])
    other = _DIGITS.sub(lambda found: next(digits), surface)
    start = sentence.rfind(surface)
    return sentence[:start] + other + sentence[start + len(surface) :], other


def operation_of(finding: Finding) -> str:
    """The operation of an equation, by its shape."""
    shown = (finding.matched.arithmetic or "") if finding.matched else ""
    unit = finding.matched.unit if finding.matched else ""
    if unit == "%" and " − " in shown:
        return "growth" if " / " in shown else "difference"
    if " / " in shown:
        return "average" if " + " in shown else "share, ratio"
    return "sum" if " + " in shown else "difference"


class Counted:
    """Chance supports and trials for each line of the table, by document."""

    def __init__(self) -> None:
        self.lines: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))

    def add(self, doc: str, names: Sequence[str], *, supported: bool) -> None:
        """Count one trial on each of the lines ``names``."""
        for name in names:
            cell = self.lines[name][doc]
            cell[0], cell[1] = cell[0] + supported, cell[1] + 1

    def show(self) -> None:
        """Print rate, interval and number of trials of each line."""
        print(f"{'support by chance':<44} {'rate':>7}  {'95 % interval':<16} {'n':>6}")
        for name in sorted(self.lines):
            pairs = [(a, b) for a, b in self.lines[name].values()]
            rate, low, high = interval(pairs)
            print(f"{name:<44} {rate:7.2%}  [{low:.2%}, {high:.2%}] {sum(b for _, b in pairs):6}")


def derived(findings: list[Finding]) -> list[Finding]:
    """The findings when all of them are supported and one is by derivation, else none."""
    supported = all(finding.status == "supported" for finding in findings)
    return [finding for finding in findings if supported and finding.code == "derived"]


def measure(stated: Sequence[Stated], seeds: int, prefix: str, shown: bool) -> None:
    """Judge every sentence beside shuffled tables and with other values, and print the rates."""
    counted, found = Counted(), 0
    for index, one in enumerate(stated):
        before = derived(judged(one.sentence, one.surface, one.sources))
        found += bool(before)
        group = one.group or (operation_of(before[0]) if before else "not found")
        own = operands(before, one.sources)
        for seed in range(seeds):
            chance = random.Random(f"{seed} {index}")
            sources = tuple(shuffled(source, chance) for source in one.sources)
            if own and _texts(own, sources) == _texts(own, one.sources):
                continue
            after = derived(judged(one.sentence, one.surface, sources))
            taken = operands(after, sources)
            by_chance = taken != own and any(index >= 0 for _, index in taken)
            names = (f"{prefix} shuffled", f"{prefix} shuffled, {group}")
            counted.add(one.doc, names, supported=by_chance)
            if by_chance and shown:
                print(one.sentence, "|", [finding.matched.arithmetic for finding in after if finding.matched])
            sentence, surface = other_value(one.sentence, one.surface, chance)
            if surface != one.surface:
                wrong = derived(judged(sentence, surface, one.sources))
                names = (f"{prefix} other value", f"{prefix} other value, {group}")
                counted.add(one.doc, names, supported=bool(wrong))
                if wrong and shown:
                    print(sentence, "|", [finding.matched.arithmetic for finding in wrong if finding.matched])
    print(f"{prefix}: {len(stated)} true sentences, {found / max(len(stated), 1):.1%} supported as derived")
    counted.show()


def _texts(own: set[tuple[str, int]], sources: Sources) -> list[str]:
    by_ref = {source.ref: cells(source) for source in sources}
    return [by_ref[ref][index][1].text if 0 <= index < len(by_ref[ref]) else "" for ref, index in sorted(own)]


def main() -> None:
    """Measure the file named on the command line, if one is, and the generated tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path, nargs="?")
    options.add_argument("--seeds", type=int, default=5, help="orders tried for each sentence")
    options.add_argument("--made", type=int, default=100, help="generated tables for each language")
    options.add_argument("--show", action="store_true", help="print what is supported by chance")
    chosen = options.parse_args()
    if chosen.file:
        measure(list(of_file(chosen.file)), chosen.seeds, "file", chosen.show)
    own = [Stated(*one[:4], (Source("S0", one[4]),)) for one in made(chosen.made)]
    measure(own, chosen.seeds, "made", chosen.show)


if __name__ == "__main__":
    main()
