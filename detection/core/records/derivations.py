"""What follows from the figures of record: which derivations the words of a claim ask for (contracts §3.4).

Nothing is searched for among pairs of figures: the operation and the operands are those that the sentence names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from detection.core.binding import KINDS
from detection.core.numbers import distance
from detection.core.records.changes import base_slots, changes, other_steps, starts_a_change
from detection.core.records.operands import Reckoning, of_parts
from detection.core.records.shares import Mention, is_part, shares
from detection.core.records.slots import Records, Slot
from detection.core.records.totals import lists_operands, totals
from detection.core.records.words import Said, in_brackets, is_base, is_change
from detection.core.types import Candidate, NumericClaim, Slip

_NEAREST = 3
_FIELDS = {"percentage": "share", "ratio": "ratio"}


@dataclass(frozen=True, slots=True)
class Meant:
    """What the words make of a number: a ``value`` of its slot, a ``change``, or a change's ``base``;
    ``lists`` when they sum up what they list."""

    value: bool = True
    change: bool = False
    base: bool = False
    lists: bool = False


def meaning(
    records: Records, slot: Slot, number: NumericClaim, said: Said, mentions: Sequence[Mention]
) -> Meant:
    """How to take ``number`` where its sentence names the metrics ``mentions``."""
    if slot.metric is None:
        return Meant()
    first = records.of_metric(slot.metric)[:1]
    kind = first[0].kind if first else KINDS.get(slot.metric, "currency")
    of_whole = number.direction is None or is_part(said, mentions)
    if of_whole and shares(records, slot, number, said, mentions):
        return Meant(value=kind == number.kind)
    if is_change(number, said, kind != "currency"):
        return Meant(value=in_brackets(said) and number.direction is None, change=True)
    return Meant(
        base=is_base(said) and starts_a_change(records, slot, said),
        lists=lists_operands(records, slot, number, said, mentions),
    )


def derivations(
    records: Records, slot: Slot, number: NumericClaim, said: Said, mentions: Sequence[Mention], meant: Meant
) -> tuple[list[Candidate], list[Slip]]:
    """The nearest derivations of ``number``, and the slips that explain one which none of them gives."""
    metrics = _distinct(mentions)
    if meant.change:
        found = changes(records, slot, number, said, metrics)
        return _candidates(found, slot, number), _wrong_changes(records, slot, number, said, found)
    starts = base_slots(records, slot, said) if is_base(said) and slot.span is not None else []
    found = [one for place in starts or [slot] for one in shares(records, place, number, said, mentions)]
    if slot.metric is not None:
        found += totals(records, slot, number, said, mentions)
        if not meant.lists and not records.at(slot):
            found += of_parts(records, slot, number.unit)
    return _candidates(found, slot, number), []


def _distinct(mentions: Sequence[Mention]) -> list[str]:
    return list(dict.fromkeys(metric for _, _, metric in mentions))


def _candidates(found: Sequence[Reckoning], slot: Slot, number: NumericClaim) -> list[Candidate]:
    made = {reckoning.derived.arithmetic: _candidate(reckoning, slot, number) for reckoning in found}
    return sorted(made.values(), key=lambda candidate: candidate.absolute or Decimal(0))[:_NEAREST]


def _candidate(found: Reckoning, slot: Slot, number: NumericClaim, *, same: bool = True) -> Candidate:
    apart, relative = distance(Decimal(number.value), found.derived.value)
    return Candidate(
        "derived", found.what, number.unit, found.derived.value, relative, apart, same=same,
        field=slot.metric or _FIELDS.get(number.kind, "derived"), period=found.period or None, property=slot.property,
        arithmetic=found.derived.arithmetic,
    )  # fmt: skip


def _wrong_changes(
    records: Records, slot: Slot, number: NumericClaim, said: Said, found: Sequence[Reckoning]
) -> list[Slip]:
    """A change stated in the wrong direction, or taken over another step of time."""
    claimed = Decimal(number.value)

    def says(value: Decimal) -> bool:
        return bool(claimed) and abs(claimed - value) <= number.precision

    if number.bound or any(says(reckoning.derived.value) for reckoning in found):
        return []
    turned = [reckoning for reckoning in found if says(-reckoning.derived.value)]
    slips = [
        Slip("sign", f"is the change of {one.what} in the other direction", _candidate(one, slot, number))
        for one in turned
    ]
    steps = [one for one in other_steps(records, slot, number, said) if says(one.derived.value)]
    slips += [
        Slip("period", f"equals the change of {one.what}", _candidate(one, slot, number, same=False))
        for one in steps
    ]
    return slips[:_NEAREST]
