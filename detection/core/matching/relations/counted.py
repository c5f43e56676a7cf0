"""In how many of a group a figure moved as is said, or was a loss: three of the five regions, every quarter, no month."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from detection.core import periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.labels import general
from detection.core.evidence.values import Value, at, metrics_of, tiled
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
    elif table == "polarity" and choice.labels is not None:
        for run in _runs(one, said.group):
            yield from _in_pieces(one, run, table, key)
    elif not said.months and table == "directions":
        for group in _listed(one, key):
            if len(group) == said.group if said.group else len(group) > _PAIR:
                true = sum(is_so for _, is_so in group)
                yield true, true, len(group), tuple(fact for fact, _ in group)


def _runs(one: Comparison, group: int) -> Iterator[Sequence[Fact]]:
    """The pieces of the period that is spoken of, where words count some of the one that is meant without saying what
    they count: "all four ended in a loss"."""
    rest = one.slots.axes[1].labels if len(one.slots.axes) > 1 else (OPEN,)
    for place in one.places() if rest and len(rest) == 1 else ():
        for span in one.spans():
            run = tiled(one.grid, place, span) if span else ()
            if run and group in (0, len(run)):
                yield run


def exactly(one: Comparison, key: str) -> Told | None:
    """Whether of a group just those moved as is said that words name as the only ones, or all but those that they except;
    None where they name none of it."""
    told: list[Told] = []
    for group in _listed(one, key):
        facts = tuple(fact for fact, _ in group)
        axis = _axis(facts)
        meant = reaches.singled(one, axis, facts)
        if meant is not None:
            true = {fact.at[axis] for fact, is_so in group if is_so}
            value = Value(Decimal(len(true)), facts, "count", f"{len(true)} / {len(group)}")
            told.append(Told(true == meant, value, one.grid))
    return next((found for found in told if found.holds), told[0] if told else None)


def _axis(group: Sequence[Fact]) -> int:
    """The axis that names each of a group: the second, of the lines of a table the first."""
    return 0 if any(fact.at[1:] in ((), (OPEN,)) for fact in group) else 1


def of_row(one: Comparison, key: str) -> Told | None:
    """Whether those that a claim's own words name went as is said, by a column that says how each of a list did."""
    for group in _of_column(one, key):
        own = one.slots.axes[_axis([fact for fact, _ in group])]
        labels = own.labels if own.labels and not own.tier else ()
        named = [(fact, is_so) for fact, is_so in group if fact.at[_axis([fact])] in labels]
        if named:
            value = Value(named[0][0].value or Decimal(0), (named[0][0],))
            return Told(all(is_so for _, is_so in named), value, one.grid)
    return None


def _listed(one: Comparison, key: str) -> Iterator[Sequence[tuple[Fact, bool]]]:
    """Groups of which it is known of each whether it moved as is said."""
    yield from _of_column(one, key)
    for later, earlier in changes.pairs(one):
        for group in _groups(one, later, earlier):
            if found := _in_group(one, group, key):
                yield found


def _of_column(one: Comparison, key: str) -> Iterator[Sequence[tuple[Fact, bool]]]:
    """What a column that says how far each of a list moved tells of them."""
    said = 1 if key == "up" else -1 if key == "down" else 0
    for found in _columns_of_moves(one) if said else ():
        yield [(fact, (fact.value or 0) * said > 0) for fact in found]


def _columns_of_moves(one: Comparison) -> Iterator[Sequence[Fact]]:
    """The column of changes that a claim's own words name, else the only one, where it is called nothing but a change."""
    grid, choice = one.grid, one.slots.axes[0]
    if grid.is_prose or grid.is_recorded:
        return
    if not grid.is_list:
        lines = [fact for fact in grid.facts if fact.value is not None and not fact.is_total]
        yield from [lines] if _states_moves(lines) and not any(fact.span for fact in lines) else []
        return
    columns = {label: _rows(one, label) for label in range(len(grid.axes[0].labels))}
    moves = {label: found for label, found in columns.items() if _states_moves(found)}
    named = [label for label in choice.labels or () if not choice.tier and label in moves]
    plain = [label for label in moves if len(columns) == 1 or grid.axes[0].words_of(label) <= general()]
    yield from (moves[label] for label in (named or (plain if len(moves) == 1 else ())))


def _rows(one: Comparison, label: int) -> Sequence[Fact]:
    return [fact for fact in one.grid.at(((label,), None)) if fact.value is not None and not fact.is_total]


def _states_moves(facts: Sequence[Fact]) -> bool:
    """Whether facts, one of each of a list, say how far something moved: in per cent, or some of them down."""
    axis = _axis(facts)
    rows = {fact.at[axis] for fact in facts}
    whole = len(rows) == len(facts) > 1 and OPEN not in rows
    moves = all(fact.direction or not fact.value for fact in facts)
    return whole and moves and any(fact.kind == "percentage" or fact.direction == "down" for fact in facts)


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


def _in_group(one: Comparison, group: Sequence[tuple[Fact, Fact]], key: str) -> Sequence[tuple[Fact, bool]]:
    """Which of a group went as is said; none where that cannot be told of each."""
    said = changes.sense(key, metrics_of(one.grid, group[0][0].at[0])) if group else 0
    moves = [(new.value, old.value) for new, old in group if new.value is not None and old.value is not None]
    if not said or any(min(pair) < 0 for pair in moves) or len({new.kind for new, _ in group}) > 1:
        return ()
    return [
        (fact, new != old and (new > old) == (said > 0))
        for (fact, _), (new, old) in zip(group, moves, strict=True)
    ]
