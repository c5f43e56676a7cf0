"""The place of one part of a whole among the others: rows that add up to the total of a table can be ranked, whatever
their figure is called: "the state grant is the largest source", "Nursing grew fastest"."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Value, column_sum, metrics_of
from detection.core.matching.levels import Comparison
from detection.core.matching.relations import changes
from detection.core.matching.relations.multiples import is_share
from detection.core.matching.relations.ranks import RANKS, has_place, ranks
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.periods import Span

_PAIR, _MOST_ROWS = 2, 200
_DOWN = frozenset(("down", "worsen"))
_UP = frozenset(("up", "improve"))


def ranked(one: Comparison, key: str) -> Told | None:
    """Whether the part that a claim's own words name has the place that they give it; None where the table holds no parts of
    a whole, or the words name none or several periods' figures of it."""
    if key not in RANKS or one.grid.is_prose or one.grid.is_recorded or one.quantity.reach:
        return None
    found = list(_places(one, key))
    return next((told for told in found if told.holds), found[0] if found else None)


def shared(one: Comparison, times: Decimal) -> Told | None:
    """Whether the one part that the nearest words name is such a share of the whole; None where a table tells of none."""
    if one.grid.is_prose or one.grid.is_recorded or "share" not in one.quantity.cue("operations"):
        return None
    axis = 1 if one.grid.is_list else 0
    named = one.slots.axes[axis]
    own = named.labels[0] if named.labels and named.tier == 0 else OPEN
    told: list[Told] = []
    for group in groups(one) if own != OPEN else ():
        held = next((fact for fact in group if fact.at[axis] == own), None)
        total = sum((fact.value or Decimal(0) for fact in group), Decimal(0))
        if held and held.value and total > 0:
            ratio, shown = held.value / total, f"{plain(held.value)} / {plain(total)}"
            holds = is_share(ratio, times, one.quantity.cue("bounds"))
            told.append(Told(holds, Value(ratio, (held,), "ratio", shown), one.grid))
    return next((found for found in told if found.holds), told[0] if told else None)


def _places(one: Comparison, key: str) -> Iterator[Told]:
    axis = 1 if one.grid.is_list else 0
    named = one.slots.axes[axis]
    column = one.slots.axes[0]
    if (
        not named.labels
        or named.tier
        or (axis and (column.tier or not column.labels) and not _is_of_size(one))
    ):
        return
    for label in _labels(one):
        for group in _groups(one, label):
            held = next((fact for fact in group if fact.at[axis] == named.labels[0]), None)
            keys = ranks(one.quantity.number.text, key, metrics_of(one.grid, held.at[0])) if held else ()
            if held and held.value is not None:
                holds = any(has_place(held, group, rank, one.grid) for rank in keys)
                yield Told(holds, Value(held.value, (held,)), one.grid)


def _is_of_size(one: Comparison) -> bool:
    """Whether a word of order ranks by size, whatever the figure: "the largest lender"."""
    return one.quantity.number.text.lower() in _sized()


@cache
def _sized() -> frozenset[str]:
    return frozenset(word for keys in lexicons.table("change_words").values() for word in keys["sized"])


def groups(one: Comparison) -> Iterator[Sequence[Fact]]:
    """The parts of the columns, and of the periods, that are spoken of."""
    for label in _labels(one):
        yield from (group for span in _spans(one) for group in parts(one, label, span))


def columns(one: Comparison) -> Iterator[Sequence[Fact]]:
    """The rows of the columns of a list that are spoken of, of all where none is, whose total nothing states; none of a list that
    is too long for anybody to add up."""
    said = one.slots.axes[0].labels or range(OPEN, len(one.grid.axes[0].labels))
    for label in said if one.grid.is_list and len(one.grid.axes[1].labels) <= _MOST_ROWS else ():
        for total in (column_sum(one.grid, label, span) for span in _spans(one)):
            if total is not None:
                yield total.facts


def _labels(one: Comparison) -> Sequence[int]:
    """The columns of a list that its words name, else all; of other tables the lines."""
    if not one.grid.is_list:
        return (OPEN,)
    choice = one.slots.axes[0]
    return (choice.labels or ()) if choice.tier == 0 else range(OPEN, len(one.grid.axes[0].labels))


def _groups(one: Comparison, label: int) -> Iterator[Sequence[Fact]]:
    """The parts in each period that is spoken of, in the latest where none is; what each moved by where that is said."""
    spans = _spans(one)
    if not _moves(one):
        yield from (group for span in spans for group in parts(one, label, span))
        return
    for later, earlier in changes.pairs(one):
        then = [fact for group in parts(one, label, earlier) for fact in group]
        yield from (moved for group in parts(one, label, later) for moved in _moved(one, group, then))
    yield from (group for span in spans for group in parts(one, label, span))


def _spans(one: Comparison) -> Sequence[Span | None]:
    own = [span for span in one.spans() if span] if one.slots.span_tier == 0 else []
    held = [known for span in own for known in one.grid.spans if periods.same(known, span)]
    return held or sorted(one.grid.spans, reverse=True)[: None if own else 1] or (None,)


def _moves(one: Comparison) -> int:
    said = one.quantity.cue("directions")
    return 1 if said & _UP else -1 if said & _DOWN else 0


def parts(one: Comparison, label: int, span: Span | None) -> Iterator[Sequence[Fact]]:
    """The rows of a column, or the lines of a table, in a period, that are together the one total of them or of their section."""
    axis = 1 if one.grid.is_list else 0
    facts = [
        fact
        for fact in one.grid.facts
        if fact.value is not None and fact.span == span and not fact.direction
        and (fact.at[0] == label if one.grid.is_list else fact.at[1:] in ((), (OPEN,)))
    ]  # fmt: skip
    role = min((fact.role for fact in facts), default="")
    sections: dict[Hashable, list[Fact]] = {}
    for fact in facts:
        above = one.grid.axes[axis].labels[fact.at[axis]].above if fact.at[axis] != OPEN else ()
        if fact.role == role:
            sections.setdefault(above, []).append(fact)
    yield from filter(_is_whole, sections.values())


def _is_whole(facts: list[Fact]) -> bool:
    """Whether facts are some parts and their one total, which is then taken out."""
    totals, rows = [fact for fact in facts if fact.is_total], [fact for fact in facts if not fact.is_total]
    if len(totals) != 1 or len(rows) < _PAIR or {fact.unit for fact in rows} - {totals[0].unit, ""}:
        return False
    apart = abs(sum((fact.value or Decimal(0) for fact in rows), -(totals[0].value or Decimal(0))))
    facts.remove(totals[0])
    return apart <= sum(fact.precision for fact in (*rows, *totals))


def _moved(one: Comparison, now: Sequence[Fact], then: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
    """By how much each part moved the way that is said, in its own unit and in per cent."""
    before = {fact.at: fact.value for fact in then}
    if not now or any(not before.get(fact.at) for fact in now):
        return
    way = Decimal(_moves(one))
    ends = [(fact, fact.value or Decimal(0), before[fact.at] or Decimal(1)) for fact in now]
    yield [replace(fact, value=way * (new - old)) for fact, new, old in ends]
    yield [replace(fact, value=way * (new / old - 1)) for fact, new, old in ends]
