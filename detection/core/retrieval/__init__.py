"""Which number of the sources a claim speaks of, and whether it supports the claim."""

from detection.core.retrieval.choice import Choice
from detection.core.retrieval.ranking import Ranking
from detection.core.retrieval.rules import WORTH, About, Rules, barred, narrowed
from detection.core.retrieval.scales import Scales
from detection.core.retrieval.source_metrics import SentenceMetrics
from detection.core.retrieval.support import (
    Judged,
    Stated,
    is_beaten_in_its_sentence,
    judged,
    support_features,
)
from detection.core.retrieval.values import valued

__all__ = [
    "WORTH",
    "About",
    "Choice",
    "Judged",
    "Ranking",
    "Rules",
    "Scales",
    "SentenceMetrics",
    "Stated",
    "barred",
    "is_beaten_in_its_sentence",
    "judged",
    "narrowed",
    "support_features",
    "valued",
]
