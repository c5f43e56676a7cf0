"""One score an answer (conclusion §4): how likely is it that something in it is not carried, by what its verifier believes? And
what score a reviewer is asked for.

The profile says how many of the correct answers may be doubted ("at most 10 in 100"). How much doubt that is it says itself where an
installation has learnt it (:mod:`detection.core.verdict.learning`); elsewhere it follows from :file:`clean_answers.json`: for a verifier's method, language and kind of answer, the doubt that 0, 1, … per cent of correct
answers exceed (``python -m benchmarks.training.clean_answers``).
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from detection.core.thresholds import Thresholds
from detection.core.types import Finding

Knots = Sequence[tuple[float, float]]
"""(per cent of correct answers, the doubt that they exceed), by rising share."""
HALF = 0.5
"""The least limit, and that of a verifier of which nothing is known: up to it no statement need be held wrong rather than right, and
what is called supported statement by statement is not doubted as a whole."""
SEPARATOR = " · "
LEAST = 1e-6
"""No statement is believed less, so that one does not count for all."""
CLEAN_ANSWERS = Path(__file__).with_name("clean_answers.json")


def doubt_of(findings: Iterable[Finding]) -> float:
    """How much an answer is doubted, in [0, 1]: as a chance, the mean of the odds against its statements.

    Were one of n statements falsified, each as likely as the others, the evidence for it would be the mean of theirs. A product of
    chances (noisy-or) would call every long answer doubtful. 0 where no verifier decided anything.
    """
    odds = [
        (1 - found.believed) / max(found.believed, LEAST) for found in findings if found.believed is not None
    ]
    mean = sum(odds) / len(odds) if odds else 0.0
    return mean / (1 + mean)


class Alike(NamedTuple):
    """Answers whose doubt may be compared: of one ``verifier`` (:func:`detection.core.verdict.verifier_of`) and language, with
    verified ``figures`` or without."""

    verifier: str
    language: str
    figures: bool

    @property
    def kind(self) -> str:
        """The name of the kind in :file:`clean_answers.json`."""
        return "figures" if self.figures else "words"

    @property
    def name(self) -> str:
        """The name in a profile: ``en words · logprobs · some-model · 2``."""
        return SEPARATOR.join((f"{self.language} {self.kind}", self.verifier))

    @classmethod
    def named(cls, name: str) -> "Alike":
        """What has this :attr:`name`."""
        spoken, _, verifier = name.partition(SEPARATOR)
        language, _, kind = spoken.rpartition(" ")
        return cls(verifier, language, kind == "figures")


class Limit(NamedTuple):
    """The ``doubt`` from which on an answer is flagged, and where it comes from: :data:`HALF` where nothing is known, or as the least
    where correct answers meet less."""

    doubt: float
    source: Literal["learnt", "shipped", "half", "least"]


def doubt_limit(alike: Alike, thresholds: Thresholds) -> Limit:
    """The doubt that ``clean_to_review`` per cent of correct answers exceed at most.

    A limit that was learnt for more of them than that is the least that theirs can be.
    """
    given, learnt = _before_learning(alike, thresholds), thresholds.doubt_limits.get(alike.name)
    asks_more = thresholds.clean_to_review < thresholds.doubt_limits_for
    if learnt is None or (asks_more and learnt < given.doubt):
        return given
    return Limit(learnt, "learnt")


def _before_learning(alike: Alike, thresholds: Thresholds) -> Limit:
    """The limit of an installation that has learnt none."""
    known = _clean_answers().get(alike.verifier.partition(SEPARATOR)[0], {})
    knots = known.get(f"{alike.language} {alike.kind}") or known.get(alike.kind)
    if not knots:
        return Limit(HALF, "half")
    shipped = _at(knots, thresholds.clean_to_review)
    return Limit(shipped, "shipped") if shipped > HALF else Limit(HALF, "least")


@cache
def _clean_answers() -> Mapping[str, Mapping[str, Knots]]:
    found: Mapping[str, Mapping[str, Knots]] = json.loads(CLEAN_ANSWERS.read_text(encoding="utf-8"))["limits"]
    return found


def _at(knots: Knots, share: float) -> float:
    """The doubt at a share, between knots on the straight line."""
    after = bisect_right([at for at, _ in knots], share)
    if after == len(knots):
        return knots[-1][1]
    (low, above), (high, below) = list(pairwise(knots))[max(after, 1) - 1]
    return above + (below - above) * (share - low) / (high - low)
