"""One number of an answer against all evidence: what supports it, what contradicts it, what it may be instead.

The order of :mod:`detection.core.matching`: facts at its own slots, what they come to, what follows from what the
sentence speaks of; only then an equal value elsewhere, which explains and never supports.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from detection.core.evidence import ENTITY, OPEN, Evidence, Fact, Grid
from detection.core.evidence.values import Value, metrics_of
from detection.core.lexicons import Words
from detection.core.matching import anchored, operations
from detection.core.matching.anchored import Stated
from detection.core.matching.choices import INHERITED, Choice
from detection.core.matching.equality import bounded, is_specific
from detection.core.matching.judged import Judged, Outcome, worst
from detection.core.matching.levels import Comparison, Match, first
from detection.core.matching.relations import changes, letting, orders, origins, parts, reaches, shares, sides
from detection.core.matching.relations.told import Told
from detection.core.matching.relations.written import Standing
from detection.core.matching.together import (
    flows,
    known,
    leavings,
    margins,
    netting,
    portions,
    quoted,
    rates,
    remaining,
)
from detection.core.matching.together.quoted import Quoted
from detection.core.numbers import stated_scale
from detection.core.periods import Span
from detection.core.quantities import Quantity, Tier, basis, features
from detection.core.quantities.features import is_meaning, meaning
from detection.core.quantities.measures import measured_in

MOST_SHOWN = 3
_SCALES = (Decimal(1000), Decimal(1_000_000))
_BASIS_POINT = Decimal("0.01")  # in points
_WAYS = (known, netting, leavings, flows, rates)
"""Ways in which figures that stand together come to a number."""
_TURNED = (margins, known, netting)
"""Ways of reckoning that may have been gone the wrong way round for the words of a number."""
_TELLING_SLIPS = frozenset(("sign", "role", "unit", "bound"))
_TELLING = 0.8  # of the best score of a figure's name: other grids do not hold that figure


@dataclass(slots=True)
class _Said:
    """What the grids say of one number: ``compared`` are those asked, ``wrong`` what did not support it, of each that did
    not; ``recorded`` what the records say of its own figure instead, ``slipped`` a mistake that ends the search."""

    compared: list[Comparison] = field(default_factory=list)
    wrong: list[Judged] = field(default_factory=list)
    right: list[Judged] = field(default_factory=list)
    recorded: Judged | None = None
    slipped: Judged | None = None

    def telling(self) -> list[Judged]:
        """What those grids say that hold the figure as well as any, where none supports the number."""
        scores = (one.slots.axes[0].score for one in self.compared if one.slots.axes[0].labels)
        least = max(scores, default=0.0) * _TELLING
        return [
            found
            for found, one in zip(self.wrong, self.compared, strict=True)
            if one.slots.axes[0].score >= least or found.outcome == "unbound"
        ]


class Judge:
    """The evidence of one answer, and what its own property and period are; ``titles`` are those of its sources."""

    def __init__(
        self,
        evidence: Evidence,
        asked: Span | None,
        entity: int | None,
        titles: Mapping[str | None, str] | None = None,
    ) -> None:
        self.evidence, self.asked, self.entity = evidence, asked, entity
        self._titles = titles or {}
        self._compared: dict[tuple[int, int, bool], Comparison] = {}
        self._found: dict[tuple[int, int], Judged] = {}

    def only(self, *, recorded: bool) -> "Judge":
        """A judge who knows the records alone, or all but them."""
        known = self.evidence
        part = replace(known, grids=()) if recorded else replace(known, records=None)
        other = Judge(part, self.asked, self.entity if recorded else None, self._titles)
        other._compared, other._found = self._compared, self._found  # a grid says the same to both
        return other

    def judge(
        self,
        quantity: Quantity,
        beside: Sequence[Quoted],
        around: Sequence[Quantity],
        cited: Sequence[str] = (),
        stated: Sequence[Stated] = (),
    ) -> Judged:
        """What the evidence says of ``quantity``, whose answer states ``beside`` for certain, and ``around`` at all; of
        what it has ``stated`` the evidence holds the values. ``cited`` sources come first."""
        if (denied := orders.outdone(quantity) or shares.misreckoned(quantity)) is not None:
            return Judged("contradicted", denied, is_settled=True)
        said = self._in_grids(quantity, cited)
        if said.slipped and not said.right:
            return said.slipped
        if said.right:
            also = tuple((one.match, one.grid) for one in said.right[1:] if one.match and one.grid)
            return said.recorded or replace(said.right[0], also=also)
        portion = self._portion(quantity, [*beside, *_as_quoted(stated)])
        if any(one.is_settled for one in said.wrong) and not (portion and portion.outcome == "supported"):
            return worst(said.wrong)
        if said.recorded and self._is_settled(quantity, said.compared[0]):
            return replace(said.recorded, is_settled=True)
        telling = worst(said.telling())
        return (
            self._margin(quantity, beside)
            or portion
            or self._reckoned(quantity, beside, around, said)
            or self._anchored(quantity, stated, around, telling)
            or self._let(quantity)
            or self._together(quantity)
            or self._other_margin(quantity, beside)
            or self._other_way(quantity)
            or telling
        )

    def _other_way(self, quantity: Quantity) -> Judged | None:
        """What refutes how far something is said to lie above or below what it was."""
        for one in self._freely(quantity) if quantity.number.kind in ("number", "currency") else ():
            if (match := orders.other_way(one)) is not None:
                return Judged("contradicted", match, match, one.grid, is_settled=True)
        return None

    def stated(self, quantity: Quantity, found: Judged) -> Stated:
        """A figure of the answer with the facts that state its value."""
        match, grid = found.match, found.grid
        if found.outcome == "supported" and match and grid in self.evidence.grids and not match.value.how:
            return Stated(quantity, ((match.value.facts[0], grid),))
        return Stated(quantity, tuple(anchored.standing(quantity, self.evidence.grids)))

    def _anchored(
        self, quantity: Quantity, stated: Sequence[Stated], around: Sequence[Quantity], found: Judged
    ) -> Judged | None:
        """Support by what follows from figures that the answer states near the number."""
        near = anchored.near(quantity, stated)
        if not near or found.slip or found.outcome == "unbound" or self._stands(quantity):
            return None
        bases = [
            span for grid in self.evidence.all for span in self.comparison(quantity, grid, True).slots.bases
        ]
        match = first(anchored.matches(quantity, near, around, bases, self.evidence.grids))
        turned = match is not None and netting.is_turned(quantity, match.value, self.evidence.all)
        return Judged("supported", match) if match and not turned else None

    def _let(self, quantity: Quantity) -> Judged | None:
        """Support by what a table leaves to be let."""
        compared = (self.comparison(quantity, grid, True) for grid in self.evidence.grids)
        found = next(((match, one.grid) for one in compared for match in letting.let(one)), None)
        return Judged("supported", found[0], grid=found[1]) if found else None

    def _margin(self, quantity: Quantity, beside: Sequence[Quoted]) -> Judged | None:
        """Support by how far a figure lies from its plan or its limit; the other side than is said refutes it."""
        found = [one for one in self._margins(quantity, beside) if one[0].equal]
        match, grid = min(found, key=lambda one: bool(one[0].conflict), default=(None, None))
        if match and match.conflict:
            return Judged("contradicted", match, match, grid, is_settled=True)
        return Judged("supported", match, grid=grid) if match else None

    def _portion(self, quantity: Quantity, beside: Sequence[Quoted]) -> Judged | None:
        """Support by what rows of a table are of its total; where words take them together, another share refutes it."""
        found = [
            (match, grid)
            for grid in self.evidence.all
            for match in portions.matches(self.comparison(quantity, grid, True), beside)
        ]
        for match, grid in found:
            if match.equal:
                return Judged("supported", match, grid=grid)
        denied = [one for one in found if not one[1].is_told] if portions.is_together(quantity) else ()
        return Judged("contradicted", denied[0][0], grid=denied[0][1], is_settled=True) if denied else None

    def _other_margin(self, quantity: Quantity, beside: Sequence[Quoted]) -> Judged | None:
        """What refutes how far a figure is said to lie from its plan or its limit: the one margin that is told."""
        found = list(self._margins(quantity, beside)) if quantity.by and not bounded(quantity) else []
        return Judged("contradicted", found[0][0], grid=found[0][1]) if len(found) == 1 else None

    def _margins(self, quantity: Quantity, beside: Sequence[Quoted]) -> Iterator[tuple[Match, Grid | None]]:
        for grid in self.evidence.grids:
            one = self.comparison(quantity, grid, True)
            for match in margins.matches(one):
                yield match, grid
            if not margins.tells(quantity):
                continue
            actual, title = self._actual(quantity, grid, beside), self._titles.get(grid.source, "")
            yield from ((match, None) for match in margins.across(one, actual, title))

    def _actual(self, quantity: Quantity, apart: Grid, beside: Sequence[Quoted]) -> list[tuple[Fact, Grid]]:
        """The figure that is measured: the one quoted nearest to the number, else that of record which its words name."""
        facts = [one.fact for one in quoted.near(quantity, beside)]
        found = [(fact, grid) for fact in facts if fact for grid in self.evidence.all if grid.holds(fact)]
        if not found and self.evidence.records:
            named = self.comparison(quantity, self.evidence.records, True)
            operands = (one for one in operations.operands(named) if one.is_named)
            found = [(one.facts[0].facts[0], self.evidence.records) for one in operands]
        return [one for one in found if one[1] is not apart][:1]

    def _together(self, quantity: Quantity) -> Judged | None:
        """Support by what figures that stand together come to."""
        for grid in self.evidence.grids:
            one = self.comparison(quantity, grid, True)
            found = [match for way in _WAYS for match in way.matches(one)]
            match = first(found)
            if match and not netting.is_turned(quantity, match.value, self.evidence.all):
                return Judged("supported", match, grid=grid)
        return None

    def echoed(self, quantity: Quantity, derived: Sequence[tuple[Quantity, Match]]) -> Judged | None:
        """Support by what a ratio beside the number, that was reckoned, comes to in another period."""
        for grid in self.evidence.all:
            slots = self.comparison(quantity, grid, True).slots
            spans = [*(slots.now if slots.span_tier == 0 else ()), *slots.bases]
            match = first(anchored.echoes(quantity, derived, grid, spans))
            if match:
                return Judged("supported", match)
        return None

    def _in_grids(self, quantity: Quantity, cited: Sequence[str]) -> _Said:
        """What each grid says by itself, the records and the ``cited`` sources first."""
        said = _Said()
        for grid in sorted(self.evidence.all, key=lambda one: (not one.is_recorded, one.source not in cited)):
            if len(said.right) >= MOST_SHOWN:
                break
            one = self.comparison(quantity, grid, False)
            found = self._said_by(one)
            if found.outcome == "not_found" and self._is_of_nobody(one):
                continue  # however well they name the figure, records of nobody say nothing of what the sources do
            if grid.is_told and not (found.outcome == "supported" and one.slots.axes[ENTITY].labels):
                continue  # what prose says alike of several supports, and refutes nothing
            said.compared.append(one)
            if found.outcome == "supported":
                said.right.append(found)
                continue
            said.wrong.append(found)
            if found.outcome != "contradicted":
                continue
            if found.slip and found.slip.conflict in _TELLING_SLIPS and not said.right:
                said.slipped = said.slipped or found
                if found.slip.conflict != "bound":
                    break
            if found.match and grid.is_recorded:
                said.recorded = found if self._is_own_figure(one) else None
        return said

    def _reckoned(
        self, quantity: Quantity, beside: Sequence[Quoted], around: Sequence[Quantity], said: _Said
    ) -> Judged | None:
        """Support by what figures of the evidence, and numbers that the answer states ``beside``, come to."""
        freely = self._freely(quantity)
        nobodys = next((one.grid for one in freely if self._is_of_nobody(one)), None)
        most = operations.MOST_OPERANDS
        own = [operand for one in freely for operand in operations.operands(one)][:most]
        more = [operand for one in freely for operand in operations.beside(one, around)][:most]
        bases = [span for one in freely for span in one.slots.bases]
        is_known = any(one.slip for one in said.wrong) or (
            said.recorded is not None and not leavings.remains(quantity)
        )
        said_so = quoted.operands(quantity, beside)
        exactly = [] if is_known else quoted.exactly(quantity, beside)
        plain = not any(one.outcome == "contradicted" for one in said.wrong)
        tried = (
            (own, False), ([*said_so, *own], False), ([*exactly, *own] if exactly else (), False),
            (more, plain), ([*said_so, *more], False),
        )  # fmt: skip
        for some, is_free in tried:
            found = operations.matches(quantity, some, is_free, around, bases)
            reckoned = first(
                one
                for one in found
                if not (nobodys and _is_of_one(one.value, nobodys))
                and not self.is_of_another(quantity, one.value)
                and not self._moved_elsewhere(quantity, one.value)
                and not portions.is_alone(quantity, one.value)
                and not any(way.is_turned(quantity, one.value, self.evidence.all) for way in _TURNED)
            )
            if reckoned:
                return Judged("supported", reckoned, grid=self._holding(reckoned.value.facts))
        left = None if is_known else first(remaining.matches(quantity, beside))
        return Judged("supported", left, grid=self._holding(left.value.facts)) if left else None

    def is_of_another(self, quantity: Quantity, value: Value) -> bool:
        """Whether a share was taken of another figure than it is said to be of."""
        grid = self._holding(value.facts) if value.how == "ratio" else None
        if grid is not None and shares.is_of_others(self.comparison(quantity, grid, True), value):
            return True
        said = operations.wholes(quantity, grid) if grid else frozenset()
        return (
            grid is not None
            and bool(said)
            and not said & set(map(meaning, metrics_of(grid, value.facts[-1].at[0])))
        )

    def _moved_elsewhere(self, quantity: Quantity, value: Value) -> bool:
        """Whether all that a change was reckoned from is of others than those that the words next to a number name, or of
        other periods than the one that it is compared with."""
        grid = self._holding(value.facts) if value.how in ("growth", "difference") else None
        if grid is not None and changes.is_of_other_base(self.comparison(quantity, grid, True), value):
            return True
        if grid is None or len(grid.axes) < len(value.facts[0].at) or len(grid.axes) <= ENTITY:
            return False
        own = self.comparison(quantity, grid, True).slots.axes[ENTITY]
        return (
            own.tier == 0
            and bool(own.labels)
            and not {fact.at[ENTITY] for fact in value.facts} & {OPEN, *(own.labels or ())}
        )

    def _freely(self, quantity: Quantity) -> list[Comparison]:
        """The quantity and every grid, at figures of any kind; what prose lists where words name who is meant."""
        found = (self.comparison(quantity, grid, True) for grid in self.evidence.all)
        return [one for one in found if not one.grid.is_told or one.slots.axes[ENTITY].tier == 0]

    def _is_of_nobody(self, one: Comparison) -> bool:
        """Whether a comparison with the records of several properties names none of them: among so many some figure is always
        near, and says nothing of the one that is meant. A limit ("three were above 95 %") is nobody's figure."""
        if not one.grid.is_recorded or self.entity is not None or bounded(one.quantity):
            return False
        return one.slots.axes[ENTITY].labels is None and len(one.grid.axes[ENTITY].labels) > 1

    def _holding(self, facts: Sequence[Fact]) -> Grid | None:
        """The grid that holds all of some facts; None where they stand in several."""
        return next((grid for grid in self.evidence.all if facts and all(map(grid.holds, facts))), None)

    def _stands(self, quantity: Quantity) -> bool:
        """Whether a number of many digits stands in the evidence, as another figure than the words say."""
        return is_specific(quantity.number) and any(anchored.standing(quantity, self.evidence.grids))

    def _is_own_figure(self, one: Comparison) -> bool:
        """Whether the number's own words name a figure of record, of the answer's property or of one that is named."""
        metric, entity = one.slots.axes[0], one.slots.axes[ENTITY]
        known = self.entity is not None or (entity.labels is not None and entity.tier != INHERITED)
        return metric.tier == 0 and known

    def _is_settled(self, quantity: Quantity, one: Comparison) -> bool:
        """Whether a number's own words name the figure and one period and ask for no reckoning: the record decides."""
        asked = (
            changes.asks(quantity)
            or quantity.reckons
            or quantity.cue("per")
            or quantity.cue("operations") - {"sum"}
        )
        said = [mention for mention in quantity.tiers[0].periods if not mention.is_base]
        named = one.slots.span_tier == 0 and len(said) == 1
        return one.grid.is_recorded and named and quantity.number.kind == "currency" and not asked

    def _in_scale(self, one: Comparison) -> Judged | None:
        """A number written in thousands or millions beside a table that does not say in what it is: the scale is open.
        A bare number may repeat the digits of a table whatever its scale."""
        number = one.quantity.number
        stated, scale = stated_scale(number), one.grid.scale
        if not scale:
            for fewer in _SCALES if stated >= min(_SCALES) else ():
                found = self._in_grid(self._times(one, 1 / fewer))
                if found.outcome == "supported":
                    return replace(found, outcome="unbound")
        elif number.kind == "number" and stated == 1 and not number.noun:
            found = self._in_grid(self._times(one, scale))
            return found if found.outcome == "supported" else None
        return None

    def _in_basis_points(self, one: Comparison) -> Judged | None:
        """A bare number that repeats the digits of a level in basis points: "after 55 in 2023"."""
        number = one.quantity.number
        if number.kind != "number" or number.noun or not any(fact.unit == "pp" for fact in one.grid.facts):
            return None
        value, precision = Decimal(number.value) * _BASIS_POINT, number.precision * _BASIS_POINT
        points = replace(number, kind="percentage", unit="pp", value=value, precision=precision)
        found = self._in_grid(self.comparison(replace(one.quantity, number=points), one.grid, False))
        facts = found.match.value.facts if found.match else ()
        levels = all(fact.unit == "pp" and not fact.direction for fact in facts)
        return found if found.outcome == "supported" and levels else None

    def _times(self, one: Comparison, by: Decimal) -> Comparison:
        number = one.quantity.number
        scaled = replace(number, value=Decimal(number.value) * by, precision=number.precision * by)
        return self.comparison(replace(one.quantity, number=scaled), one.grid, False)

    def tell(self, quantity: Quantity, of: Standing | None = None) -> Told | None:
        """Whether a claim without digits holds; None where no evidence tells. ``of``: the number beside it, of which alone it
        speaks."""
        if of and of.own and of.grid and not of.own.how:
            return orders.compare(self._about(quantity, of.own.facts[0], of.grid))
        for one in sorted(
            self._freely(quantity),
            key=lambda one: (one.grid.is_prose, one.slots.axes[0].tier, -one.slots.axes[0].score),
        ):
            told = None if _names_another(one) else orders.compare(one)
            if told is None or (one.grid.is_told and not told.holds):
                continue
            if not (self._is_of_nobody(one) and _is_of_one(told.value, one.grid)):
                return told if told.holds or of is None or _shares(told, of) else None
        return None

    def placed(self, quantity: Quantity, told: Told | None) -> Told | None:
        """Whether the part of a whole that words name has the place among the others that they give it; None where no table
        tells, or what was ``told`` of the number beside it says enough."""
        table, _, key = str(quantity.number.value).partition(":")
        if table != "order" or told is None or told.holds or told.value is not None:
            return None
        placed = (parts.ranked(self.comparison(quantity, grid, True), key) for grid in self.evidence.grids)
        return next((found for found in placed if found is not None), None)

    def sided(self, quantity: Quantity, first: Tier, second: Tier, key: str) -> Told | None:
        """Whether one of two that words name lies on the side of the other that is said; None where no evidence tells."""
        found = (self.comparison(quantity, grid, True) for grid in self.evidence.all)
        return next(
            (told for one in found if (told := sides.sided(one, first, second, key)) is not None), None
        )

    def multiplied(self, quantity: Quantity, first: Tier, second: Tier, times: Decimal) -> Told | None:
        """Whether one of two that words name is so many times the other; None where no evidence holds the other."""
        found = (self.comparison(quantity, grid, True) for grid in self.evidence.all)
        told = [one for each in found if (one := sides.multiplied(each, first, second, times)) is not None]
        return next((one for one in told if one.value is not None), told[0] if told else None)

    def shared(self, quantity: Quantity, times: Decimal, leading: str) -> Told | None:
        """Whether the part that words name is such a share of its whole, which the ``leading`` word behind it begins to
        name; None where no source tells."""
        found = (self.comparison(quantity, grid, True) for grid in self.evidence.grids)
        return next((told for one in found if (told := shares.shared(one, times, leading)) is not None), None)

    def _about(self, quantity: Quantity, fact: Fact, grid: Grid) -> Comparison:
        """A claim that speaks of one figure of a grid, in its period."""
        one = self._new(quantity, grid, of_any_kind=True)
        spans = ((fact.span,), *one.slots.spans) if fact.span else one.slots.spans
        axes = tuple(Choice((at,) if at != OPEN else None, 0) for at in fact.at)
        one.slots = replace(
            one.slots, axes=axes, spans=spans, span_tier=0 if fact.span else one.slots.span_tier
        )
        return one

    def comparison(self, quantity: Quantity, grid: Grid, of_any_kind: bool) -> Comparison:
        """The quantity and one of the grids; ``of_any_kind``: also at figures of another kind, which it may follow from."""
        key = id(quantity), id(grid), of_any_kind
        if key not in self._compared:  # what is compared holds both, so that no other gets their ids
            self._compared[key] = self._new(quantity, grid, of_any_kind)
        return self._compared[key]

    def _new(self, quantity: Quantity, grid: Grid, of_any_kind: bool) -> Comparison:
        recorded = grid is self.evidence.records
        given = [None] * len(grid.axes)
        if recorded and self.entity is not None:
            given[ENTITY] = (self.entity,)  # type: ignore[call-overload]  # a list of what is given, mostly nothing
        return Comparison(quantity, grid, self.asked if recorded else None, given, of_any_kind=of_any_kind)

    def _said_by(self, one: Comparison) -> Judged:
        """What one grid says, in the scale that it does not state where it states none."""
        key = id(one.quantity), id(one.grid)
        if key not in self._found:
            found = self._in_grid(one)
            if found.outcome != "supported" and one.grid.scale != 1:
                found = self._in_scale(one) or found
            if found.outcome != "supported":
                found = self._in_basis_points(one) or found
            if self._is_of_nobody(one) and _is_of_one(_value(found), one.grid):
                found = Judged("not_found", grid=one.grid)
            self._found[key] = found
        return self._found[key]

    def _in_grid(self, one: Comparison) -> Judged:
        """What one grid says."""
        quantity = one.quantity
        counted = _counted(one)
        if counted:
            return Judged("supported", counted, grid=one.grid)
        named = one.slots.names_figure(one.grid)
        throughout = reaches.kept(one)
        if throughout and named:
            outcome: Outcome = "supported" if throughout.equal else "contradicted"
            settled = not throughout.equal and quantity.reach is not None
            return Judged(outcome, throughout, grid=one.grid, is_settled=settled)
        levels = [] if changes.only(quantity) else list(one.matches())
        whole = self.comparison(quantity, one.grid, True)
        moves = list(changes.matches(whole)) if changes.asks(quantity) and whole.slots.axes[0].labels else []
        moves += [*changes.across(whole), *origins.matches(one)]
        formed = operations.named(whole) if quantity.formulas else []
        if not one.grid.is_prose:
            formed = [
                made
                for made in formed
                if not (portions.is_alone(quantity, made.value) or shares.is_of_others(whole, made.value))
            ]
        match = first([*levels, *moves, *formed])
        if match and (named or match.value.how):
            return Judged("supported", match, grid=one.grid)
        others = list(one.elsewhere())
        equal = match or first(others)
        if equal:
            if not _is_bound(one, named, equal.value.facts[0]):  # one figure tells not how many keep a bound
                return Judged(
                    "not_found" if quantity.reach and bounded(quantity) else "unbound", equal, grid=one.grid
                )
            return Judged("supported", equal, grid=one.grid)
        near = tuple(levels[:MOST_SHOWN])
        if signs := [made for made in (*moves, *formed, *levels) if made.conflict]:
            return Judged("contradicted", signs[0], signs[0], one.grid, near)
        if others:
            return Judged("contradicted", levels[0] if levels and named else None, others[0], one.grid, near)
        return _apart(one, levels, moves, formed)


