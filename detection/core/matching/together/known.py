"""A figure that has a name as the difference of two others, where nothing states it: gross profit, equity, net debt."""

from collections.abc import Iterator
from decimal import Decimal

from detection.core.evidence import OPEN
from detection.core.evidence.values import DIFFERENCES, Place, Value, at, differences, labelled
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.periods import Span
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept, is_meaning

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
