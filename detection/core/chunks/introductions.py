"""The sentence that introduces a table and says what it shows, often in the chunk before it (NUM-06).

``The maturities of our loans for the next years are as follows:`` names what a table of years and amounts leaves unsaid.
"""

from collections.abc import Sequence

import regex

from detection.core.chunks.places import Words, words

_REACH = 600  # characters of a chunk, from its end, in which the sentence is looked for
_NEIGHBOURS = 4  # chunks on either side of a table that may introduce it
_SENTENCE = regex.compile(r"[^.;!?。；！？\n]+(?:[.](?=\S)[^.;!?。；！？\n]*)*")
_INTRODUCES = regex.compile(
    r"\b(?:as follows|follow(?:s|ing)? table|tables? below|set forth|follows?\s?:)|\bbelow\b|כדלקמן|כלהלן|להלן|如下|下表",
    regex.IGNORECASE,
)
_FORM = words("follow following table below set forth show present summarize detail")


def introduction(text: str) -> Words:
    """The words of the last sentence of a chunk that introduces a table; none where no sentence does."""
    end = text[-_REACH:]
    if _INTRODUCES.search(end) is None:
        return frozenset()
    told = [found.group() for found in _SENTENCE.finditer(end) if _INTRODUCES.search(found.group())]
    return words(told[-1]) - _FORM if told else frozenset()


def of_tables(introductions: Sequence[Words], tables: Sequence[bool]) -> list[Words]:
    """For each chunk the words that introduce its table: those of the nearest chunk before it that introduces one,
    else of the nearest behind it. ``tables`` tells which chunks have tables."""
    return [_nearest(introductions, index) if table else frozenset() for index, table in enumerate(tables)]


def _nearest(introductions: Sequence[Words], index: int) -> Words:
    before = introductions[max(0, index - _NEIGHBOURS) : index + 1]
    behind = introductions[index + 1 : index + 1 + _NEIGHBOURS]
    return next((found for found in (*reversed(before), *behind) if found), frozenset())
