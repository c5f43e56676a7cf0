"""Numbers that are appended to another one: "EBITDA of $61.5 million, up 17.4 %"."""

from collections.abc import Sequence
from functools import cache

import regex

from detection.core import lexicons
from detection.core.quantities.pairing import Read
from detection.core.quantities.quantity import Tier
from detection.core.types import NumericClaim

_HARD = regex.compile(r"[;；]")
_BEFORE = 4  # numbers that are looked at
_REACH = 24  # characters behind an amount that may say per what it is


def lent(reading: Read, owned: Sequence[Tier], inside: Sequence[NumericClaim], place: int) -> Tier:
    """The own words of the number at ``place`` of a sentence; where it has none, it is of what the nearest number before
    it is of that is per as much: "$24.4 million, or $0.21 per share, versus $3.0 million"."""
    own = owned[place]
    for before in range(place - 1, max(place - 1 - _BEFORE, -1), -1):
        low, high = inside[before].end, inside[place].start
        relative = any("relative" in mark.value for mark in reading.marks("joints", low, high))
        if relative or _HARD.search(reading.text, low, high) or not own.words.keys() <= _comparing():
            break
        if _is_per(reading, inside[before]) == _is_per(reading, inside[place]):
            own = Tier({**owned[before].words, **own.words}, own.periods)
    return own


def _is_per(reading: Read, number: NumericClaim) -> bool:
    """Whether an amount is said to be one by the share, the month, the metre."""
    marks = reading.marks("per", number.end, number.end + _REACH)
    return bool(marks) and not reading.text[number.end : marks[0].start].strip()


@cache
def _comparing() -> frozenset[str]:
    """Lemmas of the words that compare or move and do not say what: after, from, up, versus."""
    tables = ("bases", "bounds", "directions", "arrivals", "joints")
    words = {
        word
        for table in tables
        for keys in lexicons.table(table).values()
        for key, phrases in keys.items()
        if key != "skip"
        for phrase in phrases
        for word in phrase.split()
    }
    return frozenset(lexicons.lemma(word) for word in words)
