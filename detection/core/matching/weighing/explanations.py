"""Every way in which a number of the answer may come out of the evidence: stated, or reckoned from one or two terms."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import combinations
from typing import NamedTuple

from detection.core import periods
from detection.core.evidence import ENTITY, OPEN, Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, keeps, room_of
from detection.core.matching.levels import TIMES
from detection.core.matching.operations import ADDED, DIVIDED, averages, is_swing, wholes
from detection.core.matching.relations import changes
from detection.core.matching.weighing.terms import EVERY, QUOTED, Term, Terms, near
from detection.core.matching.weighing.words import HARDLY, NAMED, NOWHERE, OWN, QUESTION, SENTENCE, Naming
from detection.core.numbers import plain
from detection.core.periods.spans import months_of
from detection.core.quantities import LIMITS, Quantity
from detection.core.quantities.measures import CLOCK, MONTHS, is_other_per
from detection.core.types import Kind

MOST_TERMS = 48
"""So many terms of the evidence, those that the words name best, are reckoned with each other."""
ROUNDED = 0.005
"""Of a value, how far the answer may state it rounded."""
_AMOUNTS: frozenset[Kind] = frozenset(("currency", "number"))
_RATED: frozenset[Kind] = frozenset(("percentage", "ratio", "number"))
_EXACT = Decimal("0.005")
"""Of a bound, the rounding of one that is a figure itself: "slightly above the 36.2 % planned"."""
_KEPT = 0.35  # of a bound, how far what keeps it may lie from it
_LEAST = 0.01  # of a value, what may be added to it or taken from it
_PIECES = (2, 3, 4, 6, 9, 12)
_PARTED = frozenset(("mean", "per_piece", "annualised", "month", "quarter", "year"))


class Explanation(NamedTuple):
    """One way to a number: ``how`` it is reckoned, from which ``terms``, and how those differ (``relation``)."""

    how: str
    terms: tuple[Term, ...]
    value: float
    relation: str = "same"


class Pool(NamedTuple):
    """The terms of all evidence with what the words name in each grid, the best named terms first, and how well
    each is named (``anchors``); ``told`` holds the ids of those whose value the answer states."""

    namings: Sequence[Naming]
    every: Sequence[Term]
    best: Sequence[Term]
    anchors: Sequence[float]
    told: frozenset[int]

    def naming(self, one: Term) -> Naming:
        """What the words name in the grid of a term of the evidence."""
        return self.namings[one.grid]

    def anchor(self, one: Term) -> float:
        """How much of a term the words name; a number of the answer stands there."""
        return 1.0 if one.grid == QUOTED else self.namings[one.grid].anchor(one)


def pool(namings: Sequence[Naming], known: Terms, said: Sequence[float], quoted: Sequence[Term]) -> Pool:
    """The terms by how well words name them or how the answer states their value (``said``); of a longer
    time the sums over what the words name. ``quoted`` are the other numbers of the answer near by."""
    every = [*known.own]
    named = {span for naming in namings for spans in naming.spans for span in spans}
    every += [one for span in sorted(named) for one in known.over(span)]
    values = sorted(said)
    anchored = [namings[one.grid].anchor(one) + _is_said(one, values) for one in every]
    order = sorted(range(len(every)), key=lambda i: (-anchored[i], i))[:MOST_TERMS]
    best = [every[i] for i in order]
    told = frozenset(id(one) for one in (*best, *quoted) if one.grid == QUOTED or _is_said(one, values))
    return Pool(namings, every, [*best, *quoted], [anchored[i] for i in order], told)


def _is_said(one: Term, values: Sequence[float]) -> bool:
    """Whether the answer states the value of a term, rounded."""
    size = abs(one.size)
    place = bisect_left(values, size * (1 - ROUNDED))
    return place < len(values) and values[place] <= size * (1 + ROUNDED)


def explanations(quantity: Quantity, found: Pool) -> Iterator[Explanation]:
    """All that come to the number, within its rounding or its bound."""
    if not quantity.number.value:
        return  # whatever is compared with itself comes to nothing
    if bounded(quantity):
        yield from _kept(quantity, found)
    yield from (one for one in _equal(quantity, found) if _is_kept(quantity, one))


def _equal(quantity: Quantity, found: Pool) -> Iterator[Explanation]:
    """All that come to the number, within its rounding."""
    if not (changes.only(quantity) or (quantity.is_result and changes.asks(quantity))):
        yield from _stated(quantity, found)
    yield from _of_one(quantity, found)
    yield from _of_two(quantity, found)


def _is_kept(quantity: Quantity, one: Explanation) -> bool:
    """Whether a result is on the right side of a bound; one that is written as exactly as figures are may be a figure."""
    number = quantity.number
    exact = number.precision <= abs(Decimal(number.value)) * _EXACT
    return exact or not bounded(quantity) or keeps(quantity, abs(Decimal(one.value)))


def is_said(quantity: Quantity, one: Explanation, found: Pool) -> bool:
    """Whether words of the answer or its question name every slot of the terms: an equal value of another figure, property
    or period supports nothing, nor does one of the other sign than is written. The earlier period of a change may be left unsaid."""
    known = [term for term in one.terms if term.grid != QUOTED]
    if any(found.naming(term).entity is not None and EVERY in term.place[ENTITY:] for term in known):
        return False  # of one property no sum over all of them is spoken of
    least = NAMED if len(one.terms) == 1 else HARDLY
    named = [
        found.naming(term).label(axis, at).own[QUESTION] >= least
        for term in known
        for axis, at in enumerate(term.place)
        if at not in (OPEN, EVERY)
    ]
    return (
        all(named)
        and _is_dated(quantity, one, known, found)
        and not (len(one.terms) == 1 and _is_apart(one.terms[0], found))
    )


def _is_apart(one: Term, found: Pool) -> bool:
    """Whether the sentence of a number names another figure or property, or the words right beside it another period, and the
    sentence does not name that of a term."""
    naming = found.naming(one)
    labels = [naming.label(axis, at) for axis, at in enumerate(one.place) if at not in (OPEN, EVERY)]
    other = any(named.rival[SENTENCE] >= NAMED and named.own[SENTENCE] < HARDLY for named in labels)
    return other or bool(one.span and naming.spans[OWN] and naming.period(one.span) > SENTENCE)


def _is_dated(quantity: Quantity, one: Explanation, known: Sequence[Term], found: Pool) -> bool:
    """Whether the period of each term is named, or lies just before one that is, of what did not move "between" two; where no words
    name a period at all, any is."""
    dated = [term for term in known if term.span and any(found.naming(term).spans)]
    said = [term for term in dated if found.naming(term).period(term.span) != NOWHERE]
    if len(said) == len(dated):
        return True
    unsaid = [term.span for term in dated if term not in said and term.span]
    bases = [
        base
        for term in said
        if term.span
        for base in (periods.before(term.span), periods.year_back(term.span))
    ]
    moved = one.how in ("difference", "growth") and one.relation == "time"
    may_be_unsaid = moved and "between" not in quantity.cue("bounds")
    return may_be_unsaid and all(any(periods.same(span, base) for base in bases) for span in unsaid)


def _stated(quantity: Quantity, found: Pool) -> Iterator[Explanation]:
    """Figures of record that are the number, and totals that nothing states; a cell or a sentence that only the words further
    off name is as often another one."""
    value, room = _size(quantity)
    kinds = _kinds(quantity)
    for one in near(found.every, value, room):
        if one.kind in kinds and _same_unit(quantity, one) and _is_by(quantity, one):
            if one.pieces > 1 and one.kind in _AMOUNTS and not averages(quantity):
                yield Explanation("total", (one,), one.size)
            elif one.pieces == 1 and found.naming(one).grid.is_recorded:
                yield Explanation("stated", (one,), one.size)


def _kept(quantity: Quantity, found: Pool) -> Iterator[Explanation]:
    kinds = _kinds(quantity)
    claimed = abs(float(quantity.number.value))
    for one in found.best:
        if one.grid == QUOTED or any(fact.role in LIMITS for fact in one.facts):
            continue  # a limit is the one that is said, or another
        close = abs(abs(one.size) - claimed) <= claimed * _KEPT
        if (
            close
            and one.kind in kinds
            and _same_unit(quantity, one)
            and keeps(quantity, abs(one.worth.value))
        ):
            yield Explanation("kept", (one,), one.size)


def _of_one(quantity: Quantity, found: Pool) -> Iterator[Explanation]:
    value, room = _size(quantity)
    kind, asked = quantity.number.kind, operations(quantity)
    for one in found.best:
        if one.grid == QUOTED:
            continue
        if (
            kind == "percentage"
            and one.kind == "percentage"
            and abs(100 - one.size - float(quantity.number.value)) <= room
        ):
            yield Explanation("remainder", (one,), 100 - one.size)
        mean = (
            one.pieces > 1 and "mean" in asked and one.kind in _kinds(quantity) and _same_unit(quantity, one)
        )
        if mean and abs(abs(one.size) / one.pieces - value) <= room:
            yield Explanation("mean", (one,), one.size / one.pieces)
        if (
            kind not in _AMOUNTS
            or one.kind not in _AMOUNTS
            or not _same_unit(quantity, one)
            or not asked & _PARTED
            or quantity.cue("per") & CLOCK
        ):
            continue
        timed = one.span or quantity.cue("per") & TIMES  # a twelfth of what no time belongs to is no average
        for times in _PIECES if one.pieces == 1 and timed else ():
            if abs(abs(one.size) / times - value) <= room:
                yield Explanation("piece", (one,), one.size / times)
            if abs(abs(one.size) * times - value) <= room:
                yield Explanation("times", (one,), one.size * times)


def operations(quantity: Quantity) -> frozenset[str]:
    """What the words around a number say that it is reckoned as."""
    words = quantity.cue("operations") | quantity.cue("aggregations") | quantity.cue("per")
    order = quantity.cue("order") & {"ahead", "behind"} or quantity.cue("bounds") & {"more_than", "less_than"}
    return words | ({"difference", "growth"} if changes.asks(quantity) or quantity.by or order else set())


def _of_two(quantity: Quantity, found: Pool) -> Iterator[Explanation]:
    """Differences, growth, shares, ratios, sums and products of two."""
    asked, said = operations(quantity), changes.says_up(quantity)
    for first, second in combinations(found.best, 2):
        later, earlier = _ordered(first, second)
        up = said if said is None else said != changes.is_of_earlier(quantity, later.span, earlier.span)
        both = id(first) in found.told and id(second) in found.told
        how = relation(first, second)
        own = first.grid == second.grid == QUOTED  # what the answer says of itself is no evidence
        each = how == "apart" and _is_each(quantity, first, second, found)
        if own or not first.size or not second.size or (how in ("apart", "same") and not (both or each)):
            continue
        if both or not each:
            yield from _added(quantity, first, second, asked, up)
        if first.pieces == 1 or first.kind in _AMOUNTS:
            yield from _divided(quantity, first, second, asked, up, found)
            if both or how == "metric":
                yield from _multiplied(quantity, first, second)


def _is_each(quantity: Quantity, first: Term, second: Term, found: Pool) -> bool:
    """Whether an amount by the unit, or on average, may be a sum of prose over a count of it: "$148 million" and "312-unit"."""
    each = quantity.cue("per") or "mean" in quantity.cue("aggregations")
    if not each or QUOTED in (first.grid, second.grid):
        return False
    kinds = {first.kind, second.kind}
    return kinds == {"currency", "number"} and all(found.naming(one).grid.is_prose for one in (first, second))


def _added(
    quantity: Quantity, first: Term, second: Term, asked: frozenset[str], up: bool | None
) -> Iterator[Explanation]:
    """The difference of two alike terms, their sum, and their mean where words ask for it."""
    alike = first.kind in _operand_kinds(quantity) and _like(first, second) and first.pieces == second.pieces
    sizes = sorted((abs(first.size), abs(second.size)))
    if not alike or not _same_unit(quantity, first) or sizes[0] < sizes[1] * _LEAST:
        return
    if _in_circles(first, second, ADDED):
        return
    value, room = _size(quantity)
    how, (later, earlier) = relation(first, second), _ordered(first, second)
    apart, total = later.size - earlier.size, first.size + second.size
    if is_swing(later.facts, earlier.facts):
        apart = total
    mean = averages(quantity)
    parts = not mean or bool(asked & {"difference", "growth"})
    if parts and abs(abs(apart) - value) <= room and not (how == "time" and _turned(apart, up)):
        yield Explanation("difference", (later, earlier), apart, how)
    twice = QUOTED in (first.grid, second.grid) and sizes[1] - sizes[0] <= sizes[1] * ROUNDED
    added = quantity.number.kind in _AMOUNTS and not (mean or twice or _nested(first, second))
    if added and abs(abs(total) - value) <= room:
        yield Explanation("sum", (first, second), total, how)
    if "mean" in asked and abs(abs(total) / 2 - value) <= room:
        yield Explanation("mean", (first, second), total / 2, how)


def _is_other_whole(quantity: Quantity, one: Term, found: Pool) -> bool:
    """Whether a term is another figure than a share is said to be of."""
    if one.grid == QUOTED or not one.place or one.place[0] == OPEN:
        return False
    grid = found.naming(one).grid
    said = wholes(quantity, grid)
    own = grid.axes[0].words_of(one.place[0]) if one.place[0] != EVERY else frozenset()
    return bool(said) and not said & own


def _divided(
    quantity: Quantity, first: Term, second: Term, asked: frozenset[str], up: bool | None, found: Pool
) -> Iterator[Explanation]:
    """What one term is of another, and by how much it is more; over time only the later of the earlier."""
    number, how = quantity.number, relation(first, second)
    rated = number.kind in ("percentage", "ratio") and number.unit != "pp" and _like(first, second)
    if _in_circles(first, second, DIVIDED):
        return
    if not rated and (number.kind not in _AMOUNTS or (first.kind == second.kind and number.kind != "number")):
        return
    times = 100.0 if number.kind == "percentage" else 1.0
    moved = bool(asked & {"difference", "growth"})
    more = not bounded(quantity) and bool(
        quantity.cue("bounds") & {"more_than", "less_than"}
    )  # no share of it
    later = _ordered(first, second)[0]
    if (
        number.kind == "ratio"
        and first.span
        and second.span
        and months_of(first.span) != months_of(second.span)
    ):
        return  # of a quarter no year is a multiple
    value, room = _size(quantity)
    for top, bottom in ((first, second), (second, first)):
        alone = abs(bottom.size) == 1 or is_other_per(quantity.cue("per"), bottom.unit)
        if alone or _is_other_whole(quantity, bottom, found):
            continue
        share = top.size / bottom.size
        if abs(abs(share) * times - value) <= room and (how != "time" or not moved) and not more:
            yield Explanation("ratio", (top, bottom), share * times, how)
        grown = (share - 1) * 100
        grows = (
            moved
            and number.kind == "percentage"
            and bottom.size > 0
            and not (how == "time" and top is not later)
        )
        if grows and abs(abs(grown) - value) <= room and not _turned(grown, up):
            yield Explanation("growth", (top, bottom), grown, how)


def _multiplied(quantity: Quantity, first: Term, second: Term) -> Iterator[Explanation]:
    """A price by a count, or a share of an amount."""
    kinds = {first.kind, second.kind}
    if quantity.number.kind not in _AMOUNTS or not kinds <= _AMOUNTS | {"percentage"}:
        return
    if _in_circles(first, second, DIVIDED):
        return
    value, room = _size(quantity)
    made = first.size * second.size / (100 if "percentage" in kinds else 1)
    if abs(abs(made) - value) <= room and 1 not in (abs(first.size), abs(second.size)):
        yield Explanation("product", (first, second), made, relation(first, second))


def _turned(moved: float, up: bool | None) -> bool:
    """Whether a move goes the other way than the words say."""
    return up is not None and (moved > 0) != up


def _size(quantity: Quantity) -> tuple[float, float]:
    """How large a number is, and how far from it its rounding lets a value lie."""
    return abs(float(quantity.number.value)), float(room_of(quantity))


def _in_circles(first: Term, second: Term, ways: frozenset[str]) -> bool:
    """Whether a number that the answer reckoned is put together again with what it was reckoned from."""
    return any(one.grid == QUOTED and one.worth.how in ways for one in (first, second)) and _nested(
        first, second
    )


def _nested(first: Term, second: Term) -> bool:
    """Whether one of two terms is part of the other."""
    return bool({id(fact) for fact in first.facts} & {id(fact) for fact in second.facts})


def _ordered(first: Term, second: Term) -> tuple[Term, Term]:
    """Two terms, the later or the larger first."""
    if first.span and second.span and first.span != second.span:
        return (first, second) if first.span[::-1] > second.span[::-1] else (second, first)
    return (first, second) if abs(first.size) >= abs(second.size) else (second, first)


def relation(first: Term, second: Term) -> str:
    """In which slots two terms differ."""
    if 0 < len(first.names) == len(second.names):
        metric, entity = first.names[0] != second.names[0], first.names[1:] != second.names[1:]
        time = first.span != second.span or (not metric and first.role != second.role)
        differing = metric + entity + time
        if differing == 0:
            return "same"
        if differing == 1:
            return "metric" if metric else "entity" if entity else "time"
    return "apart"


def _kinds(quantity: Quantity) -> frozenset[Kind]:
    """The kinds of terms that may state a number of its kind."""
    kind = quantity.number.kind
    if kind == "currency":
        return _AMOUNTS
    if kind == "number":
        return frozenset(("number", "currency", "percentage", "ratio"))
    return frozenset((kind, "number"))


def _operand_kinds(quantity: Quantity) -> frozenset[Kind]:
    if quantity.number.kind == "percentage":
        return frozenset(("percentage", "number"))
    return (
        _AMOUNTS
        if quantity.number.kind == "currency"
        else frozenset(("number", "currency", "ratio", "percentage"))
    )


def _is_by(quantity: Quantity, one: Term) -> bool:
    """Whether a term is for no less than the month, quarter or year that the words say an amount is by, a total for no more."""
    said = quantity.cue("per") & TIMES
    if not said or one.kind not in _AMOUNTS or one.span is None:
        return True
    stated = frozenset(one.facts[0].per.split()) & TIMES
    months, lengths = months_of(one.span), [MONTHS[name] for name in said]
    if one.pieces > 1:
        return months in lengths
    return bool(said & stated) if stated else not months or months >= min(lengths)


def _like(first: Term, second: Term) -> bool:
    return first.kind == second.kind and (not first.unit or not second.unit or first.unit == second.unit)


def _same_unit(quantity: Quantity, one: Term) -> bool:
    number = quantity.number
    return number.kind != "currency" or one.kind != "currency" or not one.unit or one.unit == number.unit


def worth(one: Explanation) -> Value:
    """The exact value of an explanation with its arithmetic."""
    values = [term.worth.value for term in one.terms]
    facts = tuple(fact for term in one.terms for fact in term.facts)
    shown = [plain(value) for value in values]
    if one.how in ("stated", "kept", "total"):
        return one.terms[0].worth
    if one.how == "remainder":
        return Value(100 - values[0], facts, "remainder", f"100 − {shown[0]}")
    if one.how == "mean" and len(values) == 1:
        count = one.terms[0].pieces
        return Value(values[0] / count, facts, "mean", f"({one.terms[0].worth.arithmetic}) / {count}")
    if one.how == "piece":
        times = round(abs(values[0] / Decimal(one.value)))
        return Value(values[0] / times, facts, "piece", f"{shown[0]} / {times}")
    if one.how == "times":
        times = round(abs(Decimal(one.value) / values[0]))
        return Value(values[0] * times, facts, "annualised", f"{shown[0]} × {times}")
    return _worth_of_two(one, values[0], values[1], facts)


def _worth_of_two(one: Explanation, a: Decimal, b: Decimal, facts: tuple[Fact, ...]) -> Value:
    how, first, second = one.how, plain(a), plain(b)
    if how == "difference":
        return Value(a - b, facts, how, f"{first} − {second}")
    if how == "sum":
        return Value(a + b, facts, how, f"{first} + {second}")
    if how == "product":
        by = 100 if any(term.kind == "percentage" for term in one.terms) else 1
        return Value(a * b / by, facts, how, f"{first} × {second}")
    if how == "mean":
        return Value((a + b) / 2, facts, how, f"({first} + {second}) / 2")
    try:
        share = a / b
    except (DivisionByZero, InvalidOperation):
        return Value(Decimal(one.value), facts, how, "")
    if how == "growth":
        return Value((share - 1) * 100, facts, how, f"({first} − {second}) / {second}")
    times = 100 if abs(float(share) * 100 - one.value) < abs(float(share) - one.value) else 1
    return Value(share * times, facts, how, f"{first} / {second}")
