"""What of an area, or of units, is let where a table lists what stands empty: the total less that, as a number or a share."""

from collections.abc import Iterator
from decimal import Decimal

from detection.core.evidence import OPEN, Fact
from detection.core.evidence.tables.sections import is_vacant
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.numbers import plain
from detection.core.quantities.features import meaning

_PAIR = 2
_NEAR = 2  # tiers of words
_LET = frozenset(map(meaning, ("occupancy_rate", "leased_area", "occupied_units")))
_EMPTY = frozenset(map(meaning, ("vacancy_rate", "vacant_area", "vacant_units")))


def let(one: Comparison) -> Iterator[Match]:
    """What is let by each column that counts, beside a number that words say is let."""
    quantity, grid = one.quantity, one.grid
    said = frozenset(word for tier in quantity.tiers[:_NEAR] for word in tier.words)
    is_list = grid.is_list and len(grid.axes) == _PAIR and not grid.is_recorded
    if not is_list or bounded(quantity) or not said & _LET or quantity.tiers[0].words.keys() & _EMPTY:
        return
    for column in range(len(grid.axes[0].labels)):
        facts = [fact for fact in grid.at(((column,), None)) if fact.kind == "number" and fact.value]
        value = _of_column(one, facts)
        if value is not None and abs(value.value - Decimal(quantity.number.value)) <= slack(quantity.number):
            yield Match(value)


def _of_column(one: Comparison, facts: list[Fact]) -> Value | None:
    """What is let by one column; None where it does not tell what stands empty, or of what."""
    rows = [fact for fact in facts if fact.at[1] != OPEN]
    empty = [fact for fact in rows if is_vacant(one.grid.named(1, fact.at[1]))]
    totals = [fact for fact in rows if fact.is_total]
    if len(empty) != 1 or len(totals) > 1 or len(rows) <= _PAIR:
        return None
    whole = totals or [fact for fact in rows if not fact.is_total]
    size, part = sum((fact.value or Decimal(0) for fact in whole), Decimal(0)), empty[0].value or Decimal(0)
    shown = f"{plain(size)} − {plain(part)}"
    facts_used = (*empty, *whole)
    if one.quantity.number.kind == "percentage" and size > part:
        return Value((size - part) / size * 100, facts_used, "ratio", f"({shown}) / {plain(size)}")
    return (
        Value(size - part, facts_used, "difference", shown) if one.quantity.number.kind == "number" else None
    )
