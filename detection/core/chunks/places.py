"""A number of a source with the words it stands among, and how words, years and scales are read (NUM-06)."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

import regex

from detection.core.binding import SPELLED_OUT
from detection.core.numbers import fold
from detection.core.types import Kind, NumericClaim

Words = frozenset[str]
THOUSAND, MILLION, BILLION = Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9


class Place(NamedTuple):
    """A number of a source, where it stands, and what stands around it.

    ``value`` is as written (sign included), ``scale`` what the table or the text multiplies it by (None: not
    declared). ``unit`` is ``%``, ``pp``, ``x``, an ISO 4217 code or empty. ``row`` and ``column`` are the words
    that name it; text numbers have only ``row``. ``table`` is -1 for text, else the table's number in its chunk.
    ``periods`` are the ISO forms of the periods it belongs to (``2019``, ``2024-Q3``, ``2018-07-01/2019-06-30``).
    """

    source: str
    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    scale: Decimal | None
    row: Words
    column: Words
    years: Words
    table: int = -1
    line: int = 0
    cell: int = 0
    section: Words = frozenset()
    date: NumericClaim | None = None
    periods: Words = frozenset()


_STOP = frozenset((
    "the", "a", "an", "of", "in", "for", "and", "or", "to", "at", "on", "by", "was", "were", "is", "are",
    "be", "been", "has", "have", "had", "with", "from", "as", "its", "their", "this", "that", "it",
    "which", "what", "how", "much", "many", "did", "does", "do", "between", "than", "compared", "year",
    "years", "ended", "ending", "during", "respectively", "amount", "value", "number",
))  # fmt: skip
_LETTERS = r"[a-z][a-z'&/]*[a-z]|[a-z]"
_DIGITS = r"(?<![\d.,])\d{1,3}(?:\.\d+)?(?![\d.,]\d|\d)"
_WORD = regex.compile(rf"{_LETTERS}|[א-ת][א-ת\"']*|\p{{Han}}|{_DIGITS}")
_ASCII_WORD = re.compile(rf"{_LETTERS}|{_DIGITS}")
_YEAR = regex.compile(
    r"(?<=(?:19|20)\d\d/)\d\d(?!\d)|(?<![\d.$])(?:(?:19|20)\d\d)(?![\d.,]\d|\d)|(?<=\b(?:fy|f))\d\d(?!\d)"
)


def words(text: str) -> Words:
    """The content words of ``text``, folded to one form each, abbreviations of metrics spelled out."""
    folded = fold(text)[0]
    found = (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)
    known = max(map(len, found), default=0) <= _LONGEST_WORD
    return _NO_WORDS.union(*map(_forms if known else _forms.__wrapped__, found))


_SAME = {
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
    "man": "male", "men": "male", "woman": "female", "women": "female",
}  # fmt: skip  # what tables shorten or name by another word than sentences do
_NO_WORDS: Words = frozenset()
_LONGEST_WORD = 60  # characters; longer ones are not worth remembering


@lru_cache(maxsize=16_384)
def _forms(word: str) -> Words:
    found: set[str] = set()
    for part in word.split("/"):
        part = part.removesuffix("'s").strip("'&\"")
        spelled = SPELLED_OUT.get(part, part).split()
        found.update(_SAME.get(each) or _stem(each) for each in spelled if each not in _STOP)
    return frozenset(found)


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    if "א" <= word[0] <= "ת" and len(word) > 4 and word[0] in "הבלמוש":
        return word[1:]
    return word


def years(text: str) -> Words:
    """The years that ``text`` names; ``FY19`` is 2019."""
    return frozenset(year if len(year) == 4 else f"20{year}" for year in _YEAR.findall(text.lower()))


def kind_of(place: Place) -> Kind:
    """The kind of claim a place can support first; a bare cell counts as a number."""
    if place.date is not None:
        return "date"
    if place.unit in ("%", "pp"):
        return "percentage"
    return "ratio" if place.unit == "x" else "currency" if place.unit else "number"


def units_meet(place: Place, number: NumericClaim, operation: str = "") -> bool:
    """Whether a place can be compared with a number or be an operand of ``operation``."""
    if place.date is not None:
        return False
    if operation in ("growth", "share", "ratio"):
        return True
    if number.kind == "percentage":
        return place.unit == number.unit or (bool(operation) and place.unit == "%")
    if number.kind == "ratio":
        return place.unit != "%" and (place.unit == "x" or place.scale in (None, 1))
    if number.kind == "currency":
        return place.unit in ("", number.unit)
    return place.unit != "pp" and (place.unit != "%" or number.noun is None)
