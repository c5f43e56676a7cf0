"""What prose says of how its figures moved: in one sentence ("fell from $8.0 million to $6.0 million"), or by what it
states of two periods."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.matching.choices import Choice
from detection.core.matching.levels import Comparison
from detection.core.matching.relations import changes, multiples
from detection.core.matching.relations.ranks import RANKS, has_place, ranks
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities.features import is_meaning

SIDES = {"ahead": "up", "behind": "down"}
"""The way to one side of a period that is named: "higher than in Q2"."""
_FEWEST, _SEVERAL = 3, 2
_ACTUAL = ("", "actual", "prior")


def compare(one: Comparison, table: str, key: str) -> Told | None:
    """Whether the figure that a claim's own words name went as is said, or became so many times what it was; None where
    prose does not tell."""
    if one.slots.axes[0].labels is None and (known := _by_meaning(one)):
        one.slots = replace(one.slots, axes=(Choice(known, 0), *one.slots.axes[1:]))
    if one.slots.axes[0].labels is None or one.slots.axes[0].tier > 0:
        return None
    told: list[Told] = []
    if table == "order" and key in SIDES and one.slots.bases:
        table, key = "directions", SIDES[key]
    if table == "directions":
        told = [*_came(one, key), *_went(one, key)]
    elif table == "multiples":
        pairs = [pair for fact in _named(one) for pair in _origin(fact, one.grid)]
        became = (multiples.became(one, *pair, Decimal(key)) for pair in (*pairs, *_dated(one)))
        told = [found for found in became if found is not None]
    elif key in RANKS:
        told = list(_ranked(one, key))
    return next((found for found in told if found.holds), told[0] if told else None)


def _by_meaning(one: Comparison) -> tuple[int, ...]:
    """The numbers of the one figure that words call by another name: the net result, of "the loss shrank"."""
    meanings = frozenset(filter(is_meaning, one.quantity.tiers[0].words))
    known = [
        place for place in range(len(one.grid.axes[0].labels)) if meanings & one.grid.axes[0].words_of(place)
    ]
    called = [one.grid.axes[0].words_of(place) for place in known]
    return tuple(known) if called and all(words <= max(called, key=len) for words in called) else ()


def _named(one: Comparison) -> Iterator[Fact]:
    """The figures that the claim's words name, or that came from one of them, of a period that they may be of."""
    for fact in _said(one):
        if fact.value is not None and _is_of(fact, one):
            yield fact
        yield from (after for after in one.grid.at(((fact.at[0] + 1,), None)) if after.since == fact.at[0])


def _said(one: Comparison) -> Iterator[Fact]:
    """The figures at the places that the claim's words name."""
    for place in one.places():
        yield from one.grid.at([None if label == OPEN else (label,) for label in place])


def _is_of(fact: Fact, one: Comparison) -> bool:
    """Whether a fact may be of a period that the claim's own words name."""
    named = [span for span in one.slots.now if span] if one.slots.span_tier == 0 else []
    return fact.span is None or not named or any(periods.same(fact.span, span) for span in named)


def _came(one: Comparison, key: str) -> Iterator[Told]:
    """Whether a figure went as is said to be what it is, by what its own sentence says of that."""
    for fact in _named(one):
        said = changes.sense(key, metrics_of(one.grid, fact.at[0])) if fact.came else 0
        turned = fact.polarity == "loss" and changes.is_of_result(key, one.quantity.cue("polarity"))
        if said:
            rose = (fact.came == "up") != turned
            yield Told(rose == (said > 0), _move(fact, one.grid), one.grid)


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
        said = changes.sense(key, metrics_of(one.grid, new.facts[0].at[0]))
        is_loss = new.value < 0 or new.facts[0].polarity == "loss"
        apart = changes.risen(key, one.quantity.cue("polarity"), new.value, old.value, is_loss=is_loss)
        if said and apart:
            shown = f"{plain(new.value)} − {plain(old.value)}"
            value = Value(apart, (*new.facts, *old.facts), "difference", shown)
            yield Told((apart > 0) == (said > 0), value, one.grid)


