"""The numbers that an answer states for certain near the one in question, to reckon with: as they are written, and as the
evidence has them."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from detection.core.evidence import Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import slack
from detection.core.matching.operations import Operand
from detection.core.quantities import Quantity
from detection.core.quantities.measures import measured_in

MOST_QUOTED = 8


class Quoted(NamedTuple):
    """A number of the answer, and the value that supports it."""

    quantity: Quantity
    value: Value | None = None

    @property
    def fact(self) -> Fact | None:
        """The fact that states it; none where it was reckoned."""
        return self.value.facts[0] if self.value and self.value.facts and not self.value.how else None

    @property
    def exact(self) -> Decimal:
        """What it is rounded from: "out of £1.18 million" of 1,176,140."""
        claimed = Decimal(self.quantity.number.value)
        stated = abs(self.value.value) if self.value and self.fact else abs(claimed)
        close = abs(stated - abs(claimed)) <= slack(self.quantity.number)
        return stated.copy_sign(claimed) if close else claimed

    @property
    def how(self) -> str:
        """How it was reckoned from what the evidence states; empty where that states it."""
        return self.value.how if self.value else ""


def operands(quantity: Quantity, beside: Sequence[Quoted]) -> list[Operand]:
    """The other numbers of the sentence and of the one before as they are written, the nearest first."""
    return [_operand(one) for one in near(quantity, beside)]


def exactly(quantity: Quantity, beside: Sequence[Quoted]) -> list[Operand]:
    """The same as the evidence has them; nothing where none of them is rounded."""
    found = near(quantity, beside)
    exact = [replace(_operand(one), value=one.exact) for one in found]
    return exact if exact != [_operand(one) for one in found] else []


def near(quantity: Quantity, beside: Sequence[Quoted]) -> list[Quoted]:
    """Those of the sentence and of the one before, the nearest first."""
    place = quantity.number.start
    found = [
        one
        for one in beside
        if one.quantity.number.start != place and 0 <= quantity.sentence - one.quantity.sentence <= 1
    ]
    return sorted(found, key=lambda one: abs(one.quantity.number.start - place))[:MOST_QUOTED]


def _operand(one: Quoted) -> Operand:
    number = one.quantity.number
    unit = number.unit or measured_in(number)
    rests = one.value.facts if one.value else ()
    return Operand(Decimal(number.value), number.kind, unit, rests=rests, how=one.how)
