"""One case through the whole pipeline, in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from detection.core import claims, pipeline
from detection.core.context import Context
from detection.core.ports import Estimate, Judges, Verifier, failed
from detection.core.stores import Memory
from detection.core.thresholds import DEFAULTS, Thresholds
from detection.core.types import Case, Claim


@dataclass
class Reading:
    """A verifier that gives every statement the same ``yes`` and ``no`` with its evidence in view, and a third without;
    or fails with ``fault``. ``asked`` are the statements."""

    yes: float = 0.97
    no: float = 0.01
    fault: Exception | None = None
    name: str = "reading"
    asked: list[str] = field(default_factory=list)

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """The estimate of one statement."""
        self.asked.append(claim)
        if self.fault:
            return failed(self.fault)
        yes, no = (0.3, 0.05) if DEFAULTS.placeholder in context else (self.yes, self.no)
        return Estimate((yes, yes), (no, no), (1 - yes - no, 1 - yes - no), "logprobs", "reading-1")

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """The estimates in order."""
        return [self.estimate_probability(claim, context) for claim in claims]


def screened(
    case: Case,
    thresholds: Thresholds = DEFAULTS,
    verifier: Verifier | None = None,
    *,
    due: Sequence[str] = tuple(pipeline.DETECTORS),
    scoring: str = "information_budget",
    read: Callable[[Case], Sequence[Claim]] = claims.read,
    judges: Judges | None = None,
) -> pipeline.Conclusion:
    """What is concluded when the ``due`` detectors have run."""
    context = Context(case, read(case), thresholds, scoring, verifier=verifier, judges=judges)
    return pipeline.screen(context, Memory(due))
