"""Numbers verified against their sources: true sentences and wrong ones (python -m benchmarks.numeric_verification FILE).

Each row is a question over a real table and text, a true answer sentence and wrong ones. A sentence is accepted
when every claim that states the answer value is supported; the answer value's claims are those that overlap
the value's surface (its last occurrence) in the sentence. A sentence in which no claim is read there is not accepted. Beside it the
floor: the bare digits of the value occur somewhere in the sources. Intervals are bootstrapped over documents.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import regex

from benchmarks.numeric_extraction import interval
from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Case, Finding, Source

Row = dict[str, Any]
_DIGITS = regex.compile(r"\d[\d,]*(?:\.\d+)?")


def judged(sentence: str, surface: str, sources: tuple[Source, ...]) -> list[Finding]:
    """The findings of the claims that state ``surface`` in ``sentence``."""
    case = Case(answer=sentence, sources=sources)
    read = claims.read(case)
    decided = numeric.decide(numeric.measure(Context(case, read)), Context())
    start = sentence.rfind(surface)
    wanted = {
        c.index for c in read if c.number is not None and c.start < start + len(surface) and start < c.end
    }
    return [finding for finding in decided.findings if finding.claim in wanted]


def accepted(findings: list[Finding]) -> bool:
    """Whether the answer value was read and every claim of it is supported."""
    return bool(findings) and all(finding.status == "supported" for finding in findings)


def floor(surface: str, sources: tuple[Source, ...]) -> bool:
    """Whether the bare digits of the value stand anywhere in the sources."""
    found = _DIGITS.search(surface)
    plain = found.group().replace(",", "") if found else surface
    return any(
        plain == other.replace(",", "") for source in sources for other in _DIGITS.findall(source.text)
    )


def print_table(
    right: dict[str, dict[str, list[int]]], bare: dict[str, list[int]], codes: dict[str, Counter[str]]
) -> None:
    """One line for each kind of sentence: share judged right, interval over documents, floor, findings."""
    print(f"{'':<30} {'right':>7}  {'95 % interval':<18} {'floor':>7}     n  findings")
    for name in sorted(right):
        share, low, high = interval([(a, b) for a, b in right[name].values()])
        share_bare = bare[name][0] / bare[name][1]
        print(
            f"{name:<30} {share:7.1%}  [{low:.1%}, {high:.1%}]   {share_bare:7.1%} {bare[name][1]:5}  {codes[name].most_common(5)}"
        )


def run(rows: list[Row], shown: str | None) -> None:
    """Print the table of accepted true and rejected wrong sentences, with floor, interval and coverage."""
    right: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    bare: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    times, unverified, total = [], 0, 0
    for row in rows:
        sources = tuple(Source(chunk["id"], chunk["text"]) for chunk in row["source_chunks"])
        sentences = [(f"true {row['trace']}", row["answer_sentence"], row["gold_surface"], True)]
        sentences += [
            (f"wrong {p['kind']}", p["sentence"], p["surface"], False) for p in row["perturbations"]
        ]
        for name, sentence, surface, is_true in sentences:
            begin = time.perf_counter()
            findings = judged(sentence, surface, sources)
            times.append((time.perf_counter() - begin) * 1000)
            total += len(findings)
            unverified += sum(finding.status == "unverified" for finding in findings)
            good = accepted(findings) is is_true
            cell = right[name][row["doc"]]
            cell[0], cell[1] = cell[0] + good, cell[1] + 1
            bare[name][0] += floor(surface, sources) is is_true
            bare[name][1] += 1
            codes[name].update(finding.code for finding in findings)
            if not findings:
                codes[name]["nothing read"] += 1
            if shown and shown == name and not good:
                print(
                    row["id"][-6:],
                    sentence,
                    "|",
                    row["derivation"],
                    [(f.code, f.matched.arithmetic or f.matched.text if f.matched else "") for f in findings],
                )
    print_table(right, bare, codes)
    times.sort()
    print(
        f"coverage (verified / all): {1 - unverified / total:.1%}; a sentence: p50 {times[len(times) // 2]:.2f} ms, p99 {times[int(len(times) * 0.99)]:.2f} ms"
    )


def main() -> None:
    """Run the benchmark over the file named on the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--show", help="print the wrongly judged sentences of one line of the table")
    options.add_argument("--rows", type=int, default=None)
    chosen = options.parse_args()
    run(
        [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()][: chosen.rows],
        chosen.show,
    )


if __name__ == "__main__":
    main()
