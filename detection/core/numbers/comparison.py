"""A claimed number beside another value: scale, sign, distance, misread digits (NUM-05, NUM-06)."""

from decimal import Decimal
from typing import Literal

from detection.core.numbers.folding import fold
from detection.core.numbers.values import MIXED, digits
from detection.core.types import NumericClaim

_POWERS = (1, 2, 3, 6, 9, -1, -2, -3, -6, -9)
"""Of ten: what one scale is mistaken for another by."""


def stated_scale(number: NumericClaim) -> Decimal:
    """What the claim's own words multiply its digits by: 10**6 in ``$1.2 million``, 1 in ``1,234``."""
    if not isinstance(number.value, Decimal) or not number.value:
        return Decimal(1)
    shown = written(number.text)
    return abs(number.value) / shown if shown else Decimal(1)


def written(text: str) -> Decimal | None:
    """The first number that ``text`` writes in digits, without its sign and its scale; None without digits."""
    if (mixed := MIXED.search(text)) and (fraction := digits(mixed.group())):
        return abs(fraction.value)
    run = "".join(c if c.isdigit() or c in ".,'\u00a0" else " " for c in fold(text)[0]).split()
    parsed = digits(run[0].strip(".,'")) if run and run[0].strip(".,'") else None
    return abs(parsed.value) if parsed else None


def plain(value: Decimal) -> str:
    """A figure as people write it: grouped, without the zeros that only the column adds."""
    if value and abs(value.adjusted()) > 30:
        return f"{value:.5E}"
    shown = f"{value:,f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def distance(claimed: Decimal, value: Decimal) -> tuple[Decimal, Decimal | None]:
    """The absolute and the relative deviation; the relative one is None for a value of 0."""
    apart = abs(claimed - value)
    return apart, apart / abs(value) if value else None


def within(claimed: Decimal, precision: Decimal, value: Decimal, bound: str | None) -> bool:
    """Whether ``value`` is what the claim says, inside its own rounding; a bound is one-sided."""
    if bound == "at_least":
        return value >= claimed - precision
    if bound == "at_most":
        return value <= claimed + precision
    return abs(claimed - value) <= precision


def misread(claimed: Decimal, value: Decimal) -> str | None:
    """How ``claimed`` comes from ``value`` by a slip: ``sign``, ``scale`` or ``transposed``; None when it does not."""
    if not claimed or not value or claimed == value:
        return None
    if claimed == -value:
        return "sign"
    if len(abs(value).normalize().as_tuple().digits) > 1 and any(
        claimed == value.scaleb(power) for power in _POWERS
    ):
        return "scale"
    return "transposed" if _transposed(claimed, value) else None


def _transposed(claimed: Decimal, value: Decimal) -> bool:
    """Two neighbouring digits changed places, everything else alike."""
    if (claimed < 0) != (value < 0):
        return False
    first, second = format(abs(claimed), "f"), format(abs(value), "f")
    width = max(len(first.partition(".")[2]), len(second.partition(".")[2]))
    first, second = (f"{abs(number):.{width}f}".replace(".", "") for number in (claimed, value))
    if len(first) != len(second) or len(first) > 40:
        return False
    differ = [index for index, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]]
    return (
        len(differ) == 2
        and differ[1] == differ[0] + 1
        and first[differ[0]] == second[differ[1]]
        and first[differ[1]] == second[differ[0]]
    )


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
