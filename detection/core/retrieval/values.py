"""What a slot of the sources is worth in the unit of a claimed number, and whether it says what the claim says (NUM-06)."""

from collections.abc import Sequence
from decimal import Decimal

from detection.core.chunks import Place, Slot, Wording, goes_out, words
from detection.core.numbers import stated_scale, within, written
from detection.core.retrieval.ranking import Ranked
from detection.core.retrieval.support import Stated
from detection.core.types import NumericClaim

_ONE, _SCALED = Decimal(1), Decimal(1000)
_WHOLE = words("dollars euros pounds shekels שקלים דולרים")


def valued(
    number: NumericClaim,
    ranked: Sequence[Ranked],
    said: Wording,
    used: frozenset[Decimal],
    large: frozenset[Decimal],
) -> list[Stated]:
    """What each ranked place is worth; a table without a scale is taken at the claim's where a text uses it (``used``),
    and at the one that makes its amounts as large as those of the text (``large``)."""
    claimed, precision, bound, scale = (
        Decimal(number.value),
        number.precision,
        number.bound,
        stated_scale(number),
    )
    scales = scale, scale if scale in used else _ONE, *large
    found = []
    for one in ranked:
        values = values_of(one.slot, number, scales, said)
        agrees = within(claimed, precision, values[0], bound) or (
            len(values) > 1 and any(within(claimed, precision, value, bound) for value in values[1:])
        )
        found.append(Stated(one, values, agrees))
    return found


def values_of(
    slot: Slot, number: NumericClaim, scales: tuple[Decimal, ...], said: Wording
) -> tuple[Decimal, ...]:
    """What the place of a slot is worth in the unit of ``number``, which its own unit meets.

    ``scales`` are the claim's stated scale and those that a table may be taken at which declares none. A number
    without unit and scale may repeat a figure as it is written. A figure in brackets may be stated without
    its sign where words say that it goes out, or where things are counted.
    """
    place = slot.place
    bare = number.kind == "number" and scales[0] == 1
    either = place.value < 0 and _unsigned(place, number, said)
    if number.kind in ("percentage", "ratio"):
        return (place.value, -place.value) if either else (place.value,)
    if slot.amount is not None and not bare:
        return (slot.amount, -slot.amount) if either else (slot.amount,)
    factors = list(scales[1:]) if place.scale is None else [place.scale]
    if bare:
        factors += [_ONE] if place.table >= 0 and _ONE not in factors else _as_written(place, said)
    signed = (place.value, -place.value) if either else (place.value,)
    return tuple([value * factor for value in signed for factor in factors])


def _unsigned(place: Place, number: NumericClaim, said: Wording) -> bool:
    if said.moves:
        return number.direction == "down"
    return said.falls or goes_out(place.row | place.section) or (number.kind == "number" and said.counted)


def _as_written(place: Place, said: Wording) -> list[Decimal]:
    """The factor that takes the amount of a text back to its written digits, where it has a scale word, or is in
    hundredths (``40 cents``) and the claim's sentence names no whole unit."""
    shown = written(place.text) if place.table < 0 else None
    value = abs(place.value)
    if not shown or not value or shown == value:
        return []
    in_hundredths = shown > value and said.words.isdisjoint(_WHOLE)
    return [shown / value] if value >= _SCALED or in_hundredths else []
