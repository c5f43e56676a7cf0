"""What is said of a number's place among others: the highest, third, ahead of. The number stands beside it, and says
which figure is ranked."""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import partial

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.matching.relations import changes, prose
from detection.core.matching.relations.orders import lines, years_of
from detection.core.matching.relations.ranks import RANKS, has_place, ranks, reversed_rank
from detection.core.matching.relations.told import Told
from detection.core.matching.relations.written import (
    SILENT,
    Neighbours,
    Standing,
    Written,
    apart,
    moved,
    multiplied,
)
from detection.core.matching.signs import is_cost
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Quantity, Tier
from detection.core.quantities.reach import Reach

NEXT_TO = "next_to"
"""What stands behind "second only to" has the first place."""
_NEXT = "next"
_BEHIND = {
    "maximum": "second",
    "second": "third",
    "minimum": "second_lowest",
    "second_lowest": "third_lowest",
}
"""The place behind the one that a word of order before gives."""
_LOSS = frozenset(("loss",))
_FEW = 12  # things that are counted in words
_MOST = 400  # facts that one is ranked among
_LEAST_LINES, _PAIR = 3, 2
Alike = Callable[[Fact, Grid], Sequence[Fact]]
"""What a figure is ranked among, where something says what."""


def standing(near: Neighbours, around: Quantity, *, of_all: bool = False) -> Standing | None:
    """What the numbers beside a word say of it: of a rank whether the number has that place, of an order whether the one
    lies on that side of the other, of a direction whether it went there. None where no number stands beside it.
    ``of_all``: the question is about no one property, and about one period all of them are ranked."""
    table, _, key = str(near.claim.value).partition(":")
    if key == _NEXT:
        key = _BEHIND.get(near.order_before, "")
        if not key:
            return SILENT
    if key == NEXT_TO:
        return _ranked(near, "maximum", None, ()) if near.behind else None
    if table == "directions":
        return _went(near, key) or moved(near, key)
    if table == "multiples":
        up = changes.says_up(around) if around.by else None
        if up is not None:
            return apart(near, Decimal(key), around.cue("bounds"), up=up)
        return multiplied(near, Decimal(key), around.cue("bounds"))
    if table == "polarity":
        return SILENT if near.is_beside("order", RANKS.keys()) else _of_it(near, key)
    if key in ("ahead", "behind"):
        return _compared(near, key)
    if key not in RANKS:
        return None
    alike: Alike | None = lines if around.cue("entities") & {"line"} else None
    if of_all and around.reach is None and not around.tiers[0].periods:
        marks = near.reading.marks("numbers", near.start, near.end)
        counts = {int(key) for mark in marks for key in mark.value}
        alike = alike or partial(_others, asked=around.tiers[-1], counts=counts)
    return _ranked(near, key, around.reach, _stretches(around), alike)


def _stretches(around: Quantity) -> tuple[Span, ...]:
    """The longer periods that words around a word of order name, the nearest first; none where it speaks of so many."""
    if around.reach is not None:
        return ()
    return tuple(one.span for tier in around.tiers for one in tier.periods if one.span and not one.is_base)


def _of_it(near: Neighbours, key: str) -> Standing | None:
    """What the number that a word qualifies rests on: "a loss of $2.3 million", "a $218,000 outflow"; of income less
    cost whether it is left or lacking."""
    first = near.behind[0] if near.behind and near.leads(near.behind[0]) else None
    one = near.before if near.before and near.follows(near.before) else first
    told = _left(near, one, key) if one else None
    return Standing(told) if told else one.standing() if one else None


def _left(near: Neighbours, one: Written, key: str) -> Told | None:
    """Whether the difference of an income and a cost of one period is a surplus or a deficit as is said."""
    value = one.stated
    grids = [beside.found.grid for beside in (one, near.before) if beside]
    grid = next((known for known in grids if known and all(map(known.holds, one.facts))), None)
    if value is None or grid is None or value.how != "difference" or len(value.facts) != _PAIR:
        return None
    good = {changes.sense("improve", metrics_of(grid, fact.at[0])): fact for fact in value.facts}
    income, cost = good.get(1), good.get(-1)
    if not (income and cost and income.value and cost.value) or (income.span, income.at[1:]) != (
        cost.span,
        cost.at[1:],
    ):
        return None
    return Told((income.value > abs(cost.value)) == (key == "profit"), value, grid)


