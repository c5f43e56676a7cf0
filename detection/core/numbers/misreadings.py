"""How a wrong number came about from the right one, inside its own rounding, and how that is put (contracts §3.3)."""

from decimal import Decimal
from typing import Literal

from detection.core.numbers.comparison import misread, plain

_POWERS = frozenset((1, 2, 3, 6, 9, -1, -2, -3, -6, -9))


def how(value: Decimal, right: Decimal, precision: Decimal) -> Literal["sign", "scale", "transposed"] | None:
    """Which slip turns ``right``, rounded as the claim is by ``precision``, into ``value``; None when none does."""
    if not right:
        return None
    if abs(value + right) <= min(precision, abs(right) / 10):
        return "sign"
    if power_between(value, right, precision) is not None:
        return "scale"
    return "transposed" if misread(value, _rounded(right, precision)) == "transposed" else None


def power_between(value: Decimal, right: Decimal, precision: Decimal) -> Decimal | None:
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
