"""Whether one of two that words name lies on the side of the other that is said: "marketing was lower than cleaning"."""

from collections.abc import Iterator

from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Value
from detection.core.matching.levels import Comparison
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Tier

_PAIR = 2


def sided(one: Comparison, first: Tier, second: Tier, key: str) -> Told | None:
    """Whether what the words before a word of order name lies there of what those behind it name; None where they do
    not name one figure of two, or two figures of one."""
    if one.grid.is_prose or len(one.grid.axes) < _PAIR:
        return None
    for own, other in _pairs(one, first, second):
        if own.value == other.value or own.value is None or other.value is None:
            continue
        above = own.value > other.value
        shown = f"{plain(own.value)} {'>' if above else '<'} {plain(other.value)}"
        return Told(above == (key == "ahead"), Value(own.value, (own, other), "order", shown), one.grid)
    return None


def _pairs(one: Comparison, first: Tier, second: Tier) -> Iterator[tuple[Fact, Fact]]:
    for axis in (1, 0):
        own, other = (_named(one, axis, tier) for tier in (first, second))
        rest = one.slots.axes[1 - axis]
        if own == other or OPEN in (own, other) or (axis and (rest.labels is None or rest.tier)):
            continue
        for label in rest.labels or (OPEN,):
            for span in one.spans():
                found = [_fact(one, (label, at) if axis else (at, label), span) for at in (own, other)]
                if found[0] and found[1] and (found[0].kind, found[0].unit) == (found[1].kind, found[1].unit):
                    yield found[0], found[1]


def _named(one: Comparison, axis: int, tier: Tier) -> int:
    """The one label that words name; open where none or several are."""
    labels, _ = one.grid.axes[axis].named(tier.words)
    return labels[0] if len(labels) == 1 else OPEN


def _fact(one: Comparison, place: tuple[int, int], span: Span | None) -> Fact | None:
    """The only actual value at a place in a period."""
    found = [
        fact
        for fact in one.grid.at([(at,) for at in place])
        if fact.value is not None
        and fact.role in ("", "actual")
        and (span is None or fact.span in (None, span))
    ]
    return found[0] if len(found) == 1 else None
