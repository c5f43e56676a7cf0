"""Plain and weighted word overlap on claim and evidence pairs: ``python -m benchmarks.weighted_overlap FILE [FILE …]``.

AUROC for each source and language on the groups that the weights were not chosen on: those whose MD5 is odd. The interval
is that of the difference, by 300 bootstrap draws of whole groups.
"""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.grounding_data import Row, auroc, bootstrap, family, read_rows, word_overlap
from detection.core.citations import stems, weighted_overlap
from detection.core.text import words


def is_unseen(row: Row) -> bool:
    """Whether the weights were chosen without this row's group."""
    return int(hashlib.md5(str(row["group"]).encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 1


def weighted(row: Row) -> float:
    """The overlap by what each word is worth."""
    claim, evidence = (stems(words(str(row[name]))) for name in ("claim", "evidence"))
    return weighted_overlap(claim, evidence)


def figures(rows: list[Row]) -> tuple[float, float, tuple[float, float]] | None:
    """AUROC of plain and of weighted overlap, and the interval of the difference; None for one class alone."""
    labels = [int(row["y"]) for row in rows]
    if len(set(labels)) < 2:
        return None
    plain, ours = [word_overlap(row) for row in rows], [weighted(row) for row in rows]

    def area(scores: list[float], picked: Iterable[int]) -> float | None:
        chosen = list(picked)
        return auroc([labels[n] for n in chosen], [scores[n] for n in chosen])

    def gain(picked: list[int]) -> float | None:
        one, other = area(ours, picked), area(plain, picked)
        return None if one is None or other is None else one - other

    everything = range(len(rows))
    before, after = area(plain, everything), area(ours, everything)
    assert before is not None
    assert after is not None
    return before, after, bootstrap([str(row["group"]) for row in rows], gain)


def main(paths: list[Path]) -> None:
    """Print one line for each source and language."""
    parts: dict[tuple[str, str], list[Row]] = {}
    for row in (row for path in paths for row in read_rows(path) if is_unseen(row)):
        parts.setdefault((family(row), str(row["lang"])), []).append(row)
    print(f"{'source':26}{'language':10}{'n':>7}{'plain':>8}{'weighted':>10}{'gain 95 %':>20}")
    better, measured = 0, 0
    for (source, language), rows in sorted(parts.items()):
        found = figures(rows)
        if found is None:
            print(f"{source:26}{language:10}{len(rows):7}   one class")
            continue
        plain, ours, (low, high) = found
        better, measured = better + (ours > plain), measured + 1
        print(f"{source:26}{language:10}{len(rows):7}{plain:8.3f}{ours:10.3f}{low:+11.3f} … {high:+.3f}")
    print(f"weighted is better on {better} of {measured}")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
