"""One unit where the source has another, of amounts that are not the same."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from detection.core.quantities.measures import factors
from detection.core.refuters.alignment import Weights, align
from detection.core.refuters.comparing import MOST, Met, agrees, nearest, refutation
from detection.core.refuters.demands import UNIT
from detection.core.refuters.reading import Operator, Reading
from detection.core.refuters.refutation import Refutation

FAMILIES = ("unit.time", "unit.measure")


def units(claim: Reading, sources: Sequence[Reading], weights: Weights) -> Iterator[Refutation]:
    """What a unit refutes that stands where the source has another."""
    for family in FAMILIES:
        for own in claim.operators.get(family, ())[:MOST]:
            met = [
                Met(index, other, agrees(own, other), align(claim, own, source, other, weights))
                for index, source in enumerate(sources)
                for other in source.operators.get(family, ())[:MOST]
            ]
            best = nearest(met, UNIT)
            if best and not _equal(claim, own, sources[best.source], best.operator):
                yield refutation("unit", claim, own, sources[best.source], best)


_ABOUT = 0.03


def _equal(claim: Reading, own: Operator, source: Reading, other: Operator) -> bool:
    """Whether two amounts are the same, twelve months and a year, or may be: an amount is not read."""
    mine, theirs = claim.amount(own), source.amount(other)
    if mine is None or theirs is None:
        return True
    return any(
        abs(float(factor.of(Decimal(mine))) - theirs) <= _ABOUT * theirs
        for value in own.values
        for another in other.values
        for factor in factors(value, another)
    )
