"""The numbers that a text states, and one value beside another (NUM-01…NUM-04). ``extract`` is public."""

from detection.core.numbers.adjacency import cue_may_follow, cue_may_precede
from detection.core.numbers.comparison import (
    distance,
    factor,
    how,
    misreading,
    plain,
    power_between,
    stated_scale,
    within,
    written,
)
from detection.core.numbers.dates import iso_of, of_iso
from detection.core.numbers.folding import fold
from detection.core.numbers.qualifiers import NO_CUES, cues_after, cues_before
from detection.core.numbers.reading import extract, has_number_words
from detection.core.numbers.units import PREFIX, SUFFIX, around
from detection.core.numbers.values import digits
from detection.core.numbers.words import (
    APPROXIMATE,
    AT_LEAST,
    AT_MOST,
    CENTED,
    CENTS,
    CODE_MEANS,
    CUES_AFTER,
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    DOLLARS,
    DOWN,
    MONTHS,
    PREFIXED_UNITS,
    SCALE_LETTERS,
    SCALE_WORDS,
    UP,
)

__all__ = [
    "APPROXIMATE",
    "AT_LEAST",
    "AT_MOST",
    "CENTED",
    "CENTS",
    "CODE_MEANS",
    "CUES_AFTER",
    "CURRENCY_CODES",
    "CURRENCY_SIGNS",
    "CURRENCY_WORDS",
    "DOLLARS",
    "DOWN",
    "MONTHS",
    "NO_CUES",
    "PREFIX",
    "PREFIXED_UNITS",
    "SCALE_LETTERS",
    "SCALE_WORDS",
    "SUFFIX",
    "UP",
    "around",
    "cue_may_follow",
    "cue_may_precede",
    "cues_after",
    "cues_before",
    "digits",
    "distance",
    "extract",
    "factor",
    "fold",
    "has_number_words",
    "how",
    "iso_of",
    "misreading",
    "of_iso",
    "plain",
    "power_between",
    "stated_scale",
    "within",
    "written",
]