def _dated(one: Comparison) -> Iterator[tuple[Value, Value]]:
    """The figure that is named in the period that is spoken of and in the one before it, where prose states each once."""
    known: dict[Span, list[Fact]] = defaultdict(list)
    for label in _same(one):
        for fact in one.grid.at(((label,), None)):
            if fact.span and fact.role in _ACTUAL and not (fact.direction or fact.bound):
                known[fact.span].append(fact)
    for later, earlier in changes.pairs(one):
        new, old = known.get(later, []), known.get(earlier, [])
        if len(new) == len(old) == 1 and _is_alike(new[0], old[0]):
            yield _value(new[0]), _value(old[0])


def _ranked(one: Comparison, key: str) -> Iterator[Told]:
    """Whether the one of an enumeration that a claim's own words name, or whose period they name, has a place in it."""
    said, tried = one.quantity.reach, set()
    for fact in _said(one):
        group = enumerated(fact, one.grid)
        if len(group) < _FEWEST or group[0].at in tried:
            continue
        tried.add(group[0].at)
        held = _meant(one, group)
        if held is not None and (said is None or said.group == len(group)):
            keys = ranks(one.quantity.number.text, key, metrics_of(one.grid, held.at[0]))
            holds = any(has_place(held, group, rank, one.grid) for rank in keys)
            yield Told(holds, Value(held.value or Decimal(0), (held,)), one.grid)


def _meant(one: Comparison, group: Sequence[Fact]) -> Fact | None:
    """The one of an enumeration that the claim's own words, or its period, tell from the others."""
    named = [span for span in one.slots.now if span] if one.slots.span_tier == 0 else []
    dated = [fact for fact in group if any(fact.span and periods.same(fact.span, span) for span in named)]
    if named:
        return dated[0] if len(dated) == 1 else None
    words = one.quantity.tiers[0].words.keys()
    every = [one.grid.axes[0].words_of(fact.at[0]) for fact in group]
    shares = [len(called & words) / len(called) if called else 0 for called in every]
    best = max(shares)
    return group[shares.index(best)] if best and shares.count(best) == 1 else None


def enumerated(fact: Fact, grid: Grid) -> list[Fact]:
    """The numbers of a sentence that say the same of several, or of several periods: alike in kind, unit and metric, and all or none
    of a period of their own. What they make up together is none of them, nor is what one of them was before."""
    sentence = grid.named(0, fact.at[0])
    found = [
        other
        for other in grid.facts
        if grid.named(0, other.at[0]) == sentence
        and (other.kind, other.unit, other.role, other.direction) == (fact.kind, fact.unit, fact.role, "")
        and other.value is not None
    ]
    origins = {other.since for other in found}
    found = [other for other in found if other.at[0] not in origins and not _is_whole(other, found)]
    called = [frozenset(filter(is_meaning, grid.axes[0].words_of(one.at[0]))) for one in found]
    spans = {one.span for one in found}
    alike = len({one for one in called if one}) < _SEVERAL
    return found if alike and len(spans) in (1, len(found)) and fact in found else []


def _is_whole(fact: Fact, among: Sequence[Fact]) -> bool:
    """Whether the others of an enumeration are parts of one of its numbers, as words or their sum say."""
    others = [other for other in among if other is not fact]
    total = sum((other.value for other in others if other.value), Decimal(0))
    is_sum = len(others) >= _SEVERAL and abs(total - (fact.value or 0)) <= fact.precision
    return is_sum or any(other.whole == fact.at[0] for other in others)


def _same(one: Comparison) -> frozenset[int]:
    """The labels that are named, and those of their sentences that say more of the same: 公司上年净亏损…, 今年净亏损…."""
    axis = one.grid.axes[0]
    named = frozenset(place[0] for place in one.places() if place[0] != OPEN)
    said = {axis.labels[label].text for label in named}
    calls = [axis.words_of(label) for label in named if axis.words_of(label)]
    more = (at for at, other in enumerate(axis.labels) if other.text in said)
    return named | {at for at in more if any(words <= axis.words_of(at) for words in calls)}


def _is_alike(new: Fact, old: Fact) -> bool:
    """Whether two figures of one kind, unit and sign can be compared."""
    if (new.kind, new.unit, new.per, new.polarity) != (old.kind, old.unit, old.per, old.polarity):
        return False
    return (new.value or 0) * (old.value or 0) > 0


def _value(fact: Fact) -> Value:
    return Value(fact.value or Decimal(0), (fact,))
