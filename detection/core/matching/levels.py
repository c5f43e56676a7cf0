"""A quantity against the facts of one grid: those of its own slots first, then what they come to together."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import islice, permutations

from detection.core import lexicons, periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.values import (
    FORMULAS,
    Place,
    Value,
    at,
    column_sum,
    gathered,
    labelled,
    places,
    reckoned,
    spread_by,
    tiled,
)
from detection.core.matching import contrast, signs
from detection.core.matching.choices import INHERITED, Choice
from detection.core.matching.equality import agreement, bounded, factors_to, in_unit, is_off_unit, scaled
from detection.core.matching.slots import (
    Slots,
    fits,
    is_other_role,
    is_whole,
    resolved,
    slots,
)
from detection.core.numbers import plain
from detection.core.periods import Span
from detection.core.periods.spans import months_of
from detection.core.quantities import LIMITS, Quantity, Tier, basis
from detection.core.quantities.features import concept, is_meaning
from detection.core.quantities.measures import MONTHS

MOST_PLACES, MOST_SPANS, MOST_TOGETHER = 24, 6, 12
TIMES = frozenset(MONTHS)
_DAYS = 14
_EXACTLY = Decimal("0.0005")
_HALF = 0.6  # of a label that words name
_APART = frozenset(("ahead", "behind"))
_MOVES = frozenset(("up", "down", "improve", "worsen"))
_SEVERAL = 2
_GATHERED = frozenset(("mean", "sum", "cumulative"))
_CHANGED = frozenset(("up", "down", "either"))
_DIVIDED = frozenset(("share", "ratio", "margin"))
_AVERAGES = frozenset(("mean", "median"))
_PIECEWISE = _AVERAGES | {"annualised"}


@dataclass(frozen=True, slots=True)
class Match:
    """A value beside a quantity. ``conflict`` names the slot in which the two differ, empty where they agree; ``own``
    says that the value stands at the quantity's own slots."""

    value: Value
    conflict: str = ""
    own: bool = True
    equal: bool = True


