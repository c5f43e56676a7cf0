"""What follows from figures that the answer states near a number, and that stand in the evidence: the last resort, where
its words lead to nothing.

Two of them come to it, or one of them and what stands with it in its table: the same figure of another period, the total
that it is part of, another figure of its row or column that the words name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice, product
from typing import NamedTuple

from detection.core import lexicons
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.tables.sections import is_total
from detection.core.evidence.values import Value, of
from detection.core.matching import operations
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Match
from detection.core.matching.operations import Operand
from detection.core.matching.relations.changes import says_up
from detection.core.matching.slots import fits
from detection.core.matching.together import quoted
from detection.core.matching.together.quoted import Quoted
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import LIMITS, Quantity
from detection.core.quantities.features import concept, is_meaning

_MOST_FACTS, _MOST_NEAR, _MOST_CELLS = 2, 8, 3
_SAID, _NAMED = (
    0.3,
    0.5,
)  # of a label's weight: enough where the figure beside it is named, and enough by itself
_CHANCE, _MOST_TRIED = Decimal("0.15"), 24
_RANGE = Decimal(50)  # per cent that shares and growths spread over
_MOST_TIMES = 3  # a limit is as much larger or smaller than what keeps it
_OPERANDS: dict[str, frozenset[str]] = {
    "currency": frozenset(("currency", "number")),
    "number": frozenset(("currency", "number", "ratio")),
    "percentage": frozenset(("currency", "number", "ratio")),
    "ratio": frozenset(("currency", "number", "ratio")),
}
"""The kinds of figures that a number of each kind may be reckoned from."""


class Stated(NamedTuple):
    """A figure of the answer and the facts that state its value."""

    quantity: Quantity
    facts: tuple[tuple[Fact, Grid], ...]


def standing(quantity: Quantity, grids: Sequence[Grid]) -> Iterator[tuple[Fact, Grid]]:
    """The facts, few of them, that state the value of a figure."""
    value, room = Decimal(quantity.number.value), quantity.number.precision
    found = (
        (fact, grid)
        for grid in grids
        for fact in grid.equal(value, room)
        if fact.value is not None and fits(quantity, fact)
    )
    yield from islice(found, _MOST_FACTS)


def near(quantity: Quantity, stated: Sequence[Stated]) -> list[Stated]:
    """Those of its sentence, where there are none those of the one before; the nearest first."""
    place = quantity.number.start
    kinds = frozenset(("percentage",)) if quantity.number.unit == "pp" else _OPERANDS[quantity.number.kind]
    for back in (0, 1):
        found = [
            one
            for one in stated
            if one.quantity.sentence == quantity.sentence - back
            and one.quantity.number.start != place
            and one.quantity.number.kind in kinds
        ]
        if found:
            return sorted(found, key=lambda one: abs(one.quantity.number.start - place))[:_MOST_NEAR]
    return []


def matches(
    quantity: Quantity,
    stated: Sequence[Stated],
    around: Sequence[Quantity],
    bases: Sequence[Span],
    grids: Sequence[Grid],
) -> Iterator[Match]:
    """What the stated figures come to, beside the quantity."""
    said = quoted.operands(quantity, [Quoted(one.quantity) for one in stated])
    here = all(one.quantity.sentence == quantity.sentence for one in stated)
    yield from operations.matches(quantity, said, here, around)
    yield from _to_limits(quantity, stated, grids)
    pairs = (
        (fact, other) for one in stated for fact, grid in one.facts for other in _with(quantity, fact, grid)
    )
    for fact, other in _few(quantity, pairs):
        yield from operations.matches(quantity, (_operand(fact), _operand(other)), False, around, bases)


def echoes(
    quantity: Quantity, derived: Sequence[tuple[Quantity, Match]], grid: Grid, spans: Sequence[Span]
) -> Iterator[Match]:
    """What a ratio that the answer states beside a number comes to in the period that the number is of: "43 %, and 41.1 %
    the year before"."""
    for other, match in derived:
        near = other.number.start != quantity.number.start and 0 <= quantity.sentence - other.sentence <= 1
        if near and other.number.kind == quantity.number.kind and other.number.unit == quantity.number.unit:
            yield from _in_other_periods(quantity, match.value, grid, spans)


