"""Reasoning traces: their steps, what is measured of each, what is found (SPEC-08.23…SPEC-08.26)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from detection.core.types.findings import Finding
from detection.core.types.inputs import Source
from detection.core.types.measurements import NumericMeasurement, StrawberryMeasurement, Usage
from detection.core.types.words import Interval

StepStatus = Literal["ENTAILED", "CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE"]
Method = Literal["executor", "entailment", "none"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace; ``citations`` name context ids or earlier steps (``step 1``), ``confidence`` is
    stated for the step as a whole, 0 to 1."""

    text: str
    citations: tuple[str, ...] = ()
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A question, what was known (``context``), the steps, and the answer they ended in."""

    steps: tuple[Step, ...]
    context: tuple[Source, ...] = ()
    question: str = ""
    answer: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Alone:
    """What the verifier says of one statement given the context without any step; ``error`` as for lifts."""

    yes: Interval = (0.0, 1.0)
    no: Interval = (0.0, 1.0)
    usage: Usage = field(default_factory=Usage)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Reckoning:
    """Arithmetic that the text does itself, in the statement with the index ``statement``: ``value`` is what it
    comes to, ``result`` what the text says, ``numbers`` the claims that state it, ``operands`` those it is reckoned
    from. ``bare`` when the statement is nothing else."""

    statement: int
    text: str
    value: str
    result: str
    holds: bool
    numbers: tuple[int, ...] = ()
    operands: tuple[int, ...] = ()
    bare: bool = False


@dataclass(frozen=True, slots=True)
class TextMeasured:
    """One text against one set of sources: its statements and its numbers, keyed by claim index.

    ``given`` are dates that the question states already.
    """

    lifts: StrawberryMeasurement
    numbers: NumericMeasurement
    reckoned: tuple[Reckoning, ...] = ()
    given: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepMeasured:
    """One step against the context with all earlier steps, and against the context alone.

    ``near`` are the earlier steps (by index, from 0) that it cites or shares most of its words with: those it
    may rest on; ``recalled`` are numbers (by claim index) that such steps reckoned. ``cited`` is all that it cites, in
    its text or beside it, ``unknown`` what of that names nothing. ``error`` is set, and the rest is
    empty, when the step could not be measured at all.
    """

    whole: TextMeasured | None = None
    alone: Mapping[int, Alone] = field(default_factory=dict)
    context_numbers: NumericMeasurement = field(default_factory=lambda: NumericMeasurement({}))
    near: tuple[int, ...] = ()
    recalled: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    cited: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class TraceMeasured:
    """All steps in order. ``has_context`` is False for a trace that came without any source."""

    steps: tuple[StepMeasured, ...]
    has_context: bool = True


@dataclass(frozen=True, slots=True)
class StepFound:
    """What is found of one step. ``claim`` is the index of the claim that decides, ``finding`` what the
    detector says of it; ``rests_on`` are the earlier steps (from 0) without which it would not be entailed.
    ``conclusion`` is the word that a claim of an answer has: ``wrong`` only with proof (conclusion §3)."""

    status: StepStatus
    code: str
    reason: str
    rests_on: tuple[int, ...] = ()
    claim: int | None = None
    finding: Finding | None = None
    conclusion: str = "not_checked"


@dataclass(frozen=True, slots=True)
class Executed:
    """What the executor made of question and steps; ``error`` is the code of its failure."""

    text: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class PostHocMeasured:
    """The answer beside what its steps give (SPEC-08.25).

    With an executor: ``forward`` is the answer against what the executor derived, ``backward`` the other way
    round, ``missing`` the answer's numbers that it did not arrive at, ``only_numbers`` whether the answer is
    nothing but numbers. Without one: ``forward`` is the answer against the steps.
    """

    method: Method
    executed: Executed | None = None
    forward: TextMeasured | None = None
    backward: TextMeasured | None = None
    missing: tuple[str, ...] = ()
    only_numbers: bool = False


@dataclass(frozen=True, slots=True)
class PostHoc:
    """Whether the answer can be derived from the steps alone; None when that could not be told."""

    derivable: bool | None
    method: Method
    reason: str
    executor_answer: str = ""
