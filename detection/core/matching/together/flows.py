"""What there was in the end: what there was at first, with what came in and without what went out."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache, lru_cache

from detection.core import lexicons
from detection.core.evidence import Fact, Grid
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.together.vicinity import alike, beside, named, own
from detection.core.numbers import plain

_WAYS = {"in": 1, "out": -1}
_SENTENCES = 2


def matches(one: Comparison) -> Iterator[Match]:
    """What prose says that there was at first and what came and went, beside what is said of the end."""
    quantity = one.quantity
    if (
        not one.grid.is_prose
        or bounded(quantity)
        or quantity.cue("flows") & {"opening", "closing"} != {"closing"}
    ):
        return
    for fact in one.grid.facts:
        if fact.kind == quantity.number.kind and _is_opening(fact, one.grid):
            value = _closing(fact, one.grid)
            if value and abs(value.value - Decimal(quantity.number.value)) <= slack(quantity.number):
                yield Match(value)


def _closing(opening: Fact, grid: Grid) -> Value | None:
    """What the flows behind an opening figure lead to; None where none is told, or one may go either way."""
    value, shown, facts = opening.value or Decimal(0), plain(opening.value or Decimal(0)), [opening]
    behind = sorted(
        (one for one in beside(opening, grid, _SENTENCES) if one.start > opening.start), key=_start
    )
    for fact, way in zip(behind, _ways(behind, grid), strict=True):
        if not way or not alike(opening, fact):
            continue
        if len(way) > 1:
            return None
        sign, size = _WAYS[min(way)], abs(fact.value or Decimal(0))
        value, shown = value + sign * size, f"{shown} {'+' if sign > 0 else '−'} {plain(size)}"
        facts.append(fact)
    return Value(value, tuple(facts), "difference", shown) if len(facts) > 1 else None


def _start(fact: Fact) -> int:
    return fact.start


def _ways(facts: Sequence[Fact], grid: Grid) -> list[frozenset[str]]:
    """Whether each figure came in or went out; words between two that may be of both are of the second ("received 5 and
    paid 6"), or where it has words of its own, of the first ("5 joined and 6 left")."""
    said = [_way(fact, grid) & _WAYS.keys() for fact in facts]
    for place, way in enumerate(said):
        for other in (*said[place + 1 : place + 2], *said[max(place - 1, 0) : place]):
            if len(way) > 1:
                said[place] = way = way - other or way
    return said


def _is_opening(fact: Fact, grid: Grid) -> bool:
    """Whether the sentence of a figure says before it that it was there at first."""
    sentence = grid.named(0, fact.at[0])
    return any(end <= sentence.find(fact.text) for end in _openings(sentence))


@lru_cache(maxsize=4096)
def _openings(sentence: str) -> tuple[int, ...]:
    """Where the words of a sentence end that say that something was there at first."""
    marks = lexicons.phrases("flows").find(lexicons.Words(sentence))
    return tuple(mark.end for mark in marks if "opening" in mark.value)


def _way(fact: Fact, grid: Grid) -> frozenset[str]:
    """Whether the words next to a figure say that it came in or went out."""
    said = own(fact, grid)
    return frozenset(key for key, listed in _phrases() if any(words <= said for words in listed))


@cache
def _phrases() -> tuple[tuple[str, tuple[frozenset[str], ...]], ...]:
    """The words of each phrase of a flow, in every language."""
    return tuple(
        (key, tuple(filter(None, (frozenset(named(phrase)) for phrase in listed))))
        for keys in lexicons.table("flows").values()
        for key, listed in keys.items()
    )
