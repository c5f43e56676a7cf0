"""Shares that are said as so many in so many: "one in five homes", "three out of ten", 每五户中有一户."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from detection.core import lexicons
from detection.core.lexicons import Mark, Words
from detection.core.quantities.measures import DURATIONS, measured_in
from detection.core.types import NumericClaim

_FAR = 8  # characters from one number to the next
_DIGITS = Decimal("0.000001")
_EVERY = "每"


def fractions(body: str, words: Words, written: Sequence[NumericClaim]) -> Iterator[NumericClaim]:
    """The shares that a text says as one number word in another, the second of which counts things."""
    ends = {one.start: one for one in written}
    for first, second in pairwise(lexicons.phrases("numbers").find(words)):
        between = body[first.end : second.start]
        own, other = (Decimal(min(mark.value)) for mark in (first, second))
        if len(between) - 2 > _FAR or not 0 < min(own, other) < max(own, other) or not _is_each(between):
            continue
        is_han = body[first.start - 1 : first.start] == _EVERY
        counted = ends.get(second.start)
        if is_han == (own > other) and (counted is None or _counts(counted, second)):
            share = (min(own, other) / max(own, other)).quantize(_DIGITS)
            start, end = first.start - is_han, second.end
            if is_han and body[first.end] == body[end : end + 1]:
                end += 1  # the measure is said twice: 每五户中有一户
            value = f"multiples:{share.normalize():f}"
            yield NumericClaim("change", body[start:end], start, end, value, "")


def _is_each(between: str) -> bool:
    """Whether words between two numbers end in those that say "of so many"."""
    marks = [mark for mark in lexicons.phrases("members").find(Words(between)) if "each" in mark.value]
    if not marks or between[marks[-1].end :].strip():
        return False
    return not between[: marks[-1].start].strip() or not between.isascii()


def _counts(number: NumericClaim, mark: Mark[frozenset[str]]) -> bool:
    """Whether a number is one word and no time: "one in five million", "two in three years"."""
    return number.end == mark.end and number.kind == "number" and measured_in(number) not in DURATIONS
