"""Which chunks are read for a claim when there are more than may be read (NUM-06).

Chunks without a number have nothing to compare and do not count. Cited chunks come first, then those that share
the rarest words and years with the sentence; one that has the claimed digits goes before one that has not.
"""

import math
from collections import Counter
from collections.abc import Sequence

import regex

from detection.core.chunks import Words, passage, words, years
from detection.core.numbers import fold
from detection.core.types import NumericClaim, Source

_NUMERIC = regex.compile(
    r"\p{Nd}|[一二三四五六七八九十百千万萬億亿两兩]|\b(?:hundred|thousand|million|billion|percent|per cent)\b|אחוז|אלף|מיליון"
)
_DIGITS = regex.compile(r"\d[\d.,]*\d|\d")
_DIGITS_BONUS = 4.0  # the claimed digits count as much as two or three rare words


class Choice:
    """The chunks of an answer, ranked for each of its claims."""

    def __init__(self, sources: Sequence[Source], limit: int) -> None:
        self._sources, self._limit = sources, limit
        self._numeric = [index for index, source in enumerate(sources) if _NUMERIC.search(source.text)]
        self._words: dict[int, Words] = {}
        self._counts: Counter[str] = Counter()
        self._ordered: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}

    def chosen(self, number: NumericClaim, sentence: str, citations: tuple[str, ...]) -> list[int]:
        """The positions of the chunks to read, in the order of the answer's sources."""
        if len(self._numeric) <= self._limit:
            return self._numeric
        key = number.text, sentence, citations
        if key not in self._ordered:
            self._ordered[key] = sorted(self._ranked(number, sentence, set(citations))[: self._limit])
        return self._ordered[key]

    def left(self, chosen: Sequence[int]) -> int:
        """How many chunks with numbers are not among ``chosen``."""
        return len(self._numeric) - len(chosen)

    def words_of(self, index: int) -> Words:
        """The words and years of a chunk."""
        if index not in self._words:
            source = self._sources[index]
            self._words[index] = passage(source.ref, source.text).words
        return self._words[index]

    def _ranked(self, number: NumericClaim, sentence: str, cited: set[str]) -> list[int]:
        said = words(sentence) | years(sentence)
        if not self._counts:
            self._counts.update(word for index in self._numeric for word in self.words_of(index))
        total = len(self._numeric)
        weights = {word: math.log(1 + total / self._counts[word]) for word in said if self._counts[word]}
        digits = _DIGITS.search(fold(number.text)[0])
        return sorted(
            self._numeric,
            key=lambda index: (
                self._uncited(index, cited),
                -self._worth(index, weights, digits.group() if digits else ""),
                index,
            ),
        )

    def _uncited(self, index: int, cited: set[str]) -> bool:
        source = self._sources[index]
        return source.ref not in cited and (source.parent_ref is None or source.parent_ref not in cited)

    def _worth(self, index: int, weights: dict[str, float], digits: str) -> float:
        shared = math.fsum(weight for word, weight in weights.items() if word in self.words_of(index))
        return shared + (_DIGITS_BONUS if digits and digits in self._sources[index].text else 0.0)
