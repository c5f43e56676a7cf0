"""What follows from two values that a sentence speaks of: a difference, growth, a share, a ratio, a sum (a closed list).

Operands are facts at the slots that the sentence names, and the numbers that it quotes beside the one in question.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import combinations, permutations

from detection.core import periods
from detection.core.evidence import OPEN, Fact, Grid
from detection.core.evidence.formulas import results
from detection.core.evidence.values import Value, at, gathered, wholes_of
from detection.core.matching.equality import RATES, bounded, in_unit, keeps, same_money, slack
from detection.core.matching.levels import TIMES, Comparison, Match
from detection.core.matching.relations import changes
from detection.core.matching.relations.changes import asks
from detection.core.numbers import plain, stated_scale
from detection.core.periods import Span
from detection.core.periods.spans import months_of
from detection.core.quantities import LIMITS, Quantity
from detection.core.quantities.measures import AREAS, CLOCK, MEASURES, MONTHS, is_other_per, measured_in
from detection.core.types import Kind, NumericClaim

_ALSO_CALLED = {
    "share": ("share", "ratio"),
    "ratio": ("ratio",),
    "rate": ("ratio",),
    "mean": ("mean", "piece"),
    "difference": ("difference", "growth"),
}
_MOST_TRIED, _CHANCE = (
    24,
    Decimal("0.02"),
)  # the share of wrong numbers that may agree with one of those tried
_SIGNS = frozenset("+-−–")
MOVING = frozenset(("up", "down", "improve", "worsen"))
MOST_OPERANDS, _MOST_BESIDE = 12, 8
_YEAR, _QUARTERS = Decimal(12), Decimal(4)
_TIERS = 3
_TIGHT = Decimal("1.35")
"""Of "more than three times", how much more it may be, and of "under 60 %" how much less."""
_LEAST = Decimal("0.01")  # of a value, what may be taken from it
_SAID, _ALSO, _MOST_LABELS = 0.6, 0.2, 6
_WORDS = frozenset(("difference", "growth", "share", "ratio", "margin", "remainder"))
_PIECEWISE = frozenset(("mean", "annualised", "per_piece", "cumulative"))
_GATHERING = _PIECEWISE | {"sum"}
ADDED, DIVIDED = frozenset(("difference", "sum")), frozenset(("ratio", "share", "product", "piece"))
"""Ways to reckon of which each turns the others of its family round."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A value to reckon with, its kind and unit, and the words for it. ``is_whole``: nothing names it, but a share may be
    one of it; ``is_named``: it is what the words next to the number name. ``rests``: the facts that a number of the answer
    rests on, and ``how`` it was reckoned from them."""

    value: Decimal
    kind: Kind
    unit: str
    facts: tuple[Value, ...] = ()
    slots: tuple[object, ...] = ()
    is_whole: bool = False
    is_named: bool = False
    rests: tuple[Fact, ...] = ()
    how: str = ""

    @property
    def is_total(self) -> bool:
        """Whether it is the total of others."""
        return any(fact.is_total for value in self.facts for fact in value.facts)


def operands(one: Comparison) -> list[Operand]:
    """The facts at the places and periods that the sentence names near the quantity."""
    named = [span for span in dict.fromkeys((*one.spans(), *one.slots.bases)) if span][:4]
    spans: list[Span | None] = [*named] or [None]
    labels = _labels(one, 0)
    others = one.slots.axes[1].labels if len(one.slots.axes) > 1 else None
    whole = labels if len(labels) == 1 else _wholly(one, labels)
    entities = list(dict.fromkeys((*_labels(one, 1), *(others or ())))) or [OPEN]
    found: list[Operand] = []
    for label in labels:
        for entity in entities[:3]:
            for span in spans:
                place = (label, entity) if len(one.grid.axes) > 1 else (label,)
                values = list(at(one.grid, place, span))[:3]
                if not values and span:
                    values = [v for v in gathered(one.grid, place, span) if v.how in ("sum", "ratio")][:1]
                own = one.slots.axes[0]
                is_named = own.tier == 0 and label in (own.labels or ())
                found += [replace(_operand(v, span), is_named=is_named) for v in values]
                if values and label in whole and one.quantity.number.kind in ("percentage", "ratio"):
                    wholes = wholes_of(one.grid, values[0].facts[0])
                    found += [replace(_operand(v, span), is_whole=True) for v in wholes]
    return found[:MOST_OPERANDS]


def _wholly(one: Comparison, labels: Sequence[int]) -> list[int]:
    """The one label of which the sentence names all; none where it names several so."""
    words = {word: 1.0 for tier in one.quantity.tiers[:_TIERS] for word in tier.words}
    scores = one.grid.axes[0].scores(words)
    found = [label for label in labels if scores.get(label, 0.0) >= 1]
    return found if len(found) == 1 else []


def _operand(value: Value, span: Span | None) -> Operand:
    fact = value.facts[0]
    return Operand(value.value, fact.kind, fact.unit, (value,), (fact.at[0], fact.at[1:], span, fact.role))


def _labels(one: Comparison, axis: int) -> list[int]:
    """The labels of an axis that the sentence names."""
    if axis >= len(one.grid.axes):
        return []
    found: list[int] = []
    for place, tier in enumerate(one.quantity.tiers[:_TIERS]):
        if found and place > 1:
            break
        words = dict.fromkeys(tier.words, 1.0)
        scores = one.grid.axes[axis].scores(words)
        found += sorted((i for i, score in scores.items() if score >= _SAID), key=lambda i: (-scores[i], i))
        found += one.grid.axes[axis].named(words)[0]
    return list(dict.fromkeys(found))[:_MOST_LABELS]


def beside(one: Comparison, around: Sequence[Quantity] = ()) -> list[Operand]:
    """All values of a row that the sentence names, and of prose what stands in the sentences that say most of it."""
    if one.grid.is_prose:
        scores = one.grid.axes[0].scores(
            {word: 1.0 for tier in one.quantity.tiers[:2] for word in tier.words}
        )
        labels = sorted((i for i, score in scores.items() if score >= _ALSO), key=lambda i: (-scores[i], i))[
            :_MOST_LABELS
        ]
        near = [
            q
            for q in around
            if q.sentence == one.quantity.sentence and q.number.start != one.quantity.number.start
        ]
        stated = [
            fact.at[0] for q in near for fact in one.grid.equal(Decimal(q.number.value), q.number.precision)
        ]
        said = list(dict.fromkeys(one.grid.named(0, label) for label in (*stated[:2], *labels)))[:3]
        facts = [fact for text in said for fact in one.grid.facts if one.grid.named(0, fact.at[0]) == text]
        facts += [fact for fact in one.grid.facts if fact.unit in AREAS and fact not in facts][:3]
        facts += [fact for fact in _compared_with(one) if fact not in facts][:2]
    else:
        totals = {fact.at[1] for fact in one.grid.facts if fact.is_total} if one.grid.is_list else ()
        rows = _labels(one, 1)[:2]
        if not rows or one.quantity.number.kind == "percentage":
            rows = [*sorted(totals)[:1], *rows]
        own = one.slots.axes[0]
        metrics = (
            own.labels if asks(one.quantity) and own.tier == 0 else None
        )  # a change is of the figure that is named
        facts = [fact for row in rows for fact in one.grid.at((metrics, (row,)))] if one.grid.is_list else []
    return [
        _operand(Value(fact.value, (fact,)), fact.span)
        for fact in facts[:_MOST_BESIDE]
        if fact.value is not None
    ]


def _compared_with(one: Comparison) -> Iterator[Fact]:
    """The figures in the unit of a number that says how far one lies from another, of the periods that its sentence names:
    "that beat 2023 by 810 tonnes"."""
    number, unit = one.quantity.number, measured_in(one.quantity.number)
    named = [span for span in (*one.spans(), *one.slots.bases) if span] if one.quantity.by and unit else []
    for fact in one.grid.facts if named else ():
        alike = (fact.kind, fact.unit) == (number.kind, unit) and not fact.direction
        if alike and fact.span and any(periods.same(fact.span, known) for known in named):
            yield fact


def named(one: Comparison) -> list[Match]:
    """What the formulas that the words state come to in the grid, beside the quantity."""
    quantity, said = one.quantity, dict(one.quantity.tiers[0].words)
    for word in one.quantity.tiers[1].words if len(one.quantity.tiers) > 1 else ():
        said.setdefault(word, 1.0)
    found: list[Match] = []
    now = [span for span in one.spans() if span]
    for formula in quantity.formulas:
        own = [one.spans_of(tier) for part in formula.parts for tier in part]
        for value in results(one.grid, formula, said, own, now):
            if (
                _is_of(quantity, value)
                and not _moved(value)
                and not any(same.value.value == value.value for same in found)
            ):
                found += [_beside(quantity, stated) for stated in in_unit(quantity, value)]
    return found[: _allowed(quantity.number)]


def _is_of(quantity: Quantity, value: Value) -> bool:
    """Whether a result is of the kind and the unit that is stated."""
    fact, number = value.facts[0], quantity.number
    if value.how in ("share", "ratio"):
        return True
    if fact.kind != number.kind and {fact.kind, number.kind} != {"currency", "number"}:
        return False
    return all(same_money(number, fact) for fact in value.facts)


def _moved(value: Value) -> bool:
    """Whether a difference is of one figure at two times: that is a change, which has a direction."""
    return value.how == "difference" and value.facts[0].at == value.facts[-1].at


def _beside(quantity: Quantity, value: Value) -> Match:
    claimed, room = Decimal(quantity.number.value), slack(quantity.number)
    if abs(abs(claimed) - abs(value.value)) > room:
        return Match(value, equal=False)
    return Match(value, "sign" if claimed < 0 < value.value else "", equal=not claimed < 0 < value.value)


def _allowed(number: NumericClaim) -> int:
    """How many readings of a sentence may be tried before a wrong number is likely to be the result of one by chance."""
    if not number.precision:
        return _MOST_TRIED
    return min(_MOST_TRIED, max(1, int(_CHANCE * abs(Decimal(number.value)) / (2 * number.precision))))


def matches(
    quantity: Quantity,
    known: Sequence[Operand],
    freely: bool,
    around: Sequence[Quantity] = (),
    bases: Sequence[Span] = (),
) -> Iterator[Match]:
    """What the operands come to, beside the quantity; ``freely`` also where no word asks for a reckoning."""
    words = _named_operations(quantity)
    by_bound = bounded(quantity) and _may_be_bounded(quantity, words)
    if (bounded(quantity) and not by_bound) or quantity.cue("roles") & LIMITS or quantity.reach:
        return
    open_to_all = (
        freely
        or asks(quantity)
        or words & (_WORDS | _GATHERING)
        or quantity.number.kind in ("percentage", "ratio")
    )
    units = quantity.cue("per") & MEASURES - TIMES
    if not (open_to_all or units):
        return
    wanted = _wanted(quantity)
    each = bool(quantity.cue("quantifiers") & {"all"}) and "per_piece" in words
    for value, how, shown, used in _reckoned(quantity, known, words):
        if (each and how in ("sum", "product")) or (wanted and how not in wanted):
            continue
        if not open_to_all and not (how == "ratio" and used[1].unit in units):
            continue
        if by_bound and averages(quantity) and how not in ("piece", "mean"):
            continue
        for made in _stated(quantity, (value, how, shown, used)):
            if (
                not _turned(quantity, value, how, used, around)
                and _in_unit(quantity, used, how)
                and _on_base(used, how, bases)
            ):
                yield Match(made)


def _stated(quantity: Quantity, made: "_Made") -> Iterator[Value]:
    """What is reckoned, in the unit of the quantity, where it is as large as that."""
    value, how, shown, used = made
    same = how in RATES or not measured_in(quantity.number)
    if same and not _is_close(quantity, abs(value)):
        return
    worth = Value(value, tuple(fact for operand in used for fact in _rest(operand)), how, shown)
    for one in (worth,) if same else in_unit(quantity, worth):
        if same or _is_close(quantity, abs(one.value)):
            yield one


def averages(quantity: Quantity) -> bool:
    """Whether a number is said to be an average, and of no total: then nothing added up is it."""
    return quantity.cue("aggregations") & {"mean", "sum"} == {"mean"}


def _may_be_bounded(quantity: Quantity, words: frozenset[str]) -> bool:
    """Whether a bound may be stated of what is reckoned: of a ratio, a share, an average, of how far something
    went; "just over" of whatever is asked for."""
    number = quantity.number
    asked = _moves(quantity, words) or bool(words & (_WORDS | _GATHERING)) or number.kind == "percentage"
    narrow = bool(quantity.cue("bounds") & {"just_over", "just_under"}) and asked
    return number.kind == "ratio" or quantity.is_share or averages(quantity) or narrow or quantity.by


def _is_close(quantity: Quantity, size: Decimal) -> bool:
    """Whether a result of this size is what is stated, or keeps the bound that is and lies near it."""
    claimed = abs(Decimal(quantity.number.value))
    if bounded(quantity):
        return keeps(quantity, size) and claimed / _TIGHT <= size <= claimed * _TIGHT
    return abs(size - claimed) <= slack(quantity.number)


def wholes(quantity: Quantity, grid: Grid) -> frozenset[str]:
    """The metrics of a grid that a share is said to be of: "28 % of total revenue"."""
    return grid.meanings & quantity.share_of


def moves(quantity: Quantity) -> bool:
    """Whether a quantity may be a growth: the words or its sign say that something moved, or is more or less."""
    return _moves(quantity, _named_operations(quantity))


def _moves(quantity: Quantity, words: frozenset[str]) -> bool:
    return bool(words & {"growth", "difference"}) or quantity.direction in MOVING or is_signed(quantity)


def is_signed(quantity: Quantity) -> bool:
    """Whether a percentage is written with a sign: "+4 %"."""
    return quantity.number.kind == "percentage" and quantity.number.text[:1] in _SIGNS


def _named_operations(quantity: Quantity) -> frozenset[str]:
    words = quantity.cue("operations") | quantity.cue("aggregations")
    return words | {"difference"} if _compares(quantity) else words


def _wanted(quantity: Quantity) -> frozenset[str]:
    """The operations that the words say the number comes of; empty where they leave it open."""
    if asks(quantity) and quantity.is_result:
        return frozenset(("growth", "difference"))
    told = (one for one in quantity.formulas if quantity.is_result or one.how in ("share", "ratio"))
    return frozenset(how for one in told for how in _ALSO_CALLED.get(one.how, (one.how,)))


def _compares(quantity: Quantity) -> bool:
    """Whether the words say how far one thing is from another: "41 % more than the average"."""
    return bool(
        quantity.cue("order") & {"ahead", "behind"} or quantity.cue("bounds") & {"more_than", "less_than"}
    )


_Made = tuple[Decimal, str, str, tuple[Operand, ...]]


def _turned(
    quantity: Quantity, value: Decimal, how: str, used: Sequence[Operand], around: Sequence[Quantity]
) -> bool:
    """Whether a change or a distance goes the other way than the words say."""
    if how not in ("growth", "difference") or not value:
        return False
    if how == "growth":
        up = changes.says_up(quantity)
        return up is not None and (value > 0) != up
    facts = [worth.facts[0] for one in used for worth in one.facts]
    return changes.is_turned(quantity, (used[0].value, used[1].value), facts, around)


def _in_unit(quantity: Quantity, used: Sequence[Operand], how: str) -> bool:
    """Whether amounts by the month or by the year stay what the words call them."""
    said = quantity.cue("per") & TIMES
    for one in used:
        for worth in one.facts:
            stated = frozenset(worth.facts[0].per.split()) & TIMES
            if said and stated and not said & stated and how not in ("piece", "annualised"):
                return False
    return True


def _on_base(used: Sequence[Operand], how: str, bases: Sequence[Span]) -> bool:
    """Whether a change is one from the period that the words compare with, where facts tell periods."""
    spans = [worth.facts[0].span for one in used for worth in one.facts if worth.facts[0].span]
    if how not in ("growth", "difference") or not bases or len(spans) < 2 or len(set(spans)) < 2:
        return True
    return any(_is_at(span, base) for span in spans for base in bases)


def _is_at(span: Span, base: Span) -> bool:
    """Whether a fact is of the period that is compared with, or of a longer one in which that day lies."""
    return periods.same(span, base) or (base[0] == base[1] and periods.contains(span, base))


def _reckoned(quantity: Quantity, known: Sequence[Operand], words: frozenset[str]) -> Iterator[_Made]:
    """All that the operands come to, of the kind that the quantity is."""
    kind, unit = _kind(quantity, known), quantity.number.unit
    for first, second in permutations(known, 2):
        if not _is_same(first, second):
            yield from _of_two(quantity, first, second, words)
    if kind in ("currency", "number"):
        if "mean" not in words or "sum" in words:
            yield from _sums(known, kind, unit, not words & (_WORDS | _GATHERING))
        if (words & _PIECEWISE or quantity.cue("per")) and not quantity.cue("per") & CLOCK:
            yield from _pieces(quantity, known)
        yield from _products(quantity, known, kind)
    if kind == "percentage" and unit == "%":
        for one in known:
            if one.kind == "percentage" and one.unit == "%" and (not one.is_named or "remainder" in words):
                yield 100 - one.value, "remainder", f"100 − {plain(one.value)}", (one,)


def _of_two(quantity: Quantity, first: Operand, second: Operand, words: frozenset[str]) -> Iterator[_Made]:
    """A share, a ratio or a growth of one operand over another, and their difference."""
    kind, unit = _kind(quantity, (first, second)), quantity.number.unit
    if not _alike(first, second) or not _related(first, second):
        return
    if kind in ("percentage", "ratio") and unit != "pp" and not first.is_whole:
        moves = _moves(quantity, words) and not quantity.is_share
        if not moves or not second.is_whole or _compares(quantity):
            yield from _quotients(first, second, kind, moves)
    fit = _fits(kind, unit, first) and _fits(kind, unit, second) and not _in_circles(first, second, ADDED)
    if fit and is_swing(_rest(first), _rest(second)):
        shown = f"{plain(first.value)} + {plain(second.value)}"
        yield first.value + second.value, "difference", shown, (first, second)
    elif fit and first.value >= second.value >= first.value * _LEAST:
        shown = f"{plain(first.value)} − {plain(second.value)}"
        yield first.value - second.value, "difference", shown, (first, second)


def _sums(known: Sequence[Operand], kind: Kind, unit: str, named: bool) -> Iterator[_Made]:
    """Two or three operands together; a total is not added to its parts, and what the number is ``named`` to be itself
    to nothing."""
    for some in (part for size in (2, 3) for part in combinations(known, size)):
        sizes = [abs(one.value) for one in some]
        if len({one.is_total for one in some}) > 1 or min(sizes) < max(sizes) * _LEAST:
            continue
        if named and any(one.is_named for one in some):
            continue  # "20 % of NOI of $5 million": a figure that is named is no sum of it
        if any(_is_same(*pair) or _in_circles(*pair, ADDED) for pair in combinations(some, 2)):
            continue
        if all(_fits(kind, unit, one) for one in some):
            shown = " + ".join(plain(one.value) for one in some)
            yield sum((one.value for one in some), Decimal(0)), "sum", shown, some


def is_swing(first: Sequence[Fact], second: Sequence[Fact]) -> bool:
    """Whether one value is a loss that is written as large as it is and the other a profit: they lie as far apart as both come to."""
    both = [one[0] for one in (first, second) if len(one) == 1 and (one[0].value or 0) > 0]
    return {one.polarity for one in both} == {"loss", "profit"}


def _in_circles(first: Operand, second: Operand, ways: frozenset[str]) -> bool:
    """Whether a number that was reckoned in one of these ways is put together again with what it was reckoned from: that
    leads to the other value it was reckoned from, and says nothing of a third."""
    if first.how not in ways and second.how not in ways:
        return False
    own, others = _rest(first), _rest(second)
    return any(fact is other for fact in own for other in others)


def _is_same(first: Operand, second: Operand) -> bool:
    """Whether two operands are one figure, quoted and as it stands."""
    own, others = _rest(first), _rest(second)
    return bool(own) and first.how == second.how and list(map(id, own)) == list(map(id, others))


def _rest(one: Operand) -> tuple[Fact, ...]:
    """The facts that an operand rests on."""
    return one.rests or tuple(fact for value in one.facts for fact in value.facts)


def _kind(quantity: Quantity, known: Sequence[Operand]) -> Kind:
    """What a number is; one in thousands or millions that may be made of amounts alone is one: "290 thousand below"."""
    number = quantity.number
    of_amounts = stated_scale(number) > 1 and all(one.kind == "currency" for one in known)
    return "currency" if number.kind == "number" and of_amounts else number.kind


def _alike(first: Operand, second: Operand) -> bool:
    return first.kind == second.kind and (not first.unit or not second.unit or first.unit == second.unit)


def _related(first: Operand, second: Operand) -> bool:
    """Whether two facts differ in one slot alone."""
    if (
        not first.slots
        or not second.slots
        or not (first.slots[1] or second.slots[1])
        or first.slots[1] == (OPEN,) == second.slots[1]
    ):
        return True
    return sum(a != b for a, b in zip(first.slots, second.slots, strict=True)) == 1


def _may_move(first: Operand, second: Operand) -> bool:
    """Whether one value can have grown from the other: of the same figure where both are of a period."""
    if not first.slots or not second.slots or first.slots[1] == (OPEN,) == second.slots[1]:
        return True
    dated = first.slots[2] is not None and second.slots[2] is not None
    return not dated or first.slots[2] == second.slots[2] or first.slots[:2] == second.slots[:2]


def _fits(kind: Kind, unit: str, one: Operand) -> bool:
    if one.is_whole:
        return False
    if kind == "percentage":
        return unit == "pp" and one.kind == "percentage"
    money = kind != "currency" or not (one.unit and unit) or one.unit == unit
    return kind == one.kind and money and one.unit != "pp"


def _quotients(first: Operand, second: Operand, kind: Kind, moves: bool) -> Iterator[_Made]:
    if second.value == 1 or _in_circles(first, second, DIVIDED):
        return
    if kind == "ratio" and _are_uneven(first, second):
        return
    try:
        share = first.value / second.value
    except (DivisionByZero, InvalidOperation):
        return
    by = 100 if kind == "percentage" else 1
    if kind != "percentage" or not moves:
        yield share * by, "ratio", f"{plain(first.value)} / {plain(second.value)}", (first, second)
    if kind == "percentage" and moves and _may_move(first, second):
        shown = f"({plain(first.value)} − {plain(second.value)}) / {plain(second.value)}"
        yield (share - 1) * by, "growth", shown, (first, second)


def _are_uneven(first: Operand, second: Operand) -> bool:
    """Whether two amounts are of periods of unlike lengths, so that the one is no multiple of the other."""
    spans = [one.slots[2] for one in (first, second) if one.slots and one.kind == "currency"]
    lengths = {round(months_of(span)) for span in spans if isinstance(span, tuple)}
    return len(lengths) > 1


def _pieces(quantity: Quantity, known: Sequence[Operand]) -> Iterator[_Made]:
    """A year's amount by month or quarter, and back."""
    kind, unit = quantity.number.kind, quantity.number.unit
    for one in known:
        if _fits(kind, unit, one):
            for count in (_YEAR, _QUARTERS, Decimal(3), Decimal(9), Decimal(6)):
                if _is_piece(quantity, one, 1 / count):
                    yield one.value / count, "piece", f"{plain(one.value)} / {count}", (one,)
            for count in (_YEAR, _QUARTERS, Decimal(2)):
                if _is_piece(quantity, one, count):
                    yield one.value * count, "annualised", f"{plain(one.value)} × {count}", (one,)


