"""A verifier for tests of traces that believes what stands in its context, and traces to judge with it."""

from collections.abc import Callable, Sequence
from typing import Any

from detection.core.ports import Estimate
from detection.core.statements import read_context
from detection.core.thresholds import DEFAULTS
from detection.core.traces import decide, measure
from detection.core.types import Source, Usage
from detection.core.types.traces import Step, StepFound, Trace

COST = Usage(calls=1, tokens=100)
SURE, DOUBTFUL, REFUTED = (0.97, 0.01), (0.1, 0.2), (0.02, 0.95)
Belief = tuple[float, float]


class Believing:
    """Believes a statement by ``judge(statement, chunks)``, which gives the probabilities of yes and no; by default
    what stands in a chunk word for word, without its last full stop."""

    name = "believing"

    def __init__(self, judge: Callable[[str, list[str]], Belief] | None = None) -> None:
        self.judge = judge or stands
        self.asked: list[tuple[str, list[str]]] = []

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        return self.batch_estimate([claim], context)[0]

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        chunks = read_context(context)
        self.asked += [(claim, chunks) for claim in claims]
        return [self.estimate(*self.judge(claim, chunks)) for claim in claims]

    @staticmethod
    def estimate(yes: float, no: float) -> Estimate:
        rest = max(0.0, 1 - yes - no)
        return Estimate((yes, yes), (no, no), (rest, rest), method="believing", model="m", usage=COST)


def stands(claim: str, chunks: list[str]) -> Belief:
    """Sure of what a chunk says word for word."""
    return SURE if any(claim.rstrip(".。") in chunk for chunk in chunks) else DOUBTFUL


def trace_of(*steps: Step | str, context: dict[str, str] | None = None, **fields: Any) -> Trace:
    """A trace with its context by id."""
    sources = tuple(Source(ref, said) for ref, said in (context or {}).items())
    return Trace(tuple(s if isinstance(s, Step) else Step(s) for s in steps), sources, **fields)


def found(trace: Trace, verifier: Any = None, **thresholds: Any) -> tuple[StepFound, ...]:
    """What is found of the steps."""
    limits = DEFAULTS.changed(**thresholds)
    return decide(measure(trace, verifier or Believing(), limits), limits)


def statuses(trace: Trace, verifier: Any = None, **thresholds: Any) -> list[str]:
    """The statuses of the steps."""
    return [step.status for step in found(trace, verifier, **thresholds)]
