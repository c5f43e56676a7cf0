"""Rows made from the training rows, where the truth is known by construction.

``no_evidence``: a claim whose evidence is gone, and ``other_evidence``: with another document's; both
unsupported. ``other_figure``: a supported claim whose number is changed to one the evidence does not have,
``other_word``: one whose turning word (rose, above, 增长 …) becomes its opposite, and ``negated``: one that
gets a "not" where neither it nor its evidence has one; all three refuted.
"""

import random
import re
from collections.abc import Callable, Iterator

from benchmarks.grounding_data import Row
from detection.core.numbers import extract
from detection.core.text import words
from detection.verifiers.embedded.lexical_tables import NEGATIONS, OPPOSITES

ADDED = {"no_evidence": 1000, "other_evidence": 1000, "other_figure": 1000, "other_word": 200, "negated": 500}
"""How many rows of each kind: few of opposites, for real texts deny each other less plainly."""

_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|could|should|would|does|did)\b")

Altered = dict[str, str | int]


def added_rows(rows: list[Row]) -> list[Row]:
    """The rows of :data:`ADDED`; the same ones every time."""
    makers: dict[str, Callable[[Row, random.Random], Altered | None]] = {
        "no_evidence": lambda row, draw: {"evidence": "", "label": "unsupported"},
        "other_evidence": lambda row, draw: _other_evidence(row, rows, draw),
        "other_figure": _other_figure,
        "other_word": _other_word,
        "negated": _negated,
    }
    return [row for name in ADDED for row in _made(name, rows, makers[name])]


def _made(name: str, rows: list[Row], maker: Callable[[Row, random.Random], Altered | None]) -> Iterator[Row]:
    draw = random.Random(name)
    made = 0
    for row in draw.sample(rows, len(rows)):
        change = maker(row, draw)
        if change is not None:
            yield row | change | {"y": 0, "source": name}
            made += 1
        if made == ADDED[name]:
            return


def _other_evidence(row: Row, rows: list[Row], draw: random.Random) -> Altered | None:
    other = draw.choice(rows)
    if other["lang"] != row["lang"] or other["group"] == row["group"]:
        return None
    return {"evidence": other["evidence"], "label": "unsupported"}


def _other_figure(row: Row, draw: random.Random) -> Altered | None:
    claim, evidence = str(row["claim"]), str(row["evidence"])
    known = [number for number in extract(claim) if re.search(r"\d", number.text) and number.text in evidence]
    if not row["y"] or not known:
        return None
    number = draw.choice(known)
    place = draw.choice([found.start() for found in re.finditer(r"\d", number.text)])
    digit = draw.choice([each for each in "123456789" if each != number.text[place]])
    changed = number.text[:place] + digit + number.text[place + 1 :]
    if changed in evidence:
        return None
    return {"claim": claim[: number.start] + changed + claim[number.end :], "label": "refuted"}


def _other_word(row: Row, draw: random.Random) -> Altered | None:
    claim, evidence = str(row["claim"]), str(row["evidence"])
    if not row["y"]:
        return None
    for pair in draw.sample(OPPOSITES, len(OPPOSITES)):
        for word, opposite in (pair, pair[::-1]):
            whole = _whole(word)
            if whole.search(claim) and whole.search(evidence) and not _whole(opposite).search(evidence):
                return {"claim": whole.sub(opposite, claim, count=1), "label": "refuted"}
    return None


def _negated(row: Row, draw: random.Random) -> Altered | None:
    claim = str(row["claim"])
    found = _AUXILIARY.search(claim)
    if not row["y"] or found is None or NEGATIONS & {*words(claim), *words(str(row["evidence"]))}:
        return None
    return {"claim": f"{claim[: found.end()]} not{claim[found.end() :]}", "label": "refuted"}


def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{word}\b" if word.isascii() else word)