def _ranked(
    near: Neighbours,
    key: str,
    reach: Reach | None,
    stretches: Sequence[Span],
    alike: Alike | None = None,
) -> Standing | None:
    """The place of the number beside a word of order: the first behind it, else the last before it; among those that
    are ``alike`` where the words or the question say which."""
    one = near.ranked
    if one is None or _counts_a_few(one):
        return SILENT if near.is_of_moves() else None
    value, grid = one.stated, one.found.grid
    if value is None or not value.facts or grid is None:
        return SILENT
    if grid.is_prose:
        return _enumerated(near.claim.text, value, grid, key, stretches) if reach is None else SILENT
    if value.how == "ratio" and len(value.facts) == _PAIR:
        return Standing(_divided(value.facts[0], value.facts[1], grid, key, reach) or Told(holds=False))
    if value.how or value.facts[0].is_total:
        return SILENT  # what was reckoned for one was not for the others
    fact = value.facts[0]
    keys = ranks(near.claim.text, key, metrics_of(grid, fact.at[0]))
    group = alike(fact, grid) if alike else ()
    groups = [group] if alike is lines or len(group) > 1 else list(_groups(fact, grid, stretches))
    is_loss = one.value > 0 > (fact.value or 0) and not is_cost(grid, fact.at[0])
    if is_loss and near.is_beside("polarity", _LOSS):
        keys, groups = (reversed_rank(key),), [_losses(known) for known in groups]
    return Standing(_placed(fact, grid, keys, reach, groups) or Told(holds=False))


def _counts_a_few(one: Written) -> bool:
    """Whether a number says of how many things a word of order speaks, and is no figure itself: "the best of 5 sites"."""
    number = one.quantity.number
    return number.kind == "number" and bool(number.noun) and one.value <= _FEW


def _losses(group: Sequence[Fact]) -> Sequence[Fact]:
    """Those of a group that lie below zero, where there are several."""
    found = [one for one in group if (one.value or 0) < 0]
    return found if len(found) > 1 else group


def _enumerated(text: str, value: Value, grid: Grid, key: str, stretches: Sequence[Span]) -> Standing:
    """The place of a number of prose among those that its sentence enumerates; silent where it speaks of a longer stretch."""
    fact = value.facts[0]
    group = prose.enumerated(fact, grid) if not value.how else []
    own = {one.span for one in group}
    if len(group) < _LEAST_LINES or any(
        periods.granularity(one) == "other" or one not in own for one in stretches
    ):
        return SILENT
    keys = ranks(text, key, metrics_of(grid, fact.at[0]))
    return Standing(_among([group], fact, grid, keys, None) or Told(holds=False))


def _divided(top: Fact, bottom: Fact, grid: Grid, key: str, reach: Reach | None) -> Told | None:
    """Whether one figure over another of the same one and the same period has a place among what they are for all."""
    if top.at[1:] != bottom.at[1:] or top.span != bottom.span or top.at == bottom.at or top.is_total:
        return None
    groups = [_shares(alike, top, bottom, grid) for alike in _groups(top, grid, ())]
    share = _share(top, bottom)
    told = _among([group for group in groups if len(group) > 1], share, grid, (key,), reach)
    shown = f"{plain(top.value or Decimal(0))} / {plain(bottom.value or Decimal(0))}"
    return told and replace(told, value=Value(share.value or Decimal(0), (top, bottom), "ratio", shown))


def _shares(alike: Sequence[Fact], top: Fact, bottom: Fact, grid: Grid) -> list[Fact]:
    """Of facts of one figure what each is of another figure, for those that have both; of what is negative none is."""
    found = []
    for one in alike:
        place = (bottom.at[0], *one.at[1:])
        beside = grid.at([None if at == OPEN else (at,) for at in place])
        under = next((other for other in beside if other.span == one.span and other.value), None)
        if one.at[0] == top.at[0] and under and (one.value or 0) > 0 and (under.value or 0) > 0:
            found.append(_share(one, under))
    return found


def _share(top: Fact, bottom: Fact) -> Fact:
    return replace(top, value=(top.value or Decimal(0)) / (bottom.value or Decimal(1)))


def _compared(near: Neighbours, key: str) -> Standing | None:
    """Whether one of two numbers of a kind lies on the side of the other that is said."""
    first = near.behind[0] if near.behind else None
    one = near.before and (near.earlier if near.goes_so_far(near.before) else near.before)
    far = near.far
    if far is not None and (one is None or one is far):
        return _by(near, far, key)
    if one is None or first is None or near.goes_so_far(one):
        return None
    if not (one.facts and first.facts) or one.facts == first.facts or not _are_alike(one, first):
        return SILENT
    own, other = (first, one) if near.is_predicate(first) else (one, first)
    holds = own.value > other.value if key == "ahead" else own.value < other.value
    shown = f"{plain(own.value)} {_sign(own.value, other.value)} {plain(other.value)}"
    value = Value(own.value, (*own.facts, *other.facts), "order", shown)
    return Standing(Told(holds, value, own.found.grid))