def _as_quoted(stated: Sequence[Stated]) -> Iterator[Quoted]:
    """Figures of the answer with each fact that states their value."""
    for one in stated:
        for fact, _ in one.facts:
            if fact.value is not None:
                yield Quoted(one.quantity, Value(fact.value, (fact,)))


def _value(found: Judged) -> Value | None:
    """What a number was found to be, or to be mistaken for."""
    match = found.match or found.slip
    return match.value if match else None


def _is_of_one(value: Value | None, records: Grid) -> bool:
    """Whether a value rests on figures of record of one property."""
    facts = value.facts if value else ()
    return len({fact.at[ENTITY] for fact in facts if records.holds(fact)}) == 1


def _names_another(one: Comparison) -> bool:
    """Whether the nearest words name a known figure that the grid does not hold rather than one that it does: "a lower interest rate"."""
    words = one.quantity.tiers[0].words
    known = [(weight, word) for word, weight in words.items() if is_meaning(word)]
    weight, word = max(known, default=(0.0, ""))
    choice = one.slots.axes[0]
    return (
        bool(word) and word not in one.grid.meanings and choice.tier == 0 and choice.score < weight * _TELLING
    )


def _shares(told: Told, of: Standing) -> bool:
    """Whether what was found is of a figure that the number beside the claim rests on."""
    own = of.own.facts if of.own else ()
    return told.value is not None and all(fact in own for fact in told.value.facts)


