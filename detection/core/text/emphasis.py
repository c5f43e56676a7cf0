"""A text without the marks of emphasis that models write into it: ``**$5 million**``, ``*rose*``, ```` `95 %` ````.

They say nothing, and stand between words that belong together. What is read without them is shown where it stands with
them, so the places of both are kept.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

_MARKS = ("**", "__", "*", "_", "`")
_EMPHASIS = tuple(
    regex.compile(pattern)
    for pattern in (
        r"(\*\*)(?=[^\s*])[^\n]{1,400}?(?<=[^\s*])\1",
        r"(?<![\p{L}\p{N}_])(__)(?=[^\s_])[^\n]{1,400}?(?<=[^\s_])\1(?![\p{L}\p{N}_])",
        r"(?<![\p{L}\p{N}*])(\*)(?=[^\s*])[^\n*]{1,400}(?<=[^\s*])\1(?![\p{L}\p{N}*])",
        r"(?<![\p{L}\p{N}_])(_)(?=[^\s_])[^\n_]{1,400}(?<=[^\s_])\1(?![\p{L}\p{N}_])",
        r"(`)[^\n`]{1,400}\1",
    )
)


class Unmarked(NamedTuple):
    """A text without its marks; ``places`` are those of its characters in the text with them, None where that has none."""

    text: str
    places: Sequence[int] | None = None

    def marked(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text without marks stands in the text with them."""
        if self.places is None or start >= end:
            return start, end
        return self.places[start], self.places[end - 1] + 1

    def unmarked(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text with marks stands in the text without them."""
        if self.places is None:
            return start, end
        return bisect_left(self.places, start), bisect_left(self.places, end)


def unemphasised(text: str) -> Unmarked:
    """``text`` without marks of emphasis, those in pairs on one line: a footnote's star stays, and a product's."""
    if not any(mark in text for mark in _MARKS):
        return Unmarked(text)
    cuts = sorted(set(_cuts(text)))
    if not cuts:
        return Unmarked(text)
    places, parts, low = array("l"), list[str](), 0
    for start, end in (*cuts, (len(text), len(text))):
        places.extend(range(low, start))
        parts.append(text[low:start])
        low = max(low, end)
    return Unmarked("".join(parts), places)


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    for pattern in _EMPHASIS:
        for found in pattern.finditer(text):
            width = len(found[1])
            yield found.start(), found.start() + width
            yield found.end() - width, found.end()
