"""How often the sentence splitter agrees with pySBD's golden rules, by language.

    python -m benchmarks.sentence_splitting [DATA_FOLDER] [--show LANGUAGE]

Reads ``sentence_split_golden.jsonl`` from the folder (default: ``HALLU_DATA``). A row agrees when all its
sentences do, white space between words aside. Three figures are printed beside each other: the splitter, pySBD
itself (``requirements-peers.txt``; a dash where it is not installed or does not know the language) and the
``[.!?]+`` of the source documents as a floor. Below stand the project's own cases in English, Hebrew and Chinese,
the same three beside each other. The golden rules were read while the splitter was written, so the
English figure is one of development, not of an unseen text; rows that expect text to be changed (tags
removed, letters joined) can never agree.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import regex

from detection.core.text import sentences
from tests.core.sentence_cases import EN, HE, ZH, cases

CODES = {
    "english": "en", "english_clean": "en", "chinese": "zh", "deutsch": "de", "french": "fr", "spanish": "es",
    "italian": "it", "russian": "ru", "danish": "da", "dutch": "nl", "polish": "pl", "slovak": "sk",
    "greek": "el", "bulgarian": "bg", "kazakh": "kk", "japanese": "ja", "arabic": "ar", "hindi": "hi",
    "armenian": "hy",
}  # fmt: skip


Splitter = Callable[[str], list[str]]
Row = tuple[str, str, list[str]]
"""Language, text, the sentences wanted."""


def agreement(rows: Iterable[Row]) -> dict[str, dict[str, float | None]]:
    """By language: rows, and the share on which the splitter (``own``), pySBD (``pysbd``, None where there is
    none) and the floor (``naive``) agree with what is wanted."""
    counted: dict[str, dict[str, float | None]] = {}
    for language, group in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        members = list(group)
        splitters = {"own": partial(split, language=language), "pysbd": peer(language), "naive": naive}
        counted[language] = {"rows": len(members)}
        for name, splitter in splitters.items():
            counted[language][name] = None if splitter is None else _share(members, splitter)
    return counted


def _share(rows: list[Row], splitter: Splitter) -> float:
    return sum(splitter(text) == wanted for _, text, wanted in rows) / len(rows)


def peer(language: str) -> Splitter | None:
    """pySBD for a language, None where it is not installed or has no rules for it; its spans, so that it may
    leave the text as it is like ours."""
    try:
        pysbd = import_module("pysbd")

        segmenter: Any = pysbd.Segmenter(language=CODES.get(language, language), clean=False)
    except (ImportError, ValueError):
        return None
    return lambda text: [plain for part in segmenter.segment(text) if (plain := _plain(part))]


def split(text: str, language: str) -> list[str]:
    """The splitter's sentences; ``language`` is the name that the golden rules use."""
    return [_plain(text[start:end]) for start, end in sentences(text, CODES.get(language, language))]


def naive(text: str) -> list[str]:
    """The floor: a sentence ends where the source documents' regular expression says."""
    return [_plain(part) for part in regex.findall(r"[^.!?]+[.!?]*", text) if part.strip()]


def speed(text: str, splitter: Splitter, seconds: float = 1.0) -> float:
    """Sentences a second over repeated runs."""
    done, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        done += len(splitter(text))
    return done / (time.perf_counter() - begun)


def golden(folder: Path) -> Iterator[Row]:
    """The golden rules as (language, text, sentences)."""
    with (folder / "sentence_split_golden.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield row["lang"], row["text"], [_plain(sentence) for sentence in row["sentences"]]


def own_cases() -> Iterator[Row]:
    """The cases of the project's tests; its rules were written beside them."""
    for language, block in (("en", EN), ("he", HE), ("zh", ZH)):
        for text, wanted in cases(block):
            yield language, text, [_plain(sentence) for sentence in wanted]


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _show(rows: Iterable[Row], wished: str) -> None:
    for language, text, wanted in rows:
        found = split(text, language)
        if language == wished and found != wanted:
            print(f"\n{text!r}\n  found  {found}\n  wanted {wanted}")


def _table(title: str, rows: Iterable[Row]) -> None:
    print(f"\n{title:<15}{'rows':>5}{'own':>8}{'pysbd':>8}{'naive':>8}")
    for language, tally in agreement(rows).items():
        shares = "".join(
            f"{'–' if (share := tally[name]) is None else f'{share:.0%}':>8}"
            for name in ("own", "pysbd", "naive")
        )
        print(f"{language:<15}{tally['rows']:>5.0f}{shares}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=os.environ.get("HALLU_DATA"))
    parser.add_argument("--show", metavar="LANGUAGE", help="print the rows of this language that disagree")
    given = parser.parse_args()
    if given.folder is None:
        parser.error("name the data folder or set HALLU_DATA")
    folder = Path(given.folder)
    if given.show:
        _show(golden(folder), given.show)
        return
    _table("golden rules", golden(folder))
    _table("own cases", own_cases())
    answer = (
        "NOI was $1,234,567.89 in Q3 2024 [S0]. It rose by 5.2 % vs. the year before. [S1] Costs fell. " * 50
    )
    print("\nsentences a second:")
    for name, splitter in (
        ("own", partial(split, language="english")),
        ("pysbd", peer("english")),
        ("naive", naive),
    ):
        print(f"{name:<7}{speed(answer, splitter):>10,.0f}" if splitter else f"{name:<7}{'–':>10}")


if __name__ == "__main__":
    main()
