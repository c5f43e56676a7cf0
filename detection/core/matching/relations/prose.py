"""What prose says of how its figures moved: by their own sentence ("fell from $8.0 million to $6.0 million"), else by what
it states for two periods."""

from collections.abc import Iterator
from decimal import Decimal

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.matching.levels import Comparison
from detection.core.matching.relations import changes
from detection.core.matching.relations.told import Told
from detection.core.matching.relations.orders import became, is_times
from detection.core.numbers import plain
from detection.core.periods import Span

_ACTUAL = ("", "actual")


def compare(one: Comparison, table: str, key: str) -> Told | None:
    """Whether a figure went as is said, or became so many times what it was; None where prose does not tell."""
    if one.slots.axes[0].labels is None or one.slots.axes[0].tier > 0:
        return None
    if table == "directions":
        told = [*_led(one, key), *(_went(one, new, old, key) for new, old in _dated(one))]
    elif table == "multiples":
        told = [_multiplied(one, new, old, Decimal(key)) for new, old in (*_since(one), *_dated(one))]
    else:
        return None
    known = [found for found in told if found is not None]
    return next((found for found in known if found.holds), known[0] if known else None)
