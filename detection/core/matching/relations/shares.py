"""What share of a whole words say that a part is: "two fifths of the fleet", "one in five homes"."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import permutations
from typing import NamedTuple

from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import Value, metrics_of, wholes_of
from detection.core.lexicons import Words
from detection.core.matching.choices import Choice
from detection.core.matching.equality import says
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.relations.multiples import is_share
from detection.core.matching.relations.told import Told
from detection.core.numbers import plain
from detection.core.quantities import Quantity, features

_EACH = frozenset(("both", "each", "all"))
_TWO, _ROWS = 2, 3  # fewer rows are hardly all of a whole
_NAMED, _KNOWN = Decimal("0.5"), Decimal("0.4")  # of the words of a part, and of what is said of it


def misreckoned(quantity: Quantity) -> Match | None:
    """What refutes a share of two numbers that the answer states right before it: "34 of the 40 flats, or 95 %"."""
    if quantity.parted is None:
        return None
    part, whole = (Decimal(one.value) for one in quantity.parted)
    share = 100 * part / whole if whole else None
    if share is None or says(quantity, share):
        return None
    return Match(Value(share, (), "share", f"{plain(part)} / {plain(whole)}"), equal=False)


def is_of_others(one: Comparison, value: Value) -> bool:
    """Whether a share was reckoned from two figures of a table of which the words next to the number name neither, but another;
    or of one of several rows of which they say "both", while it is another of the others."""
    columns = one.slots.axes[0]
    is_share = value.how in ("share", "ratio") and one.quantity.number.kind == "percentage"
    if not is_share or one.grid.is_prose or one.grid.is_recorded or columns.tier:
        return False
    named = columns.labels or ()
    return all(fact.at[0] not in named for fact in value.facts) or not _is_of_each(one, value)


def _is_of_each(one: Comparison, value: Value) -> bool:
    rows = one.slots.axes[1] if one.grid.is_list else Choice(None)
    if not one.quantity.cue("quantifiers") & _EACH or rows.tier or len(value.facts) != _TWO:
        return True
    for row in rows.labels or ():
        found = [list(one.grid.at(((fact.at[0],), (row,)))) for fact in value.facts]
        top, bottom = (
            next((f for f in facts if f.span == of.span), None)
            for facts, of in zip(found, value.facts, strict=True)
        )
        share = 100 * (top.value or Decimal(0)) / bottom.value if top and bottom and bottom.value else None
        if share is not None and not says(one.quantity, share):
            return False
    return True


class _Pair(NamedTuple):
    """A part and its whole; ``own`` are the words that name the part alone, ``named`` how much of them is said, ``known`` how
    much of what is said names either."""

    part: Fact
    whole: Fact
    own: frozenset[str]
    named: Decimal
    known: Decimal

    @property
    def is_stated(self) -> bool:
        """Whether the whole is written in the evidence, and not what rows come to."""
        return not self.whole.is_total or self.whole.end != self.part.end

    @property
    def is_sure(self) -> bool:
        """Whether nothing else can be meant."""
        return self.named >= _NAMED and self.known >= _KNOWN


def shared(one: Comparison, times: Decimal, leading: str) -> Told | None:
    """Whether the part that words name is such a share of its whole; denied only where they name one part without doubt, and
    where no total is stated only of "all". What the ``leading`` word behind a share names is the whole: "a third of car
    guests paid by card"."""
    found = list(_of_prose(one) if one.grid.is_prose else _of_table(one))
    pairs = [pair for pair in found if pair.named and leading not in pair.own]
    best = [pair for pair in pairs if pair.named == max(other.named for other in pairs)]
    told = [_told(one, pair, times) for pair in best]
    holding = next((each for each in told if each.holds), None)
    if holding or len(told) != 1 or not best[0].is_sure:
        return holding
    whole = best[0].is_stated or "all" in one.quantity.cue("quantifiers")
    return told[0] if whole else None


def _told(one: Comparison, pair: _Pair, times: Decimal) -> Told:
    part, whole = Decimal(pair.part.value or 0), Decimal(pair.whole.value or 1)
    value = Value(part / whole, (pair.part, pair.whole), "ratio", f"{plain(part)} / {plain(whole)}")
    return Told(is_share(part / whole, times, one.quantity.cue("bounds")), value, one.grid)


