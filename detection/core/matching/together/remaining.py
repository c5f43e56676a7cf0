"""What is left of a whole once all the parts are taken off that the answer itself names with it: "after the state's $3.5
million and the foundation's $1.1 million, the town has to find $5.0 million"."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from detection.core.evidence import Fact
from detection.core.evidence.values import Value
from detection.core.matching.equality import bounded, says
from detection.core.matching.levels import Match
from detection.core.matching.together.leavings import remains
from detection.core.matching.together.quoted import Quoted, near
from detection.core.numbers import plain
from detection.core.quantities import Quantity

_AMOUNTS = frozenset(("currency", "number"))
_JUST = frozenset(("just_over", "just_under"))
_MOST_PARTS = 4


def matches(quantity: Quantity, beside: Sequence[Quoted]) -> Iterator[Match]:
    """A whole less all the parts that the answer names beside the number, where words say that they are taken off."""
    if quantity.number.kind not in _AMOUNTS or (bounded(quantity) and not quantity.cue("bounds") & _JUST):
        return
    alike = [
        one for one in near(quantity, beside) if _is_alike(quantity, one) and not (one.how or _is_open(one))
    ]
    for whole, parts in _parted(quantity, alike):
        if (
            0 < len(parts) <= _MOST_PARTS
            and not any(map(_moves, parts))
            and (remains(quantity) or any(map(_is_taken, parts)))
        ):
            yield from (one for one in _less(quantity, whole, parts) if one.equal)


def _parted(quantity: Quantity, alike: Sequence[Quoted]) -> Iterator[tuple[Quoted, list[Quoted]]]:
    """The largest of the numbers of a sentence and the others, or that of the one before and all of the number's own."""
    here = [one for one in alike if one.quantity.sentence == quantity.sentence]
    before = [one for one in alike if one not in here]
    for wholes, parts in ((here, here), (before, here or before), (alike, alike)):
        whole = max(wholes, key=lambda one: abs(one.exact), default=None)
        if whole is not None:
            yield whole, [one for one in parts if one is not whole]


def _is_alike(quantity: Quantity, other: Quoted) -> bool:
    """Whether a number is of the kind, the money and the things of another."""
    own, said = quantity.number, other.quantity
    units = {one for one in (own.unit, said.number.unit) if one}
    counted = {one for one in (own.noun, said.number.noun) if one}
    return own.kind == said.number.kind and len(units) < 2 and len(counted) < 2


def _moves(part: Quoted) -> bool:
    """Whether a number says how far something went."""
    return bool(part.quantity.by or part.quantity.number.direction)


def _is_open(one: Quoted) -> bool:
    """Whether a number is a bound, and no words take it off, which may be those of a bound: אחרי."""
    return one.quantity.number.bound is not None and not _is_taken(one)


def _is_taken(part: Quoted) -> bool:
    """Whether words say of a part that it is taken off."""
    return "taken" in part.quantity.cue("leavings")


def _less(quantity: Quantity, whole: Quoted, parts: Sequence[Quoted]) -> Iterator[Match]:
    """The whole less its parts beside the number: as the evidence has them, and as they are written."""
    facts = tuple(fact for one in (whole, *parts) if (fact := one.fact) is not None)
    if len(facts) <= len(parts):
        return
    yield _beside(quantity, [one.exact for one in (whole, *parts)], facts)
    yield _beside(quantity, [Decimal(one.quantity.number.value) for one in (whole, *parts)], facts)


def _beside(quantity: Quantity, sizes: Sequence[Decimal], facts: tuple[Fact, ...]) -> Match:
    left = abs(sizes[0]) - sum(map(abs, sizes[1:]), Decimal(0))
    value = Value(left, facts, "difference", " − ".join(plain(abs(size)) for size in sizes))
    return Match(value, equal=left > 0 and says(quantity, left))
