"""A text as it is read: without the signs in it that say nothing, and with one sign for those that say the same.

Left out are marks of emphasis, which models write (``**$5 million**``), and of direction, which Hebrew editors do. What is
read so is shown where it stands in the text as it came, so the places of both are kept.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from detection.core.text.marks import mark_spans
from detection.core.text.splitting import sentences

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
_DIRECTION = regex.compile(r"[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+")
_MAQAF = regex.compile(r"(?<=\p{Hebrew})\u05be(?=[\d\p{Sc}])")
_PAUSE = regex.compile(r"(?<=\p{Han})[,;]|[,;](?=\p{Han})")
_BLANKS, _FEW = regex.compile(r"[ \t\u00a0]+$"), 8
_COMMAS = regex.compile(r"\d,\d{3}(?!\d)")
_GROUPS = regex.compile(
    r"(?<![\p{Latin}\d_.,:/#])(?<!\d[ \u00a0-])(?<!\p{Lu}\p{Ll}{1,12}[ \u00a0])\d{1,3}(?: \d{3})+(?![\d:/-]|[ \u00a0,]\d)"
)
"""Thousands set apart by plain spaces, in a text that has no commas for them: "1 847 000"; "Line 3 450" is two numbers."""
_WIDE = {",": "，", ";": "；"}
_SPACED = regex.compile(r"(?<=\p{Han}) (?=[\d\p{Latin}])|(?<=[\d%\p{Latin}]) (?=\p{Han})")


class Bare(NamedTuple):
    """A text as it is read; ``places`` are those of its characters in the text as it came, None where they are the same."""

    text: str
    places: Sequence[int] | None = None

    def there(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of this text stands in the text as it came."""
        if self.places is None or start >= end:
            return start, end
        return self.places[start], self.places[end - 1] + 1

    def here(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the text as it came stands in this one."""
        if self.places is None:
            return start, end
        return bisect_left(self.places, start), bisect_left(self.places, end)


def bare(text: str, language: str | None = None, *, cited: bool = True) -> Bare:
    """``text`` without pairs of marks of emphasis on one line (a footnote's star stays, and a product's), without marks of
    direction and, unless ``cited``, without citation marks; its sentences on one line each."""
    cuts = sorted({*_cuts(text), *(() if cited else _citations(text))})
    if not cuts:
        return Bare(_one_line(_alike(text), language))
    places, parts, low = array("l"), list[str](), 0
    for start, end in (*cuts, (len(text), len(text))):
        places.extend(range(low, start))
        parts.append(text[low:start])
        low = max(low, end)
    return Bare(_one_line(_alike("".join(parts)), language), places)


def wide_pauses(text: str) -> str:
    """A Chinese comma or semicolon typed without its width is the same pause: "8,400万元,2024年"."""
    return text if text.isascii() else _PAUSE.sub(lambda found: _WIDE[found[0]], text)


def _alike(text: str) -> str:
    """A text with one sign for those that say the same, place for place."""
    text = _MAQAF.sub("-", wide_pauses(text)) if not text.isascii() else text
    return text if _COMMAS.search(text) else _GROUPS.sub(lambda found: found[0].replace(" ", "\u00a0"), text)


def _one_line(text: str, language: str | None) -> str:
    """A text with a space for each end of a line within a sentence."""
    if "\n" not in text:
        return text
    pieces, low = list[str](), 0
    for start, end in sentences(text, language):
        pieces += [text[low:start], text[start:end].replace("\n", " ")]
        low = end
    return "".join((*pieces, text[low:]))


def _cuts(text: str) -> Iterator[tuple[int, int]]:
    for pattern in _EMPHASIS if any(mark in text for mark in _MARKS) else ():
        for found in pattern.finditer(text):
            width = len(found[1])
            yield found.start(), found.start() + width
            yield found.end() - width, found.end()
    if not text.isascii():
        yield from (found.span() for pattern in (_DIRECTION, _SPACED) for found in pattern.finditer(text))


def _citations(text: str) -> Iterator[tuple[int, int]]:
    for start, end in mark_spans(text):
        spaces = _BLANKS.search(text, max(start - _FEW, 0), start)
        yield spaces.start() if spaces else start, end
