"""Somebody else than the source names as the one who said, proposed, expected, certified it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

from detection.core.refuters.alignment import Weights
from detection.core.refuters.naming import Named, defined, named
from detection.core.refuters.operators import SAYING
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Refutation

_KEPT = 64  # texts whose sayings are kept
_LEAST = 2  # words with content that both say
_SAID = 0.4  # how much of what the claim says was said the source says was said
_MARGIN = 0.2  # by which nothing that names the claim's speaker comes near
_NEAR = 5  # words between a speaker and the word of saying
_FROM = frozenset(
    {"by", "from", "of", "at", "according", "was", "מאת", "של", "לדברי", "לפי", "由", "据", "據"}
)
_PRONOUNS = frozenset({"he", "she", "they", "הוא", "היא", "הם", "他", "她"})


class Saying(NamedTuple):
    """A sentence, or its part up to a semicolon: who is told to have said it, its words with content, and who is named
    in it, or before it where a pronoun stands for somebody."""

    speaker: Named | None
    keys: frozenset[str]
    named: tuple[Named, ...]


def attributions(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What is refuted where the sources give what the claim has one say to another, and nothing like it to that one."""
    mine = [one for one in _sayings(claim) if one.speaker]
    if not mine:
        return
    known = frozenset(word for source in sources for one in named(source) for word in one.who)
    same = partial(_same, roles=defined(tuple(sources)))
    for own in mine:
        if own.speaker and own.speaker.who & known:
            yield from _elsewhere(claim, own, own.speaker, sources, weights, same)


def _elsewhere(
    claim: Reading,
    own: Saying,
    speaker: Named,
    sources: Sequence[Reading],
    weights: Weights,
    same: Callable[[Named, Named], bool],
) -> Iterator[Refutation]:
    told = [
        (_share(own.keys, one.keys, weights), index, one)
        for index, source in enumerate(sources)
        for one in _sayings(source)
        if len(own.keys & one.keys) >= _LEAST
    ]
    theirs = [share for share, _, one in told if any(same(speaker, who) for who in one.named)]
    others = [met for met in told if not any(same(speaker, who) for who in met[2].named)]
    share, index, other = max(others, key=lambda met: met[0], default=(0.0, 0, None))
    if other is None or other.speaker is None or share < max(_SAID, max(theirs, default=0.0) + _MARGIN):
        return
    if not any(same(other.speaker, who) for who in own.named):
        start, end = sources[index].span(_place(other.speaker))
        yield Refutation("attribution", *claim.span(_place(speaker)), index, start, end, round(share, 3))


def _same(one: Named, two: Named, roles: Mapping[str, frozenset[str]]) -> bool:
    """Whether two are the same: by a word of their names or by a role that the sources give them."""
    return not _called(one, roles).isdisjoint(_called(two, roles))


def _called(one: Named, roles: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return one.who.union(*(roles.get(word, ()) for word in one.who))


def _share(keys: frozenset[str], said: frozenset[str], weights: Weights) -> float:
    return sum(map(weights.of, keys & said)) / sum(map(weights.of, keys))


def _place(one: Named) -> Operator:
    return Operator(SAYING, frozenset(), one.first, one.last)


@lru_cache(maxsize=_KEPT)
def _sayings(reading: Reading) -> tuple[Saying, ...]:
    """What a text says, part by part; nothing where no word of saying stands."""
    marks = reading.operators.get(SAYING, ())
    found: list[Saying] = []
    before: tuple[Named, ...] = ()
    for begin, end in _parts(reading) if marks else ():
        inside = tuple(one for one in named(reading) if begin <= one.first < end)
        verbs = [mark for mark in marks if begin <= mark.first < end]
        meant = inside or (() if _PRONOUNS.isdisjoint(reading.words[begin:end]) else before)
        speaker = _speaker(reading, inside, verbs) if inside else next(iter(meant if verbs else ()), None)
        spans = [(one.first, one.last) for one in inside] + [(one.first, one.last) for one in verbs]
        taken = {at for first, last in spans for at in range(first, last + 1)}
        keys = frozenset(reading.keys[at] for at in range(begin, end) if at not in taken) - {""}
        found.append(Saying(speaker, keys, meant))
        before = inside or before
    return tuple(found)


def _speaker(reading: Reading, inside: Sequence[Named], verbs: Sequence[Operator]) -> Named | None:
    """Who stands nearest before a word of saying, or behind it after "by", "from", "according to"."""
    ahead = [(verb.first - one.last, one) for verb in verbs for one in inside if one.last < verb.first]
    behind = [
        (one.first - verb.last, one)
        for verb in verbs
        for one in inside
        if one.first > verb.last
        and not _FROM.isdisjoint(reading.words[max(verb.first, one.first - 3) : one.first])
    ]
    distance, one = min(ahead + behind, key=lambda met: met[0], default=(_NEAR + 1, None))
    return one if distance <= _NEAR else None


def _parts(reading: Reading) -> Iterator[tuple[int, int]]:
    """First word and end of each sentence, a semicolon ending one too."""
    places = range(1, len(reading.words))
    ends = [
        at for at in places if reading.sentence[at] != reading.sentence[at - 1] or _semicolon(reading, at)
    ]
    return pairwise([0, *ends, len(reading.words)])


def _semicolon(reading: Reading, place: int) -> bool:
    if reading.clause[place] == reading.clause[place - 1]:
        return False
    between = reading.text[reading.spans[place - 1][1] : reading.starts[place]]
    return not {";", "；"}.isdisjoint(between)
