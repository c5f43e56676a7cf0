"""Probabilities from repeated answers, where an endpoint gives no log-probabilities (SPEC-08.14)."""

import re
from collections import Counter
from collections.abc import Callable
from math import sqrt

from detection.core.types import Interval, Usage
from detection.verifiers.endpoints.failures import NoLabel
from detection.verifiers.endpoints.logprobs import LABELS
from detection.verifiers.endpoints.replies import Reply
from detection.verifiers.side_by_side import side_by_side

TEMPERATURE = 1.0
SIDE_BY_SIDE = 5
"""Answers about one claim that are asked for at the same time."""

NORMAL_95 = 1.959963984540054
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def sample(ask: Callable[[], Reply], times: int, seconds: float) -> tuple[dict[str, Interval], Usage]:
    """Intervals for the three labels from ``times`` answers, and what they cost together.

    Only answers with a label count: one that failed or said something else is neither a yes nor a no. When
    they are fewer than half, raises the failure, a rate limit before others, or :class:`NoLabel`.
    """
    outcomes = side_by_side([ask] * times, limit=SIDE_BY_SIDE, seconds=seconds)
    replies = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    counts = Counter(label for reply in replies if (label := label_of(reply.text)))
    if 2 * counts.total() < times:
        failures = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        raise min(failures, key=_patience) if failures else NoLabel("Too few answers begin with a label.")
    intervals = {label: wilson(counts[label], counts.total()) for label in LABELS}
    return intervals, sum((reply.usage for reply in replies), Usage())


def label_of(text: str) -> str | None:
    """The label that an answer begins with, whatever quotes or markdown stand before it; None for another."""
    word = _FIRST_WORD.search(text)
    label = word.group().casefold() if word else ""
    return label if label in LABELS else None


def wilson(successes: int, trials: int) -> Interval:
    """The 95 % score interval of a share (Wilson 1927). It holds the Jeffreys mean (k + ½) / (n + 1)."""
    share, z2 = successes / trials, NORMAL_95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = NORMAL_95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def _patience(failure: Exception) -> bool:
    """Sorts a rate limit before other failures: it is the one that passes."""
    return getattr(failure, "code", "") != "rate_limited"
