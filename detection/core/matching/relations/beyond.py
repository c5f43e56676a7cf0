"""Whether how far one figure lies from another is told of the right one of the two: "$5 less than Pelican Row"."""

from collections.abc import Sequence
from decimal import Decimal

from detection.core.evidence import Fact, Grid
from detection.core.evidence.values import Value
from detection.core.matching.relations.changes import says_up
from detection.core.quantities import Quantity, Reading

_PAIR = 2


def is_other_side(quantity: Quantity, value: Value | None, reading: Reading, grids: Sequence[Grid]) -> bool:
    """Whether of two figures of one period the one that is named behind a "than" lies on the other side than words say."""
    up = says_up(quantity)
    facts = value.facts if value and value.how in ("difference", "growth") else ()
    if up is None or len(facts) != _PAIR:
        return False
    if value and value.how == "growth" and _is_inverted(quantity, facts, reading):
        return True
    if facts[0].span != facts[1].span:
        return False
    grid = next((one for one in grids if all(map(one.holds, facts))), None)
    apart = [
        axis
        for axis, (own, other) in enumerate(zip(*(fact.at for fact in facts), strict=True))
        if own != other
    ]
    if grid is None or len(apart) != 1:
        return False
    behind = _than(quantity, reading)
    named = grid.axes[apart[0]].named(reading.stretch(*behind).words)[0] if behind else ()
    bases = [fact for fact in facts if fact.at[apart[0]] in named]
    own = [fact for fact in facts if fact not in bases]
    return len(bases) == len(own) == 1 and ((own[0].value or 0) > (bases[0].value or 0)) != up


def _than(quantity: Quantity, reading: Reading) -> tuple[int, int] | None:
    """Where the words stand that a "than" behind a number leads in."""
    _, high = reading.clause(quantity.number.start, quantity.number.end)
    led = [mark.end for mark in reading.marks("bases", quantity.number.end, high) if "than" in mark.value]
    return (led[0], high) if led else None


def _is_inverted(quantity: Quantity, facts: Sequence[Fact], reading: Reading) -> bool:
    """Whether a growth is one of another figure than the number behind the "than": "4 % more than the $83"."""
    behind = _than(quantity, reading)
    base = next(iter(reading.written(*behind)), None) if behind else None
    if base is None or facts[0].value is None or facts[-1].value is None:
        return False
    near = [abs(abs(fact.value or Decimal(0)) - abs(Decimal(base.value))) <= base.precision for fact in facts]
    return near[0] and not near[-1]
