"""A text as the refuters read it: the key of each word, sentences, clauses, and the operators with their places."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from detection.core import lexicons
from detection.core.lexicons import Words
from detection.core.refuters.operators import CONDITION, DENIAL, PART, SHARE, marks
from detection.core.text import sentences

_BREAK = regex.compile(r"(?<!\d),|,(?!\d)|[;()\[\]\n–—，；：、（）。？！?!]|:(?!\d)|\.\s")
_KEPT = 64  # texts read lately: the sources of the answers at work
_PART_BEFORE, _PART_BEHIND = 3, 2  # words from a unit in which a part of it is named
_OF = frozenset({"of", "out", "מתוך", "מבין", "מ"})
_WHOLE_BEHIND = 4  # words behind "of" in which stands of how many it is
_SOME = frozenset({"some"})
_CUT = 7  # letters of a stem that count


class Operator(NamedTuple):
    """A word or phrase that may turn a sentence round: its family, its values, and its first and last word."""

    family: str
    values: frozenset[str]
    first: int
    last: int


class Reading:
    """A text in words. ``keys`` holds what each word counts as when contexts are compared, "" for words that say
    nothing; ``sentence`` and ``clause`` number the stretch in which it stands; ``denials`` counts those of a clause, ``supposed`` are
    the clauses under a condition."""

    __slots__ = (
        "clause",
        "denials",
        "keys",
        "operators",
        "sentence",
        "spans",
        "starts",
        "supposed",
        "text",
        "words",
    )

    def __init__(self, text: str, language: str) -> None:
        words = Words(text)
        self.text = text
        self.spans = words.spans
        self.words = words.words
        self.keys = _keys(words)
        self.sentence, self.clause = _stretches(text, language, words.spans)
        self.starts = starts = [start for start, _ in words.spans]
        self.operators = {
            family: [
                Operator(
                    family, mark.value, bisect_left(starts, mark.start), bisect_left(starts, mark.end) - 1
                )
                for mark in found
            ]
            for family, found in marks(words).items()
            if found
        }
        self._count_shares()
        self.denials = Counter(self.clause[mark.first] for mark in self.operators.get(DENIAL, ()))
        self.supposed = frozenset(
            self.clause[mark.first] for mark in self.operators.get(CONDITION, ()) if "tied" in mark.values
        )

    def _count_shares(self) -> None:
        """Take "three of the five" for a part of all, a number beside a larger one."""
        found = [
            Operator(SHARE, _SOME, place - 1, behind)
            for place in [at for at, word in enumerate(self.words) if at and word in _OF]
            if (part := _number(self.words[place - 1])) is not None
            for behind in range(place + 1, min(place + _WHOLE_BEHIND, len(self.words)))
            if (whole := _number(self.words[behind])) is not None and 0 < part < whole
        ]
        if found:
            known = self.operators.get(SHARE, [])
            self.operators[SHARE] = sorted([*known, *found], key=lambda one: one.first)

    def bounds(self, numbers: list[int], place: int) -> tuple[int, int]:
        """First word and end of the stretch of ``numbers`` in which a word stands."""
        return bisect_left(numbers, numbers[place]), bisect_left(numbers, numbers[place] + 1)

    def place(self, start: int) -> int:
        """The first word that begins at ``start`` or later."""
        return bisect_left(self.starts, start)

    def span(self, operator: Operator) -> tuple[int, int]:
        """Where an operator stands in the text."""
        return self.spans[operator.first][0], self.spans[operator.last][1]

    def amount(self, operator: Operator) -> float | None:
        """The number right before a unit, 1 where none is; None where it is written in several words."""
        before = [_number(word) for word in self.words[max(0, operator.first - 2) : operator.first]]
        parts = self.operators.get(PART, ())
        if any(-_PART_BEFORE <= one.first - operator.first <= _PART_BEHIND for one in parts):
            return None
        if not before or before[-1] is None:
            return 1.0
        return None if before[0] is not None and len(before) > 1 else before[-1]


@lru_cache(maxsize=_KEPT)
def read(text: str, language: str) -> Reading:
    """A text read; the ones read lately are kept."""
    return Reading(text, language)


def _keys(words: Words) -> list[str]:
    found = [_key(word) for word in words.words]
    for place, word in enumerate(words.words):
        if word[0] >= "\u3400":
            found[place] = _pair(words, place)
    return found


def _pair(words: Words, place: int) -> str:
    following = place + 1
    if following == len(words.words) or words.words[following][0] < "\u3400":
        return ""
    if words.spans[following][0] != words.spans[place][1]:
        return ""
    pair = words.words[place] + words.words[following]
    return "" if _stop() & set(pair) else pair


@cache
def _key(word: str) -> str:
    if word in _stop():
        return ""
    return lexicons.lemma(word)[:_CUT]


def _number(word: str) -> float | None:
    return float(word) if word.isdecimal() else _spelled().get(word)


@cache
def _spelled() -> Mapping[str, float]:
    """Small numbers in words."""
    return {
        phrase: float(key)
        for languages in lexicons.table("numbers").values()
        for key, phrases in languages.items()
        for phrase in phrases
        if key.isdecimal()
    }


@cache
def _stop() -> frozenset[str]:
    return frozenset(word for table in lexicons.table("stop").values() for word in table["words"])


def _stretches(text: str, language: str, spans: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    last = len(text) + 1
    ends = [*(end for _, end in sentences(text, language)), last]
    breaks = [*(match.start() for match in _BREAK.finditer(text)), last]
    in_sentence, in_clause = [], []
    sentence = passed = clause = 0
    for start, _ in spans:
        while start >= ends[sentence]:
            sentence += 1
            clause += 1
        if breaks[passed] < start:
            clause += 1
            while breaks[passed] < start:
                passed += 1
        in_sentence.append(sentence)
        in_clause.append(clause)
    return in_sentence, in_clause
