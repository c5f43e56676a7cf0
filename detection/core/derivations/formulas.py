"""Numbers that stand nowhere but follow: change, growth, difference, sum, average, share, ratio.

The words of the claim say which operation and which operands are meant; nothing is searched for among
operations that the sentence does not name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DecimalException

import regex

_HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class Operand:
    """A value in major units with the text to show it by, as its source writes it.

    ``scale`` is what the text leaves out (1,000 in a table in thousands), ``when`` orders in time: the year, or
    the first day of the period.
    """

    value: Decimal
    text: str
    when: str = ""
    scale: Decimal = Decimal(1)


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived value in the claim's unit, and the whole equation it was reached by, its result included."""

    value: Decimal
    arithmetic: str
    formula: str = ""
    scale: Decimal = Decimal(1)


_BRACKETED = regex.compile(r"[^\d(+/]{0,4}\([^()+/]*\)?[^\d(+/]{0,4}")
_MINUS = ("-", "−", "–")
_UNITS = {"%": " %", "pp": " percentage points", "x": "x", "": ""}
_SCALE_WORDS = {
    Decimal(10) ** 3: " thousand",
    Decimal(10) ** 4: " × 10,000",
    Decimal(10) ** 6: " million",
    Decimal(10) ** 9: " billion",
}
_PAIRS = ("growth", "decline", "difference", "share", "ratio")
_IN_PERCENT = ("growth", "decline", "share")


def derive(operation: str, operands: Sequence[Operand], unit: str = "") -> Derived | None:
    """``operation`` on ``operands``; None when it cannot be computed.

    ``sum`` and ``average`` take any number of operands, the others two: ``growth`` (later, earlier), ``decline``
    (earlier, later; positive when the value fell), ``difference`` (what is left of the first without the second),
    ``share`` (part, whole) in percent, ``ratio`` (dividend, divisor). ``unit`` is shown behind the result.
    """
    try:
        value = _value(operation, [operand.value for operand in operands])
    except DecimalException:
        return None
    if value is None or not value.is_finite():
        return None
    scales = {operand.scale for operand in operands}
    mixed = len(scales) > 1
    formula = _formula(operation, [_shown(operand, scaled=mixed) for operand in operands])
    scale = Decimal(1) if mixed or operation in (*_IN_PERCENT, "ratio") else scales.pop()
    result = shown_result(
        value / scale, "%" if operation in _IN_PERCENT else unit, _SCALE_WORDS.get(scale, "")
    )
    return Derived(value, f"{formula} = {result}", formula, scale)


@dataclass(frozen=True, slots=True)
class Shape:
    """A formula: an operation on operands by their place in a list, or on formulas of them."""

    operation: str
    parts: tuple["Shape | int", ...]


def compute(shape: Shape, operands: Sequence[Operand], unit: str = "") -> Derived | None:
    """What a formula gives for ``operands``, with one equation for all of it; None when it cannot be computed."""
    taken = []
    for part in shape.parts:
        if isinstance(part, int):
            taken.append(operands[part])
        elif (inner := compute(part, operands)) is not None:
            taken.append(Operand(inner.value, f"({inner.formula})", "", inner.scale))
    return derive(shape.operation, taken, unit) if len(taken) == len(shape.parts) else None


def _value(operation: str, values: Sequence[Decimal]) -> Decimal | None:
    if operation in ("sum", "average"):
        total = sum(values, Decimal(0))
        return total if operation == "sum" else total / len(values) if values else None
    if operation not in _PAIRS or len(values) != 2:
        return None
    first, second = values
    if operation == "difference":
        return first - second
    if operation == "decline":
        return (first - second) / abs(first) * _HUNDRED
    if operation == "growth":
        return (first - second) / abs(second) * _HUNDRED
    return first / second * (_HUNDRED if operation == "share" else 1)


def _formula(operation: str, texts: Sequence[str]) -> str:
    if operation in ("sum", "average"):
        added = " + ".join(texts)
        return added if operation == "sum" else f"({added}) / {len(texts)}"
    first, second = texts
    return {
        "growth": f"({first} − {second}) / {_bare(second)}",
        "decline": f"({first} − {second}) / {_bare(first)}",
        "difference": f"{first} − {second}",
    }.get(operation, f"{first} / {second}")


def _shown(operand: Operand, *, scaled: bool) -> str:
    text = operand.text + (_SCALE_WORDS.get(operand.scale, "") if scaled else "")
    return f"({text})" if text[:1] in _MINUS else text


def _bare(text: str) -> str:
    """A text without the minus or the brackets of a negative value."""
    inner = "".join(text.split("(", 1)).replace(")", "", 1) if _BRACKETED.fullmatch(text) else text
    return inner.lstrip("".join(_MINUS))


def unsigned(operand: Operand) -> Operand:
    """An operand by its size, shown without its sign."""
    return (
        replace(operand, value=abs(operand.value), text=_bare(operand.text)) if operand.value < 0 else operand
    )


def shown_result(value: Decimal, unit: str, scale: str = "") -> str:
    """``value`` with two decimals, or three digits when it is smaller than that shows, ``scale`` and unit."""
    if value and abs(value.adjusted()) > 30:
        plain = f"{value:.5E}"
    else:
        plain = f"{value:,.{max(2, 2 - value.adjusted()) if value else 0}f}"
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return plain.replace("-", "−", 1) + scale + _UNITS.get(unit, f" {unit}")