def _by(near: Neighbours, far: Written, key: str) -> Standing:
    """How far the number of the sentence before lies from another says on which side of it: "We sold 640. That beat the
    year before by 40". Silent where it is not how far that one lies from anything."""
    ends = far.facts if far.stated and far.stated.how == "difference" and len(far.facts) == _PAIR else ()
    own = near.spoken_of
    fact = own.facts[0] if own and own.stated and not own.stated.how else None
    other = next((end for end in ends if end is not fact), None) if any(end is fact for end in ends) else None
    if fact is None or other is None or fact.value is None or other.value is None or own is None:
        return SILENT
    first, second = abs(fact.value), abs(other.value)
    shown = f"{plain(first)} {_sign(first, second)} {plain(second)}"
    holds = first > second if key == "ahead" else first < second
    return Standing(Told(holds, Value(first, (fact, other), "order", shown), own.found.grid))


def _are_alike(one: Written, other: Written) -> bool:
    """Whether two numbers are of one kind and unit, and neither is how far the other lies from something."""
    first, second = one.quantity.number, other.quantity.number
    hows = {found.stated.how for found in (one, other) if found.stated}
    return (first.kind, first.unit) == (second.kind, second.unit) and not hows & {
        "difference",
        "piece",
        "product",
    }


def _went(near: Neighbours, key: str) -> Standing | None:
    """Whether a figure went from one number to the next as is said: "to 94.0 %, then rose to 93.2 %"."""
    before, behind = near.earlier, near.behind[0] if near.behind else near.next
    if key not in ("up", "down") or before is None or behind is None or not (before.facts and behind.facts):
        return None
    first, last = before.facts[0], behind.facts[0]
    dated = first.span and last.span and first.span < last.span and first.at == last.at
    plainly = not (before.stated and before.stated.how) and not (behind.stated and behind.stated.how)
    arrives = behind.quantity.arrives and not before.quantity.is_base
    if (
        not (dated and plainly and arrives)
        or first.value is None
        or last.value is None
        or first.value == last.value
    ):
        return None
    value = Value(last.value, (last, first), "difference", f"{plain(last.value)} − {plain(first.value)}")
    return Standing(Told((last.value > first.value) == (key == "up"), value, behind.found.grid))


def _sign(one: Decimal, other: Decimal) -> str:
    return ">" if one > other else "<" if one < other else "="


def _placed(
    fact: Fact, grid: Grid, keys: Sequence[str], reach: Reach | None, among: Sequence[Sequence[Fact]]
) -> Told | None:
    """Whether a fact has a place among those of its column, of its row or of its periods; denied where it has it in none."""
    return _among([group for group in among if len(group) > 1], fact, grid, keys, reach)


def _among(
    groups: Sequence[Sequence[Fact]], fact: Fact, grid: Grid, keys: Sequence[str], reach: Reach | None
) -> Told | None:
    count = (reach.group or reach.least) if reach else None
    groups = [group for group in groups if len(group) == count] or groups
    if not groups or fact.value is None:
        return None
    holds = any(has_place(fact, group, key, grid) for group in groups for key in keys)
    return Told(holds, Value(fact.value, (fact,)), grid)


def _within(known: Sequence[Fact], span: Span) -> list[Fact]:
    return [one for one in known if one.span and periods.contains(span, one.span)]


def _others(fact: Fact, grid: Grid, asked: Tier, counts: Set[int]) -> Sequence[Fact]:
    """What all properties of record have of a figure in its period, in one currency, where the question names that period
    alone and no property; nothing where the sentence ``counts`` but others: "of the five"."""
    named = [one.span for one in asked.periods]
    is_asked = len(named) == 1 and named[0] and fact.span and periods.same(fact.span, named[0])
    if not (grid.is_recorded and is_asked) or len(grid.axes[1].named(asked.words)[0]) == 1:
        return ()
    found = [one for one in grid.at(((fact.at[0],), None)) if one.span == fact.span and one.unit == fact.unit]
    return found if not counts or len(found) in counts else ()


def _groups(fact: Fact, grid: Grid, stretches: Sequence[Span]) -> Iterator[Sequence[Fact]]:
    """Those that a figure may be ranked among: of its period, of the longer one that is named, else of all there are."""
    known = [
        one
        for one in grid.facts
        if one.value is not None and (one.kind, one.unit, one.role) == (fact.kind, fact.unit, fact.role)
    ]
    alike = [one for one in known if one.at[0] == fact.at[0] and not one.is_total][:_MOST]
    if len(fact.at) > 1 and fact.at[1] != OPEN:
        yield [one for one in alike if one.span == fact.span]
    here = [one for one in known if one.at == fact.at and one.span and fact.span]
    long = [one for one in here if periods.granularity(one.span) == periods.granularity(fact.span)]
    inside = [_within(long, span) for span in stretches if fact.span and periods.contains(span, fact.span)]
    if named := [group for group in inside if len(group) > 1]:
        yield named[0]
    else:
        yield long
        yield from (_within(long, year) for year in years_of(fact, grid))
    beside = lines(fact, grid)
    if len(beside) >= _LEAST_LINES:
        yield beside[:_MOST]
