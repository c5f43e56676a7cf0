"""Evidence that contradicts other evidence: one piece says what a claim says, another says something else of the same thing.

Whether two pieces speak of the same thing is told strictly, so that another period, property, metric, scale, part or plan is no
dispute, nor is a rounding: a dispute that is none costs more than one that is missed.
"""

from detection.core.disputes.figures import Standing, figures
from detection.core.disputes.statements import statements
from detection.core.disputes.switches import sorts, sorts_told, told

__all__ = ["Standing", "figures", "sorts", "sorts_told", "statements", "told"]
