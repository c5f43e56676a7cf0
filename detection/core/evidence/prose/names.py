"""The names in a text of a script with capitals, sentence by sentence."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import regex

from detection.core.quantities import Reading
from detection.core.quantities.features import is_meaning

_RUN = regex.compile(
    r"\p{Lu}[\p{L}\p{M}'’-]*(?:(?:\s(?:(?:of|the|de|da|di|du|la|le|y|van|von)\s)?|\s?&\s?)\p{Lu}[\p{L}\p{M}'’-]*)*"
)
_MOST, _AROUND = 1000, 40  # names in a text; characters around one that a figure or a period may reach
_OPENING, _QUOTES = " \n\t“”\"'‘’(–—-•", '“"‘'


class Name(NamedTuple):
    """A name where it stands, by its words; ``is_sure`` unless only the beginning of its sentence gives it a capital."""

    start: int
    end: int
    words: frozenset[str]
    is_sure: bool


def named_in(reading: Reading, about: frozenset[str]) -> list[list[Name]]:
    """The names of each sentence, each once, but for what all of the text is ``about``; none where a text is full of them."""
    found: list[dict[frozenset[str], Name]] = [{} for _ in reading.sentences]
    runs = [*islice(_runs(reading), _MOST + 1)]
    known = {run[0] for run in runs if not _begins(run.start(), reading)}
    for run in runs if len(runs) <= _MOST else ():
        words = frozenset(one.name for one in reading.within(*run.span()) if not is_meaning(one.name))
        if words and not words <= about:
            name = Name(*run.span(), words, run[0] in known or " " in run[0])
            found[reading.sentence_at(run.start())].setdefault(words, name)
    return [[*some.values()] for some in found]


def _runs(reading: Reading) -> Iterator[regex.Match[str]]:
    """Words with capitals that follow each other, and that name no period and no figure."""
    for run in _RUN.finditer(reading.text):
        low, high = run.span()
        around = low - _AROUND, high + _AROUND
        words = (one for one in reading.within(*around) if is_meaning(one.name))
        figure = any(one.start <= low and high <= one.end for one in words)
        if not figure and not any(one.start < high and low < one.end for one in reading.spoken(*around)):
            yield run


def _begins(place: int, reading: Reading) -> bool:
    """Whether a place is where a sentence begins, or what is quoted in it."""
    start = reading.sentences[reading.sentence_at(place)][0]
    return not reading.text[start:place].strip(_OPENING) or reading.text[place - 1] in _QUOTES
