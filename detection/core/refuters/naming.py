"""Who is named in a text, by a name or by a role, and what else the text calls them: "the insured, Gantry Mills Ltd,"."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice, pairwise
from types import MappingProxyType
from typing import NamedTuple

import regex

from detection.core import lexicons
from detection.core.refuters.operators import ROLE
from detection.core.refuters.reading import Operator, Reading

MOST = 60
"""Names and roles that are read in one text."""
_KEPT = 64  # texts whose names are kept, and sets of sources whose roles are
_APART = 4  # words between a role and the name of who has it
_NAME = regex.compile(r"\p{Lu}[\w’'&-]*+(?:[ -](?:& )?\p{Lu}[\w’'&-]*+){0,4}")
_BETWEEN = regex.compile(r"(?:[\s,(:\"“”]|\b(?:is|are|as|the|an?|of|called|named)\b)*", regex.I)
_DATED = ("months", "period_words", "currencies")  # words with a capital letter that name nobody


class Named(NamedTuple):
    """Who is named: the words of a name or the values of a role, and the first and last word."""

    who: frozenset[str]
    first: int
    last: int
    role: bool


@lru_cache(maxsize=_KEPT)
def named(reading: Reading) -> tuple[Named, ...]:
    """Who is named in a text, in order; a name inside a role counts as the role."""
    roles = [
        Named(one.values, one.first, one.last, role=True) for one in reading.operators.get(ROLE, ())[:MOST]
    ]
    taken = {place for one in roles for place in range(one.first, one.last + 1)}
    return tuple(sorted(roles + list(_names(reading, taken)), key=lambda one: one.first))


@lru_cache(maxsize=_KEPT)
def defined(sources: tuple[Reading, ...]) -> Mapping[str, frozenset[str]]:
    """The role of each word of a name that the sources give a role: "Pellbrook Estates (the landlord)"."""
    found: dict[str, frozenset[str]] = {}
    for source in sources:
        for one, two in pairwise(named(source)) if _may_define(source) else ():
            if one.role != two.role and _beside(source, one, two):
                role, name = (one, two) if one.role else (two, one)
                for word in name.who:
                    found[word] = found.get(word, role.who) | role.who
    return MappingProxyType(found)


def _may_define(reading: Reading) -> bool:
    """Whether a capital letter stands near a role, which costs less than to read all names."""
    text, starts = reading.text, reading.starts
    return any(
        text[start].isupper()
        for one in reading.operators.get(ROLE, ())[:MOST]
        for start in starts[max(0, one.first - _APART) : one.first] + starts[one.last + 1 : one.last + _APART]
    )


def acting(reading: Reading, roles: Mapping[str, frozenset[str]]) -> Sequence[Operator]:
    """The roles that a text names, those that it calls by a name included."""
    plain = reading.operators.get(ROLE, ())
    if not roles:
        return plain
    names = [
        Operator(ROLE, frozenset().union(*held), one.first, one.last)
        for one in named(reading)
        if not one.role and (held := [roles[word] for word in one.who if word in roles])
    ]
    return sorted([*plain, *names], key=lambda one: one.first) if names else plain


def _beside(reading: Reading, one: Named, two: Named) -> bool:
    """Whether nothing stands between a role and a name but what makes one the other's."""
    if reading.sentence[one.first] != reading.sentence[two.first] or two.first - one.last > _APART:
        return False
    between = reading.text[reading.spans[one.last][1] : reading.spans[two.first][0]]
    return bool(between.strip() or one.role) and _BETWEEN.fullmatch(between) is not None


def _names(reading: Reading, taken: set[int]) -> Iterator[Named]:
    for match in islice(_NAME.finditer(reading.text), MOST):
        first = reading.place(match.start())
        last = reading.place(match.end()) - 1
        if first == last and _begins(reading, first):
            continue  # the first word of a sentence has a capital letter anyway
        places = [
            place for place in range(first, last + 1) if place not in taken and _names_one(reading, place)
        ]
        if places:
            who = frozenset([reading.words[place] for place in places])
            yield Named(who, places[0], places[-1], role=False)


def _begins(reading: Reading, place: int) -> bool:
    return place == 0 or reading.sentence[place - 1] != reading.sentence[place]


def _names_one(reading: Reading, place: int) -> bool:
    if not reading.keys[place]:
        return False
    word = reading.words[place]
    return len(word) > 1 and word not in _dates() and not word.isdecimal()


@cache
def _dates() -> frozenset[str]:
    return frozenset(
        phrase
        for name in _DATED
        for keys in lexicons.table(name).values()
        for listed in keys.values()
        for phrase in listed
    )
