"""What a number of an answer is bound to: metric, period, property."""

from detection.core.binding.bindings import Bound
from detection.core.binding.metric_words import ALIASES, KINDS, SPELLED_OUT, called
from detection.core.binding.names import Names, Words, folded
from detection.core.binding.period_binding import periods_of, shifted

__all__ = [
    "ALIASES",
    "KINDS",
    "SPELLED_OUT",
    "Bound",
    "Names",
    "Words",
    "called",
    "folded",
    "periods_of",
    "shifted",
]
