"""Numbers for people: grouped digits, units, differences. Decimals in, text out."""

from decimal import Decimal, InvalidOperation

from django.utils.translation import get_language_bidi

UNITS = {"%": " %", "pp": " pp", "x": "×"}


def apart(text: str) -> str:
    """A figure as a sentence from right to left holds it; there ``± 2 %`` would be shown as ``% 2 ±``."""
    return f"\u2066{text}\u2069" if text and get_language_bidi() else text


def decimal(value: object) -> Decimal | None:
    """A finite Decimal, or None for what is none (an ISO date, an empty text)."""
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def whole_percent(share: float | None) -> str:
    """``12 %``; a dash for nothing known."""
    return "–" if share is None else f"{share * 100:.0f} %"


def places(number: Decimal) -> int:
    """Digits after the point that say something: 85.500000 has one."""
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def grouped(number: Decimal, digits: int, *, sign: bool = False) -> str:
    """``1234567.891`` as ``1,234,567.89`` with ``digits`` after the point; a true minus sign for negatives."""
    return f"{number:{'+' if sign else ''},.{digits}f}".replace("-", "−")


def digits_for(claimed: Decimal, expected: Decimal, unit: str) -> int:
    """How many digits after the point both values are shown with: all that either has, but of a long
    computed value no more than one beyond the claimed one; at least two for money."""
    enough = min(max(places(claimed), places(expected)), places(claimed) + 1)
    return max(enough, 2 if len(unit) == 3 and unit.isalpha() else 0)


def together(one: Decimal, other: Decimal, unit: str) -> tuple[str, str]:
    """A claimed and an expected value of one unit, alike in their digits."""
    digits = digits_for(one, other, unit)
    suffix = UNITS.get(unit, "")
    return grouped(one, digits) + suffix, grouped(other, digits) + suffix


def alone(number: Decimal, unit: str) -> str:
    """One value with its unit: ``85.5 %``, ``1,234,567.89 USD``."""
    shown = together(number, number, unit)[0]
    return f"{shown} {unit}" if unit and unit not in UNITS else shown


def relative(claimed: Decimal, expected: Decimal) -> Decimal | None:
    """The signed deviation in per cent of the expected value; None when that is 0."""
    return (claimed - expected) / abs(expected) * 100 if expected else None


def percent(number: Decimal, *, sign: bool = True) -> str:
    """A share in per cent with as many digits as it needs: ``+0.73 %``, ``+30.6 %``."""
    digits = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    return grouped(number, digits, sign=sign) + " %"


def deviation(share: float | None) -> str:
    """A stored relative deviation (0.0073) for a list: ``+0.73 %``; a scale slip as ``× 1,000``."""
    if not share:
        return ""
    times = round(share + 1)
    if times >= 100 and abs(share + 1 - times) < 0.01 * times:
        return f"× {times:,}"
    return percent(Decimal(repr(share)) * 100)
