"""A number against what follows from the figures of the sources: change, share, sum, average (contracts §3.4)."""

from decimal import Decimal

from detection.core.comparison import distance, stated_scale, units_meet
from detection.core.derivations import from_tables, operations
from detection.core.places import Words
from detection.core.slots import Fit
from detection.core.types import Candidate, NumericClaim

NEAREST = 3


def derived_candidates(
    number: NumericClaim, found: list[Fit], sentence: str, named: Words
) -> list[Candidate]:
    """The nearest derivations of ``number`` from the places ``found``, guided by the words of ``sentence``
    (folded, without the number itself) and the years ``named`` in it."""
    names = operations(sentence, number.kind, number.unit)
    if not names:
        return []
    claimed = Decimal(number.value)
    if number.direction == "down" and claimed > 0:
        claimed = -claimed
    scale = stated_scale(number) if number.kind in ("currency", "number") else None
    ranked = []
    for name in names:
        operands = [fit for fit in found if units_meet(fit.place, number, name)]
        for derived in from_tables(operands, (name,), named, scale):
            apart, relative = distance(claimed, derived.value)
            ranked.append((apart, relative, derived))
    ranked.sort(key=lambda item: item[0])
    return [
        Candidate(
            "derived",
            f"{derived.value:.6g}",
            number.unit,
            derived.value,
            relative,
            apart,
            arithmetic=derived.arithmetic,
        )
        for apart, relative, derived in ranked[:NEAREST]
    ]
