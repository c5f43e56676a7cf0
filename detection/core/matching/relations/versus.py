"""A comparison of rows as a form: which row of a table, against which others, in which figure, on which side.

Where its words leave the figure or the period open between several, each is looked at, and something is told only where
all say the same. The figures that may be meant: those that the words of the comparison name, that its clause names or
shares a word with, or whose values the clause states.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from detection.core.evidence import OPEN, Axis, Fact
from detection.core.evidence.labels import general
from detection.core.evidence.values import Value
from detection.core.matching.levels import Comparison
from detection.core.matching.relations.sides import fact_at
from detection.core.matching.relations.told import Told
from detection.core.matching.relations.written import Neighbours
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.quantities import Tier
from detection.core.quantities.features import is_meaning
from detection.core.quantities.reach import ALL

_SIDES = frozenset(("ahead", "behind"))
_RECKONED = ("directions", "multiples", "operations", "aggregations", "per")
_MOST_SPANS, _NEAREST = 12, 3


def told(one: Comparison, near: Neighbours) -> Told | None:
    """Whether a row of a table lies where it is said to lie of others that words name, or of all others; None where they name no one
    row, or the figures that may be meant say different things."""
    table, _, key = str(near.claim.value).partition(":")
    if table != "order" or key not in _SIDES or one.grid.is_prose or one.grid.is_recorded:
        return None
    form = _Form(one, near, key)
    sides = form.sides() if len(one.grid.axes) > form.rows and not form.speaks_otherwise() else None
    found = [form.lies(held) for held in form.held(sides)] if sides else []
    agreed = len({holds for holds, _ in found}) == 1
    return Told(*found[0], one.grid) if agreed else None


class _Held(NamedTuple):
    """The value of a row, and those of the others, in one figure and period."""

    mine: Fact
    others: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class _Form:
    """A claim of order over one table."""

    one: Comparison
    near: Neighbours
    key: str

    @property
    def rows(self) -> int:
        """The axis of the rows."""
        return 1 if self.one.grid.is_list else 0

    @property
    def _axis(self) -> Axis:
        return self.one.grid.axes[self.rows]

    @property
    def _behind(self) -> tuple[int, int]:
        return self.near.claim.end, self.near.limits()[1]

    def speaks_otherwise(self) -> bool:
        """Whether some are excepted or counted, or what is compared is not a figure of the table but what one comes to."""
        quantity, before = self.one.quantity, self.near.before
        if quantity.singled or "except" in quantity.cue("quantifiers") or quantity.reach not in (None, ALL):
            return True
        if before and before.stated and before.stated.how:
            return True
        ahead = self.near.limits()[0], self.near.claim.start
        reckoned = {
            key for table in _RECKONED for key in self.near.reading.keys(table, (ahead, self._behind))
        }
        counted = any(self.near.reading.keys(table, (ahead,)) for table in ("aggregations", "quantifiers"))
        return counted or bool(reckoned - {"sum"})

    def sides(self) -> tuple[int, Sequence[int]] | None:
        """The row that is spoken of, and those that it is held against; None where words name no one row, or nothing to
        hold it against."""
        ahead = self.near.reading.stretch(self.near.limits()[0], self.near.claim.end)
        named = self._named(self.near.reading.stretch(*self._behind))
        own = self._own((ahead, *self.one.quantity.tiers[1:]), named)
        of_all = "other" in self.near.reading.keys("entities", (self._behind,))
        if own == OPEN or not (named or of_all):
            return None
        return own, named or [row for row in self._known() if row != own]

    def _own(self, tiers: Sequence[Tier], others: Sequence[int]) -> int:
        for tier in tiers[:_NEAREST]:
            rows = set(self._named(tier)).difference(others)
            if rows:
                return rows.pop() if len(rows) == 1 else OPEN
        return OPEN

    def _named(self, tier: Tier) -> list[int]:
        labels, _ = self._axis.named(tier.words)
        return [label for label in labels if label in self._known()]

    def _known(self) -> list[int]:
        totals = {fact.at[self.rows] for fact in self.one.grid.facts if fact.is_total}
        return [row for row in range(len(self._axis.labels)) if row not in totals]

    def held(self, sides: tuple[int, Sequence[int]]) -> Iterator[_Held]:
        """The values in each figure and period that may be meant, where all of them are known and in one unit."""
        own, others = sides
        for figure in self._figures():
            for span in self._spans():
                found = [fact_at(self.one, self._place(figure, row), span) for row in (own, *others)]
                known = [fact for fact in found if fact]
                if len(known) == len(found) and len({fact.unit for fact in known}) == 1:
                    yield _Held(known[0], known[1:])

    def _place(self, figure: int, row: int) -> tuple[int, int]:
        return (figure, row) if self.rows else (row, figure)

    def _spans(self) -> Sequence[Span | None]:
        slots = self.one.slots
        named = slots.now[:1] if slots.span_tier <= 1 else ()
        return named or self.one.grid.spans[:_MOST_SPANS] or (None,)

    def _figures(self) -> Sequence[int]:
        if not self.rows:
            return (OPEN,)
        columns, choice = self.one.grid.axes[0], self.one.slots.axes[0]
        said = self._telling(self.near.reading.stretch(self.near.claim.start, self.near.claim.end))
        clause = self._telling(self.one.quantity.tiers[0])
        by_itself = columns.named(dict.fromkeys(said, 1.0))[0] or _sharing(columns, said)
        by_clause = choice.labels if choice.labels and choice.tier == 0 else _sharing(columns, clause)
        return by_itself or by_clause or self._stated()

    def _telling(self, tier: Tier) -> set[str]:
        """Words that may name a figure: they name no row and do not only qualify."""
        apart = general().union(self._axis.words)
        return {word for word in tier.words if word not in apart and not is_meaning(word)}

    def _stated(self) -> list[int]:
        """The columns of the values that the clause states."""
        low, _ = self.near.limits()
        before = [one for one in (self.near.before,) if one and one.start >= low]
        beside = [*before, *self.near.behind, *([self.near.next] if self.near.next else [])]
        facts = [fact for one in beside if one.stated and not one.stated.how for fact in one.facts]
        return list(dict.fromkeys(fact.at[0] for fact in facts if self.one.grid.holds(fact)))

    def lies(self, held: _Held) -> tuple[bool, Value]:
        """Whether the row lies where it is said to, and what shows it."""
        value = Decimal(held.mine.value or 0)
        theirs = [Decimal(fact.value or 0) for fact in held.others]
        if "sum" in self.near.reading.keys("aggregations", (self._behind,)):
            theirs = [sum(theirs, Decimal(0))]
        wrong = [other for other in theirs if value == other or (value > other) != (self.key == "ahead")]
        other = (wrong or theirs)[0]
        sign = ">" if value > other else "<" if value < other else "="
        shown = f"{plain(value)} {sign} {plain(other)}"
        return not wrong, Value(value, (held.mine, *held.others), "order", shown)


def _sharing(columns: Axis, words: set[str]) -> list[int]:
    return [at for at in range(len(columns.labels)) if words & columns.words_of(at)]
