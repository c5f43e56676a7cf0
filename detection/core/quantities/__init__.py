"""The quantities that a text states, each with the words and periods around it that say what it is of (NUM-01…NUM-04).

``read`` is the one reader for an answer, its question and the prose of a source.
"""

from detection.core.quantities.features import BIGRAM, Feature, content, enumerated, features, lemmas, sized
from detection.core.quantities.formulas import formulas
from detection.core.quantities.proposing import accepted, named, numbered, open_slots
from detection.core.quantities.quantity import LIMITS, PLANS, Formula, Quantity, Tier
from detection.core.quantities.reading import Reading, read
from detection.core.quantities.unwritten import unwritten

__all__ = [
    "BIGRAM", "LIMITS", "PLANS", "Feature", "Formula", "Quantity", "Reading", "Tier", "accepted", "content", "enumerated", "features", "formulas", "lemmas", "named", "numbered", "open_slots", "read",
    "sized", "unwritten",
]  # fmt: skip
