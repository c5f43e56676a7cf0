"""A figure that has a name as the difference of two others, where nothing states it: gross profit, equity, net debt."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from detection.core import lexicons
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import DIFFERENCES, Place, Value, at, differences, labelled, metrics_of
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.periods import Span
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept, is_meaning

_RESULTS = {"profit": True, "loss": False}
_WAYS = {("positive", "up"): "up", ("magnitude", "down"): "down"}
"""What comes in and what goes out, by the sign of a metric and the direction that is good for it."""
_NEAR = 2  # tiers of words
_SURE = 0.95  # of a weight: the words next to the number name it


def matches(one: Comparison) -> Iterator[Match]:
    """What the known difference that the words name comes to in a period that is spoken of."""
    quantity = one.quantity
    if bounded(quantity) or quantity.by or quantity.is_share:
        return
    rest = one.slots.axes[1].labels if len(one.slots.axes) > 1 else None
    others = rest[:1] if rest else (OPEN,) * (len(one.grid.axes) - 1)
    for name in _named(quantity):
        for span in one.spans():
            if not _is_stated(one, name, others, span):
                yield from (_beside(quantity, value) for value in differences(one.grid, name, others, span))


def is_turned(quantity: Quantity, value: Value, grids: Sequence[Grid]) -> bool:
    """Whether a profit is said where an amount that goes out is above one that comes in, or a loss where it is below."""
    said = quantity.cue("polarity") & _RESULTS.keys()
    if value.how != "difference" or len(value.facts) != 2 or len(said) != 1:
        return False
    ways = {way: fact for fact in value.facts for way in [_goes(fact, grids)] if way}
    if len(ways) < 2:
        return False
    comes, goes = (abs(ways[way].value or Decimal(0)) for way in ("up", "down"))
    return comes != goes and (comes > goes) != _RESULTS[min(said)]


def _goes(fact: Fact, grids: Sequence[Grid]) -> str:
    """Whether an amount is one that comes in (``up``) or goes out (``down``), by the metrics that name it."""
    known = lexicons.concepts()
    named = [
        known[name]
        for grid in grids
        if grid.holds(fact)
        for name in metrics_of(grid, fact.at[0])
        if name in known
    ]
    ways = {_WAYS.get((one.sign, one.favourable), "") for one in named if not one.stock}
    return ways.pop() if len(ways) == 1 else ""


def _is_stated(one: Comparison, name: str, others: Place, span: Span | None) -> bool:
    """Whether the figure stands in the grid itself."""
    return any(True for label in labelled(one.grid, name) for _ in at(one.grid, (label, *others), span))


def _named(quantity: Quantity) -> list[str]:
    """The known differences that the nearest words name that name any figure."""
    for tier in quantity.tiers[:_NEAR]:
        found = {concept(word): weight for word, weight in tier.words.items() if is_meaning(word)}
        if found:
            best = max(found.values())
            return [name for name in found if name in DIFFERENCES and found[name] >= best * _SURE]
    return []


def _beside(quantity: Quantity, value: Value) -> Match:
    """A difference beside what is said: a loss is one below zero."""
    claimed = Decimal(quantity.number.value)
    is_loss = "loss" in quantity.cue("polarity") or claimed < 0
    close = abs(abs(value.value) - abs(claimed)) <= slack(quantity.number)
    turned = close and (value.value < 0) != is_loss
    return Match(value, "sign" if turned else "", equal=close)
