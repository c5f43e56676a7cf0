"""Figures of record as operands: shown as they stand, or summed up from shorter periods where only those are known."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from detection.core.derivations import Derived, Operand, derive
from detection.core.numbers import dates, plain
from detection.core.records.slots import Records, Slot
from detection.core.records.words import Span
from detection.core.types import Figure

_RATIOS = {  # metrics that are two others, one divided by the other
    "dscr": ("ratio", "net_operating_income", "debt_service"),
    "expense_ratio": ("share", "operating_expenses", "total_revenue"),
}
_DIFFERENCES = {
    "net_operating_income": ("total_revenue", "operating_expenses"),
    "vacancy_rate": ("100", "occupancy_rate"),
    "occupancy_rate": ("100", "vacancy_rate"),
}


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A value that follows from records: the arithmetic, what it is in words, and the period it is about."""

    derived: Derived
    what: str
    period: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """An operand and what people call it: ``net operating income`` of ``Q3 2024`` of ``OAK``."""

    operand: Operand
    name: str
    period: str
    property: str
    kind: str


def known(records: Records, slot: Slot) -> Known | None:
    """The one figure of a slot with a metric, or the sum of an amount over the shorter periods that fill it."""
    if slot.metric is None:
        return None
    figures = records.at(slot)
    if figures:
        figure = figures[0]
        operand = Operand(figure.value, plain(figure.value), figure.start.isoformat())
        return Known(operand, figure.name, figure.period, figure.property, figure.kind)
    if slot.span is None:
        return None
    for tiles in records.tilings(slot.metric, slot.property, slot.span):
        if tiles[0].kind == "currency" and (total := derive("sum", _operands(tiles))) is not None:
            operand = Operand(total.value, f"({total.formula})", tiles[0].start.isoformat())
            return Known(operand, tiles[0].name, named(slot.span), slot.property, "currency")
    return None


def of_parts(records: Records, slot: Slot, unit: str) -> list[Reckoning]:
    """A metric without a figure of its own: from the metrics it is made of, else from shorter periods.

    Amounts add up; coverages and expense ratios are reckoned from their amounts; other rates are averaged.
    """
    if slot.metric is None or slot.span is None:
        return []
    made: list[Reckoning] = []
    for tiles in records.tilings(slot.metric, slot.property, slot.span):
        if tiles[0].kind == "currency":
            made += over(tiles, "sum", unit)
        elif slot.metric not in _RATIOS:
            made += over(tiles, "average", unit)
    parts = (_ratio(records, slot), _difference(records, slot, unit))
    return [*made, *(reckoning for reckoning in parts if reckoning is not None)]


def over(figures: Sequence[Figure], operation: str, unit: str) -> list[Reckoning]:
    """The sum or the average of figures of one metric; nothing for fewer than two."""
    derived = derive(operation, _operands(figures), unit) if len(figures) > 1 else None
    if derived is None:
        return []
    labels = [figure.period for figure in figures]
    owners = list(dict.fromkeys(figure.property for figure in figures))
    spread = f"{labels[0]} to {labels[-1]}" if len(set(labels)) > 2 else " and ".join(dict.fromkeys(labels))
    whose = f" of {' and '.join(owners)}" if len(owners) > 1 else ""
    return [Reckoning(derived, f"{operation} of {figures[0].name}{whose}, {spread}", spread)]


def named(span: Span) -> str:
    """A period as people write its name: ``Q3 2024`` for ``2024-Q3``."""
    iso = dates.iso_of(*span)
    return f"{iso[5:]} {iso[:4]}" if iso[5:6] in ("Q", "H") else iso


def _operands(figures: Sequence[Figure]) -> list[Operand]:
    return [Operand(figure.value, plain(figure.value), figure.start.isoformat()) for figure in figures]


def _ratio(records: Records, slot: Slot) -> Reckoning | None:
    if slot.metric not in _RATIOS:
        return None
    operation, *metrics = _RATIOS[slot.metric]
    parts = [known(records, Slot(slot.property, metric, slot.span, slot.label)) for metric in metrics]
    return pair(operation, parts[0], parts[1], "x" if operation == "ratio" else "%")


def _difference(records: Records, slot: Slot, unit: str) -> Reckoning | None:
    if slot.metric not in _DIFFERENCES:
        return None
    whole, part = _DIFFERENCES[slot.metric]
    second = known(records, Slot(slot.property, part, slot.span, slot.label))
    if whole == "100":
        all_of_it = Operand(Decimal(100), "100")
        first = Known(all_of_it, "100 %", second.period, slot.property, second.kind) if second else None
    else:
        first = known(records, Slot(slot.property, whole, slot.span, slot.label))
    return pair("difference", first, second, unit)


def pair(operation: str, first: Known | None, second: Known | None, unit: str) -> Reckoning | None:
    """An operation on two known figures; None when one is missing or it cannot be computed."""
    if first is None or second is None:
        return None
    derived = derive(operation, (first.operand, second.operand), unit)
    if derived is None:
        return None
    same_name, same_period = first.name == second.name, first.period == second.period
    words = {"share": "as a share of", "ratio": "to"}.get(operation, "against")
    where = [
        "" if same_name and side is second else side.name
        for side in (first, second)
    ]  # fmt: skip
    tails = [
        ", ".join(
            part
            for part, shown in (
                (side.property, first.property != second.property),
                (side.period, not same_period or side is second),
            )
            if shown
        )
        for side in (first, second)
    ]
    sides = [
        ", ".join(part for part in (name, tail) if part) for name, tail in zip(where, tails, strict=True)
    ]
    period = first.period if same_period else f"{second.period} to {first.period}"
    if operation == "decline":
        period = f"{first.period} to {second.period}"
    return Reckoning(derived, f"{sides[0]} {words} {sides[1]}", period)
