"""One deadline for many calls: of verifiers, and of whatever else may hang."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from detection.core.ports import Estimate, Text, TextModel, Verifier, failed
from detection.verifiers.side_by_side import side_by_side


@dataclass(frozen=True, slots=True)
class Deadline:
    """The one deadline of an audit, counted from when it is made; ``seconds`` is how long it lasts."""

    seconds: float
    began: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Seconds left, 0 when it is over."""
        return max(0.0, self.began + self.seconds - time.monotonic())

    def expired(self) -> bool:
        """Whether it is over."""
        return self.left() == 0.0

    def spent_ms(self) -> float:
        """Milliseconds since it began."""
        return (time.monotonic() - self.began) * 1000


class PunctualVerifier:
    """A verifier whose every call ends with the deadline, whatever its endpoint does."""

    def __init__(self, inner: Verifier, deadline: Deadline) -> None:
        self.name = inner.name
        self._inner = inner
        self._deadline = deadline

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """One claim's estimate; a failure stands in it."""
        return self.batch_estimate([claim], context)[0]

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """The claims' estimates in order; those of a batch cut off are timed out."""
        calls = [lambda: self._inner.batch_estimate(claims, context)]
        (outcome,) = side_by_side(calls, limit=1, seconds=self._deadline.left())
        return [failed(outcome)] * len(claims) if isinstance(outcome, Exception) else outcome


class PunctualTextModel:
    """A language model whose every call ends with the deadline, whatever its endpoint does."""

    def __init__(self, inner: TextModel, deadline: Deadline) -> None:
        self.name = inner.name
        self._inner = inner
        self._deadline = deadline

    def complete(
        self, system: str, prompt: str, *, maximum_tokens: int = 512, temperature: float = 0.0
    ) -> Text:
        """The model's text. Raises :class:`~detection.core.ports.VerifierTimeout` when the deadline passes first."""
        calls = [
            lambda: self._inner.complete(
                system, prompt, maximum_tokens=maximum_tokens, temperature=temperature
            )
        ]
        (outcome,) = side_by_side(calls, limit=1, seconds=self._deadline.left())
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
