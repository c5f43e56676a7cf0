"""Whether how far one figure lies from another is told of the right one of the two: "$5 less than Pelican Row"."""

from collections.abc import Sequence

from detection.core.evidence import Grid
from detection.core.evidence.values import Value
from detection.core.matching.relations.changes import says_up
from detection.core.quantities import Quantity, Reading

_PAIR = 2


def is_other_side(quantity: Quantity, value: Value | None, reading: Reading, grids: Sequence[Grid]) -> bool:
    """Whether of two figures of one period the one that is named behind a "than" lies on the other side than words say."""
    up = says_up(quantity)
    facts = value.facts if value and value.how in ("difference", "growth") else ()
    if up is None or len(facts) != _PAIR or facts[0].span != facts[1].span:
        return False
    grid = next((one for one in grids if all(map(one.holds, facts))), None)
    apart = [
        axis
        for axis, (own, other) in enumerate(zip(*(fact.at for fact in facts), strict=True))
        if own != other
    ]
    if grid is None or len(apart) != 1:
        return False
    _, high = reading.clause(quantity.number.start, quantity.number.end)
    led = [mark.end for mark in reading.marks("bases", quantity.number.end, high) if "than" in mark.value]
    named = grid.axes[apart[0]].named(reading.stretch(led[0], high).words)[0] if led else ()
    bases = [fact for fact in facts if fact.at[apart[0]] in named]
    own = [fact for fact in facts if fact not in bases]
    return len(bases) == len(own) == 1 and ((own[0].value or 0) > (bases[0].value or 0)) != up
