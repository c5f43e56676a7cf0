"""Where clauses begin, and which periods behind a number belong to another one."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

import regex

from detection.core.lexicons import Mark
from detection.core.periods import Mention
from detection.core.quantities.features import Feature
from detection.core.types import NumericClaim

BREAK = regex.compile(r",(?!\d|\s\d{4}\b)|[;:()\[\]，；：、（）。\n|•—–]| - |\.\s")
"""What parts the words of two numbers."""
CLAUSE = regex.compile(
    r"[;；。\n]|,\s(?:and|but|while|whereas|although|though|because|as|with|which|so)\b|\s(?:while|whereas|although|because)\s|，|,(?!\d|\s\d{4}\b)"
)
"""Where another clause begins."""
_REACH = 24  # characters behind a period in which the number that it is of may stand


class Read(Protocol):
    """What of a text that was read is asked here."""

    text: str

    def written(self, start: int, end: int) -> list[NumericClaim]:
        """The numbers between two places that are no dates."""
        ...

    def within(self, start: int, end: int) -> list[Feature]:
        """Words and metrics."""
        ...

    def marks(self, table: str, start: int, end: int) -> list[Mark[frozenset[str]]]:
        """What the phrases of a table say."""
        ...


def parted(read: Read, number: NumericClaim, one: Mention, clauses: Sequence[int]) -> bool:
    """Whether a period behind a number leads another clause, is compared with in one, or stands in brackets or behind a
    dash with another number: "86.3 % (2023: 87.5 %)", "5.1 million, and April came second at 4.8 million"."""
    place = bisect_right(clauses, one.start - 1)
    begun = clauses[place - 1] + 1 if place else 0
    if begun <= number.end:
        apart = BREAK.search(read.text, number.end, one.start)
        return apart is not None and bool(read.written(apart.start(), one.end + _REACH))
    if read.written(begun, one.start):
        return bool(read.marks("bases", begun, one.start - 2))
    stop = clauses[place] if place < len(clauses) else len(read.text)
    return bool(read.within(begun, one.start) or read.written(one.end, max(stop, one.end)))
