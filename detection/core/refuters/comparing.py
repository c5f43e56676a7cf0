"""Operators of one family that exclude each other: what rises in the statement and falls in its source."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from detection.core.refuters.alignment import Alignment, Weights, align
from detection.core.refuters.demands import DEMANDS, Demand
from detection.core.refuters.naming import acting, defined
from detection.core.refuters.operators import DENIAL, ROLE, pairs
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Kind, Refutation

MOST = 100
"""Operators of one family that are read in one text: more stand in none that was written for readers."""
_DUTY, _LEVEL, _OPPOSITE = "modality.force", "direction.level", "direction.opposite"
_BOUND = 3  # words behind a duty in which its bound stands
_MARGIN = 0.05  # by which the excluding operator is nearer than one that agrees
_AGREED = 0.9  # how much a shared neighbour of one that agrees counts
_DENIED_BEFORE = 6  # words before an operator in which a denial turns it round


class Met(NamedTuple):
    """An operator of a source beside one of the claim: where, whether it says the same, and how they align."""

    source: int
    operator: Operator
    agrees: bool
    alignment: Alignment


def opposites(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What the families of :data:`DEMANDS` refute."""
    for family, demand in DEMANDS.items():
        theirs: list[Sequence[Operator]] = []
        for own in _marks(claim, family, sources)[:MOST]:
            theirs = theirs or [_marks(source, family, sources)[:MOST] for source in sources]
            met = [
                Met(index, other, agrees(own, other), align(claim, own, source, other, weights))
                for index, (source, others) in enumerate(zip(sources, theirs, strict=True))
                for other in others
                if agrees(own, other) or excludes(own, other)
            ]
            best = nearest(met, demand)
            if best and not _excused(claim, own, sources[best.source], best, met):
                yield refutation(demand.kind, claim, own, sources[best.source], best)


def _marks(reading: Reading, family: str, sources: Sequence[Reading]) -> Sequence[Operator]:
    """The operators of a family in a text; names to which the sources give a role are roles."""
    if family == ROLE:
        return acting(reading, defined(tuple(sources)))
    return reading.operators.get(family, ())


def agrees(own: Operator, other: Operator) -> bool:
    """Whether two operators have a value in common."""
    return not own.values.isdisjoint(other.values)


def excludes(own: Operator, other: Operator) -> bool:
    """Whether two operators of a family cannot both hold."""
    listed = pairs(own.family)
    if agrees(own, other) or not listed:
        return not agrees(own, other)
    return any(frozenset((one, two)) in listed for one in own.values for two in other.values)


def nearest(met: Sequence[Met], demand: Demand) -> Met | None:
    """The excluding operator that aligns best, where it meets the demand and none that agrees aligns as well."""
    against = [one for one in met if not one.agrees]
    if not against:
        return None
    best = max(against, key=lambda one: one.alignment.placed + one.alignment.shared / 2)
    same = max(
        (max(one.alignment.placed, _AGREED * one.alignment.shared) for one in met if one.agrees),
        default=0.0,
    )
    return best if demand.met(best.alignment, same + _MARGIN) else None


def refutation(kind: Kind, claim: Reading, own: Operator, source: Reading, met: Met) -> Refutation:
    """The proposal that two operators make."""
    start, end = source.span(met.operator)
    return Refutation(kind, *claim.span(own), met.source, start, end, round(met.alignment.strength, 3))


def _excused(claim: Reading, own: Operator, source: Reading, best: Met, met: Sequence[Met]) -> bool:
    """Whether two operators that exclude each other say the same after all."""
    other = best.operator
    return (
        _turned(claim, own, source, other)
        or (own.family == _DUTY and (_bounded(claim, own) or _bounded(source, other)))
        or (own.family == _OPPOSITE and _told_apart(source, best, met))
    )


def _turned(claim: Reading, own: Operator, source: Reading, other: Operator) -> bool:
    """Whether a denial before one of the two makes them say the same."""
    return _denied(claim, own) != _denied(source, other)


def _denied(reading: Reading, operator: Operator) -> bool:
    clause = reading.clause[operator.first]
    if not reading.denials[clause]:
        return False
    before = [
        mark
        for mark in reading.operators[DENIAL]
        if "narrowed" not in mark.values
        and operator.first - _DENIED_BEFORE <= mark.first
        and mark.last < operator.first
        and reading.clause[mark.first] == clause
    ]
    return len(before) % 2 == 1


def _bounded(reading: Reading, operator: Operator) -> bool:
    """Whether a duty is to keep a bound: "must be at most" and "may not exceed" say the same."""
    return any(
        operator.last < one.first <= operator.last + _BOUND for one in reading.operators.get(_LEVEL, ())
    )


def _told_apart(source: Reading, best: Met, met: Sequence[Met]) -> bool:
    """Whether the sentence of the source holds the operator that agrees as well: it tells two things apart."""
    sentence = source.sentence[best.operator.first]
    return any(
        one.agrees and one.source == best.source and source.sentence[one.operator.first] == sentence
        for one in met
    )
