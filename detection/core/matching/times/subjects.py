"""What a date or a length of time is said of, and whether a sentence of a source or a row of a table speaks of it."""

from collections.abc import Iterable

import regex

from detection.core.evidence import OPEN, Fact, Grid
from detection.core.lexicons import Mark, Words
from detection.core.matching.slots import choose
from detection.core.quantities import Quantity, Reading, features
from detection.core.quantities.features import HAN, Feature, is_meaning

_STOP = regex.compile(r"[.;!?]\s|[\n；。！？]")
_FAR, _JOINED = 240, 2  # characters around a date; every second pair of signs


def subject(
    reading: Reading, clause: tuple[int, int], tables: tuple[str, ...] = ("date_roles",)
) -> frozenset[str]:
    """The words of a clause without those of some tables: what happens on a date, how long it lasts."""
    taken = [mark for table in tables for mark in reading.marks(table, *clause)]
    said = [
        one
        for one in reading.within(*clause)
        if not is_meaning(one.name) and not any(_lies_in(one, mark.start, mark.end) for mark in taken)
    ]
    particles = reading.marks("stop", *clause) if any(map(_is_han, said)) else []
    telling = [one for one in said if not (_is_han(one) and _is_among(one, particles))]
    return frozenset(one.name for one in telling)


def spoken_of(
    reading: Reading, clause: tuple[int, int], tables: tuple[str, ...] = ("date_roles",)
) -> frozenset[str]:
    """The words of a clause that say what it speaks of; where it has none, those with which its sentence begins."""
    start, _ = reading.sentences[reading.sentence_at(clause[0])] if reading.sentences else (0, 0)
    lead = start, min(reading.clause(start, start + 1)[1], clause[0])
    named = subject(reading, clause, tables) or subject(reading, lead, tables)
    return named or frozenset(one.name for one in reading.within(*clause) if _is_han(one))


def _is_han(one: Feature) -> bool:
    return HAN.match(one.name) is not None


def _is_among(one: Feature, marks: Iterable[Mark[frozenset[str]]]) -> bool:
    return any(_lies_in(one, mark.start, mark.end) for mark in marks)


def _lies_in(one: Feature, start: int, end: int) -> bool:
    """Whether a word lies in a stretch; of two Chinese signs one is enough."""
    return one.start < end and start < one.end if _is_han(one) else start <= one.start < end


def sentence_of(body: str, fact: Fact) -> str:
    """The words of a source around a date, from one full stop to the next."""
    low, high = bounds_of(body, fact)
    return body[low:high]


def bounds_of(body: str, fact: Fact) -> tuple[int, int]:
    """Where the sentence of a date begins and ends."""
    before = max(
        (found.end() for found in _STOP.finditer(body, max(fact.start - _FAR, 0), fact.start)), default=0
    )
    behind = _STOP.search(body, fact.end, fact.end + _FAR)
    return max(before, fact.start - _FAR), behind.start() if behind else min(fact.end + _FAR, len(body))


def speaks_of(words: frozenset[str], sentence: str) -> bool:
    """Whether a sentence names all that some words name; of Chinese most pairs of signs, some of which join two words."""
    return covers(named_in(sentence), words)


def covers(theirs: frozenset[str], words: frozenset[str]) -> bool:
    """Whether all words, of Chinese most pairs of signs, are among those of a sentence."""
    left = words - theirs
    return not left or (len(left) <= len(words) // _JOINED and all(map(HAN.search, left)))


def named_in(sentence: str) -> frozenset[str]:
    """The words of a sentence."""
    return frozenset(one.name for one in features(Words(sentence)))


def names_row(grid: Grid, fact: Fact, around: Quantity) -> bool:
    """Whether words name the row that a date stands in."""
    if len(grid.axes) < 2 or fact.at[1] == OPEN:
        return False
    return fact.at[1] in (choose(around.tiers[:1], grid, 1, None, None).labels or ())
