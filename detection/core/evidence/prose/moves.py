"""Where the figures of prose came from, by what their own sentence says: "was $2.41m, up from $2.10m", "rose to 94 %",
"8.1 %, against 8.5 % a year before"."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

import regex

from detection.core.evidence.facts import OPEN
from detection.core.lexicons import Mark
from detection.core.quantities import Quantity, Reading
from detection.core.quantities.bounds import leading

_NEAR, _APART = 60, 20  # characters between two figures of one move; times that one may be the other
_BEHIND = 3  # numbers behind a figure that are looked at
_FROM, _TO, _VERSUS = frozenset(("from",)), frozenset(("to",)), frozenset(("versus",))
_WAYS, _ENDS = ("up", "down"), frozenset(("opening", "closing"))
_BREAK = regex.compile(r"[,;:，；：]")
_TIMELESS = frozenset(("", "prior"))


class Move(NamedTuple):
    """Which way a figure went to be what it is, and the place of the one that says so."""

    way: str
    since: int = OPEN


def moves(found: Sequence[Quantity], reading: Reading) -> Iterator[Move]:
    """The move that led to each of the quantities of a text, in order; where its sentence tells none, one without a way."""
    for place, one in enumerate(found):
        told = {} if is_move(one) or one.is_base else dict(_told(found, place, reading))
        ways = set(told.values())
        yield Move(ways.pop(), next(iter(told))) if len(ways) == 1 else Move("")


def _told(found: Sequence[Quantity], place: int, reading: Reading) -> Iterator[tuple[int, str]]:
    """What tells which way a figure went, the best first: what it came from, how far it went, its verb."""
    own = found[place]
    for other in range(place + 1, min(place + 1 + _BEHIND, len(found))):
        if not _is_beside(own, found[other], reading):
            break
        if _is_earlier(found[other], own, reading):
            yield other, _way(own, found[other])
            break
        if not is_move(found[other]):
            break
        if found[other].direction in _WAYS:
            yield other, found[other].direction
    before = place - 1
    if place and _is_beside(found[before], own, reading):
        if own.arrives and _is_earlier(found[before], own, reading):
            yield before, _way(own, found[before])
        elif own.arrives and is_move(found[before]) and found[before].direction in _WAYS:
            yield before, found[before].direction  # "rose by $2.0m to $12.0m"
        elif _are_ends(found[before], own, reading):
            yield before, _way(own, found[before])
    if verb := _verb(own, reading):
        yield OPEN, verb


def _is_beside(one: Quantity, other: Quantity, reading: Reading) -> bool:
    """Whether two numbers stand near each other in a sentence, and no other figure is named between them but what the first
    counts: "310 repairs, against 248"."""
    low, high = one.number.end, other.number.start
    if one.sentence != other.sentence or high - low > _NEAR:
        return False
    return all(mark.start <= low + 1 for mark in reading.marks("metrics", low, high))


def is_move(one: Quantity) -> bool:
    """Whether a number says how far something went."""
    return bool(one.number.direction) or one.by or one.number.unit == "pp"


def _is_earlier(other: Quantity, own: Quantity, reading: Reading) -> bool:
    """Whether a number is what another was before, and no budget, limit or somebody else's: it is what that came "from", or
    stands beside another period."""
    compared = other.is_base or other.beyond == own.number
    if not compared or is_move(other) or not _are_comparable(own, other):
        return False
    if not other.cue("roles") <= _TIMELESS:
        return False
    start, _ = reading.sentences[other.sentence]
    is_origin = leading(reading, "bases", _FROM, other.number, start) is not None
    dated = any(one.is_base or one.looks_back or one.span for one in other.tiers[0].periods)
    return is_origin or dated or _is_bare(other, own, reading, start)


def _is_bare(other: Quantity, own: Quantity, reading: Reading, start: int) -> bool:
    """Whether all that is said of a number is that another is compared with it, as reports do with what that was before:
    "were 980, compared with 784,"."""
    number = other.number
    mark = leading(reading, "bases", _VERSUS, number, start)
    if mark is None or reading.within(mark.end, number.start) or own.cue("roles") - _TIMELESS - {"actual"}:
        return False
    stop = _BREAK.search(reading.text, number.end, reading.sentences[other.sentence][1])
    behind = reading.within(number.end, stop.start() if stop else reading.sentences[other.sentence][1])
    return all(one.end <= number.end + len(number.noun or "") + 1 for one in behind)


def _are_ends(first: Quantity, last: Quantity, reading: Reading) -> bool:
    """Whether two numbers are what a figure was at the two ends of a stretch: "opened at $6.10 and closed at $6.85"."""
    if not _are_comparable(first, last):
        return False
    start, _ = reading.sentences[first.sentence]
    opened = _end(reading, start, first, last.number.start)
    return opened == "opening" and _end(reading, first.number.end, last, len(reading.text)) == "closing"


def _end(reading: Reading, low: int, one: Quantity, high: int) -> str:
    """The end of a stretch that words right behind a number say, or else those before it."""
    number = one.number
    near = _ends(reading, number.end, min(number.end + _NEAR, high))
    touching = [mark for mark in near if not reading.text[number.end : mark.start].strip()]
    said = touching[:1] or _ends(reading, max(low, number.start - _NEAR), number.start)[-1:]
    return min(said[0].value & _ENDS) if said else ""


def _ends(reading: Reading, low: int, high: int) -> list[Mark[frozenset[str]]]:
    return [mark for mark in reading.marks("flows", low, high) if mark.value & _ENDS]


def _are_comparable(first: Quantity, last: Quantity) -> bool:
    """Whether two numbers are of one kind and unit, and neither is many times the other."""
    if (first.number.kind, first.number.unit) != (last.number.kind, last.number.unit):
        return False
    sizes = sorted((abs(Decimal(first.number.value)), abs(Decimal(last.number.value))))
    return sizes[0] > 0 and sizes[1] <= _APART * sizes[0]


def _way(new: Quantity, old: Quantity) -> str:
    apart = Decimal(new.number.value) - Decimal(old.number.value)
    return "up" if apart > 0 else "down" if apart < 0 else ""


def _verb(one: Quantity, reading: Reading) -> str:
    """The way that the verb before a number says: "rose to", "fell sharply to"."""
    start, _ = reading.sentences[one.sentence]
    to = leading(reading, "arrivals", _TO, one.number, start)
    marks = reading.marks("directions", max(start, to.start - _NEAR // 2), to.end) if to else []
    if not to or not marks or _BREAK.search(reading.text, marks[-1].end, to.start):
        return ""
    ways = [way for way in _WAYS if way in marks[-1].value]
    return ways[0] if len(ways) == 1 else ""
