"""A language model's opinion of the whole answer."""

from detection.core.judge.opinion import STATUSES, SURE, OpinionUnreadable, decide, measure
from detection.core.judge.prompts import KINDS, VERSION
from detection.core.judge.reading import Unreadable, read_opinion

__all__ = [
    "KINDS",
    "STATUSES",
    "SURE",
    "VERSION",
    "OpinionUnreadable",
    "Unreadable",
    "decide",
    "measure",
    "read_opinion",
]
