"""What the core needs from outside, as protocols. The shell passes the real things in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from detection.core.types import Interval, Usage


class VerifierError(Exception):
    """The verifier gave nothing usable. ``code`` goes into the claim's measurement and is shown."""

    code = "verifier_error"


class VerifierTimeout(VerifierError):
    """No answer before the deadline."""

    code = "timeout"


class VerifierRateLimited(VerifierError):
    """The endpoint asks for patience; ``retry_after`` is in seconds, None when it did not say."""

    code = "rate_limited"

    def __init__(self, message: str = "", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Estimate:
    """How likely a verifier holds a claim to be, given a context.

    ``yes``, ``no`` and ``unknown`` are probability intervals (lo, hi) in [0, 1]. ``error`` is a code and
    the intervals mean nothing when the verifier gave no usable answer for this claim; ``retry_after`` is
    how many seconds a rate-limited endpoint asked for.
    """

    yes: Interval = (0.0, 1.0)
    no: Interval = (0.0, 1.0)
    unknown: Interval = (0.0, 1.0)
    method: str = ""
    model: str = ""
    prompt_version: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0
    error: str | None = None
    retry_after: float | None = None


class Verifier(Protocol):
    """Answers how likely a claim is, given a context (SPEC-08.28)."""

    name: str

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Estimate one claim. Raises :class:`VerifierError` when there is no usable answer."""
        ...

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """Estimate claims that share a context, in order. Never raises for one claim's failure: that
        claim's estimate carries ``error``."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """What a language model wrote, and what it cost."""

    text: str
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_ms: float = 0.0


class TextModel(Protocol):
    """A language model that answers a question in words."""

    name: str

    def complete(
        self, system: str, prompt: str, *, maximum_tokens: int = 512, temperature: float = 0.0
    ) -> Text:
        """Write an answer of at most ``maximum_tokens`` tokens, more at random the higher ``temperature`` is,
        where the endpoint lets that be chosen. Raises :class:`VerifierError` when there is
        no usable one."""
        ...


@dataclass(frozen=True, slots=True)
class Judges:
    """The judge's two models: a strong one for the critique, a small one for its form (CIT-05)."""

    critic: TextModel
    clerk: TextModel


class FrameStore(Protocol):
    """What was read of chunks, by a hash of all that their reading depends on."""

    def known(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """What is kept under those of ``keys`` that are there. Never raises: what cannot be had is read again."""
        ...

    def keep(self, read: Mapping[str, bytes]) -> None:
        """Keep what was read, by its key. Never raises; called after each part of the chunks of an answer."""
        ...


class Nowhere:
    """A :class:`FrameStore` of nobody: what a process has read it remembers for itself."""

    def known(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Nothing."""
        return {}

    def keep(self, read: Mapping[str, bytes]) -> None:
        """Keep nothing."""


NOWHERE = Nowhere()


@dataclass(frozen=True, slots=True)
class Numbered:
    """A text, and where the numbers stand that were found in it."""

    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a model proposes for one number: where it stands, how it is ``written`` there, and by slot (``metric``, ``entity``,
    ``period``, ``role``, ``aggregation``) the words of the text that name it. It holds no value."""

    start: int
    end: int
    written: str
    words: Mapping[str, str]


class SlotReader(Protocol):
    """Proposes which words of a text name the slots of its numbers."""

    name: str

    def propose(self, asked: Sequence[Numbered]) -> list[tuple[Proposed, ...]]:
        """The proposals for each text, in order. Never raises: a text whose answer failed has none."""
        ...


def failed(failure: Exception) -> Estimate:
    """The estimate of a claim whose verifier raised: the failure's code and no probability."""
    code = failure.code if isinstance(failure, VerifierError) else VerifierError.code
    return Estimate(error=code, retry_after=getattr(failure, "retry_after", None))
