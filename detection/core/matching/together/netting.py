"""Net from gross and what is taken off it, or gross from net: "7 % before fees" and fees of 1.5 points leave 5.5 % after
them; a price with VAT of 20 % is 1.2 times the one without it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from detection.core import lexicons, periods
from detection.core.evidence import Fact, Grid
from detection.core.evidence.values import Value
from detection.core.matching.contrast import is_other_party
from detection.core.matching.equality import bounded, says
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.together.vicinity import named, own
from detection.core.numbers import plain
from detection.core.quantities import Quantity, basis
from detection.core.quantities.measures import measured_in

_TAKEN = frozenset(("after", "with"))
_WAYS = {frozenset(("before", "after")): -1, frozenset(("with", "without")): 1}
"""Where what is after a deduction, or with an addition, lies to the other side: 1 above it, -1 below it."""
_LOWERS = frozenset(("discounts",))
_EITHER = frozenset(("one_offs", "depreciation"))
"""Things of which "without" does not tell the way: they may be a gain, or the amount a profit or a cost."""
_NO_RATE = frozenset(("interest", "depreciation", "one_offs"))
"""Things whose rates are not of the amount that they are taken off."""
_TAXES = frozenset(("tax", "vat"))
"""Things whose percentages are always rates, one for all amounts."""
_KINDS = frozenset(("currency", "number", "percentage"))
_POINTS = "pp"
_MOST = 2  # amounts that the words name alike


@dataclass(frozen=True, slots=True)
class _Side:
    """On which side of a ``thing`` a number stands, and the ``way`` from the side before it to the one after it."""

    thing: str
    is_taken: bool
    way: int


def matches(one: Comparison) -> Iterator[Match]:
    """What an amount that stands on the other side of a deduction comes to on the side that the words name."""
    quantity = one.quantity
    if bounded(quantity) or quantity.by or quantity.number.kind not in _KINDS or not quantity.cue("basis"):
        return
    for side, fact in _others(one):
        for value in _across(one.grid, side, fact):
            yield Match(value, equal=says(quantity, value.value))


def is_turned(quantity: Quantity, value: Value, grids: Sequence[Grid]) -> bool:
    """Whether an amount was reckoned the wrong way, or by another thing, than words say of what is taken off it."""
    if value.how not in ("sum", "difference") or quantity.by:
        return False
    held = [(fact, grid) for fact in value.facts for grid in grids if grid.holds(fact)]
    things = frozenset(thing for fact, grid in held for thing in _things(fact, grid))
    for side in _sides(quantity.cue("basis")):
        if any(_is_one(side.thing, thing) for thing in things) and _rises(side) != (value.how == "sum"):
            return True
        if any(_is_short(side, fact, grid, value, things) for fact, grid in held):
            return True
    return False


def _rises(side: _Side) -> bool:
    """Whether an amount on a side lies above the one on the other."""
    return (side.way > 0) == side.is_taken


def _is_short(side: _Side, fact: Fact, grid: Grid, value: Value, things: frozenset[str]) -> bool:
    """Whether an amount that was reckoned from one on the other side lacks what is known to lie between them."""
    said = f"{'after' if side.is_taken else 'before'}_{side.thing}"
    is_plain = bool(things) and not (fact.basis or _things(fact, grid))
    if not (is_plain or basis.differ((said,), fact.basis)):
        return False
    off = _taken_off(grid, side, fact)
    return bool(off) and not all(any(one is other for other in value.facts) for one in off)


def _sides(said: frozenset[str], other: frozenset[str] = frozenset()) -> Iterator[_Side]:
    """The sides that are named, each to that of an ``other`` amount; to the opposite one where it names none."""
    for key in said:
        side, _, thing = key.partition("_")
        opposite = [one.partition("_")[0] for one in other if basis.differ((key,), (one,))]
        pair = next((pair for pair in _WAYS if {side, *opposite} <= pair), None)
        if thing in _LOWERS or pair is not None:
            way = -1 if thing in _LOWERS or pair is None else _WAYS[pair]
            if way < 0 or thing not in _EITHER:
                yield _Side(thing, side in _TAKEN, way)


def _others(one: Comparison) -> list[tuple[_Side, Fact]]:
    """The amounts that the words name best, but on the other side; none where one stands on the side that is named."""
    said, near = one.quantity.cue("basis"), _subject(one.quantity)
    likely = [(len(near & own(fact, one.grid)), fact) for fact in one.grid.facts if _may_be(one, fact)]
    found = [
        (shared, side, fact)
        for shared, fact in likely
        if basis.differ(said, fact.basis) or _is_plain(one, shared, fact)
        for side in _sides(said, fact.basis)
    ]
    most = max((shared for shared, _, _ in found), default=0)
    if any(basis.agree(said, fact.basis) and shared >= most for shared, fact in likely):
        return []
    best = [(side, fact) for shared, side, fact in found if shared == most]
    if not most and any(not (fact.basis or _things(fact, one.grid)) for _, fact in likely):
        return []
    return best if len({id(fact) for _, fact in best}) <= (_MOST if most else 1) else []


def _is_plain(one: Comparison, shared: int, fact: Fact) -> bool:
    """Whether an amount of which nothing is said may be the one before what is taken off: "sold for £80,000"."""
    takes = all(key.startswith("after_") for key in one.quantity.cue("basis"))
    return takes and shared > 0 and not fact.basis and not _things(fact, one.grid)


def _subject(quantity: Quantity) -> frozenset[str]:
    """The words for a number, without those for what is taken off it."""
    less = basis.words(quantity.cue("basis"))
    found = (frozenset(tier.words) - less for tier in quantity.tiers[:2])
    return next(filter(None, found), frozenset())


def _may_be(one: Comparison, fact: Fact) -> bool:
    """Whether a figure is in the unit of a number, and of a period and of one that it may speak of."""
    number, slots = one.quantity.number, one.slots
    units = {unit for unit in (fact.unit, number.unit or measured_in(number)) if unit}
    now = slots.now if slots.span_tier == 0 else ()
    is_then = fact.span is None or not now or any(periods.meet(fact.span, span) for span in now)
    rows = slots.axes[1].labels if len(slots.axes) > 1 else None
    return (
        fact.kind == number.kind
        and len(units) < 2
        and bool(fact.value)
        and is_then
        and (rows is None or fact.at[1] in rows)
        and (not fact.direction or bool(fact.basis))
        and not fact.bound
        and not is_other_party(one.quantity, one.grid, fact)
    )


def _across(grid: Grid, side: _Side, fact: Fact) -> Iterator[Value]:
    """An amount on the other side of what is taken off it, or added."""
    off = _taken_off(grid, side, fact)
    if not off or fact.value is None:
        return
    size = sum((abs(one.value or Decimal(0)) for one in off), Decimal(0))
    if off[0].kind == fact.kind and not _is_rate(off[0], fact, side.thing):
        way, sign, how = (1, "+", "sum") if _rises(side) else (-1, "−", "difference")
        yield Value(fact.value + way * size, (fact, *off), how, f"{plain(fact.value)} {sign} {plain(size)}")
    elif off[0].kind == "percentage" and side.thing not in _NO_RATE:
        factor = 1 + side.way * size / 100
        if factor > 0:
            sign = "×" if side.is_taken else "/"
            value = fact.value * factor if side.is_taken else fact.value / factor
            yield Value(value, (fact, *off), "share", f"{plain(fact.value)} {sign} {plain(factor)}")


def _is_rate(off: Fact, fact: Fact, thing: str) -> bool:
    """Whether a percentage is one of another: that of a tax, and one too large to be a part of it."""
    if fact.kind != "percentage" or off.unit == _POINTS:
        return False
    size, whole = (abs(one.value or Decimal(0)) for one in (off, fact))
    return thing in _TAXES or size >= whole


def _taken_off(grid: Grid, side: _Side, fact: Fact) -> list[Fact]:
    """What evidence says is taken off an amount, or added: all of it beside the amount, or the one rate of a tax."""
    found = [other for other in grid.facts if other is not fact and _is_off(grid, side, fact, other)]
    if not grid.is_prose:
        return _all([other for other in found if other.at[1:] == fact.at[1:]])
    beside = [other for other in found if _nearest(grid, fact, other) is fact]
    rates = [one for one in found if one.kind == "percentage" and side.thing in _TAXES]
    return _all(beside) or (rates if len({one.value for one in rates}) == 1 else [])[:1]


def _nearest(grid: Grid, fact: Fact, off: Fact) -> Fact | None:
    """The amount like one of which a deduction is told: the last one before it, else the first behind it."""
    alike = [
        one
        for one in grid.facts
        if (one.kind, one.unit) == (fact.kind, fact.unit) and (one is fact or one.basis) and one is not off
    ]
    before = [one for one in alike if one.start < off.start]
    return before[-1] if before else next(iter(alike), None)


def _is_off(grid: Grid, side: _Side, fact: Fact, other: Fact) -> bool:
    """Whether a figure is what is taken off an amount, as its words name it, for the amount's period."""
    is_then = fact.span is None or other.span is None or periods.meet(other.span, fact.span)
    is_amount = (other.kind, other.unit or fact.unit) == (fact.kind, fact.unit or other.unit)
    return (
        is_then
        and (is_amount or other.kind == "percentage")
        and bool(other.value)
        and not (other.direction or other.bound)
        and _names(grid, other, side.thing)
    )


