"""What each refuter is worth: ``HALLU_DATA=FOLDER python -m benchmarks.refuters [--show KIND]``.

The statements of ``training_answers.jsonl.gz`` and of the prose pairs (w1, w4) of ``contrast_dev.jsonl.gz``, each read
against the sources of its answer. A statement is denied where a marked span overlaps it, else carried. Printed for each
kind and each half: how often it speaks on denied and on carried statements, the precision with its 95 % Wilson
interval, and of the contrast pairs of its own change how many it finds (in brackets: any kind does). Odd numbers of
documents and pairs are for looking, even ones only measure: ``--show`` prints statements of the odd ones, with what
speaks against them.
"""

import argparse
import gzip
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.contrast_counting import wilson
from detection.core.refuters import KINDS, Refutation, refutations
from detection.core.text import sentences

HALVES = ("looking", "measuring")
CHANGES = {"role_swap": "parties"} | {kind: kind for kind in KINDS}


class Statement(NamedTuple):
    """One sentence of an answer: from which set and half, its sources, and what change denies it: "" for one that is
    carried, "marked" where the set does not name the change."""

    data: str
    half: str
    language: str
    text: str
    sources: tuple[str, ...]
    change: str


class Judged(NamedTuple):
    """A statement and what speaks against it."""

    statement: Statement
    found: tuple[Refutation, ...]


def trained(folder: Path) -> Iterator[Statement]:
    """The statements of the training answers."""
    for row in _rows(folder / "training_answers.jsonl.gz"):
        marked = [(span["text"], "marked") for span in row["spans"]]
        yield from _statements("training", row, row["doc"], marked)


def contrasted(folder: Path) -> Iterator[Statement]:
    """The statements of the prose pairs."""
    for row in _rows(folder / "contrast_dev.jsonl.gz"):
        if row["evidence"] == "prose" and row["id"].startswith(("w1-", "w4-")):
            marked = [(row["wrong_text"], row["change"])] if row["label"] == "wrong" else []
            yield from _statements("contrast", row, row["pair"], marked)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _statements(
    data: str, row: Mapping[str, Any], number: str, marked: Sequence[tuple[str, str]]
) -> Iterator[Statement]:
    answer, language = row["answer"], row["lang"]
    half = HALVES[1 - int(number.rsplit("-", 1)[1]) % 2]
    spans = [
        (start, start + len(text), change) for text, change in marked if (start := answer.find(text)) >= 0
    ]
    for begin, end in sentences(answer, language):
        change = next((change for start, stop, change in spans if start < end and stop > begin), "")
        sources = tuple(source["text"] for source in row["sources"])
        yield Statement(data, half, language, answer[begin:end], sources, change)


def judge(statements: Sequence[Statement]) -> list[Judged]:
    """Every statement with what speaks against it."""
    return [Judged(one, refutations(one.text, one.sources, one.language)) for one in statements]


def line(name: str, kinds: frozenset[str], judged: Sequence[Judged]) -> str:
    """The figures of some kinds together on some statements."""
    spoken = [one for one in judged if any(found.kind in kinds for found in one.found)]
    denied = sum(bool(one.statement.change) for one in spoken)
    own = [one for one in judged if CHANGES.get(one.statement.change) in kinds]
    caught = sum(any(found.kind in kinds for found in one.found) for one in own)
    anyhow = sum(bool(one.found) for one in own)
    shown = f"{name:12}{denied:8}{len(spoken) - denied:9}"
    if spoken:
        low, high = wilson(denied / len(spoken), len(spoken))
        shown += f"{denied / len(spoken):11.1%}  {low:4.0%} … {high:4.0%}"
    else:
        shown += f"{'–':>11}{'':15}"
    return f"{shown}   {caught} of {len(own)} ({anyhow})" if own else shown


def table(judged: Sequence[Judged]) -> list[str]:
    """One line a kind, and one for all."""
    rows = [line(kind, frozenset({kind}), judged) for kind in KINDS]
    head = f"{'kind':12}{'denied':>8}{'carried':>9}{'precision':>11}  {'95 %':13}   of its own change"
    return [head, *rows, line("any", frozenset(KINDS), judged)]


def show(kind: str, judged: Sequence[Judged]) -> None:
    """Print the statements of the looking half that a kind speaks against."""
    for statement, found in judged:
        for one in found:
            if statement.half == "looking" and one.kind == kind:
                source = statement.sources[one.source_index]
                print(
                    statement.change or "CARRIED",
                    one.alignment,
                    statement.text[one.claim_start : one.claim_end],
                )
                print("   ", statement.text)
                print("   ", source[max(0, one.start - 100) : one.start], end="")
                print(f"[[{source[one.start : one.end]}]]{source[one.end : one.end + 100]}")


def main() -> None:
    """Print the figures of both halves, each set apart and both together, and the time a statement takes."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--show", choices=KINDS)
    chosen = options.parse_args()
    folder = Path(os.environ["HALLU_DATA"])
    statements = [*trained(folder), *contrasted(folder)]
    began = time.process_time()
    judged = judge(statements)
    spent = (time.process_time() - began) / len(statements)
    if chosen.show:
        show(chosen.show, judged)
        return
    for half in HALVES:
        for data in (("training", "contrast"), ("training",), ("contrast",)):
            part = [one for one in judged if one.statement.half == half and one.statement.data in data]
            denied = sum(bool(one.statement.change) for one in part)
            print(f"\n{half}, {' and '.join(data)}: {denied} denied, {len(part) - denied} carried")
            print(*table(part), sep="\n")
    print(f"\n{spent * 1000:.2f} ms a statement")


if __name__ == "__main__":
    main()
