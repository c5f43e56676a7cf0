"""A text whose numbers are read, beside its folded form (NUM-01…NUM-04)."""

import re
from dataclasses import dataclass, field
from decimal import Decimal

from detection.core.numbers.identifiers import name_end
from detection.core.numbers.words import CODES_LIKE_WORDS

_EITHER_WAY = re.compile(r"[0-9]{1,3}\.[0-9]{3}")
_POINTS_GROUP = re.compile(r"[0-9]\.[0-9]{3}(?:\.[0-9]{3})*,[0-9]")


@dataclass(slots=True)
class Page:
    """A text and its folded form; ``origin`` leads from an offset of the folded text back, None when they agree."""

    text: str
    folded: str
    origin: list[int] | None
    tongue: str = "en"
    decimal_comma: bool = False
    passed: int = field(default=0, init=False)
    _groups_by_points: bool | None = field(default=None, init=False)

    def commas(self, run: str) -> bool:
        """Whether the comma is the decimal sign in ``run``: by the language, or by other numbers of the text where
        ``1.234`` may be read either way."""
        if self.decimal_comma or run[-4:-3] != "." or not _EITHER_WAY.fullmatch(run):
            return self.decimal_comma
        if self._groups_by_points is None:
            self._groups_by_points = _POINTS_GROUP.search(self.folded) is not None
        return self._groups_by_points

    def is_named(self, start: int, end: int, value: Decimal) -> bool:
        """Whether the plain number ``folded[start:end]`` only names something; the other numbers of the name (``Notes
        3 and 4``) are then passed over."""
        passed = name_end(self.folded, start, end, value)
        self.passed = max(self.passed, passed or 0)
        return passed is not None

    def in_small_letters(self, start: int, end: int) -> bool:
        """Whether the submitted text behind ``folded[start:end]`` holds a word, not a currency's code in capitals."""
        shown = self.span(start, end)[0]
        return any(code in shown.upper() and code not in shown for code in CODES_LIKE_WORDS.values())

    def names(self, start: int, end: int) -> bool:
        """Whether the words ``folded[start:end]`` and the next are written in capitals, or they alone within a sentence:
        a name."""
        _, first, stop = self.span(start, end)
        if not self.text[first].isupper():
            return False
        inside = self.text[:first][-3:].rstrip(" ")[-1:]
        return self.text[stop + 1 : stop + 2].isupper() or inside.isalnum() or inside == ","

    def span(self, start: int, end: int) -> tuple[str, int, int]:
        """The submitted text behind ``folded[start:end]`` and its offsets."""
        if self.origin is not None:
            start, end = self.origin[start], self.origin[end - 1] + 1
        return self.text[start:end], start, end