def _all(off: Sequence[Fact]) -> list[Fact]:
    """Deductions of one kind that are taken off together: an amount before its rate, a sum before its parts."""
    amounts = [one for one in off if one.kind != "percentage"] or [*off]
    sizes = [abs(one.value or Decimal(0)) for one in amounts]
    whole = [one for one, size in zip(amounts, sizes, strict=True) if 2 * size == sum(sizes)]
    return whole[:1] if len(amounts) > 1 and whole else amounts


def _names(grid: Grid, fact: Fact, thing: str) -> bool:
    """Whether the words next to a figure name a thing, which it is not said to be after or before."""
    if any(_is_one(thing, key.partition("_")[2]) for key in fact.basis):
        return False
    return frozenset(thing.split()) <= own(fact, grid) or any(
        _is_one(thing, one) for one in _things(fact, grid)
    )


def _things(fact: Fact, grid: Grid) -> frozenset[str]:
    """The things of the lexicons that the words next to a figure name, without those that it is after or before."""
    said = _listed(grid.named(0, fact.at[0]), own(fact, grid))
    return frozenset(
        one for one in said if not any(_is_one(key.partition("_")[2], one) for key in fact.basis)
    )


@lru_cache(maxsize=4096)
def _listed(text: str, near: frozenset[str]) -> frozenset[str]:
    """The things of the lexicons that a text names in words that stand ``near``."""
    found = lexicons.phrases("deductions").find(lexicons.Words(text))
    return frozenset(
        key for mark in found if named(text[mark.start : mark.end]) <= near for key in mark.value
    )


def _is_one(thing: str, other: str) -> bool:
    """Whether two are names of one thing: tax and VAT, "deductions" and what is one."""
    return basis.agree((f"after_{thing}",), (f"after_{other}",))
