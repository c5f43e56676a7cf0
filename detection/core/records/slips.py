"""Recognised mistakes: the own figure misread, or another slot's figure in this one's place (contracts §3.3).

A slip says in words what the number equals: ``equals Q2 2024 NOI``, ``equals NOI of MAPLE, Q3 2024``.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Literal

from detection.core.numbers import how, misreading, power_between
from detection.core.records.slots import Records, Slot, worth
from detection.core.types import Candidate, Case, Figure, NumericClaim, Slip

_MOST = 3
_TELLING = 200  # a claim whose rounding is a larger part of it than this equals other figures by chance
_EXACT = 1000
Made = Callable[[Figure, bool], Candidate]


def slips(
    records: Records, slot: Slot, number: NumericClaim, own: Sequence[Figure], made: Made
) -> list[Slip]:
    """What explains a number that is no figure of its own slot, the likeliest first; ``made`` builds the
    candidate a slip shows.

    Another metric's or another slot's scaled figure counts only for a number of three digits or more; where
    the own slot holds no figure, nothing short of an exact one does.
    """
    value = Decimal(number.value)
    if number.bound or not value:
        return []
    found = list(_misread(slot, number, value, own, made, records.case))
    if slot.metric is not None:
        found += _of_other_slots(records, slot, number, value, own, made)
    return found[:_MOST]


def _misread(
    slot: Slot, number: NumericClaim, value: Decimal, own: Sequence[Figure], made: Made, case: Case
) -> Iterator[Slip]:
    for figure in own:
        right = worth(figure, number, slot.metric)
        if right is None or (slot.metric is None and len(right.normalize().as_tuple().digits) <= 3):
            continue
        code = how(value, right, number.precision)
        if code is not None:
            yield Slip(code, misreading(code, value, right, _name(figure, case, slot)), made(figure, True))


def _of_other_slots(
    records: Records, slot: Slot, number: NumericClaim, value: Decimal, own: Sequence[Figure], made: Made
) -> list[Slip]:
    least = _TELLING if own else _EXACT
    telling = number.precision * least <= abs(value)
    here = {id(figure) for figure in records.at(slot)}
    found = [
        (_likely(figure, slot, records), figure)
        for figure in _equal(records, slot, number, value)
        if id(figure) not in here and (telling or (own and _close(figure, slot, records)))
    ]
    found.sort(key=lambda item: item[0])
    slips = [
        Slip(_code(figure, slot, records), _equals(figure, slot, records), made(figure, False))
        for _, figure in found[:_MOST]
    ]
    return slips or (_scaled(records, slot, number, value, here, made) if telling else [])


def _scaled(
    records: Records, slot: Slot, number: NumericClaim, value: Decimal, here: set[int], made: Made
) -> list[Slip]:
    """The figure of another period or property, and at another scale as well."""
    for figure in records.of_metric(slot.metric or ""):
        right = worth(figure, number, slot.metric) if id(figure) not in here else None
        if right and power_between(value, right, number.precision) is not None:
            text = misreading("scale", value, right, _name(figure, records.case, slot))
            return [Slip("scale", text, made(figure, False))]
    return []


def _equal(records: Records, slot: Slot, number: NumericClaim, value: Decimal) -> Iterator[Figure]:
    """Figures that are ``value`` inside its rounding: the metric's own of any slot, and others of the kind."""
    fields = records.fields(slot.metric or "")
    for figure in records.of_metric(slot.metric or ""):
        right = worth(figure, number, slot.metric)
        if right is not None and abs(right - value) <= number.precision:
            yield figure
    for figure in records.equal(number, value):
        if figure.field not in fields and worth(figure, number, slot.metric) is not None:
            yield figure


def _close(figure: Figure, slot: Slot, records: Records) -> bool:
    """Whether a figure is the metric's own, or stands in the same property and period."""
    here = figure.property == slot.property and slot.span == (figure.start, figure.end)
    return here or figure.field in records.fields(slot.metric or "")


def _likely(figure: Figure, slot: Slot, records: Records) -> tuple[int, int, int]:
    """How near a slot stands to the claim's: the metric first, then the property, then the time between."""
    days = abs((figure.end - slot.span[1]).days) if slot.span else 0
    return int(not _close(figure, slot, records)), int(figure.property != slot.property), days


def _code(figure: Figure, slot: Slot, records: Records) -> Literal["metric", "property", "period"]:
    if figure.field not in records.fields(slot.metric or ""):
        return "metric"
    return "period" if figure.property == slot.property else "property"


def _equals(figure: Figure, slot: Slot, records: Records) -> str:
    if _code(figure, slot, records) == "period" and figure.property == records.case.property:
        return f"equals {figure.period} {figure.name}"
    return f"equals {_name(figure, records.case, slot)}"


def _name(figure: Figure, case: Case, slot: Slot) -> str:
    if figure.property in (slot.property, case.property) and slot.property == case.property:
        return f"{figure.name} of {figure.period}"
    return f"{figure.name} of {figure.property}, {figure.period}"
