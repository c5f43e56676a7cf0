"""How far the words around one operator stand around another as well."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from detection.core.refuters.reading import Operator, Reading

_KEPT = 16  # answers whose weights are kept
_REACH = 10  # words of the claim's clause on either side
_WIDER = 9  # where the clause says too little
_LEAST = 3  # words with content below which a clause says too little
_SOURCE_REACH = 14
_BEHIND = 4  # words behind an operator in which the word that it bears on stands
_NEAR = 3.0  # words at which a neighbour counts half
_MOVED = 0.6  # what a neighbour in another place says beside one in its place
_SHIFT = 3  # words by which a neighbour may stand nearer or farther


class Alignment(NamedTuple):
    """``placed``: the weighted share of the claim's neighbours that stand on the same side and as far away;
    ``shared``: the share that stands there at all; ``neighbours``: how many do; ``back``: the share of the source's clause
    that the claim's sentence says; ``follows``: whether the next word with content behind both is the same."""

    placed: float
    shared: float
    neighbours: int
    back: float
    follows: bool

    @property
    def strength(self) -> float:
        """How sure it is that both speak of the same thing, 0 to 1."""
        return max(self.placed, self.shared * _MOVED)


class Weights:
    """How much a key says: more, the fewer sentences of the sources hold it."""

    __slots__ = ("_rare", "_weights")

    def __init__(self, sources: Sequence[Reading]) -> None:
        holding: Counter[str] = Counter()
        sentences = 0
        for source in sources:
            held = set(zip(source.sentence, source.keys, strict=True))
            holding.update(key for _, key in held)
            sentences += len(set(source.sentence))
        self._weights: Mapping[str, float] = {
            key: math.log(1 + sentences / count) for key, count in holding.items()
        }
        self._rare = math.log(1 + max(sentences, 1))

    def of(self, key: str) -> float:
        """The weight of a key; one that no source holds is rare."""
        return self._weights.get(key, self._rare)


@lru_cache(maxsize=_KEPT)
def weigh(sources: tuple[Reading, ...]) -> Weights:
    """The weights of the keys of some sources; those asked for lately are kept."""
    return Weights(sources)


def align(claim: Reading, own: Operator, source: Reading, other: Operator, weights: Weights) -> Alignment:
    """Compare the words around two operators."""
    begin, end = source.bounds(source.sentence, other.first)
    around = _around(
        source, other, max(begin, other.first - _SOURCE_REACH), min(end, other.last + _SOURCE_REACH + 1)
    )
    places: dict[str, list[int]] = {}
    for key, distance in around:
        places.setdefault(key, []).append(distance)
    total = placed = shared = 0.0
    count = 0
    for key, distance in _context(claim, own):
        weight = weights.of(key) / (1 + abs(distance) / _NEAR)
        total += weight
        found = places.get(key)
        if found is None:
            continue
        shared += weight
        count += 1
        if any(distance * at > 0 and abs(distance - at) <= _SHIFT for at in found):
            placed += weight
    if not total:
        return Alignment(0.0, 0.0, 0, 0.0, follows=False)
    return Alignment(
        placed / total,
        shared / total,
        count,
        _back(claim, own, source, other, weights),
        follows=_next(claim, own) == _next(source, other) != "",
    )


def _next(reading: Reading, operator: Operator) -> str:
    after = reading.keys[operator.last + 1 : operator.last + 1 + _BEHIND]
    return next(filter(None, after), "")


def _context(claim: Reading, own: Operator) -> list[tuple[str, int]]:
    begin, end = claim.bounds(claim.clause, own.first)
    found = _around(claim, own, max(begin, own.first - _REACH), min(end, own.last + _REACH + 1))
    if len(found) >= _LEAST:
        return found
    begin, end = claim.bounds(claim.sentence, own.first)
    return _around(claim, own, max(begin, own.first - _WIDER), min(end, own.last + _WIDER + 1))


def _around(reading: Reading, operator: Operator, begin: int, end: int) -> list[tuple[str, int]]:
    keys = reading.keys
    before = [(keys[at], at - operator.first) for at in range(begin, operator.first) if keys[at]]
    after = [(keys[at], at - operator.last) for at in range(operator.last + 1, end) if keys[at]]
    return before + after


def _back(claim: Reading, own: Operator, source: Reading, other: Operator, weights: Weights) -> float:
    begin, end = source.bounds(source.clause, other.first)
    around = _around(source, other, max(begin, other.first - _REACH), min(end, other.last + _REACH + 1))
    begin, end = claim.bounds(claim.sentence, own.first)
    said = set(claim.keys[max(begin, own.first - 2 * _REACH) : min(end, own.last + 2 * _REACH)])
    total = sum(weights.of(key) for key, _ in around)
    return sum(weights.of(key) for key, _ in around if key in said) / total if total else 0.0
