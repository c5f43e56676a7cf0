"""A text with everything that decides what its numbers belong to, found in one pass and asked for by place."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache, cached_property
from sys import maxsize

import regex

from detection.core.binding.binding_words import CUES, PLAIN
from detection.core.binding.names import Mark, Names, Words, forms
from detection.core.types import NumericClaim

_BREAKS = regex.compile(r"[;；，。—]|,(?!\d)")
Places = Sequence[int]
COMPARING = ("versus", "from", "than")
_PLAIN_CUES = (*COMPARING, "change", "yearly", "break")


def between(places: Places, low: int, high: int) -> bool:
    """Whether one of the ascending ``places`` lies from ``low`` up to, not including, ``high``."""
    return bisect_left(places, low) < bisect_left(places, high)


@cache
def _cues() -> Names[frozenset[str]]:
    meanings: dict[str, set[str]] = {}
    for meaning, phrases in CUES.items():
        for phrase in phrases:
            meanings.setdefault(phrase, set()).add(meaning)
    return Names({phrase: frozenset(meaning) for phrase, meaning in meanings.items()})


def _inside(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether one of the ascending ``spans`` covers ``place``."""
    before = bisect_right(spans, (place, maxsize)) - 1
    return before >= 0 and spans[before][1] > place


class Cues:
    """The words of a text, its breaks of clauses, its cues by meaning and its numbers, dates apart.

    ``metrics`` and ``names`` (of periods and properties) are what was found before: no word of these is a cue.
    """

    def __init__(
        self,
        text: Words,
        numbers: Sequence[NumericClaim],
        metrics: Sequence[Mark[str]] = (),
        names: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.text = text
        self._metrics = [(mark.start, mark.end) for mark in metrics]
        self._names = sorted([*names, *((number.start, number.end) for number in numbers)])
        self.cues: dict[str, list[Mark[frozenset[str]]]] = {meaning: [] for meaning in CUES}
        for mark in _cues().find(self.text):
            if not _inside(self._metrics, mark.start):
                for meaning in mark.value:
                    self.cues[meaning].append(mark)
        self._cue_starts = {meaning: [mark.start for mark in marks] for meaning, marks in self.cues.items()}
        breaks = [match.start() for match in _BREAKS.finditer(self.text.folded)]
        self.breaks = sorted([*breaks, *self._cue_starts["break"]])
        compared = (mark.start for meaning in COMPARING for mark in self.cues[meaning])
        self.compared = sorted(compared)
        self.numbers = [number.start for number in numbers if number.kind != "date"]

    @cached_property
    def _subjects(self) -> list[int]:
        """Where the words stand that could be a subject: neither plain words nor cues nor names of periods."""
        cued = {mark.start for meaning in _PLAIN_CUES for mark in self.cues[meaning]}
        return [
            start
            for (start, _), word in zip(self.text.spans, self.text.words, strict=True)
            if word not in PLAIN
            and not word[0].isdigit()
            and start not in cued
            and not (self.text.hebrew and not PLAIN.isdisjoint(forms(word)))
            and not _inside(self._names, start)
        ]

    def bare(self, low: int, high: int) -> bool:
        """Whether no subject of its own stands from ``low`` up to ``high``: "By Q3 2024 it had risen to"."""
        return not between(self._subjects, low, high)

    def clause(self, low: int, place: int) -> int:
        """Where the clause begins that ``place`` stands in, at ``low`` the latest."""
        before = bisect_left(self.breaks, place) - 1
        return max(low, self.breaks[before] + 1 if before >= 0 else low)

    def said(self, meaning: str, low: int, high: int) -> bool:
        """Whether a cue of this meaning begins from ``low`` up to ``high``."""
        return between(self._cue_starts[meaning], low, high)

    def last_cue(self, meaning: str, low: int, high: int) -> Mark[frozenset[str]] | None:
        """The last cue of this meaning that lies wholly from ``low`` up to ``high``."""
        marks = self.cues[meaning]
        place = bisect_right(self._cue_starts[meaning], high) - 1
        if place >= 0 and marks[place].end > high:
            place -= 1
        return marks[place] if place >= 0 and marks[place].start >= low else None

    def broken(self, low: int, high: int) -> bool:
        """Whether a clause ends from ``low`` up to ``high``."""
        return between(self.breaks, low, high)

    def numbered(self, low: int, high: int) -> bool:
        """Whether a number, no date, begins from ``low`` up to ``high``."""
        return between(self.numbers, low, high)

    def set_against(self, low: int, high: int) -> bool:
        """Whether words of comparison begin from ``low`` up to ``high``."""
        return between(self.compared, low, high)
