"""The value of a run of digits (NUM-01…NUM-04)."""

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

_ONE = Decimal(1)
_LARGEST_EXPONENT = 30
_SHORT = 30  # characters; a value of so few digits is exact
_PARTS = {
    sign: Decimal(unicodedata.numeric(sign)).quantize(Decimal("0.001")).normalize() for sign in "¼½¾⅓⅔⅛⅜⅝⅞"
}
_STEPS = tuple(_ONE.scaleb(-places) for places in range(_SHORT))


class Parsed(NamedTuple):
    """A value, the unit of its last stated digit, whether separators or scale words were written, and whether the words
    themselves say percent (八成五)."""

    value: Decimal
    step: Decimal
    grouped: bool = False
    scaled: bool = False
    percent: bool = False


MIXED = re.compile(r"(?:(?P<whole>\d{1,3})[ -])?(?P<part>\d{1,2})/(?P<of>\d{1,2})|\d++ ?[¼½¾⅓⅔⅛⅜⅝⅞]")
_PLAIN = re.compile(r"\d++(?:\.\d++)?+")
_GROUPED = re.compile(r"\d{1,3}+(?:,\d{3}(?!\d))++(?:\.\d++)?+")
_SPACED = re.compile(r"\d{1,3}+(?:[\u00a0' ]\d{3}(?!\d))++(?:[.,]\d++)?+")
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d(?!\d))++,\d{3}(?:\.\d++)?+")
_EUROPEAN = re.compile(r"\d{1,3}+(?:\.\d{3}(?!\d))++,\d++|\d{1,3}+(?:\.\d{3}(?!\d)){2,}+|\d++,\d{1,2}")
_POINTED = re.compile(r"\d{1,3}+(?:\.\d{3}(?!\d))++(?:,\d++)?+|\d++,\d++")
_SCIENTIFIC = re.compile(r"\d++(?:\.\d++)?+[eE][-+]?\d{1,3}")


@lru_cache(maxsize=4096)
def digits(run: str, decimal_comma: bool = False) -> Parsed | None:
    """The value of a run such as ``1,234.5``, ``1.234,5``, ``12,34,567`` or ``1e6``; None when it is no number
    (``1.2.3``). ``decimal_comma`` says how to read what may be read in two ways: ``1.234`` is then 1234."""
    if run[0] == ".":
        run = "0" + run
    if run[-1] in _PARTS:
        return _with_part(run[:-1].rstrip(), _PARTS[run[-1]])
    if "/" in run:
        return _fraction(run)
    if decimal_comma and _POINTED.fullmatch(run):
        return _parsed(run.replace(".", "").replace(",", "."), True)
    if _PLAIN.fullmatch(run):
        return _parsed(run, "." in run)
    if _GROUPED.fullmatch(run) or _INDIAN.fullmatch(run):
        return _parsed(run.replace(",", ""), True)
    if _SPACED.fullmatch(run):
        return _parsed(run.replace("\u00a0", "").replace("'", "").replace(" ", "").replace(",", "."), True)
    if _EUROPEAN.fullmatch(run):
        return _parsed(run.replace(".", "").replace(",", "."), True)
    if _SCIENTIFIC.fullmatch(run) and abs(int(run.lower().partition("e")[2])) <= _LARGEST_EXPONENT:
        return _parsed(run, True)
    return None


def _with_part(whole: str, part: Decimal) -> Parsed | None:
    """The value of ``5¾``: the part is exact to a hundredth."""
    return (
        Parsed(Decimal(whole) + part, _STEPS[2], True) if whole.isdigit() and len(whole) <= _SHORT else None
    )


def _fraction(run: str) -> Parsed | None:
    """The value of ``5 1/4`` or ``3/8``."""
    match = MIXED.fullmatch(run)
    if match is None or int(match["part"]) >= int(match["of"]):
        return None
    part = (Decimal(match["part"]) / Decimal(match["of"])).quantize(_STEPS[6]).normalize()
    return _with_part(match["whole"] or "0", part)


def _parsed(plain: str, grouped: bool) -> Parsed:
    """A value is exact however long it is: two that differ in their last digit are two."""
    if len(plain) <= _SHORT and "e" not in plain:
        return Parsed(
            Decimal(plain), _STEPS[len(plain) - 1 - plain.find(".") if "." in plain else 0], grouped
        )
    value = Decimal(plain)
    exponent = value.as_tuple().exponent
    step = _ONE.scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else _ONE
    return Parsed(value, step, grouped)
