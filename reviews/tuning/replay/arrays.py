"""What lets the core's rows (:mod:`detection.core.rules`) decide over arrays: words as positions, and an algebra of NumPy."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from detection.core.rules import Algebra
from reviews.tuning.replay.codes import CODES, STATUSES
from reviews.tuning.replay.columns import Array


@dataclass(frozen=True, slots=True)
class Words:
    """A column of words: ``at`` holds their positions (int8) in ``words``."""

    at: Array
    words: Sequence[str]

    def among(self, wanted: Sequence[str]) -> Array:
        """Where the word is one of those wanted."""
        return reduce(or_, (self.at == self.words.index(word) for word in wanted))

    def positions_in(self, words: Sequence[str]) -> Array:
        """The positions of the same words in another list."""
        return np.array([words.index(word) for word in self.words], np.int8)[self.at]


def statuses(at: Array) -> Words:
    """Positions in :data:`reviews.tuning.replay.codes.STATUSES` as words."""
    return Words(at, STATUSES)


def codes(at: Array) -> Words:
    """Positions in :data:`reviews.tuning.replay.codes.CODES` as words."""
    return Words(at, CODES)


class Arrays(Algebra):
    """The algebra of NumPy arrays; it decides to the last bit as that of plain values."""

    copysign = staticmethod(np.copysign)
    least = staticmethod(np.minimum)
    most = staticmethod(np.maximum)

    @staticmethod
    def log(values: Array) -> Array:
        """NumPy's own logarithm may differ in the last bit, and a tie would then be decided otherwise."""
        return np.fromiter(map(math.log, values.tolist()), float, len(values))

    @staticmethod
    def rounded(values: Array, digits: int) -> Array:
        """``round(value, digits)`` of each value; where a digit more could be a tie, Python's own."""
        scaled = values * 10**digits
        done: Array = np.rint(scaled) / 10**digits
        ties = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6)
        done[ties] = [round(value, digits) for value in values[ties].tolist()]
        return done

    def where(self, condition: Array, yes: Any, no: Any) -> Array:
        """``yes`` where the condition holds, else ``no``."""
        chosen: Array = np.where(condition, yes, no)
        return chosen

    def select(self, cases: Iterable[tuple[Any, Any]], otherwise: Any) -> Array:
        """The value of the first (condition, value) that holds, at each place."""
        held, values = zip(*cases, strict=True)
        chosen: Array = np.select(held, values, otherwise)
        return chosen

    def word(self, cases: Iterable[tuple[Any, str]], otherwise: str, words: Sequence[str]) -> Words:
        """As :meth:`select`, of one of ``words``."""
        placed = ((held, np.int8(words.index(word))) for held, word in cases)
        return Words(self.select(placed, np.int8(words.index(otherwise))), words)

    def by_word(self, word: Words, table: Mapping[str, float], otherwise: float = 0.0) -> Array:
        """What the table has for each word."""
        return np.array([table.get(each, otherwise) for each in word.words], float)[word.at]


ARRAYS = Arrays()