def _of_prose(one: Comparison) -> Iterator[_Pair]:
    """The counts of which prose says that they are parts of others."""
    axis = one.grid.axes[0]
    for fact in one.grid.facts:
        whole = one.grid.facts[fact.whole] if fact.whole != OPEN else None
        if whole and whole.value:
            yield _pair(one, fact, whole, axis.words_of(fact.at[0]), axis.words_of(whole.at[0]))


def _of_table(one: Comparison) -> Iterator[_Pair]:
    """The rows of a table that the words name, beside the total of their column; and two columns that they name of one row."""
    if not one.grid.is_list:
        yield from _of_lines(one)
        return
    two = list(_of_columns(one))
    yield from two or _of_rows(one)


def _of_rows(one: Comparison) -> Iterator[_Pair]:
    """The rows that the words name, beside what their column comes to."""
    column, row = one.grid.axes
    for place in one.places():
        named = column.words_of(place[0]) if place[0] != OPEN else frozenset()
        for fact in one.grid.at([None if at == OPEN else (at,) for at in place]) if place[1] != OPEN else ():
            whole = _whole(one.grid, fact) if fact.kind == "number" and fact.value else None
            if whole and whole.value and not fact.is_total:
                yield _pair(one, fact, whole, row.words_of(place[1]), named)


def _of_columns(one: Comparison) -> Iterator[_Pair]:
    """What two counts of a row that the words name may be of each other: "nine in ten applicants were admitted"."""
    columns, rows = one.slots.axes
    if columns.tier or len(columns.labels or ()) != _TWO or len(rows.labels or ()) != 1:
        return
    words, row = one.grid.axes[0].words_of, one.grid.axes[1].words_of((rows.labels or (OPEN,))[0])
    found = [fact for fact in one.grid.at((columns.labels, rows.labels)) if fact.kind == "number"]
    for part, whole in permutations(found, _TWO):
        if (
            part.at[0] != whole.at[0]
            and part.span == whole.span
            and 0 < (part.value or 0) <= (whole.value or 0)
        ):
            yield _pair(one, part, whole, words(part.at[0]), words(whole.at[0]) | row)


def _of_lines(one: Comparison) -> Iterator[_Pair]:
    """The lines of a table whose columns are periods, beside what all lines of their kind come to."""
    lines = one.slots.axes[0]
    spans = one.spans()
    for fact in one.grid.at((lines.labels, None)) if lines.labels and lines.tier == 0 else ():
        whole = _whole(one.grid, fact) if fact.value and not fact.is_total and fact.span in spans else None
        if whole and whole.value:
            above = frozenset(word for form in one.grid.axes[0].labels[fact.at[0]].above for word in form)
            yield _pair(one, fact, whole, one.grid.axes[0].words_of(fact.at[0]), above)


def _whole(grid: Grid, part: Fact) -> Fact | None:
    """The one total of the column of a part; where a table states none, what its rows come to, unless they are called by
    figures."""
    above = wholes_of(grid, part)
    if above:
        return above[0].facts[0] if len(above) == 1 else None
    alike = [
        fact
        for fact in grid.at((part.at[:1] if grid.is_list else None, None))
        if (fact.kind, fact.unit, fact.role, fact.span) == (part.kind, part.unit, part.role, part.span)
    ]
    figures = not grid.is_list and any(metrics_of(grid, fact.at[0]) for fact in alike)
    if (
        figures
        or any(fact.is_total for fact in alike)
        or len({fact.at for fact in alike}) < max(len(alike), _ROWS)
    ):
        return None
    return replace(part, value=sum((fact.value or Decimal(0) for fact in alike), Decimal(0)), is_total=True)


def _pair(one: Comparison, part: Fact, whole: Fact, words: frozenset[str], others: frozenset[str]) -> _Pair:
    own = words - others
    share = {feature.name for feature in features(Words(one.quantity.number.text))}
    near = one.quantity.tiers[0].words.keys() - share
    said = {word for tier in one.quantity.tiers[:2] for word in tier.words}
    named = Decimal(len(own & said)) / max(len(own), 1)
    return _Pair(part, whole, own, named, Decimal(len(near & (words | others))) / max(len(near), 1))
