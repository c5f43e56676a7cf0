"""Numbers that are appended to another one: "EBITDA of $61.5 million, up 17.4 %"."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import regex

from detection.core import lexicons
from detection.core.quantities.pairing import Read
from detection.core.quantities.quantity import Quantity, Tier
from detection.core.types import NumericClaim

_HARD = regex.compile(r"[;；]")
_BEFORE = 4  # numbers that are looked at
_JOINED = regex.compile(r",?(?:\s\p{Ll}{3})?(?:\s\p{Lu}[\p{L}.'&-]*){1,4}\s\p{Sc}?")
_ADDS = frozenset(("add",))
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


def shared(reading: Read, found: Iterable[Quantity]) -> Iterator[Quantity]:
    """The quantities of a sentence; one whose clause leaves out the verb of the one before went where that went: "Reno lost
    $260 and Toledo $415"."""
    before: Quantity | None = None
    for one in found:
        if before is not None and _leaves_out(reading, before, one):
            cues = {**one.cues, "polarity": before.cue("polarity")}
            one = replace(one, direction=before.direction, cues=cues)
        yield one
        before = one


def _leaves_out(reading: Read, before: Quantity, one: Quantity) -> bool:
    """Whether nothing but a joint and a name stands between two numbers of a kind of which the second has no verb."""
    first, second = before.number, one.number
    if (first.kind, first.unit) != (second.kind, second.unit) or one.is_base or one.direction:
        return False
    counted = f" {first.noun}" if first.noun else ""
    end = first.end + len(counted) if reading.text.startswith(counted, first.end) else first.end
    named = reading.within(end, second.start)[-1:]
    if one.cue("polarity") or not named or not reading.text[named[0].start].isupper():
        return False
    return _JOINED.fullmatch(reading.text, end, second.start) is not None and all(
        mark.value == _ADDS for mark in reading.marks("joints", end, second.start)
    )


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
