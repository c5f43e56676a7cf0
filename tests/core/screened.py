"""One case through the whole pipeline, in memory."""

from collections.abc import Sequence

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.ports import Verifier
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case


def screened(
    case: Case,
    thresholds: Thresholds = DEFAULTS,
    verifier: Verifier | None = None,
    *,
    due: Sequence[str] = tuple(pipeline.DETECTORS),
    scoring: str = "information_budget",
) -> pipeline.Conclusion:
    """What is concluded when the ``due`` detectors have run."""
    context = Context(case, claims.read(case), thresholds, scoring, verifier=verifier)
    return pipeline.screen(context, Memory(due))
