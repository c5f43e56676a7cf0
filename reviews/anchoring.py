"""Where a quote stands in a text (F25, F26). Offsets are code points; what a browser does to white space and
line ends on the way does not matter.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

CONTEXT = 64
"""Code points on each side of a quote that tell equal quotes apart."""
MOST = 1000
"""Occurrences that are weighed against each other; a quote that is there more often says too little."""
_SPACE = re.compile(r"[\s\u200b\ufeff]+")


class Ambiguous(ValueError):
    """The quote stands in several places, and its context does not say which is meant."""


class NotFound(ValueError):
    """The text does not say this."""


class _Plain(NamedTuple):
    """A text with each run of white space as one blank, and where each of its code points came from."""

    text: str
    places: list[int]


def anchored(text: str, quote: str, prefix: str = "", suffix: str = "") -> tuple[int, int]:
    """Where ``quote`` stands in ``text``: (start, end), white space at its ends left out.

    Of several places the one is meant whose surroundings agree best with ``prefix`` and ``suffix``. Raises
    :class:`NotFound` and :class:`Ambiguous`.
    """
    plain = _plain(text)
    wanted = _plain(quote).text.strip(" ")
    places = [place for place, _ in zip(_occurrences(plain.text, wanted), range(MOST + 1), strict=False)]
    if not places:
        raise NotFound(quote)
    start = _meant(plain.text, wanted, places, _plain(prefix).text, _plain(suffix).text)
    return plain.places[start], plain.places[start + len(wanted) - 1] + 1


def context(text: str, start: int, end: int, size: int = CONTEXT) -> tuple[str, str]:
    """The ``size`` code points before and after a stretch of ``text``, white space as in comparing."""
    before, after = text[max(0, start - size) : start], text[end : end + size]
    return _plain(before).text, _plain(after).text


def _plain(text: str) -> _Plain:
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for space in _SPACE.finditer(text):
        parts += [text[at : space.start()], " "]
        places += range(at, space.start() + 1)
        at = space.end()
    places += range(at, len(text))
    return _Plain("".join([*parts, text[at:]]), places)


def _occurrences(text: str, quote: str) -> Iterator[int]:
    at = text.find(quote) if quote else -1
    while at >= 0:
        yield at
        at = text.find(quote, at + 1)


def _meant(text: str, quote: str, places: list[int], prefix: str, suffix: str) -> int:
    if len(places) > MOST:
        raise Ambiguous(quote)
    agreed = [_agreement(text, place, place + len(quote), prefix, suffix) for place in places]
    best = max(agreed)
    if agreed.count(best) > 1:
        raise Ambiguous(quote)
    return places[agreed.index(best)]


def _agreement(text: str, start: int, end: int, prefix: str, suffix: str) -> int:
    """How many code points of the context agree, counted outwards from the quote."""
    before = _shared(text[max(0, start - CONTEXT) : start].rstrip(" ")[::-1], prefix.rstrip(" ")[::-1])
    return before + _shared(text[end : end + CONTEXT].lstrip(" "), suffix.lstrip(" "))


def _shared(left: str, right: str) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
