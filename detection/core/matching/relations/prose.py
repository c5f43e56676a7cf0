"""What prose says of how its figures moved: in one sentence ("fell from $8.0 million to $6.0 million"), or by what it
states of two periods."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.matching.levels import Comparison
from detection.core.matching.relations import changes, multiples
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.periods import Span

_ACTUAL = ("", "actual")


def compare(one: Comparison, table: str, key: str) -> Told | None:
    """Whether the figure that a claim's own words name went as is said, or became so many times what it was; None where
    prose does not tell."""
    if one.slots.axes[0].labels is None or one.slots.axes[0].tier > 0:
        return None
    told: list[Told] = []
    if table == "directions":
        told = [*_came(one, key), *_went(one, key)]
    elif table == "multiples":
        pairs = [pair for fact in _named(one) for pair in _origin(fact, one.grid)]
        became = (multiples.became(one, *pair, Decimal(key)) for pair in (*pairs, *_dated(one)))
        told = [found for found in became if found is not None]
    return next((found for found in told if found.holds), told[0] if told else None)


def _named(one: Comparison) -> Iterator[Fact]:
    """The figures that the claim's words name, of a period that they may be of."""
    for place in one.places():
        for fact in one.grid.at([None if label == OPEN else (label,) for label in place]):
            if fact.value is not None and _is_of(fact, one):
                yield fact


def _is_of(fact: Fact, one: Comparison) -> bool:
    """Whether a fact may be of a period that the claim's own words name."""
    named = [span for span in one.slots.now if span] if one.slots.span_tier == 0 else []
    return fact.span is None or not named or any(periods.same(fact.span, span) for span in named)


def _came(one: Comparison, key: str) -> Iterator[Told]:
    """Whether a figure went as is said to be what it is, by what its own sentence says of that."""
    for fact in _named(one):
        said = changes.sense(key, metrics_of(one.grid, fact.at[0])) if fact.came else 0
        if said:
            yield Told((fact.came == "up") == (said > 0), _move(fact, one.grid), one.grid)


def _move(fact: Fact, grid: Grid) -> Value:
    """A figure of prose with the one that says where it came from: "2100000 → 2410000"."""
    value, arrow = fact.value or Decimal(0), "↑" if fact.came == "up" else "↓"
    since = next(grid.at(((fact.since,), None)), None) if fact.since != OPEN else None
    if since is None or since.value is None:
        return Value(value, (fact,), "difference", f"{arrow} {plain(value)}")
    if since.direction or since.kind != fact.kind:
        return Value(value, (fact, since), "difference", f"{arrow} {plain(value)} ({since.text})")
    return Value(value, (fact, since), "difference", f"{plain(since.value)} → {plain(value)}")


def _origin(fact: Fact, grid: Grid) -> Iterator[tuple[Value, Value]]:
    """A figure and what it came from, where its sentence states both."""
    for since in grid.at(((fact.since,), None)) if fact.came and fact.since != OPEN else ():
        if not since.direction and _is_alike(fact, since):
            yield _value(fact), _value(since)


def _went(one: Comparison, key: str) -> Iterator[Told]:
    """Whether a figure went as is said from one period to another."""
    for new, old in _dated(one):
        said, apart = changes.sense(key, metrics_of(one.grid, new.facts[0].at[0])), new.value - old.value
        if said and apart:
            shown = f"{plain(new.value)} − {plain(old.value)}"
            value = Value(apart, (*new.facts, *old.facts), "difference", shown)
            yield Told((apart > 0) == (said > 0), value, one.grid)


def _dated(one: Comparison) -> Iterator[tuple[Value, Value]]:
    """The figure that is named in the period that is spoken of and in the one before it, where prose states each once."""
    known: dict[Span, list[Fact]] = defaultdict(list)
    for place in one.places():
        for fact in one.grid.at([None if label == OPEN else (label,) for label in place]):
            if fact.span and fact.role in _ACTUAL and not (fact.direction or fact.bound):
                known[fact.span].append(fact)
    for later, earlier in changes.pairs(one):
        new, old = known.get(later, []), known.get(earlier, [])
        if len(new) == len(old) == 1 and _is_alike(new[0], old[0]):
            yield _value(new[0]), _value(old[0])


def _is_alike(new: Fact, old: Fact) -> bool:
    """Whether two figures of one kind, unit and sign can be compared."""
    if (new.kind, new.unit, new.per) != (old.kind, old.unit, old.per):
        return False
    return min(new.value or 0, old.value or 0) > 0


def _value(fact: Fact) -> Value:
    return Value(fact.value or Decimal(0), (fact,))
