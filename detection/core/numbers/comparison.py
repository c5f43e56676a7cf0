"""A claimed number beside another value: scale, sign, distance, misread digits (NUM-05, NUM-06)."""

from decimal import Decimal

from detection.core.numbers.folding import fold
from detection.core.numbers.values import MIXED, digits
from detection.core.types import NumericClaim

_POWERS = [Decimal(10) ** power for power in (1, 2, 3, 6, 9, -1, -2, -3, -6, -9)]


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
        claimed == value * power for power in _POWERS
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
