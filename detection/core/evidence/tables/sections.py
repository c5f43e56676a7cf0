"""Which section heads stand above a row, and which rows are totals or stand empty."""

from functools import lru_cache

import regex

from detection.core import numbers
from detection.core.evidence.tables import words
from detection.core.evidence.tables.units import declares
from detection.core.evidence.tables.values import any_of
from detection.core.patterns import late

_TOTAL = regex.compile(rf"(?<![\w\"])(?:{any_of(words.TOTALS)})(?![\w\"])|^(?:合|总|總|小)[计計]")
_BARE_TOTAL = regex.compile(rf"\W*(?:{any_of(words.TOTALS)})\W*")
_VACANT = regex.compile(rf"(?<!\w)(?:{any_of(words.VACANT)})(?!\w)(?! (?:{any_of(words.VACANT_OF)}|%))")
_WORD = regex.compile(r"\w+")
_NOISE = frozenset(("the", "of", "and", "total", "totals", "subtotal", "segment", "s"))
_DEEPEST = 4


@lru_cache(maxsize=4096)
def is_total(label: str) -> bool:
    """Whether a label names a sum of other rows."""
    return _TOTAL.search(numbers.fold(label)[0]) is not None


@lru_cache(maxsize=4096)
def is_vacant(text: str) -> bool:
    """Whether the texts of a row say that it stands empty."""
    return _VACANT.match(numbers.fold(text)[0].strip()) is not None


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.rstrip("s") for word in _WORD.findall(numbers.fold(text)[0])) - _NOISE


class Sections:
    """The section heads that are open, outermost first."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int, bool]] = []
        self._used = True
        self._last = ("", 0)
        self._led: set[str] = set()

    def open(self, text: str, indent: int = 0) -> None:
        """A section head: it ends those of its rank, which capitals and indent tell."""
        text = text.strip().strip("*_ ")
        if not text:
            return
        loud = text.isupper()
        if self._used:
            while self._open and not self._holds(self._open[-1], loud, indent):
                self._open.pop()
        self._used, self._last = False, ("", 0)
        self._open = [*self._open[-_DEEPEST + 1 :], (text, indent, loud)]

    @staticmethod
    def _holds(outer: tuple[str, int, bool], loud: bool, indent: int) -> bool:
        return (outer[2] and not loud) or outer[1] < indent

    def above(self, label: str, indent: int = 0) -> tuple[str, ...]:
        """The heads above a row; a row further out than the head of an indented section ends it."""
        before, inside = self._last
        if label and before and indent > inside:
            self._open = [*self._open[-_DEEPEST + 1 :], (before, inside, False)]
            self._led.add(before)
        self._used = True
        while self._open and self._ends(*self._open[-1][:2], indent):
            self._open.pop()
        return tuple(text for text, _, _ in self._open)

    def _ends(self, text: str, own: int, indent: int) -> bool:
        """Whether a row ends a section: it stands further out than the head; or as far, where the head is a row."""
        return own > indent or (own == indent and text in self._led)

    def row(self, label: str, indent: int) -> None:
        """A row was read: rows that stand further in belong to it."""
        self._last = (label, indent)

    def close(self, label: str) -> None:
        """A total ends the section that it sums."""
        if not self._open or not is_total(label):
            return
        said = _stems(label)
        if _BARE_TOTAL.fullmatch(numbers.fold(label)[0]) or said == _stems(self._open[-1][0]):
            self._open.pop()


_GOES_ON = regex.compile(r"(?:,|\band|\bof|\bto|\bfor|\bin|\bthe|\bfrom|\bon|\bless|-|/|\()\Z")


def goes_on(above: str, below: str) -> bool:
    """Whether a label is broken over two lines: ``Trade and other``, ``receivables``."""
    if above[-1:] in ":：" or declares(above):
        return False
    return below[:1].islower() or _GOES_ON.search(above) is not None


# --- what pages carry beside their tables ---


_FURNITURE = late(words.FURNITURE)


@lru_cache(maxsize=4096)
def is_furniture(text: str) -> bool:
    """Whether a line is a page number, a notice to read the notes or the like."""
    return len(text) <= 120 and _FURNITURE.fullmatch(numbers.fold(text)[0].strip()) is not None
