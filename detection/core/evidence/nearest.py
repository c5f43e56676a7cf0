"""Which of very many sources an answer is compared with: those that it cites, then those that hold its digits (NUM-06)."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal

import regex

from detection.core.evidence.tables import document_of
from detection.core.numbers import fold
from detection.core.types import NumericClaim, Source

MOST = 32
"""Sources that are all read and compared: with more, the time of a number is over before it was compared with each."""
_LED = 2  # chunks before one that may hold its headings and its unit line
_DIGITS = regex.compile(r"\d[\d,.\p{Zs}'’]*")
_FEWEST = 2  # digits that tell a number


def nearest(
    sources: Sequence[Source], cited: Collection[str], numbers: Iterable[NumericClaim]
) -> tuple[Sequence[Source], int]:
    """The sources to be read, in their order, and how many others hold digits of the ``numbers`` all the same.

    Up to 32 all are; of more the 32 that are ``cited`` or hold most of the digits, each with the two before it in its document.
    """
    if len(sources) <= MOST:
        return sources, 0
    told = _Told(numbers)
    held = [told.held(source.text) for source in sources]
    named = [source.ref in cited or source.parent_ref in cited for source in sources]
    ranked = sorted(range(len(sources)), key=lambda place: (not named[place], -held[place], place))
    chosen = {place for one in ranked[:MOST] for place in _led(sources, one)}
    left = sum(bool(found) for place, found in enumerate(held) if place not in chosen)
    return [sources[place] for place in sorted(chosen)], left


def _led(sources: Sequence[Source], place: int) -> Iterator[int]:
    """A place and those before it that belong to the same document."""
    document = document_of(sources[place])
    for back in range(min(_LED, place) + 1):
        if document_of(sources[place - back]) == document:
            yield place - back


class _Told:
    """The digits of the numbers of an answer, without what scales them: 14.8 million is 148, and 1475 to 1479 round to it."""

    def __init__(self, numbers: Iterable[NumericClaim]) -> None:
        whole = {_bare(f"{abs(one.value):f}") for one in numbers if isinstance(one.value, Decimal)}
        self._whole = frozenset(digits for digits in whole if len(digits) >= _FEWEST)
        self._rounded = {f"{int(digits) - 1}{last}": digits for digits in self._whole for last in "56789"}
        self._lengths = sorted({len(one) for one in (*self._whole, *self._rounded)})

    def held(self, text: str) -> int:
        """How many digits the numbers have together that stand in a text, exactly or written out."""
        found = {one for run in _DIGITS.findall(fold(text)[0]) for one in self._begun(_bare(run))}
        return sum(map(len, found))

    def _begun(self, digits: str) -> Iterator[str]:
        for length in self._lengths:
            start = digits[:length]
            if start in self._whole:
                yield start
            elif start in self._rounded:
                yield self._rounded[start]


def _bare(written: str) -> str:
    """The digits of a number from the first to the last that is not nought."""
    return "".join(filter(str.isdecimal, written)).strip("0")
