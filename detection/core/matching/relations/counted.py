"""In how many of a group a figure moved as is said, or was a loss: three of the five regions, every quarter, no month."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from detection.core import periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Value, at, metrics_of
from detection.core.matching.levels import Comparison
from detection.core.matching.relations import changes, reaches
from detection.core.matching.relations.told import Told
from detection.core.periods import Span
from detection.core.quantities.reach import Reach

_PAIR = 2
Count = tuple[int, int, int, tuple[Fact, ...]]
"""At least and at most how many of a group it is true of, how many there are, and what says so."""


def counted(one: Comparison, table: str, key: str) -> Told | None:
    """Whether something is true of as many of a group as its words say; None where not all of the group were read."""
    said = one.quantity.reach
    if said is None:
        return None
    found = [_told(one, said, *count) for count in _counts(one, said, table, key)]
    return next((told for told in found if told.holds), found[0] if found else None)


def _told(one: Comparison, said: Reach, least: int, most: int, group: int, facts: tuple[Fact, ...]) -> Told:
    low = group if said.least is None else said.least
    high = group if said.most is None else said.most
    return Told(
        low <= most and least <= high, Value(Decimal(least), facts, "count", f"{least} / {group}"), one.grid
    )


def _counts(one: Comparison, said: Reach, table: str, key: str) -> Iterator[Count]:
    choice = one.slots.axes[0]
    if said.months and choice.labels is not None and (table == "polarity" or not choice.tier):
        for place in one.places():
            for pieces in reaches.pieces(one, place, said):
                yield from _in_pieces(one, pieces, table, key)
    elif not said.months and table == "directions":
        for later, earlier in changes.pairs(one):
            for group in _groups(one, later, earlier):
                if len(group) == said.group if said.group else len(group) > _PAIR:
                    yield from _in_group(one, group, key)


def _in_pieces(one: Comparison, pieces: Sequence[Fact], table: str, key: str) -> Iterator[Count]:
    """Of the pieces of a period those that were a loss or a profit, or to which the figure went as is said."""
    values = [fact.value for fact in pieces if fact.value is not None]
    if table == "polarity":
        true = sum(1 for value in values if (value < 0) == (key == "loss"))
        yield true, true, len(values), tuple(pieces)
        return
    said = changes.sense(key, metrics_of(one.grid, pieces[0].at[0]))
    before = _before(one, pieces[0])
    if not said or min(values) < 0:
        return
    steps = [*([before] if before is not None else []), *values]
    true = sum(1 for old, new in pairwise(steps) if new != old and (new > old) == (said > 0))
    yield true, true + (before is None), len(values), tuple(pieces)


def _before(one: Comparison, first: Fact) -> Decimal | None:
    """What the figure was in the period before the first of some."""
    if first.span is None:
        return None
    return next((value.value for value in at(one.grid, first.at, periods.before(first.span))), None)


def _groups(one: Comparison, later: Span, earlier: Span) -> Iterator[list[tuple[Fact, Fact]]]:
    """What the figure that is named was for each of those listed, or each line of a table, in two periods."""
    choice = one.slots.axes[0]
    if len(one.grid.axes) == _PAIR and choice.labels is not None and choice.tier == 0:
        for metric in choice.labels:
            others = dict.fromkeys(fact.at[1] for fact in one.grid.at(((metric,), None)))
            yield _both(one, [(metric, other) for other in others if other != OPEN], later, earlier)
    lines = dict.fromkeys(
        fact.at for fact in one.grid.facts if fact.at[0] != OPEN and not one.grid.is_recorded
    )
    yield _both(one, [place for place in lines if OPEN in place[1:]], later, earlier)


def _both(
    one: Comparison, found: Sequence[tuple[int, ...]], later: Span, earlier: Span
) -> list[tuple[Fact, Fact]]:
    pairs = []
    for place in found:
        here = [
            fact for fact in one.grid.at([(at,) for at in place]) if fact.value is not None and not fact.role
        ]
        kind = here[0].kind if here else ""
        ends = [
            next((f for f in here if f.span and f.kind == kind and periods.same(f.span, span)), None)
            for span in (later, earlier)
        ]
        if here and not here[0].is_total and ends[0] and ends[1]:
            pairs.append((ends[0], ends[1]))
    return pairs


def _in_group(one: Comparison, group: Sequence[tuple[Fact, Fact]], key: str) -> Iterator[Count]:
    said = changes.sense(key, metrics_of(one.grid, group[0][0].at[0]))
    moves = [(new.value, old.value) for new, old in group if new.value is not None and old.value is not None]
    if not said or any(min(pair) < 0 for pair in moves) or len({new.kind for new, _ in group}) > 1:
        return
    true = sum(1 for new, old in moves if new != old and (new > old) == (said > 0))
    yield true, true, len(moves), tuple(new for new, _ in group)
