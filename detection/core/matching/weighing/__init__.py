"""A number that its nearest words do not lead to is weighed once more: which of all ways to it fits its words best.

All terms of the evidence, and what they come to over a row, a column or a time, are reckoned with each other; each way to the
number is weighed by how near words name its labels and periods, whether they ask for such a reckoning, and how likely a wrong
number is explained as well by chance (:mod:`~detection.core.matching.weighing.weights`).
"""

from detection.core.matching.weighing.weigher import GIVEN, Explained, Weigher

__all__ = ["GIVEN", "Explained", "Weigher"]
