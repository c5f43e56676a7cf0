"""Recognised mistakes: the own figure misread, or another slot's figure in this one's place (contracts §3.3).

A slip says in words what the number equals: ``equals Q2 2024 NOI``, ``equals NOI of MAPLE, Q3 2024``.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Literal

from detection.core.comparison import misread
from detection.core.record_operands import plain
from detection.core.record_slots import Records, Slot, worth
from detection.core.types import Candidate, Case, Figure, NumericClaim, Slip

_MOST = 3
_POWERS = frozenset((1, 2, 3, 6, 9, -1, -2, -3, -6, -9))
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


def how(value: Decimal, right: Decimal, precision: Decimal) -> Literal["sign", "scale", "transposed"] | None:
    """Which slip turns ``right``, rounded as the claim is by ``precision``, into ``value``; None when none does."""
    if not right:
        return None
    if abs(value + right) <= min(precision, abs(right) / 10):
        return "sign"
    if _power(value, right, precision) is not None:
        return "scale"
    return "transposed" if misread(value, _rounded(right, precision)) == "transposed" else None


def _power(value: Decimal, right: Decimal, precision: Decimal) -> Decimal | None:
    """The power of ten between the two, inside the claim's own rounding."""
    apart = value.adjusted() - right.adjusted()
    slack = min(precision, abs(value) / 10)
    for power in range(apart - 1, apart + 2):
        if power in _POWERS and abs(value - right.scaleb(power)) <= slack:
            return Decimal(10) ** power
    return None


def _rounded(right: Decimal, precision: Decimal) -> Decimal:
    """``right`` with as many digits as the claim states, so that digits can be compared one by one."""
    step = precision * 2
    if not step or abs(right.adjusted() - step.adjusted()) > 25:
        return right
    return (right / step).to_integral_value() * step


def misreading(code: str, value: Decimal, right: Decimal, name: str) -> str:
    """What a misread value is, in words; ``name`` is that of the figure whose value is ``right``."""
    if code == "sign":
        return f"is {name} with the opposite sign"
    if code == "transposed":
        return f"is {name} ({plain(right)}) with two digits changed round"
    is_more, by = factor(value, right)
    return f"is {name} {'times' if is_more else 'divided by'} {by:,f}"


def factor(value: Decimal, right: Decimal) -> tuple[bool, Decimal]:
    """Whether a value at another scale is larger than the right one, and the power of ten between them."""
    times = (value / right).copy_abs()
    return times > 1, Decimal(10) ** times.log10().to_integral_value().copy_abs()


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
        if right and _power(value, right, number.precision) is not None:
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
