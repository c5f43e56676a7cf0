"""The value of a run of digits or number words (NUM-01…NUM-04)."""

import re
from decimal import Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from detection.core import number_words as words

_EXACT = Context(prec=34)
_ONE = Decimal(1)
_SHORT = 30  # characters; a value of so few digits is exact
_STEPS = tuple(_ONE.scaleb(-places) for places in range(_SHORT))


class Parsed(NamedTuple):
    """A value, the unit of its last stated digit, and whether separators or scale words were written."""

    value: Decimal
    step: Decimal
    grouped: bool = False
    scaled: bool = False


_PLAIN = re.compile(r"\d++(?:\.\d++)?+")
_GROUPED = re.compile(r"\d{1,3}+(?:,\d{3}(?!\d))++(?:\.\d++)?+")
_SPACED = re.compile(r"\d{1,3}+(?:[\u00a0']\d{3}(?!\d))++(?:[.,]\d++)?+")
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d)++,\d{3}(?:\.\d++)?+")
_EUROPEAN = re.compile(r"\d{1,3}+(?:\.\d{3}(?!\d))++,\d++|\d{1,3}+(?:\.\d{3}(?!\d)){2,}+|\d++,\d{1,2}")
_SCIENTIFIC = re.compile(r"\d++(?:\.\d++)?+[eE][-+]?\d{1,3}")


@lru_cache(maxsize=4096)
def digits(run: str) -> Parsed | None:
    """The value of a run such as ``1,234.5``, ``1.234,5``, ``12,34,567`` or ``1e6``; None when it is no number
    (``1.2.3``)."""
    if run[0] == ".":
        run = "0" + run
    if _PLAIN.fullmatch(run):
        return _parsed(run, "." in run)
    if _GROUPED.fullmatch(run) or _INDIAN.fullmatch(run):
        return _parsed(run.replace(",", ""), True)
    if _SPACED.fullmatch(run):
        return _parsed(run.replace("\u00a0", "").replace("'", "").replace(",", "."), True)
    if _EUROPEAN.fullmatch(run):
        return _parsed(run.replace(".", "").replace(",", "."), True)
    if _SCIENTIFIC.fullmatch(run):
        return _parsed(run, True)
    return None


def _parsed(plain: str, grouped: bool) -> Parsed:
    if len(plain) <= _SHORT and "e" not in plain:
        return Parsed(
            Decimal(plain), _STEPS[len(plain) - 1 - plain.find(".") if "." in plain else 0], grouped
        )
    value = _EXACT.create_decimal(plain)
    exponent = value.as_tuple().exponent
    step = _ONE.scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else _ONE
    return Parsed(value, step, grouped)


def spelled(run: str) -> Parsed | None:
    """The value of number words: ``twenty-five``, ``two hundred thousand``, ``חמישה מיליון``, ``五百万``."""
    if run[0] in words.CHINESE_DIGITS or run[0] in words.CHINESE_UNITS:
        return _chinese(run)
    tokens = [token for token in re.split(r"[\s-]+", run.lower()) if token and token not in ("and", "a")]
    value, group, step, scaled = 0, 0, 1, False
    for token in tokens:
        token = token if token in _KNOWN else token.removeprefix("ו")
        if token in words.ENGLISH_NUMBERS or token in words.HEBREW_NUMBERS:
            group += words.ENGLISH_NUMBERS.get(token, words.HEBREW_NUMBERS.get(token, 0))
            step = 1
        else:
            factor = words.ENGLISH_SCALES.get(token, words.HEBREW_SCALES.get(token, 0))
            if not factor:
                return None
            scaled, step = True, factor if factor > 100 else step
            if factor == 100:
                group = (group or 1) * 100
            else:
                value, group = value + (group or 1) * factor, 0
    return Parsed(Decimal(value + group), Decimal(step), scaled=scaled)


_KNOWN = {*words.ENGLISH_NUMBERS, *words.ENGLISH_SCALES, *words.HEBREW_NUMBERS, *words.HEBREW_SCALES}


def _chinese(run: str) -> Parsed | None:
    whole, _, fraction = run.partition("点")
    if fraction and not all(character in words.CHINESE_DIGITS for character in fraction):
        return None
    value, group, digit, scaled = 0, 0, 0, False
    for character in whole:
        if character in words.CHINESE_DIGITS:
            digit = words.CHINESE_DIGITS[character]
        elif character in words.CHINESE_UNITS:
            group, digit, scaled = group + (digit or 1) * words.CHINESE_UNITS[character], 0, True
        else:
            value = (value + group + digit) * words.CHINESE_MYRIADS[character]
            group, digit, scaled = 0, 0, True
    total = Decimal(value + group + digit)
    if fraction:
        decimals = "".join(str(words.CHINESE_DIGITS[character]) for character in fraction)
        return Parsed(total + Decimal(f"0.{decimals}"), _ONE.scaleb(-len(decimals)), scaled=scaled)
    return Parsed(total, _ONE, scaled=scaled)
