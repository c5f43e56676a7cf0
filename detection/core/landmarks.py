"""A text with everything that decides what its numbers belong to, found in one pass and asked for by place."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache

import regex

from detection.core.binding_words import CUES
from detection.core.names import Mark, Names, Words
from detection.core.types import NumericClaim

_BREAKS = regex.compile(r"[;；，。—]|,(?!\d)")
Places = Sequence[int]


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


class Landmarks:
    """The words of a text, its breaks of clauses, its cues by meaning and its numbers, dates apart."""

    def __init__(self, text: str, numbers: Sequence[NumericClaim]) -> None:
        self.text = Words(text)
        self.cues: dict[str, list[Mark[frozenset[str]]]] = {meaning: [] for meaning in CUES}
        for mark in _cues().find(self.text):
            for meaning in mark.value:
                self.cues[meaning].append(mark)
        self._cue_starts = {meaning: [mark.start for mark in marks] for meaning, marks in self.cues.items()}
        self.breaks = sorted(
            [
                *(match.start() for match in _BREAKS.finditer(self.text.folded)),
                *self._cue_starts["break"],
            ]
        )
        self.compared = sorted(
            mark.start for meaning in ("versus", "from", "than") for mark in self.cues[meaning]
        )
        self.numbers = [number.start for number in numbers if number.kind != "date"]

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