def _in_other_periods(quantity: Quantity, value: Value, grid: Grid, spans: Sequence[Span]) -> Iterator[Match]:
    if value.how not in ("ratio", "share") or len(value.facts) != 2 or bounded(quantity):
        return
    if not all(grid.holds(fact) for fact in value.facts):
        return
    times = 100 if quantity.number.kind == "percentage" else 1
    rows = [_at(grid, fact.at) for fact in value.facts]
    alike = (
        (top, bottom) for top, bottom in product(*rows) if top.span == bottom.span != value.facts[0].span
    )
    for top, bottom in islice(alike, _MOST_TRIED):
        named = top.span and any(of(top.span, one) for one in spans)
        if named and top.value is not None and bottom.value:
            share, shown = top.value / bottom.value * times, f"{plain(top.value)} / {plain(bottom.value)}"
            if abs(abs(share) - abs(Decimal(quantity.number.value))) <= slack(quantity.number):
                yield Match(Value(share, (top, bottom), "ratio", shown))


def _few(quantity: Quantity, pairs: Iterable[tuple[Fact, Fact]]) -> Iterator[tuple[Fact, Fact]]:
    """As many pairs as may be tried before a wrong number is likely to be what one of them comes to."""
    number, left = quantity.number, _CHANCE
    claimed = abs(Decimal(number.value))
    for fact, other in islice(pairs, _MOST_TRIED):
        spread = claimed
        if number.kind == "percentage":
            spread = _RANGE
        elif operations.moves(quantity) and number.kind == fact.kind:
            spread = max(claimed, abs(Decimal(fact.value or 0)) / 2)
        left -= 2 * number.precision / spread if spread else 0
        if left < 0:
            return
        yield fact, other


def _to_limits(quantity: Quantity, stated: Sequence[Stated], grids: Sequence[Grid]) -> Iterator[Match]:
    """How far a stated figure lies from the limit that the words speak of, by itself or as a share of it."""
    if not _keeps_away(quantity) or quantity.number.bound:
        return
    for one in stated:
        for fact, grid in one.facts:
            for limit in _limits(fact, grid, grids):
                yield from _headroom(quantity, fact, limit)


def _keeps_away(quantity: Quantity) -> bool:
    roles, words = quantity.cue("roles"), quantity.cue("operations")
    if quantity.said & LIMITS and says_up(quantity) is not None:
        return True  # "7 million above the minimum"
    return bool(roles & LIMITS) or ("available" in roles and bool(words & {"difference", "remainder"}))


def _limits(fact: Fact, own: Grid, grids: Sequence[Grid]) -> list[Fact]:
    """The limits that a figure may have to keep: of its kind and about as large, of its own metric where any is."""
    size = abs(Decimal(fact.value or 0))
    found = [
        (limit, grid)
        for grid in grids
        for limit in grid.facts
        if (limit.role in LIMITS or (limit.bound and limit is not fact))
        and limit.value
        and _as_limit(fact.kind) == _as_limit(limit.kind)
        and same_unit(fact, limit)
        and size / _MOST_TIMES <= abs(limit.value) <= size * _MOST_TIMES
    ]
    metrics = _meanings(fact, own)
    mine = [limit for limit, grid in found if metrics & _meanings(limit, grid)]
    return mine or ([limit for limit, _ in found] if len(found) <= _MOST_CELLS else [])


def _as_limit(kind: str) -> str:
    return "number" if kind == "ratio" else kind


def same_unit(first: Fact, second: Fact) -> bool:
    """Whether two facts may be of one unit."""
    return not first.unit or not second.unit or first.unit == second.unit


def _headroom(quantity: Quantity, fact: Fact, limit: Fact) -> Iterator[Match]:
    number, value, bound = quantity.number, Decimal(fact.value or 0), Decimal(limit.value or 0)
    far, shown = value - bound, f"{plain(value)} − {plain(bound)}"
    if number.kind == "percentage" and number.unit != "pp":
        far, shown = far / abs(bound) * 100, f"({shown}) / {plain(abs(bound))}"
    elif _as_limit(number.kind) != _as_limit(fact.kind):
        return
    up = says_up(quantity)
    if abs(abs(far) - abs(Decimal(number.value))) <= slack(number) and (up is None or up == (far > 0)):
        yield Match(Value(far, (fact, limit), "difference", shown))


