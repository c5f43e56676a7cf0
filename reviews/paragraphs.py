"""A text as paragraphs, each with its own direction and language (review-queue §7.5).

Both follow from the text alone, so they are worked out where they are shown. Put together, the paragraphs
are the text: a line end belongs to the paragraph that it ends.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

import regex

from detection.core.text import detect_language, direction
from reviews.scripts import tagged

_END = regex.compile(r"[\n\r\x1c-\x1e\x85\u2028\u2029]+")
"""What begins a new paragraph for the bidirectional algorithm; no embedding reaches beyond it."""
_LETTER = regex.compile(r"\p{L}")
LATIN = ("en", "de", "fr", "es", "it", "pt", "nl")
READ = 2_000
"""Code points from which the language of a text is told."""


class Sliced(Protocol):
    """A slice of a text."""

    @property
    def text(self) -> str:
        """Its characters."""


Slice = TypeVar("Slice", bound=Sliced)


@dataclass(frozen=True, slots=True)
class Paragraph(Generic[Slice]):
    """A line of text in slices with its direction and BCP 47 language; ``number`` counts from 0."""

    pieces: tuple[Slice, ...]
    direction: str
    language: str
    number: int


def ends(text: str) -> list[int]:
    """Where the paragraphs of ``text`` end, in code points."""
    return [found.end() for found in _END.finditer(text)]


def paragraphs(pieces: Iterable[Slice], usual_direction: str, usual_language: str) -> list[Paragraph[Slice]]:
    """The paragraphs of a text that is given in slices, none of which goes on beyond a line end."""
    return [
        Paragraph(tuple(line), direction_of(text, usual_direction), language_of(text, usual_language), number)
        for number, line in enumerate(_lines(pieces))
        for text in ["".join(piece.text for piece in line)]
    ]


def _lines(pieces: Iterable[Slice]) -> Sequence[list[Slice]]:
    done: list[list[Slice]] = [[]]
    for piece in pieces:
        done[-1].append(piece)
        if _END.match(piece.text[-1:]):
            done.append([])
    return [line for line in done if line]


@lru_cache(maxsize=1024)
def direction_of(text: str, usual: str = "ltr") -> str:
    """The direction of ``text`` by the majority of its strong characters, ``usual`` where it has none."""
    return direction(text) if _LETTER.search(text) else usual


@lru_cache(maxsize=1024)
def language_of(text: str, usual: str = "") -> str:
    """The BCP 47 tag of ``text``: ``usual`` (the language that was stated) unless its script says otherwise;
    Chinese with the script in which it is written."""
    part = text[:READ]
    found = detect_language(part) if _LETTER.search(part) else ""
    stated = usual.split("-")[0].lower()
    same = found in ("", stated) or (found == "en" and stated in LATIN)
    return tagged(usual if usual and same else found, part)