class Comparison:
    """One quantity and one grid."""

    def __init__(
        self,
        quantity: Quantity,
        grid: Grid,
        asked: Span | None,
        given: Sequence[tuple[int, ...] | None],
        *,
        of_any_kind: bool = False,
    ) -> None:
        self.quantity, self.grid, self.asked = quantity, grid, asked
        self.slots: Slots = slots(quantity, grid, asked, given, of_any_kind=of_any_kind)

    def spans(self) -> tuple[Span | None, ...]:
        """The periods that the quantity may speak of, the likeliest first; None where none is named anywhere."""
        own, quantity = self.slots, self.quantity
        named = self._ends(own.now)
        if quantity.onward:
            named = [*self._later(), *named]
        ends = sorted(named, key=lambda span: (span[1], span[0]))
        moved = own.span_tier > 0 or (quantity.direction in _MOVES and not quantity.reckons)
        apart = len(named) > 1 and ends[0][1] < ends[-1][0] and not self._is_part()
        if apart and moved and (quantity.is_base or quantity.arrives):
            first, last = min(span[0] for span in named), max(span[1] for span in named)
            named = [
                span for span in named if (span[1] < last if quantity.is_base else span[0] > first)
            ] or named
            if quantity.is_base:  # "from $4 to $6 in Q3, then to $5 in 2024": it is of before Q3
                named += [periods.before(span) for span in named[:1]]
        elif own.span_tier == 0:
            pass
        elif quantity.is_base and not quantity.cue("order") & _APART:
            earlier = [one for span in named[:2] for one in (periods.before(span), periods.year_back(span))]
            named = [*own.bases, *earlier, *named]
        if own.span_tier > 1:
            named += [span for tier in own.spans[1:] for span in tier]
        return tuple(dict.fromkeys(named))[:MOST_SPANS] or (None,)

    def _later(self) -> list[Span]:
        """The periods as long as the shortest of those that are named, and later."""
        named = [span for spans in self.slots.spans for span in spans]
        last = min(named, key=lambda span: (span[1] - span[0], span[1]), default=None)
        return sorted(
            one for one in self.grid.spans if last and one[0] > last[1] and periods.as_long(one, last)
        )

    def _ends(self, spans: Sequence[Span]) -> list[Span]:
        """Periods, and for a stretch that no fact is of ("between Q3 2023 and Q3 2024", "the start of 2024") also the
        first and the last that lie in it, or those that it lies in."""
        found: list[Span] = []
        for span in spans:
            found += self._told_ends(span)
            if any(periods.same(known, span) for known in self.grid.spans) or span in self._wholes:
                continue
            inside = [known for known in self.grid.spans if periods.contains(span, known)]
            around = [known for known in self.grid.spans if periods.contains(known, span)]
            if periods.granularity(span) in ("other", "day") or around:
                pieces = periods.parts_of(inside, span)
                found += [*sorted(pieces)[:1], *sorted(pieces)[-1:]]
                found += sorted(around, key=lambda one: one[1] - one[0])[:1]
        return list(dict.fromkeys((*spans, *found)))

    def _told_ends(self, span: Span) -> list[Span]:
        """The first and the last piece of a stretch that is named by both: "from Q2 to Q3 2023"."""
        lengths = {one.ends for tier in self.quantity.tiers for one in tier.periods if one.span == span}
        ends = [piece for months in lengths for piece in periods.pieces(span, months)]
        held = sorted(known for known in self.grid.spans for one in ends if periods.same(known, one))
        return [*held[:1], *held[-1:]]

    @cached_property
    def _wholes(self) -> frozenset[Span]:
        """Stretches of months that are named as one: of "the nine months ended September 30" no quarter is an end; of years
        over which a figure moved they are: "over the two years to 2023, from 4 to 9"."""
        spoken = (one for tier in self.quantity.tiers for one in tier.periods)
        wholes = frozenset(one.span for one in spoken if one.span and one.whole)
        if not (self.quantity.is_base or self.quantity.arrives):
            return wholes
        return frozenset(one for one in wholes if (months_of(one) or 0) <= MONTHS["year"])

    def spans_of(self, tier: Tier) -> list[Span]:
        """The periods that words name, by the calendar of the grid."""
        near = [span for spans in self.slots.spans for span in spans]
        calendars = self.grid.calendars(None)
        return [span for one in tier.periods for span in resolved(one, near, self.grid, calendars)]

    def places(self) -> list[Place]:
        """The places that its words name."""
        return list(islice(places(self.slots.choices), MOST_PLACES))

    def levels(self) -> Iterator[Value]:
        """The values at its slots: stated ones, then those of longer periods gathered from pieces."""
        gather = self.quantity.cue("aggregations")
        if self.reckons:
            yield from self._over_several(gather)
            yield from self._means(gather)
        else:
            yield from self._by_name()
        for place in self.places():
            for span in self.spans():
                everything = list(at(self.grid, place, span))
                stated = [v for v in everything if self._can_be(v.facts[0]) and self._says_so(v.facts[0])]
                if self.reckons:
                    yield from stated
                    continue
                by = self.quantity.cue("per") & TIMES
                spread = list(spread_by(everything, by)) if by or gather & _PIECEWISE else []
                yield from spread
                if (not gather & _PIECEWISE and not spread) or self._is_rate(place):
                    yield from stated
                if span is not None and self.quantity.in_brackets:
                    yield from (
                        Value(f.value, (f,)) for f in tiled(self.grid, place, span) if f.value is not None
                    )
                if span is not None and (not stated or gather):
                    yield from self._gathered(place, span, gather)

        if not self.reckons:
            yield from self._extremes()
            yield from self._of_all_rows()
            yield from self._together()
            yield from self._over_several(gather)

    def _extremes(self) -> Iterator[Value]:
        """The highest or the lowest of the pieces of a stretch that its words name, of all where they name none."""
        said = self.quantity.cue("order") & {"maximum", "minimum"}
        if len(said) != 1:
            return
        for place in self.places():
            known = {
                fact.span: fact
                for fact in self.grid.at([None if one == OPEN else (one,) for one in place])
                if fact.value is not None and fact.span and self._can_be(fact)
            }
            stretches = [
                periods.parts_of([one for one in known if periods.contains(span, one)], span)
                for span in self.slots.now
            ]
            by_words = self.slots.span_tier < len(self.quantity.tiers)
            dated = by_words and any(span in known for span in self.slots.now)
            if self.slots.span_tier and not dated and all(len(pieces) < _SEVERAL for pieces in stretches):
                stretches = [list(known)]
            for pieces in stretches:
                own = self.slots.now if not self.slots.span_tier else ()
                named = [one for one in pieces if one in own]  # "highest in Q2"
                if len(pieces) >= _SEVERAL:
                    best = (max if "maximum" in said else min)((known[one] for one in pieces), key=_value)
                    if not named or best.span in named:
                        yield Value(_value(best), (best,))

    def _means(self, gather: frozenset[str]) -> Iterator[Value]:
        """The means of the pieces of each period that is named."""
        for place in self.places() if "mean" in gather else ():
            for span in self.spans():
                yield from self._gathered(place, span, gather) if span else ()

    def _by_name(self) -> Iterator[Value]:
        """A ratio that the words name and no label does, from the two figures that it is made of."""
        rest = self.slots.axes[1].labels if len(self.slots.axes) > 1 else None
        words = [word for tier in self.quantity.tiers[:2] for word in tier.words]
        for word in words if self.quantity.number.kind in ("percentage", "ratio") else ():
            name = concept(word)
            if is_meaning(word) and name in FORMULAS and not labelled(self.grid, name):
                for span in self.spans():
                    yield from reckoned(
                        self.grid, name, rest[:1] if rest else (OPEN,) * (len(self.grid.axes) - 1), span
                    )

    @property
    def reckons(self) -> bool:
        """Whether a number is said to be what several figures come to: none of them can be it."""
        return self._moved or self._several

    def _mentions(self) -> tuple[periods.Mention, ...]:
        """The words for periods of the nearest tier that has any."""
        tier = self.slots.span_tier
        return self.quantity.tiers[tier].periods if tier < len(self.quantity.tiers) else ()

    def _is_part(self) -> bool:
        """Whether one part of a year is named, of any year: "Q4"."""
        said = self._mentions()
        return len(said) == 1 and said[0].part is not None

    @property
    def _several(self) -> bool:
        said, now = self._mentions(), self.slots.now
        several = self.slots.span_tier <= 1 and len(now) > 1 and now[0][1] != now[1][1]
        several = several and (len(said) > 1 or any(one.several for one in said))
        if several and any(periods.contains(*pair) for pair in permutations(now[:2])):
            return False  # "including the first quarter, NOI for 2024"
        gathers = self.quantity.cue("aggregations") & {"mean", "sum"}
        return several and (bool(gathers) or (self.quantity.reckons and not self.quantity.arrives))

    @property
    def _moved(self) -> bool:
        """Whether a number is said to be how far a figure moved: "the change in NOI was"."""
        one = self.quantity
        moves = one.direction or one.cue("operations") & {"difference", "growth"}
        return one.is_result and bool(moves)

    def _says_so(self, fact: Fact) -> bool:
        """Whether a figure is called what the words say the number is: a change, an average."""
        called = " ".join(self.grid.named(axis, at) for axis, at in enumerate(fact.at))
        if self._moved and not fact.direction:
            return fact.span is None and signs.is_called(called, "directions", _CHANGED)
        divides = any(formula.how in ("share", "ratio") for formula in self.quantity.formulas)
        if divides and fact.kind not in ("percentage", "ratio") and not self.grid.is_prose:
            return signs.is_called(called, "operations", _DIVIDED)
        said = self.quantity.cue("aggregations")
        averaged = "mean" in said and self.quantity.is_result and not fact.per
        averaged = averaged and fact.kind not in ("percentage", "ratio") and not self.grid.is_recorded
        if self._several or averaged:
            return signs.is_called(called, "aggregations", _GATHERED)
        return True

    def _over_several(self, gather: frozenset[str]) -> Iterator[Value]:
        """What several periods that its words name come to."""
        if not gather & {"mean", "sum", "cumulative"}:
            return
        for spans in self._runs("mean" in gather and self.quantity.is_result):
            for place in self.places():
                worth = [
                    [value for value in at(self.grid, place, span) if self._can_be(value.facts[0])][:1]
                    for span in spans
                ]
                found = [value for values in worth for value in values]
                if len(found) == len(spans):
                    yield from self._come_to(found, gather)

    def _runs(self, averages: bool) -> Iterator[list[Span]]:
        """The periods that are gathered: those that are named, with all between them; of an average that names one the one
        before it too, of one that names none all."""
        named = list(dict.fromkeys(span for span in self.slots.now if span))
        if len(named) > 1:
            yield named[:MOST_TOGETHER]
        alike = [one for one in self.grid.spans if not named or periods.as_long(one, named[0])]
        between = [one for one in alike if not named or min(named) <= one <= max(named)]
        if 2 < len(between) <= MOST_TOGETHER and len(named) == 2:
            yield between
        elif averages and len(named) == 1:
            yield [named[0], periods.year_back(named[0])]
        elif averages and not named and 1 < len(between) <= MOST_TOGETHER:
            yield between

    def _come_to(self, found: Sequence[Value], gather: frozenset[str]) -> Iterator[Value]:
        total = sum((value.value for value in found), Decimal(0))
        facts = tuple(value.facts[0] for value in found)
        shown = " + ".join(plain(value.value) for value in found)
        if "mean" in gather:
            yield Value(total / len(found), facts, "mean", f"({shown}) / {len(found)}")
        elif facts[0].kind in ("currency", "number"):
            yield Value(total, facts, "sum", shown)

    def _together(self) -> Iterator[Value]:
        """What all those come to that its words name as well as each other."""
        entities = (self.slots.axes[1].labels if len(self.slots.axes) > 1 else None) or ()
        metrics = self.slots.axes[0].labels or ()
        if "sum" in self.quantity.cue("aggregations") and 2 <= len(metrics) <= MOST_TOGETHER:
            yield from self._sums([(metric, *(entities[:1] or (OPEN,))) for metric in metrics])
        if self.quantity.number.kind in ("currency", "number") and 2 <= len(entities) <= MOST_TOGETHER:
            for metric in metrics:
                yield from self._sums([(metric, one) for one in entities])

    def _of_all_rows(self) -> Iterator[Value]:
        """What the rows of a column come to, where the number's own words name no row."""
        columns, *rows = self.slots.axes
        told = not rows or rows[0].tier == 0 or not self.grid.is_list or columns.tier > _SEVERAL
        for column in () if told or self.grid.is_recorded else columns.labels or ():
            for value in (column_sum(self.grid, column, span) for span in self.spans()):
                if value is not None and all(map(self._can_be, value.facts)):
                    yield value

    def _sums(self, places: Sequence[Place]) -> Iterator[Value]:
        """What stands at several places comes to, in each period that is named."""
        for span in self.spans():
            found = [value for place in places if (value := self._one(place, span)) is not None]
            facts = tuple(fact for value in found for fact in value.facts)
            if len(found) == len(places) and all(map(self._can_be, facts)):
                total = sum((v.value for v in found), Decimal(0))
                shown = " + ".join(plain(v.value) for v in found)
                if self.quantity.cue("aggregations") & {"mean", "sum"} == {"mean"}:
                    yield Value(total / len(found), facts, "mean", f"({shown}) / {len(found)}")
                else:
                    yield Value(total, facts, "sum", shown)

    def _one(self, place: Place, span: Span | None) -> Value | None:
        """What stands at a place, or what its pieces add up to."""
        stated = next(at(self.grid, place, span), None)
        if stated is not None or span is None:
            return stated
        return next((value for value in gathered(self.grid, place, span) if value.how == "sum"), None)

    def _can_be(self, fact: Fact) -> bool:
        """Whether a fact at its own slots is of its kind; a number without a unit may be an amount."""
        kind = self.quantity.number.kind
        off = is_off_unit(self.quantity, fact) and not factors_to(self.quantity, fact)
        if off or self._slot_apart(fact):
            return False
        return fits(self.quantity, fact) and (
            fact.kind == kind
            or {fact.kind, kind} <= {"currency", "number"}
            or {fact.kind, kind} == {"ratio", "percentage"}
        )

    def _gathered(self, place: Place, span: Span, gather: frozenset[str]) -> Iterator[Value]:
        for value in gathered(self.grid, place, span):
            if value.how != "ratio" and not self._can_be(value.facts[0]):
                continue
            if gather & {"mean", "median"} and value.how not in ("mean", "ratio"):
                continue
            if "per_piece" in gather and value.how == "sum":
                continue
            if value.how == "mean" and (gather & _GATHERED == {"sum"} or self._of_other_length(value)):
                continue
            if value.how == "mean" and not gather and value.facts[0].kind == "currency":
                continue
            yield value

    def _of_other_length(self, value: Value) -> bool:
        """Whether pieces are not as long as the month, quarter or year that the words say an amount is by."""
        said, span = self.quantity.cue("per") & TIMES, value.facts[0].span
        if not said or span is None or value.facts[0].kind != "currency":
            return False
        return months_of(span) not in {MONTHS[one] for one in said}

    def _is_rate(self, place: Place) -> bool:
        """Whether what stands at a place is a share, a level or an average, which one of a period is as it stands."""
        facts = self.grid.at([None if one == OPEN else (one,) for one in place])
        first = next(iter(facts), None)
        averaged = signs.is_called(self.grid.named(0, place[0]), "aggregations", _AVERAGES)
        return first is not None and (first.kind in ("percentage", "ratio") or averaged)

    def matches(self) -> Iterator[Match]:
        """The values at its own slots beside what it says."""
        for value in self.levels():
            yield from map(self.match, in_unit(self.quantity, value))

    def match(self, value: Value) -> Match:
        """One value of its own slots beside what it says."""
        fact = value.facts[0]
        if bounded(self.quantity) and (fact.bound or fact.role in self._limits()):
            same = abs(Decimal(self.quantity.number.value) - value.value) <= abs(value.value) * _EXACTLY
            return Match(value, equal=same)
        stated = value.value if value.how else self._signed(fact, value.value)
        found = agreement(scaled(self.quantity, fact), stated, *signs.said(self.quantity, self.grid, value))
        turned = "sign" if found == "sign" else ""
        other = self._other_end(fact) if value.how in ("", "sum") else ""
        return Match(value, turned or other, equal=found == "equal")

    def _other_end(self, fact: Fact) -> str:
        """The period, where a figure of a table stands at the other end of the move that the words say, and they name none."""
        undated = self.slots.span_tier >= _SEVERAL and not self.grid.is_prose
        return "period" if undated and contrast.is_other_end(self.quantity, self.grid, fact) else ""

    def _limits(self) -> frozenset[str]:
        """The roles of which a bound must be the limit itself; what merely is required keeps a bound that names no limit."""
        return LIMITS if (self.quantity.cue("roles") | self.quantity.said) & LIMITS else LIMITS - {"limit"}

    def _signed(self, fact: Fact, value: Decimal) -> Decimal:
        """What a figure that words call a loss is beside a number below zero."""
        return -abs(value) if fact.polarity == "loss" and Decimal(self.quantity.number.value) < 0 else value

    def _polarity(self) -> frozenset[str]:
        """Whether a number is a loss or a profit: as words say, else by its sign where its figure can have either."""
        said = self.quantity.cue("polarity") & {"loss", "profit"}
        if said:
            return said
        if Decimal(self.quantity.number.value) < 0:
            return frozenset(("loss",))
        return frozenset(("profit",)) if self.speaks_of_either() else frozenset()

    def magnitude(self, value: Value) -> Value:
        """A value without the brackets of a cost, which are presentation."""
        return value if value.value >= 0 or self.either(value) else replace(value, value=-value.value)

    def either(self, value: Value) -> bool:
        """Whether the figure can have either sign."""
        return signs.either(self.quantity, self.grid, value)

    def speaks_of_either(self) -> bool:
        """Whether the words name a figure that can have either sign."""
        known = lexicons.concepts()
        own = (concept(word) for word in self.quantity.tiers[0].words if is_meaning(word))
        return any(known[one].sign == "either" for one in own if one in known)

    def elsewhere(self) -> Iterator[Match]:
        """Equal values at other slots, with the slot in which they differ; 1.41 % is no 1.41x."""
        number = self.quantity.number
        own = frozenset(self.places())
        value = Decimal(number.value)
        room = abs(value) * _EXACTLY if bounded(self.quantity) else number.precision
        for fact in self.grid.equal(value, room):
            if (
                fits(self.quantity, fact)
                and fact.value is not None
                and {fact.kind, number.kind} != {"ratio", "percentage"}
                and self._as_far(fact)
                and self._says_so(fact)
                and not self._is_chance(fact)
            ):
                found = Value(fact.value, (fact,))
                fell = fact.direction == "down"  # "moved by -2.9 %" of what fell 2.9 %
                turned = (value < 0 < self._signed(fact, fact.value) and not fell) or (
                    fact.value < 0 < value and signs.is_turned(self.quantity, self.grid, found)
                )
                yield Match(found, self._conflict(fact) or ("sign" if turned else ""), own=fact.at in own)

    def _is_chance(self, fact: Fact) -> bool:
        """Whether a figure of record is neither of the metric nor of the property that is named: among so many some value is
        always equal, and explains nothing."""
        if not self.grid.is_recorded:
            return False
        return all(
            choice.labels is not None and at not in choice.labels
            for choice, at in zip(self.slots.axes, fact.at, strict=True)
        )

    def _as_far(self, fact: Fact) -> bool:
        """Whether a fact may state the move that a quantity states, where it states one."""
        number, went = self.quantity.number, fact.direction
        opposite = self.grid.is_prose and {number.direction, went} == {"up", "down"}  # rose where it fell
        is_level = fact.unit == "pp" and not went  # a margin in basis points
        moves = (number.unit == "pp" and not is_level) or self.quantity.by
        return not opposite and (not moves or (bool(went) and went == (self.quantity.direction or went)))

    def _conflict(self, fact: Fact) -> str:
        if self.grid.is_prose:
            apart = contrast.is_other_figure(self.quantity, self.grid, fact, self._can_be)
            return "metric" if apart else self._otherwise(fact)
        for axis, slot in ((0, "metric"), (1, "entity")):
            choice = self.slots.axes[axis] if axis < len(self.slots.axes) else None
            given = choice is not None and choice.tier == INHERITED and not self.grid.is_recorded
            other = choice and choice.labels is not None and fact.at[axis] not in (*choice.labels, OPEN)
            faint = choice and (self._is_faint(choice, fact, axis) or self._is_far(choice, fact, axis))
            if choice and other and not given and not faint:
                return slot
        return self._otherwise(fact)

    def _otherwise(self, fact: Fact) -> str:
        """The slot beside metric and entity in which a fact of the same number differs."""
        off = "unit" if is_off_unit(self.quantity, fact) else ""
        return self._slot_apart(fact) or off or self._other_period(fact) or self._other_end(fact)

    def _is_faint(self, choice: Choice, fact: Fact, axis: int) -> bool:
        """Whether the words that name another label do so from afar or hardly, and the fact is the total."""
        total = fact.is_total or is_whole(self.grid.named(axis, fact.at[axis]))
        return total and (choice.tier > 0 or choice.score < _HALF)

    def _is_far(self, choice: Choice, fact: Fact, axis: int) -> bool:
        """Whether another column of a list is named before the sentence alone, whose own words name the row of the fact."""
        if axis or not self.grid.is_list or choice.tier < _SEVERAL:
            return False
        row = self.slots.axes[1]
        return row.tier == 0 and row.labels == fact.at[1:2]

    def _slot_apart(self, fact: Fact) -> str:
        """The slot beside metric, entity and period in which a fact differs from what the words name."""
        if is_other_role(self.quantity, self.grid, fact):
            return "role"
        if contrast.is_other_party(self.quantity, self.grid, fact):
            return "metric"
        if self.grid.is_prose and contrast.is_opposed(self.quantity, self.grid, fact):
            return "metric"
        if self.grid.is_prose and contrast.is_of_other_whole(self.quantity, self.grid, fact):
            return "metric"
        if self.grid.is_prose and contrast.is_earlier(self.quantity, self.grid, fact):
            return "period"
        if basis.differ(self.quantity.cue("basis"), fact.basis):
            return "metric"
        back = self.quantity.speaks_back and not self.quantity.cue("directions")  # "the old rate was"
        arrives = self.quantity.arrives and not back
        turned = {"from": arrives, "to": self.quantity.is_base}.get(fact.turn, False)
        if fact.figure is None and turned and not (self.quantity.is_base and self.quantity.arrives):
            return "sign"
        said = self._polarity()
        if fact.polarity and said and fact.polarity not in said:
            return "sign"
        if fact.bound and self.quantity.number.bound and fact.bound != self.quantity.number.bound:
            return "bound"
        said, stated = self.quantity.cue("per"), frozenset(fact.per.split())
        times = said & TIMES
        if times and fact.span and fact.kind in ("currency", "number") and not stated & TIMES:
            months = months_of(fact.span)
            return "unit" if months and all(MONTHS[unit] != months for unit in times) else ""
        return ""

    def _other_period(self, fact: Fact) -> str:
        spans = [span for span in self.spans() if span]
        if fact.bound or fact.role in LIMITS or (self.grid.is_prose and not self.slots.is_dated):
            return ""
        if not spans or not fact.span or any(periods.meet(fact.span, span) for span in spans):
            return ""
        ends = self.grid.is_prose and any(_is_at_its_end(fact.span, span) for span in spans)
        if ends or self._tells_dates(fact, spans):
            return ""
        named_days = all(one[0] == one[1] for one in spans)
        if fact.figure is None and named_days and fact.span[0] != fact.span[1]:
            return ""  # a day on which something happens is not the period of an amount
        weak = self.slots.span_tier > 1 or named_days
        if weak and fact.figure is None and not self._has_rival(fact, spans):
            return ""
        return "period"

    def _tells_dates(self, fact: Fact, spans: Sequence[Span]) -> bool:
        """Whether the periods are dates that the row of a fact holds: "whose lease ends in August 2024, contributes"."""
        row = self.grid.at([None, *([one] for one in fact.at[1:])]) if len(fact.at) > 1 else ()
        dates = [other.days for other in row if other.days] if fact.at[1:] != (OPEN,) else []
        return bool(dates) and all(any(periods.contains(span, one) for one in dates) for span in spans)

    def _has_rival(self, fact: Fact, spans: Sequence[Span]) -> bool:
        """Whether the figure of a fact stands in one of these periods as well."""
        beside = self.grid.at([None if one == OPEN else (one,) for one in fact.at])
        return any(other.span and any(periods.meet(other.span, span) for span in spans) for other in beside)


def _is_at_its_end(stated: Span, span: Span) -> bool:
    """Whether a stretch of some days is the end of a period, of which prose may state what it closed with: "late September"."""
    return stated[1] == span[1] and (stated[1] - stated[0]).days < _DAYS


def _value(fact: Fact) -> Decimal:
    return fact.value or Decimal(0)


def first(found: Iterable[Match]) -> Match | None:
    """The first match that agrees."""
    return next((match for match in found if match.equal and not match.conflict), None)
