"""How often the sentence splitter agrees with pySBD's golden rules, by language.

    python -m benchmarks.sentence_splitting [DATA_FOLDER] [--show LANGUAGE]

Reads ``sentence_split_golden.jsonl`` from the folder (default: ``HALLU_DATA``). A row agrees when all its
sentences do, white space between words aside. Two figures are printed beside each other: the splitter, and
the ``[.!?]+`` of the source documents as a floor. The rules were read while the splitter was written, so the
English figure is one of development, not of an unseen text; rows that expect text to be changed (tags
removed, letters joined) can never agree.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import regex

from detection.core.text import sentences

CODES = {
    "english": "en", "english_clean": "en", "chinese": "zh", "deutsch": "de", "french": "fr", "spanish": "es",
    "italian": "it", "russian": "ru", "danish": "da", "dutch": "nl", "polish": "pl", "slovak": "sk",
    "greek": "el", "bulgarian": "bg", "kazakh": "kk", "japanese": "ja", "arabic": "ar", "hindi": "hi",
    "armenian": "hy",
}  # fmt: skip


def agreement(folder: Path) -> dict[str, dict[str, float]]:
    """By language: rows, and the share on which the splitter (``own``) and the floor (``naive``) agree."""
    counted: dict[str, dict[str, float]] = {}
    for row in _rows(folder):
        language = row["lang"]
        tally = counted.setdefault(language, {"rows": 0, "own": 0, "naive": 0})
        wanted = [_plain(sentence) for sentence in row["sentences"]]
        tally["rows"] += 1
        tally["own"] += split(row["text"], language) == wanted
        tally["naive"] += naive(row["text"]) == wanted
    for tally in counted.values():
        tally["own"], tally["naive"] = tally["own"] / tally["rows"], tally["naive"] / tally["rows"]
    return counted


def split(text: str, language: str) -> list[str]:
    """The splitter's sentences; ``language`` is the name that the golden rules use."""
    return [_plain(text[start:end]) for start, end in sentences(text, CODES.get(language))]


def naive(text: str) -> list[str]:
    """The floor: a sentence ends where the source documents' regular expression says."""
    return [_plain(part) for part in regex.findall(r"[^.!?]+[.!?]*", text) if part.strip()]


def speed(text: str, splitter: Callable[[str], list[str]], seconds: float = 1.0) -> float:
    """Sentences a second over repeated runs."""
    done, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        done += len(splitter(text))
    return done / (time.perf_counter() - begun)


def _rows(folder: Path) -> Iterator[dict]:
    with (folder / "sentence_split_golden.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _show(folder: Path, language: str) -> None:
    for row in _rows(folder):
        found, wanted = split(row["text"], language), [_plain(sentence) for sentence in row["sentences"]]
        if row["lang"] == language and found != wanted:
            print(f"\n{row['text']!r}\n  found  {found}\n  wanted {wanted}")


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
        _show(folder, given.show)
        return
    print(f"{'language':<15}{'rows':>5}{'own':>8}{'naive':>8}")
    for language, tally in agreement(folder).items():
        print(f"{language:<15}{tally['rows']:>5.0f}{tally['own']:>8.0%}{tally['naive']:>8.0%}")
    answer = (
        "NOI was $1,234,567.89 in Q3 2024 [S0]. It rose by 5.2 % vs. the year before. [S1] Costs fell. " * 50
    )
    own, floor = (speed(answer, s) for s in (lambda text: split(text, "english"), naive))
    print(f"\nsentences a second: own {own:,.0f}, naive {floor:,.0f}")


if __name__ == "__main__":
    main()
