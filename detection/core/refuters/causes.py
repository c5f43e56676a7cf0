"""Another cause than the source gives for the same thing."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from detection.core.refuters.alignment import Weights
from detection.core.refuters.comparing import MOST
from detection.core.refuters.operators import CAUSE
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Refutation

_KEPT = 64  # texts whose causes are kept
_LEAST = 2  # words with content that tell what was caused
_SAME = 0.3  # how much of what the claim says was caused the source says was caused
_OTHER = 0.45  # how much of a cause the other text may say


class Reason(NamedTuple):
    """The words with content of a cause and of what it caused, and where the cause stands."""

    cause: frozenset[str]
    effect: frozenset[str]
    place: Operator


def causes(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What is refuted where the sources give what the claim says was caused another cause, and say nothing of the
    claim's beside it."""
    for own in _reasons(claim)[:MOST]:
        met = [
            (_share(own.effect, one.effect, weights), index, one)
            for index, source in enumerate(sources)
            for one in _reasons(source)[:MOST]
        ]
        if not met:
            return
        share, index, other = max(met, key=lambda one: one[0])
        if share >= _SAME and _differ(claim, own, sources[index], other, weights):
            start, end = sources[index].span(other.place)
            yield Refutation("cause", *claim.span(own.place), index, start, end, round(share, 3))


def _differ(claim: Reading, own: Reason, source: Reading, other: Reason, weights: Weights) -> bool:
    """Whether the source's sentence says little of the claim's cause, and the claim little of the source's."""
    begin, end = source.bounds(source.sentence, other.place.first)
    said, told = frozenset(source.keys[begin:end]), frozenset(claim.keys)
    return _share(own.cause, said, weights) <= _OTHER and _share(other.cause, told, weights) <= _OTHER


def _share(keys: frozenset[str], said: frozenset[str], weights: Weights) -> float:
    """The weighted share of ``keys`` that is said."""
    return sum(map(weights.of, keys & said)) / sum(map(weights.of, keys))


@lru_cache(maxsize=_KEPT)
def _reasons(reading: Reading) -> tuple[Reason, ...]:
    """The causes that a text gives for something; a cause that leads a sentence has what it caused behind it."""
    found = []
    for mark in reading.operators.get(CAUSE, ()):
        begin, end = reading.bounds(reading.sentence, mark.first)
        _, stop = reading.bounds(reading.clause, mark.last)
        cause = _keys(reading, mark.last + 1, stop)
        before, behind = _keys(reading, begin, mark.first), _keys(reading, stop, end)
        effect = before if len(before) >= _LEAST else behind
        if cause and len(effect) >= _LEAST:
            found.append(Reason(cause, effect, Operator(CAUSE, mark.values, mark.first, stop - 1)))
    return tuple(found)


def _keys(reading: Reading, first: int, end: int) -> frozenset[str]:
    return frozenset(filter(None, reading.keys[first:end]))
