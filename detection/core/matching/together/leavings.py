"""What is left of a whole, and what several come to: figures of prose that stand together, where words ask for it.

The subject of the number must be that of one of the figures. A wrong number of few digits agrees with one pair of many by
chance: of more pairs than two such a number takes only those that its words name both.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from detection.core import periods
from detection.core.evidence import Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.together.vicinity import alike, anchors, beside, chance, own, subject
from detection.core.numbers import plain
from detection.core.quantities import Quantity

_CHANCE = Decimal("0.06")  # that a wrong number agrees with a pair of which words name one figure
_MOST_PARTS, _FURTHER = 3, 2  # parts, and sentences that those lie apart which words name
_LEAST = Decimal("0.01")  # of a whole, what may be left of it or taken
_KINDS = frozenset(("currency", "number", "percentage"))


def matches(one: Comparison) -> Iterator[Match]:
    """What the figures that stand together in prose leave or come to, as the words ask."""
    quantity = one.quantity
    if not one.grid.is_prose or bounded(quantity) or quantity.number.kind not in _KINDS:
        return
    is_rest, adds = remains(quantity), _adds(quantity)
    if Decimal(quantity.number.value) <= 0 or not (is_rest or adds):
        return
    said = subject(quantity)
    for value in (*(_left(one, said) if is_rest else ()), *(_sums(one, said) if adds else ())):
        if abs(value.value - Decimal(quantity.number.value)) <= slack(quantity.number):
            yield Match(value)


def remains(quantity: Quantity) -> bool:
    """Whether words say that something is left of a whole."""
    return "left" in quantity.cue("leavings") or "remainder" in quantity.cue("operations")


def _adds(quantity: Quantity) -> bool:
    """Whether words say that a number is of several together."""
    both = "both" in quantity.cue("quantifiers")
    return both or "sum" in quantity.cue("operations") | quantity.cue("aggregations")


def _left(one: Comparison, said: frozenset[str]) -> Iterator[Value]:
    """A whole less a part of it, and less all its parts that the words name; the likeliest first."""
    pairs = list(dict.fromkeys(_pairs(one, said)))
    for tried, (whole, part) in enumerate(pairs, 1):
        named = all(said & own(fact, one.grid) for fact in (whole, part))
        if named or len(pairs) == 1 or chance(one.quantity.number, tried) <= _CHANCE:
            yield _less(whole, (part,))
    for whole in dict.fromkeys(whole for whole, _ in pairs):
        parts = [other for other in _named(one, whole, said) if _size(other) < _size(whole)]
        if 1 < len(parts) <= _MOST_PARTS:
            yield _less(whole, parts)


def _pairs(one: Comparison, said: frozenset[str]) -> Iterator[tuple[Fact, Fact]]:
    """A whole and a part of it that stand together, of which words name one."""
    for fact in anchors(said, one.grid):
        for other in beside(fact, one.grid):
            if _counts(one, fact) and _counts(one, other) and alike(fact, other):
                whole, part = sorted((fact, other), key=_size, reverse=True)
                if _LEAST * _size(whole) <= _size(part) < _size(whole):
                    yield whole, part


def _counts(one: Comparison, fact: Fact) -> bool:
    """Whether a figure is an amount as it stands, of a period that may be spoken of."""
    now = one.slots.now if one.slots.span_tier == 0 else ()
    is_then = fact.span is None or not now or any(periods.meet(fact.span, span) for span in now)
    return is_then and fact.kind in _KINDS and _is_unit(one, fact) and not (fact.direction or fact.bound)


def _is_unit(one: Comparison, fact: Fact) -> bool:
    """Whether a figure is of the kind and the money of the number."""
    number = one.quantity.number
    return fact.kind == number.kind and (not fact.unit or not number.unit or fact.unit == number.unit)


def _sums(one: Comparison, said: frozenset[str]) -> Iterator[Value]:
    """Two or three figures that stand together and of which words name each."""
    for fact in filter(lambda fact: _counts(one, fact), anchors(said, one.grid)[:1]):
        for some in (
            part for size in (2, 3) for part in combinations((fact, *_named(one, fact, said)), size)
        ):
            shown = " + ".join(plain(_size(part)) for part in some)
            yield Value(sum(map(_size, some), Decimal(0)), some, "sum", shown)


def _named(one: Comparison, fact: Fact, said: frozenset[str]) -> list[Fact]:
    """The figures near one, and like it, that the words name too."""
    near = beside(fact, one.grid, _FURTHER)
    return [
        other for other in near if said & own(other, one.grid) and _counts(one, other) and alike(fact, other)
    ]


def _less(whole: Fact, parts: Sequence[Fact]) -> Value:
    shown = " − ".join(plain(_size(fact)) for fact in (whole, *parts))
    return Value(_size(whole) - sum(map(_size, parts), Decimal(0)), (whole, *parts), "difference", shown)


def _size(fact: Fact) -> Decimal:
    return abs(fact.value or Decimal(0))
