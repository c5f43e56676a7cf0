"""A model of Anthropic over its own client, which is an optional extra. It gives no log-probabilities."""

import time
from datetime import UTC, datetime
from typing import Any

from detection import spans
from detection.verifiers.endpoints.failures import NoAnswer, NotAsked
from detection.verifiers.endpoints.last_error import LastError
from detection.verifiers.endpoints.prompts import PROBE, SYSTEM
from detection.verifiers.endpoints.replies import (
    Reply,
    asking,
    bounded_client,
    mapping_of,
    reading,
    tokens_of,
    translated,
    waiting,
)
from detection.verifiers.endpoints.request_guard import RequestGuard
from detection.verifiers.stores import SHORT_ANSWER, Capability, Memory


class AnthropicEndpoint:
    """One model over the Messages API; at Anthropic's own address unless ``base_url`` says otherwise.

    Raises :class:`ImportError` where the client is not installed.
    """

    def __init__(
        self, model: str, api_key: str, *, base_url: str = "", guard: RequestGuard, memory: Memory
    ) -> None:
        import anthropic

        self.model = model
        self._guard = guard
        self._last_error = LastError(memory, base_url, model)
        self._module: Any = anthropic
        client = anthropic.Anthropic(
            base_url=base_url or None, api_key=api_key, max_retries=0, http_client=bounded_client()
        )
        # Looked up here: the client imports half of itself at the first look, which takes a second.
        self._create: Any = client.messages.with_raw_response.create

    def alternatives(self, system: str, prompt: str, seconds: float) -> Reply:
        """Nothing: there are no log-probabilities, and none are asked for."""
        return Reply("")

    def write(
        self, system: str, prompt: str, *, tokens: int | None = None, temperature: float, seconds: float
    ) -> Reply:
        """An answer of at most ``tokens`` tokens, by default as many as one word needs, within ``seconds``. The
        API takes no temperature; its own is 1. Raises a :class:`~detection.core.ports.VerifierError`."""
        until = time.monotonic() + seconds
        request = {
            "model": self.model,
            "max_tokens": tokens or SHORT_ANSWER,
            "system": system,
            "messages": [{"role": "user", "content": prompt}],
        }
        with self._last_error.watched():
            return self._guard.ask(lambda: self._send(request, until))

    def probe(self, seconds: float) -> Capability:
        """What is known of the API, after a question of our own was answered. Raises a
        :class:`~detection.core.ports.VerifierError`."""
        self.write(SYSTEM, PROBE, temperature=1.0, seconds=seconds)
        return Capability(
            logprobs=False,
            top_logprobs=0,
            limit_name="max_tokens",
            temperature=False,
            probed_at=datetime.now(UTC),
        )

    def _send(self, request: dict[str, Any], until: float) -> Reply:
        left = until - time.monotonic()
        if left <= 0:
            raise NotAsked("The time was over before the verifier was asked.")
        with asking(self.model) as span, translated(self._module):
            response = self._create(**request, timeout=waiting(left), extra_headers=spans.headers())
            reply = _reply(mapping_of(response.http_response.content))
            span.note(tokens_of(reply))
        return reply


def _reply(body: dict[str, Any]) -> Reply:
    with reading():
        usage = body.get("usage") or {}
        text = "".join(block["text"] for block in body["content"] if block["type"] == "text")
        if body.get("stop_reason") == "refusal" or not text:
            raise NoAnswer("The model gave no answer.")
        return Reply(
            text=text,
            tokens_in=max(0, int(usage.get("input_tokens") or 0)),
            tokens_out=max(0, int(usage.get("output_tokens") or 0)),
            cut=body.get("stop_reason") == "max_tokens",
        )