def _apart(one: Comparison, levels: list[Match], moves: list[Match], formed: list[Match]) -> Judged:
    """What a grid says of a number that no value of it equals: the value at its own slots, or nothing."""
    quantity, near = one.quantity, tuple(levels[:MOST_SHOWN])
    named = one.slots.names_figure(one.grid)
    settled = [*moves, *formed] if quantity.is_result else []
    divided = any(made.value.how in ("share", "ratio") for made in formed)
    if not (settled or (named and levels) or moves):
        return Judged("not_found", near=near, grid=one.grid, is_settled=divided)
    alone = moves and (changes.only(quantity) or not named)
    instead = settled or (moves if alone else [*levels, *moves])
    return Judged("contradicted", instead[0], None, one.grid, near, is_settled=bool(settled) or divided)


def _is_bound(one: Comparison, named: bool, fact: Fact) -> bool:
    """Whether an equal value is the figure that is spoken of: the words name it, or prose says a number of many digits; or
    they name its row and what is taken off it, "Omar earns $4,800 before deductions", or of what in that row it is a part,
    "36 of the 40 beds in North"."""
    if {fact.kind, one.quantity.number.kind} in ({"number", "percentage"}, {"number", "ratio"}):
        return named and one.grid.is_prose
    row = one.slots.axes[1].labels if len(one.slots.axes) > 1 else None
    agrees = one.quantity.is_part or basis.agree(one.quantity.cue("basis"), fact.basis)
    of_it = row is not None and fact.at[1] in row and agrees
    told = one.grid.is_prose and (is_specific(one.quantity.number) or _counts_alike(one, fact))
    return named or of_it or told


def _counts_alike(one: Comparison, fact: Fact) -> bool:
    """Whether prose counts the same things: "8,200 crates"."""
    noun = one.quantity.number.noun
    things = {feature.name for feature in features(Words(noun))} if noun else set()
    return bool(things) and things <= one.grid.axes[0].words_of(fact.at[0])


def _counted(one: Comparison) -> Match | None:
    """A count of those that its words name equally well: "two loans"."""
    number = one.quantity.number
    labels = one.slots.axes[1].labels if len(one.slots.axes) > 1 else None
    if number.kind != "number" or not number.noun or one.grid.is_prose or len(one.grid.axes) < 2:
        return None
    if measured_in(number):
        return None  # "four years"
    if not labels or Decimal(number.value) != len(labels) or len(labels) < 2:
        labels = tuple({fact.at[1] for fact in one.grid.facts if not fact.is_total and fact.at[1] != OPEN})
        if one.grid.is_recorded or Decimal(number.value) != len(labels) or len(labels) < 2:
            return None
    facts = tuple(next(iter(one.grid.at((None, (label,))))) for label in labels)
    return Match(Value(Decimal(len(labels)), facts, "count", f"{len(labels)}"))