def _with(quantity: Quantity, fact: Fact, grid: Grid) -> Iterator[Fact]:
    """What stands with a fact in its table and may be reckoned with it, the likeliest first."""
    if grid.is_prose or grid.is_recorded:
        return
    words = dict.fromkeys((word for tier in quantity.tiers[:2] for word in tier.words), 1.0)
    beside = [other for axis in range(len(fact.at)) for other in _across(fact, grid, axis)]
    named = _named(beside, grid, fact, words, _SAID)
    same = [other for other in _at(grid, fact.at) if other.span != fact.span or other.role != fact.role]
    if operations.moves(quantity):
        yield from same
        yield from _in_row(fact, grid)
    else:
        roles = quantity.cue("roles")
        yield from (other for other in same if other.role in roles and other.role != fact.role)
        own = _named(beside, grid, fact, dict.fromkeys(quantity.tiers[0].words, 1.0), _NAMED)
        base = _bases(quantity, fact, grid)
        if base:
            named = [other for other in named if base & _meanings(other, grid)]
        elif not own:
            yield from (other for other in beside if _is_total(other, grid))
    yield from named


def _at(grid: Grid, place: Sequence[int]) -> list[Fact]:
    found = grid.at([None if at == OPEN else (at,) for at in place])
    return [fact for fact in found if fact.value is not None and fact.kind != "date"]


def _in_row(fact: Fact, grid: Grid) -> list[Fact]:
    """The other cells of the row of a fact, few of them, that may say the same of another time or another role."""
    row = _at(grid, (OPEN, *fact.at[1:2]) if grid.is_list else fact.at[:1] + (OPEN,) * (len(fact.at) - 1))
    found = [other for other in row if other.at != fact.at and other.kind == fact.kind]
    return found if len(found) <= _MOST_CELLS else []


def _is_total(fact: Fact, grid: Grid) -> bool:
    return fact.is_total or any(
        is_total(grid.named(axis, at)) for axis, at in enumerate(fact.at) if at != OPEN
    )


def _bases(quantity: Quantity, fact: Fact, grid: Grid) -> frozenset[str]:
    """The metrics that the words next to a share name beside the one that it is of, where the table has them; those that it
    is said to be of before all others."""
    if told := operations.wholes(quantity, grid):
        return told
    known = lexicons.concepts()
    said = (word for word in quantity.tiers[0].words if is_meaning(word))
    amounts = frozenset(word for word in said if known[concept(word)].kind in ("currency", "number"))
    return (amounts - _meanings(fact, grid)) & grid.meanings


def _meanings(fact: Fact, grid: Grid) -> frozenset[str]:
    return frozenset(
        word
        for axis, at in zip(grid.axes, fact.at, strict=True)
        if at != OPEN
        for form in axis.labels[at].forms
        for word in form
        if is_meaning(word)
    )


def _named(
    beside: Sequence[Fact], grid: Grid, fact: Fact, words: Mapping[str, float], least: float
) -> list[Fact]:
    """Those on whose own label words say enough, the best first."""
    scores = [axis.scores(words) for axis in grid.axes]
    told = [
        (score, other)
        for other in beside
        for one, at, own in zip(scores, other.at, fact.at, strict=True)
        if at != own and (score := one.get(at, 0.0)) >= least
    ]
    return [other for _, other in sorted(told, key=lambda one: -one[0])]


def _across(fact: Fact, grid: Grid, axis: int) -> Iterator[Fact]:
    """The other facts that differ from a fact on one axis alone."""
    for other in grid.facts:
        same = all(i == axis or a == b for i, (a, b) in enumerate(zip(fact.at, other.at, strict=True)))
        if same and other.at != fact.at and other.span == fact.span and other.value is not None:
            yield other


def _operand(fact: Fact) -> Operand:
    value = Decimal(fact.value or 0)
    return Operand(value, fact.kind, fact.unit, (Value(value, (fact,)),))
