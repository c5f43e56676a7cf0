"""One score an answer (conclusion §4): how likely is it that something in it is not carried, by what its verifier believes? And
what score a reviewer is asked for.

The profile says how many of the correct answers may be doubted ("at most 10 in 100"). How much doubt that is follows from
:file:`clean_answers.json`: for a verifier's method, language and kind of answer, the doubt that 0, 1, … per cent of correct
answers exceed (``python -m benchmarks.training.clean_answers``).
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from detection.core.types import Finding

Knots = Sequence[tuple[float, float]]
"""(per cent of correct answers, the doubt that they exceed), by rising share."""
HALF = 0.5
"""The least limit, and that of a verifier of which nothing is known: up to it no statement need be held wrong rather than right, and
what is called supported statement by statement is not doubted as a whole."""
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


def doubt_limit(method: str, language: str, figures: bool, share: float) -> float:
    """The doubt that ``share`` per cent of correct answers exceed at most; ``figures`` says whether the answer has verified numbers."""
    known = _clean_answers().get(method)
    if known is None:
        return HALF
    kind = "figures" if figures else "words"
    return max(HALF, _at(known.get(f"{language} {kind}") or known[kind], share))


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
