"""Is the same answer judged alike however it is written? (python -m benchmarks.written_otherwise FILE… --figures CSV [--only NAME…] [--list])

Each answer of the contrast pairs is judged as it is and once for each way to write it, or its sources, otherwise without
saying anything else: numbers in bold, citations, thousands set apart by spaces, lines broken at 72 characters, Hebrew hyphens and marks of direction,
Chinese signs of the other width. No label is needed: whichever verdict is right, a changed one of the two is wrong. Printed is
how many answers were judged otherwise, by language, and how many of these were right as they stood.
"""

import argparse
import textwrap
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import regex

from benchmarks.contrast import judged_rows
from benchmarks.contrast_counting import Judged, Row
from benchmarks.contrast_screening import Screening, read_rows
from detection.core.numbers import extract

_NUMERIC = ("numeric",)
_FIGURES = ("currency", "percentage", "ratio", "number")
_ROW = regex.compile(r"\s*\|.*\|\s*")
_RULE = regex.compile(r"[\s|:-]+")
_NARROW = str.maketrans({"，": ",", "；": ";", "（": "(", "）": ")"})
_FULL = str.maketrans("0123456789%", "０１２３４５６７８９％")
_THAT = {"he": "הדוח מראה ש", "zh": "报告显示，"}
_SUMMARY = {"he": "סיכום", "zh": "摘要"}
_CLOSE = {"he": " אלה הם הנתונים.", "zh": "以上为数据所示。"}
Text = Callable[[str, str], str]


class Way(NamedTuple):
    """A way to write a text, given with its language, otherwise: of the answer, or of the sources of some ``layouts``."""

    text: Text
    layouts: tuple[str, ...] = ()


def _bold(text: str, _language: str) -> str:
    """Every number in bold."""
    low = len(text)
    for one in sorted(extract(text), key=lambda one: -one.start):
        if one.kind in _FIGURES and one.end <= low and any(map(str.isdigit, one.text)):
            text = f"{text[: one.start]}**{text[one.start : one.end]}**{text[one.end :]}"
            low = one.start
    return text


def _bold_cells(text: str, _language: str) -> str:
    """Every cell of a Markdown table in bold."""
    return "\n".join(
        f"| {' | '.join(f'**{cell.strip()}**' if cell.strip() else '' for cell in line.strip().strip('|').split('|'))} |"
        if _ROW.fullmatch(line) and not _RULE.fullmatch(line)
        else line
        for line in text.split("\n")
    )


def _wrapped(text: str, language: str) -> str:
    """Lines of at most 72 characters, as in mail and in what is read out of pages; Chinese has no spaces to break at."""
    if language == "zh":
        return text
    lines = (
        textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")
    )
    return "\n".join("\n".join(pieces) for pieces in lines)


def _directed(text: str, language: str) -> str:
    """A mark of direction on either side of each Hebrew number."""
    return regex.sub(r"(?<![\d.,])\d(?:[\d.,]*\d)?", "\u200f\\g<0>\u200f", text) if language == "he" else text


def _spaced(text: str, _language: str) -> str:
    """Thousands set apart by plain spaces, as the norm ISO 80000-1 has them."""
    return regex.sub(r"(?<=\d),(?=\d{3}(?!\d))", " ", text)


def _cited(text: str, _language: str) -> str:
    return regex.sub(r"(?<=[^\s\d])([.。])(?=\s|$)", r" [S0]\1", text)


WAYS: Mapping[str, Way] = {
    "numbers in bold": Way(_bold),
    "as a bullet below a heading": Way(
        lambda text, language: f"### {_SUMMARY.get(language, 'Summary')}\n\n- {text}"
    ),
    "with citations": Way(_cited),
    "as what a report shows": Way(
        lambda text, language: _THAT.get(language, "The report shows that ") + text
    ),
    "with a closing sentence": Way(
        lambda text, language: text + _CLOSE.get(language, " That is what the figures say.")
    ),
    "spaces that do not break": Way(lambda text, _: regex.sub(r"(?<=\d) (?=\w|%)", "\u00a0", text)),
    "plain spaces between thousands": Way(_spaced),
    "Hebrew hyphens": Way(lambda text, _: regex.sub(r"(?<=\p{Hebrew})-(?=[\d\p{Sc}])", "\u05be", text)),
    "Hebrew marks of direction": Way(_directed),
    "Chinese with spaces": Way(
        lambda text, _: regex.sub(r"(?<=\p{Han})(?=[\d\p{Latin}])|(?<=[\d%\p{Latin}])(?=\p{Han})", " ", text)
    ),
    "narrow Chinese signs": Way(lambda text, _: text.translate(_NARROW)),
    "full-width Chinese digits": Way(
        lambda text, language: text.translate(_FULL) if language == "zh" else text
    ),
    "sources: numbers in bold": Way(_bold, ("prose",)),
    "sources: cells in bold": Way(_bold_cells, ("markdown",)),
    "sources: broken lines": Way(_wrapped, ("prose",)),
    "sources: spaces between thousands": Way(_spaced, ("prose",)),
    "sources: Hebrew marks of direction": Way(_directed, ("prose", "markdown", "html", "csv", "tabs")),
}


@dataclass(frozen=True, slots=True)
class Rewritten(Screening):
    """Judges each row written in a way of :data:`WAYS`; what the way leaves as it is, is not judged again."""

    way: str = ""

    def judge(self, row: Row) -> Judged:
        """One row, written otherwise."""
        changed = written(row, WAYS[self.way])
        return Judged(row, None) if changed == row else replace(Screening.judge(self, changed), row=row)


def written(row: Row, way: Way) -> Row:
    """A row written otherwise, or as it is where the way does not apply to it."""
    if not way.layouts:
        return {**row, "answer": way.text(row["answer"], row["lang"])}
    if row.get("layout") not in way.layouts:
        return row
    sources = [{**source, "text": way.text(source["text"], row["lang"])} for source in row["sources"]]
    return {**row, "sources": sources}


def otherwise(plain: Mapping[str, Judged], changed: Sequence[Judged]) -> list[tuple[Judged, bool]]:
    """What was judged otherwise than the plain answer, each with whether that one had been right."""
    moved = [one for one in changed if one.flagged is not plain[one.id].flagged]
    return [(one, plain[one.id].flagged is (one.row["label"] == "wrong")) for one in moved]


def shown(name: str, changed: Sequence[Judged], moved: Sequence[tuple[Judged, bool]]) -> str:
    """A line for one way."""
    every, few = (Counter(one.row["lang"] for one in some) for some in (changed, [one for one, _ in moved]))
    told = ", ".join(f"{language} {few[language]}/{every[language]}" for language in sorted(every))
    return f"{name:<36}{told}; spoilt {sum(was_right for _, was_right in moved)}"


def main(given: Sequence[str] | None = None) -> int:
    """Judge, and print a line for each way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--figures", type=Path, required=True)
    parser.add_argument("--only", choices=WAYS, nargs="+", default=list(WAYS))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the ids of what was judged otherwise")
    told = parser.parse_args(given)
    rows = [row for path in told.files for row in read_rows(path)]
    plain, *ways = judged_rows(
        rows,
        {"": Screening(_NUMERIC)} | {name: Rewritten(_NUMERIC, way=name) for name in told.only},
        told.figures,
        told.workers,
    ).values()
    right = {one.id: one for one in plain}
    for name, judged in zip(told.only, ways, strict=True):
        changed = [one for one in judged if one.flagged is not None]
        moved = otherwise(right, changed)
        print(shown(name, changed, moved))
        for one, _ in moved if told.list else ():
            print(f"  {one.id}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
