"""A date that the statement gives to one event and the source to another."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from detection.core import periods
from detection.core.refuters.alignment import Weights
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Refutation

FAMILY = "event.role"
_KEPT = 64  # texts whose dates are kept
_REACH = 8  # words of its clause in which the event of a date stands


class Dated(NamedTuple):
    """A day of a text, where it stands, and the event beside it, if one is named."""

    day: str
    start: int
    end: int
    roles: frozenset[str]


def date_roles(
    claim: Reading, sources: Sequence[Reading], weights: Weights, language: str
) -> Iterator[Refutation]:
    """What a day refutes that is another event's in the sources, where they give the claim's event another day."""
    for own in dated(claim, language) if FAMILY in claim.operators else ():
        if not own.roles:
            continue
        given = [(index, one) for index, source in enumerate(sources) for one in dated(source, language)]
        theirs = [(index, one) for index, one in given if one.day == own.day and one.roles]
        mine = [one for _, one in given if one.day != own.day and not one.roles.isdisjoint(own.roles)]
        if mine and theirs and all(one.roles.isdisjoint(own.roles) for _, one in theirs):
            index, other = theirs[0]
            yield Refutation("date_role", own.start, own.end, index, other.start, other.end, 1.0)


@lru_cache(maxsize=_KEPT)
def dated(reading: Reading, language: str) -> tuple[Dated, ...]:
    """The days that a text names."""
    return tuple(
        Dated(str(one.span[0]), one.start, one.end, _roles(reading, one.start, one.end))
        for one in periods.find(reading.text, language)
        if one.span and one.span[0] == one.span[1]
    )


def _roles(reading: Reading, start: int, end: int) -> frozenset[str]:
    """The values of the event nearest to a day in its clause."""
    place = reading.place(start)
    if place == len(reading.words):
        return frozenset()
    begin, stop = reading.bounds(reading.clause, place)
    near = [
        (_distance(one, place), one.values)
        for one in reading.operators.get(FAMILY, ())
        if begin <= one.first < stop and _distance(one, place) <= _REACH
    ]
    return min(near, key=lambda one: one[0])[1] if near else frozenset()


def _distance(operator: Operator, place: int) -> int:
    return min(abs(operator.last - place), abs(operator.first - place))
