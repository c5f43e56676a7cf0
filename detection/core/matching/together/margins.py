"""How far a figure lies from the plan, the target or the limit that prose states beside it, and on which side."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from detection.core import lexicons
from detection.core.evidence import Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, keeps, slack
from detection.core.matching.levels import Comparison, Match
from detection.core.matching.slots import KIN
from detection.core.matching.together.vicinity import alike, beside, own, subject
from detection.core.numbers import plain
from detection.core.quantities import Quantity
from detection.core.quantities.features import concept, is_meaning
from detection.core.quantities.measures import measured_in

_ACTUAL = ("", "actual", "drawn")
_POINTS = "pp"
_TIGHT = Decimal("1.35")  # of "less than 7 million", how much less it may be
_SIDES = {"over": True, "under": False}
_GOOD = {"better": True, "inside": True, "worse": False, "outside": False}
_BOUNDS = {"more_than": True, "less_than": False}
_BY_LIMIT = {"limit_min": True, "limit_max": False}
_BY_SENSE = {"up": True, "down": False}


def matches(one: Comparison) -> Iterator[Match]:
    """The margins of figures to what they are measured against, beside what is said; one that lies on the other side than
    the words say conflicts in its sign."""
    return (_beside(one, fact, aim) for fact, aim in _measured(one))


def _measured(one: Comparison) -> Iterator[tuple[Fact, Fact]]:
    """The figures that the words may speak of, each with what it is measured against."""
    quantity = one.quantity
    roles = frozenset(kin for role in quantity.said for kin in KIN.get(role, ()))
    if not one.grid.is_prose or not roles or not _tells_side(quantity):
        return
    said = subject(quantity)
    for aim in one.grid.facts:
        if aim.role in roles and aim.value is not None and _is_kind(quantity, aim):
            for fact in beside(aim, one.grid):
                shared = said & (own(aim, one.grid) | own(fact, one.grid))
                if fact.role in _ACTUAL and not fact.direction and alike(fact, aim) and shared:
                    yield fact, aim


def _tells_side(quantity: Quantity) -> bool:
    return bool(quantity.cue("sides") or quantity.cue("bounds") & _BOUNDS.keys())


def _is_kind(quantity: Quantity, aim: Fact) -> bool:
    """Whether a margin to a figure is of the kind that a number is: points of what is in per cent."""
    number = quantity.number
    if number.kind == "percentage":
        return number.unit == _POINTS and aim.kind == "percentage"
    unit = number.unit or measured_in(number)
    return number.kind == aim.kind and (not unit or not aim.unit or unit == aim.unit)


def _beside(one: Comparison, fact: Fact, aim: Fact) -> Match:
    """A margin beside what is said of it."""
    value, limit = fact.value or Decimal(0), aim.value or Decimal(0)
    far = value - limit
    above = _is_above(one.quantity, aim, _senses(one, (fact, aim)))
    turned = above is not None and bool(far) and above != (far > 0)
    shown = f"{plain(value)} − {plain(limit)}"
    return Match(
        Value(far, (fact, aim), "difference", shown),
        "sign" if turned else "",
        equal=_agrees(one.quantity, abs(far)),
    )


def _agrees(quantity: Quantity, far: Decimal) -> bool:
    """Whether a margin is what a number says, or keeps the bound that it states and is about as large."""
    claimed = abs(Decimal(quantity.number.value))
    if abs(far - claimed) <= slack(quantity.number):
        return True
    return bounded(quantity) and keeps(quantity, far) and claimed <= far * _TIGHT and far <= claimed * _TIGHT


def _is_above(quantity: Quantity, aim: Fact, senses: frozenset[str]) -> bool | None:
    """Whether words say that a figure lies above its aim; None where they leave it open."""
    sides = quantity.cue("sides")
    if quantity.cue("negations"):
        return None
    told = {_SIDES[side] for side in sides & _SIDES.keys()}
    good = _good_side(aim, senses, strict=bool(sides & {"inside", "outside"}))
    if not told and good is not None:
        told = {_GOOD[side] == good for side in sides & _GOOD.keys()}
    if not sides:
        told = {_BOUNDS[bound] for bound in quantity.cue("bounds") & _BOUNDS.keys()}
    return told.pop() if len(told) == 1 else None


def _good_side(aim: Fact, senses: frozenset[str], *, strict: bool) -> bool | None:
    """Whether it is good to lie above an aim; of a figure that nothing is known of, more is better than planned."""
    if aim.role in _BY_LIMIT:
        return _BY_LIMIT[aim.role]
    if len(senses) == 1:
        return _BY_SENSE[min(senses)]
    return None if strict or senses else True


def _senses(one: Comparison, facts: Sequence[Fact]) -> frozenset[str]:
    """Which way is good for the figures that are named."""
    words = frozenset(one.quantity.tiers[0].words).union(*(own(fact, one.grid) for fact in facts))
    known = lexicons.concepts()
    named = (known[concept(word)].favourable for word in words if is_meaning(word) and concept(word) in known)
    return frozenset(filter(None, named))
