"""A verifier and a text model behind an endpoint (SPEC-08.27 ``self``, ``external``, ``haiku``).

The model answers YES, NO or UNKNOWN to a question about one claim. Read is not its choice but how its belief is
spread over the three: from the log-probabilities where the endpoint gives them, else from repeated answers
(contracts §4). Where neither works the claim has no probability.
"""

import time
from collections.abc import Sequence
from typing import Protocol

from detection.core.ports import Estimate, Text, failed
from detection.core.types import Interval, Usage
from detection.verifiers.endpoints.failures import NoAnswer, NoLabel, NoLogprobs
from detection.verifiers.endpoints.logprobs import read_labels
from detection.verifiers.endpoints.prompts import PROMPT_VERSION, SYSTEM, question
from detection.verifiers.endpoints.replies import Reply
from detection.verifiers.endpoints.sampling import TEMPERATURE, sample
from detection.verifiers.side_by_side import side_by_side
from detection.verifiers.stores import Capability

SAMPLES = 10
SIDE_BY_SIDE = 8


class Endpoint(Protocol):
    """One model at one address. All methods raise a :class:`~detection.core.ports.VerifierError`."""

    model: str

    def alternatives(self, system: str, prompt: str, seconds: float) -> Reply:
        """The beginning of an answer with the alternatives at each token, without any where there are none."""
        ...

    def write(
        self, system: str, prompt: str, *, tokens: int | None = None, temperature: float, seconds: float
    ) -> Reply:
        """An answer, by default of one word."""
        ...

    def probe(self, seconds: float) -> Capability:
        """Ask a question of our own, to find out anew what the endpoint can do."""
        ...


class EndpointVerifier:
    """Estimates by an endpoint's model. ``timeout`` is seconds for one estimate, whichever way it is made;
    ``samples`` is how many answers one estimate takes where there are no log-probabilities."""

    def __init__(
        self, endpoint: Endpoint, *, name: str, timeout: float = 10.0, samples: int = SAMPLES
    ) -> None:
        self.name = name
        self._endpoint = endpoint
        self._timeout = timeout
        self._samples = samples

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Estimate one claim. Raises a :class:`~detection.core.ports.VerifierError` whose code says what went
        wrong."""
        started = time.monotonic()
        prompt = question(claim, context)
        reply = self._endpoint.alternatives(SYSTEM, prompt, self._timeout)
        try:
            labels, method, usage = read_labels(reply.positions), "logprobs", reply.usage
        except (NoLogprobs, NoLabel):
            labels, paid = self._sampled(prompt, self._timeout - (time.monotonic() - started))
            method, usage = "sampling", reply.usage + paid
        return Estimate(
            yes=labels["yes"],
            no=labels["no"],
            unknown=labels["unknown"],
            method=method,
            model=self._endpoint.model,
            prompt_version=PROMPT_VERSION,
            usage=usage,
            latency_ms=(time.monotonic() - started) * 1000,
        )

    def _sampled(self, prompt: str, seconds: float) -> tuple[dict[str, Interval], Usage]:
        def ask() -> Reply:
            return self._endpoint.write(SYSTEM, prompt, temperature=TEMPERATURE, seconds=seconds)

        return sample(ask, self._samples, seconds)

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """Estimate claims that share a context, several at a time; one that fails carries its ``error``."""
        calls = [lambda claim=claim: self.estimate_probability(claim, context) for claim in claims]
        outcomes = side_by_side(calls, limit=SIDE_BY_SIDE, seconds=self._timeout)
        return [outcome if isinstance(outcome, Estimate) else failed(outcome) for outcome in outcomes]


class EndpointTextModel:
    """A language model that writes text; ``timeout`` is seconds for one answer."""

    def __init__(self, endpoint: Endpoint, *, name: str, timeout: float = 10.0) -> None:
        self.name = name
        self._endpoint = endpoint
        self._timeout = timeout

    def complete(
        self, system: str, prompt: str, *, maximum_tokens: int = 512, temperature: float = 0.0
    ) -> Text:
        """Write an answer, at random as far as ``temperature`` and the endpoint permit. Raises a
        :class:`~detection.core.ports.VerifierError` when there is no usable one."""
        started = time.monotonic()
        reply = self._endpoint.write(
            system, prompt, tokens=maximum_tokens, temperature=temperature, seconds=self._timeout
        )
        if not reply.text.strip():
            raise NoAnswer("The model gave no answer.")
        latency = (time.monotonic() - started) * 1000
        return Text(reply.text, self._endpoint.model, reply.usage, latency)
