"""A predicate that the statement denies and the source affirms, or the reverse."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from detection.core.refuters.alignment import Weights, align
from detection.core.refuters.comparing import MOST, Met, nearest, refutation
from detection.core.refuters.demands import NEGATION
from detection.core.refuters.operators import DENIAL
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Refutation

_KEPT = 64  # texts whose denials are kept
_REACH = 4  # words behind a denial in which the word that it denies stands
_DENIED, _AFFIRMED = frozenset({"denied"}), frozenset({"affirmed"})
Places = Mapping[str, list[tuple[int, int]]]  # key → number of the source and place of the word


def denials(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What a denial on one side alone refutes."""
    own = denied(claim)
    others = [denied(source) for source in sources]
    turned = {source.keys[place] for source, found in zip(sources, others, strict=True) for place in found}
    wanted = {key for place, key in enumerate(claim.keys) if key and (place in own or key in turned)}
    places = _places(sources, wanted) if wanted else {}
    for place, key in enumerate(claim.keys[: 10 * MOST]):
        if key not in places or not (place in own or key in turned):
            continue
        predicate = _predicate(own, place)
        met = []
        for index, at in places[key][:MOST]:
            other = _predicate(others[index], at)
            agrees = other.values == predicate.values
            met.append(Met(index, other, agrees, align(claim, predicate, sources[index], other, weights)))
        best = nearest(met, NEGATION)
        if best and _contrary(claim, predicate, sources[best.source], best.operator):
            yield refutation("negation", claim, predicate, sources[best.source], best)


@lru_cache(maxsize=_KEPT)
def denied(reading: Reading) -> Mapping[int, Operator]:
    """The place of each word that a denial turns round, and that denial."""
    found: dict[int, Operator] = {}
    for mark in reading.operators.get(DENIAL, ()):
        if "not" not in mark.values:
            continue
        for place in range(mark.last + 1, min(len(reading.keys), mark.last + 1 + _REACH)):
            if reading.clause[place] != reading.clause[mark.last]:
                break
            if reading.keys[place]:
                if not any(
                    map(str.isdigit, reading.keys[place])
                ):  # a number that is denied is compared as one
                    found[place] = mark
                break
    return found


def _predicate(denied: Mapping[int, Operator], place: int) -> Operator:
    mark = denied.get(place)
    if mark is None:
        return Operator(DENIAL, _AFFIRMED, place, place)
    return Operator(DENIAL, _DENIED, mark.first, place)


def _places(sources: Sequence[Reading], wanted: set[str]) -> Places:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, source in enumerate(sources):
        for place, key in enumerate(source.keys):
            if key in wanted:
                found[key].append((index, place))
    return found


def _contrary(claim: Reading, own: Operator, source: Reading, other: Operator) -> bool:
    """Whether the clauses of two words are denied on one side alone, two denials affirming, and both or neither are
    supposed; nothing else in the sentence of the one that affirms denies."""
    one, two = claim.clause[own.last], source.clause[other.last]
    if claim.denials[one] % 2 == source.denials[two] % 2 or (one in claim.supposed) != (
        two in source.supposed
    ):
        return False
    affirmed = (claim, own) if own.values == _AFFIRMED else (source, other)
    return not _denies(*affirmed)


def _denies(reading: Reading, operator: Operator) -> bool:
    """Whether anything in the sentence of a word denies."""
    sentence = reading.sentence[operator.last]
    return any(reading.sentence[mark.first] == sentence for mark in reading.operators.get(DENIAL, ()))