def _is_piece(quantity: Quantity, one: Operand, times: Decimal) -> bool:
    """Whether an amount of so many times its period is by the month, quarter or year that the words name; where they name
    none, what no time belongs to has no twelfth."""
    said = quantity.cue("per") & TIMES
    span = one.facts[0].facts[0].span if one.facts else None
    if frozenset(one.facts[0].facts[0].per.split() if one.facts else ()) & TIMES:
        return True
    if not said:
        return span is not None
    if (
        span is None
    ):  # no part of anything is by the year, and nothing made of months or a fourth by the month
        return ("month" if times > 1 or times == 1 / _QUARTERS else "year") not in said
    return any(round(months_of(span) * times, 3) == MONTHS[name] for name in said)


def _is_yearly(quantity: Quantity, one: Operand) -> bool:
    """Whether an amount is by the month where the words say by the year."""
    stated = frozenset(one.facts[0].facts[0].per.split()) if one.facts else frozenset()
    return "year" in quantity.cue("per") and stated & TIMES == {"month"}


def _products(quantity: Quantity, known: Sequence[Operand], kind: Kind) -> Iterator[_Made]:
    """A price by a count, a base by a share, an amount by how many it is for."""
    for first, second in permutations(known, 2):
        if first.kind != kind or second.kind not in ("number", "percentage"):
            continue
        if second.value == 1 or _in_circles(first, second, DIVIDED):
            continue
        if second.kind == "percentage":
            yield (
                first.value * second.value / 100,
                "share",
                f"{plain(first.value)} × {plain(second.value)} %",
                (first, second),
            )
            continue
        yield (
            first.value * second.value,
            "product",
            f"{plain(first.value)} × {plain(second.value)}",
            (first, second),
        )
        if second.value and not is_other_per(quantity.cue("per"), second.unit):
            shown = f"{plain(first.value)} / {plain(second.value)}"
            yield first.value / second.value, "ratio", shown, (first, second)
            if _is_yearly(quantity, first):
                yield first.value * _YEAR / second.value, "annualised", f"{shown} × {_YEAR}", (first, second)
