"""Two parties that stand in each other's place: who pays and who is paid; "A, not B" against "B, not A"."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from detection.core.refuters.alignment import Weights
from detection.core.refuters.denials import denied
from detection.core.refuters.naming import MOST, named
from detection.core.refuters.operators import ROLE
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Refutation

_KEPT = 64  # texts whose acts are kept
_APART = 12  # words between two parties of one act
_SAID = 0.6  # how much of what the claim says between its parties the source says between them
_BY = frozenset({"by", "from", "על", "ידי", "מ", "由", "被", "向", "给", "給"})


class Party(NamedTuple):
    """Who is named: by a role or by a name."""

    who: str
    first: int
    last: int


class Act(NamedTuple):
    """Two parties with the words between them, and whether the second is marked as the one who acts."""

    one: Party
    two: Party
    keys: frozenset[str]
    turned: bool


def parties(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What is refuted where the parties of an act are exchanged and no source has them in the claim's order."""
    acts = _acts(claim)
    if not acts:
        return
    known = [
        (index, act)
        for index, source in enumerate(sources)
        if any(_holds(source, own) for own in acts)
        for act in _acts(source)
    ]
    for own in acts:
        same, other = [], []
        for index, act in known:
            share = _share(own, act, weights)
            if share < _SAID or own.turned != act.turned:
                continue
            if (act.one.who, act.two.who) == (own.two.who, own.one.who):
                other.append((share, index, act))
            elif (act.one.who, act.two.who) == (own.one.who, own.two.who):
                same.append(share)
        if other and not same:
            share, index, act = max(other, key=lambda one: one[0])
            start, end = _span(claim, own)
            yield Refutation("parties", start, end, index, *_span(sources[index], act), round(share, 3))


def _holds(source: Reading, act: Act) -> bool:
    """Whether a source can name both parties of an act: by words of theirs, or by roles."""
    return all(
        party.who in source.words or any(party.who in role.values for role in source.operators.get(ROLE, ()))
        for party in (act.one, act.two)
    )


def exchanged(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What is refuted where the claim names the party that a sentence of the sources denies and denies the one that it
    names."""
    named, denied = _told(claim, range(len(claim.keys)))
    for index, source in enumerate(sources) if denied else ():
        for sentence in sorted(
            {source.sentence[role.first] for role in source.operators.get(ROLE, ())[:MOST]}
        ):
            begin = bisect_left(source.sentence, sentence)
            theirs, refused = _told(source, range(begin, bisect_left(source.sentence, sentence + 1)))
            one, two = named.keys() & refused.keys(), denied.keys() & theirs.keys()
            if one and two and not denied.keys() & refused.keys():
                own, other = named[min(one)], refused[min(one)]
                yield Refutation("parties", *claim.span(own), index, *source.span(other), 1.0)


def _told(reading: Reading, places: range) -> tuple[Mapping[str, Operator], Mapping[str, Operator]]:
    """The roles named and the roles denied in a stretch."""
    named: dict[str, Operator] = {}
    refused: dict[str, Operator] = {}
    denials = denied(reading)
    for role in reading.operators.get(ROLE, ())[:MOST]:
        if role.first in places:
            into = refused if role.first in denials else named
            into.setdefault(min(role.values), role)
    return named, refused


def _share(own: Act, act: Act, weights: Weights) -> float:
    total = sum(map(weights.of, own.keys))
    return sum(weights.of(key) for key in own.keys & act.keys) / total


def _span(reading: Reading, act: Act) -> tuple[int, int]:
    return reading.span(Operator(ROLE, frozenset(), act.one.first, act.two.last))


@lru_cache(maxsize=_KEPT)
def _acts(reading: Reading) -> list[Act]:
    """Each two neighbouring parties of a sentence with something between them."""
    found = []
    for one, two in pairwise(_parties(reading)):
        if one.who == two.who or two.first - one.last > _APART:
            continue
        if reading.sentence[one.first] != reading.sentence[two.first]:
            continue
        keys = frozenset(filter(None, reading.keys[one.last + 1 : two.first]))
        if keys:
            turned = not _BY.isdisjoint(reading.words[max(one.last + 1, two.first - 3) : two.first])
            found.append(Act(one, two, keys, turned))
    return found


def _parties(reading: Reading) -> list[Party]:
    """Who is named in a text, in order."""
    return [
        Party(min(one.who) if one.role else reading.words[one.last], one.first, one.last)
        for one in named(reading)
    ]
