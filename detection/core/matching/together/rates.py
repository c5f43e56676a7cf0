"""What an amount comes to by one of the things that words name: "$3.20 a trip", "490 ₪ לטון", "平均每头牛1.2万升".

Both figures stand in one row of a table, or near each other in prose; of what the amount is, its own words may tell apart.
"""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import permutations
from typing import NamedTuple

from detection.core import periods
from detection.core.evidence import OPEN, Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.together.vicinity import beside, chance, own, subject
from detection.core.numbers import plain
from detection.core.quantities import Quantity
from detection.core.quantities.measures import measured_in

_CHANCE = Decimal("0.12")  # that a wrong number agrees with one of the rates
_AROUND = 2  # times as large or as small as a number: what it may be taken for
_RESULT = frozenset(("loss", "profit"))


class _Amount(NamedTuple):
    value: Decimal
    facts: tuple[Fact, ...]
    shown: str


def matches(one: Comparison) -> Iterator[Match]:
    """What the amounts that a quantity may be of are by one of what it is said to be by, where that is the number."""
    quantity = one.quantity
    by = next((formula.parts[1][0].words for formula in quantity.formulas if formula.how == "rate"), {})
    if not by or bounded(quantity) or quantity.by:
        return
    rates = [_rate(amount, over) for over in _things(one, by) for amount in _amounts(one, over, by)]
    claimed = abs(Decimal(quantity.number.value))
    near = [rate for rate in rates if claimed / _AROUND <= abs(rate.value) <= claimed * _AROUND]
    if chance(quantity.number, len(near)) <= _CHANCE:
        yield from (Match(rate) for rate in near if abs(abs(rate.value) - claimed) <= slack(quantity.number))


def _rate(amount: _Amount, over: Fact) -> Value:
    count = over.value or Decimal(1)
    return Value(amount.value / count, (*amount.facts, over), "ratio", f"{amount.shown} / {plain(count)}")


def _things(one: Comparison, by: Collection[str]) -> Iterator[Fact]:
    """The counts of what a number is by: of the rows and the periods that are spoken of."""
    spans = [span for span in one.spans() if span]
    for fact in one.grid.facts:
        dated = not (spans and fact.span) or any(periods.meet(fact.span, span) for span in spans)
        is_count = fact.kind == "number" and fact.value and not _words(one, fact).isdisjoint(by)
        if is_count and dated and _is_spoken_of(one, fact):
            yield fact


def _is_spoken_of(one: Comparison, fact: Fact) -> bool:
    """Whether a fact stands in a row of a list that words name, in the total where they name none."""
    if not one.grid.is_list:
        return True
    rows = one.slots.axes[1].labels
    return fact.is_total if rows is None else fact.at[1] in rows


def _words(one: Comparison, fact: Fact) -> frozenset[str]:
    """The words that name a fact: its own in prose, its column's or row's in a table; and its unit."""
    if one.grid.is_prose:
        return own(fact, one.grid) | {fact.unit}
    return (one.grid.axes[0].words_of(fact.at[0]) if fact.at[0] != OPEN else frozenset()) | {fact.unit}


def _amounts(one: Comparison, over: Fact, by: Collection[str]) -> Iterator[_Amount]:
    """What may be divided by a count: the amounts beside it whose words the quantity says best, and how far two of them lie
    apart where it says that something is earned or lost."""
    quantity = one.quantity
    near = [fact for fact in _near(one, over) if _is_amount(quantity, fact)]
    said = subject(quantity).difference(by)
    shared = [len(said & _words(one, fact)) for fact in near]
    most = max(shared, default=0)
    for fact, count in zip(near, shared, strict=True):
        if count == most:
            yield _Amount(fact.value or Decimal(0), (fact,), plain(fact.value or Decimal(0)))
    for first, second in permutations(near, 2) if quantity.cue("polarity") & _RESULT else ():
        worth, less = first.value or Decimal(0), second.value or Decimal(0)
        if worth > less:
            yield _Amount(worth - less, (first, second), f"({plain(worth)} − {plain(less)})")


def _near(one: Comparison, over: Fact) -> Sequence[Fact]:
    """The facts of the row or the column of a count and of its period; in prose those around it."""
    if one.grid.is_prose:
        return [
            fact for fact in beside(over, one.grid) if over.span is None or fact.span in (None, over.span)
        ]
    if one.grid.is_list:
        return [fact for fact in one.grid.at((None, over.at[1:2])) if fact.span == over.span]
    places = (None, *((at,) for at in over.at[1:]))
    return [fact for fact in one.grid.at(places) if fact.span == over.span]


def _is_amount(quantity: Quantity, fact: Fact) -> bool:
    """Whether a fact is of the kind and the unit of what is said to be by one."""
    number = quantity.number
    if fact.kind != number.kind or not fact.value or fact.direction:
        return False
    unit = number.unit if number.kind == "currency" else measured_in(number)
    return not (unit and fact.unit) or unit == fact.unit
