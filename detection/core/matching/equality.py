"""Whether a value is what a quantity says: equal within its own rounding, about as large, or inside the bound it states."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Literal

import regex

from detection.core import numbers
from detection.core.evidence import Fact
from detection.core.evidence.values import Value
from detection.core.numbers import plain
from detection.core.quantities import Quantity
from detection.core.quantities.measures import (
    AREAS,
    PER_TIMES,
    Factor,
    Measure,
    conversions,
    is_other_measure,
    measured_in,
)
from detection.core.types import NumericClaim

Agreement = Literal["equal", "sign", ""]
CONVERTED = "converted"
"""How a value was reckoned that stands in another unit of the same dimension."""
RATES = frozenset(("ratio", "share", "product", "piece", "growth"))
"""How values are reckoned whose unit is none of those that they are made of."""
_MOST_ROUGH, _ROUGHEST, _DIGITS = Decimal("0.02"), Decimal("0.05"), 10
_JUST, _QUARTER = Decimal("0.06"), Decimal("0.25")
_NAMED = Decimal("0.0005")
_NEAR = Decimal("0.05")  # of an amount that was converted, how far rounding may take it
_THOUSAND, _LARGEST = 1000, 10**12
_YEN = frozenset(("JPY", "CNY"))
_DOLLARS = frozenset(("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD"))
_CENTS = regex.compile(rf"(?i)^[\d.,\s]+(?:{'|'.join(map(regex.escape, numbers.CENTS))})")
_CENTED = numbers.CENTED | {"USD"}
_YUAN = frozenset(("CNY", "HKD", "TWD", "MOP"))


def slack(number: NumericClaim) -> Decimal:
    """How far a value may lie from what is written: half a unit of the last digit; for "about" half a unit of the last
    digit that is not zero, at most 2 %, of a single such digit 5 %."""
    if not isinstance(number.value, Decimal) or not number.value:
        return number.precision
    unit = _last(number.value)
    if not number.approximate:
        return unit / 2 if _is_round(number, unit) else number.precision
    most = _ROUGHEST if unit * _DIGITS > abs(number.value) and number.kind != "percentage" else _MOST_ROUGH
    return max(number.precision, min(unit / 2, abs(number.value) * most))


def room_of(quantity: Quantity) -> Decimal:
    """How far a value may lie from what a quantity says; what is "exactly" so large is not rounded."""
    number = quantity.number
    return number.precision if "exactly" in quantity.cue("bounds") else slack(number)


def _is_round(number: NumericClaim, unit: Decimal) -> bool:
    """Whether an amount of three digits or more is written in whole thousands, and so may be rounded to them."""
    return (
        _THOUSAND <= unit <= _LARGEST
        and is_specific(number)
        and number.precision < 1
        and number.kind != "percentage"
    )


def agreement(quantity: Quantity, value: Decimal, either: bool, loss: bool) -> Agreement:
    """How ``value`` agrees with a quantity. A figure that can have ``either`` sign must have the one that is said; the
    brackets of a cost are presentation. ``loss``: the words call it a loss or a decrease."""
    claimed = Decimal(quantity.number.value)
    room = room_of(quantity)
    if bounded(quantity):
        if keeps(quantity, abs(value) if not either else value):
            return "equal"
        room = min(
            room, abs(claimed) * _NAMED
        )  # a bound may be another figure itself: "less than the 121,500 due"
    if abs(abs(claimed) - abs(value)) > room:
        return ""
    if claimed < 0 < value:
        return "sign"
    if not either or not claimed or not value:
        return "equal"
    said = -abs(claimed) if loss else claimed
    return "equal" if (said < 0) == (value < 0) else "sign"


def bounded(quantity: Quantity) -> bool:
    """Whether a quantity states a bound, not a value."""
    return quantity.number.bound is not None or bool(quantity.cue("bounds") & {"just_over", "just_under"})


def keeps(quantity: Quantity, value: Decimal) -> bool:
    """Whether ``value`` keeps the bound that a quantity states; no rounding turns an inequality round."""
    claimed, cues = Decimal(quantity.number.value), quantity.cue("bounds")
    if "just_over" in cues:
        return claimed <= value <= claimed + _close(quantity)
    if "just_under" in cues:
        return claimed - _close(quantity) <= value <= claimed
    if quantity.number.bound == "at_least":
        return value > claimed if "more_than" in cues else value >= claimed
    return value < claimed if "less_than" in cues else value <= claimed


def says(quantity: Quantity, value: Decimal) -> bool:
    """Whether ``value`` keeps the bound that a quantity states, or is what it states without one, within its rounding."""
    if bounded(quantity):
        return keeps(quantity, value)
    return abs(value - Decimal(quantity.number.value)) <= slack(quantity.number)


def _close(quantity: Quantity) -> Decimal:
    """How far what is "just over" or "nearly" a number may lie from it: a unit of its last digit that is not zero, at
    most 6 %; a percentage always a quarter of such a unit."""
    claimed = abs(Decimal(quantity.number.value))
    unit = _last(claimed)
    least = unit * _QUARTER if quantity.number.kind == "percentage" else Decimal(0)
    return max(min(claimed * _JUST, unit), least)


def _last(value: Decimal) -> Decimal:
    """One unit of the last digit that is not zero."""
    return Decimal(10) ** int(abs(value).normalize().as_tuple().exponent)


def is_specific(number: NumericClaim) -> bool:
    """Whether a number has enough digits that an equal one is hardly a coincidence."""
    digits = abs(Decimal(number.value)).normalize().as_tuple().digits
    return len(digits) >= 3


def same_money(number: NumericClaim, fact: Fact) -> bool:
    """Whether two amounts are of one currency; a bare 元, $ or cent is that of the place."""
    if number.kind != "currency" or fact.kind != "currency" or fact.unit in ("", number.unit):
        return True
    bare: frozenset[str] = frozenset()
    if number.text.endswith("元") and "人民" not in number.text:
        bare = _YUAN
    elif number.text.lstrip("-−(+ ").startswith(("¥", "￥")):
        bare = _YEN
    elif number.text.lstrip("-−(+ ").startswith("$"):
        bare = _DOLLARS
    elif _CENTS.match(number.text):
        bare = _CENTED
    return number.unit in bare and fact.unit in bare


def scaled(quantity: Quantity, fact: Fact) -> Quantity:
    """The quantity in the unit of a fact: a share as per cent or as a ratio. What is converted into its own unit is as near
    as its digits say: "two weeks" are no ten days."""
    number = quantity.number
    if factors_to(quantity, fact):
        close = min(number.precision, abs(Decimal(number.value)) * _NEAR)
        return replace(quantity, number=replace(number, precision=close))
    if {number.kind, fact.kind} != {"ratio", "percentage"} or not isinstance(number.value, type(fact.value)):
        return quantity
    by = 100 if number.kind == "ratio" else 1 / type(number.value)(100)
    return replace(quantity, number=_times(number, by))


def in_unit(quantity: Quantity, value: Value) -> Iterator[Value]:
    """A value in the unit of a quantity: itself where the two are in one, nothing where no other unit says it, or it is made
    of several."""
    if not any(is_off_unit(quantity, fact) for fact in value.facts):
        yield value
        return
    ways = {factors_to(quantity, fact) for fact in value.facts}
    for factor in ways.pop() if len(ways) == 1 else ():
        if factor.times == factor.by:  # two names of one unit
            yield value
            continue
        shown = factor.shown(f"({value.arithmetic})" if value.arithmetic else plain(value.value))
        yield replace(value, value=factor.of(value.value), how=value.how or CONVERTED, arithmetic=shown)


def is_in_unit(quantity: Quantity, value: Value) -> bool:
    """Whether a value is in the unit of a quantity; a share or a growth may be of any."""
    return value.how in RATES or not any(is_off_unit(quantity, fact) for fact in value.facts)


def is_off_unit(quantity: Quantity, fact: Fact) -> bool:
    """Whether a fact is in another unit than a quantity, or per another one."""
    return is_other_measure(_said(quantity), _stated(fact))


def factors_to(quantity: Quantity, fact: Fact) -> tuple[Factor, ...]:
    """What turns a fact into an amount in the unit of a quantity that is in another one; of money only by mass, volume or energy."""
    kinds = {quantity.number.kind, fact.kind}
    said, stated = _said(quantity), _stated(fact)
    if kinds == {"currency"} and not (said[1] | stated[1]) & (PER_TIMES | AREAS):
        return conversions(("", stated[1]), ("", said[1]))
    return conversions(stated, said) if kinds == {"number"} else ()


def _said(quantity: Quantity) -> Measure:
    return measured_in(quantity.number), quantity.cue("per")


def _stated(fact: Fact) -> Measure:
    return fact.unit, frozenset(fact.per.split())


def _times(number: NumericClaim, by: object) -> NumericClaim:
    return replace(number, value=number.value * by, precision=number.precision * by)  # type: ignore[operator]  # a Decimal
