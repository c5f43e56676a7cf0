"""A model behind any OpenAI-compatible endpoint, over Chat Completions and the official client.

Nothing is retried here: a queue decides when to ask again.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import openai

from detection import spans
from detection.core.types import Usage
from detection.verifiers.endpoints.failures import NoAnswer, NoLogprobs, NotAsked, Refused
from detection.verifiers.endpoints.last_error import LastError
from detection.verifiers.endpoints.logprobs import LEADING, Listed
from detection.verifiers.endpoints.negotiation import negotiate
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

FRESH = timedelta(days=7)
SOONEST = timedelta(minutes=5)
"""What an endpoint cannot do is asked about again after this, then each time after as long as it has been so."""
WITHOUT = timedelta(hours=1)
"""What it could do before is asked about again after this at the latest."""
DOUBTED_AFTER = timedelta(minutes=1)
"""A capability that a response contradicts is found out anew, but not more often than this."""


class OpenAIEndpoint:
    """One model at ``base_url``. What it can do is found out with the first question and remembered in
    ``memory`` until it is ``fresh`` no longer or a response contradicts it; log-probabilities that are missing are
    asked for again within minutes, then less and less often. Where they came before, nothing takes their place:
    what is asked meanwhile fails. Safe between threads."""

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str,
        *,
        guard: RequestGuard,
        memory: Memory,
        fresh: timedelta = FRESH,
    ) -> None:
        self.model = model
        self._base_url = base_url
        self._guard = guard
        self._memory = memory
        self._fresh = fresh
        self._capability: Capability | None = None
        self._learning = threading.Lock()
        self._last_error = LastError(memory, base_url, model)
        client = openai.OpenAI(
            base_url=base_url, api_key=api_key or "none", max_retries=0, http_client=bounded_client()
        )
        # Looked up here: the client imports half of itself at the first look, which takes a second.
        self._create: Callable[..., Any] = client.chat.completions.with_raw_response.create

    def alternatives(self, system: str, prompt: str, seconds: float) -> Reply:
        """The beginning of an answer with the alternatives at each token, within ``seconds``; without any
        where the endpoint never gave log-probabilities. Raises a :class:`VerifierError`,
        :class:`NoLogprobs` where it did before."""
        until = time.monotonic() + seconds
        with self._last_error.watched():
            capability, reply = self._learnt(system, prompt, until)
            if reply is None and capability.logprobs:
                reply = self._listed(capability, system, prompt, until)
            if reply is None or not reply.positions:
                self._miss()
            return reply or Reply("")

    def write(
        self, system: str, prompt: str, *, tokens: int | None = None, temperature: float, seconds: float
    ) -> Reply:
        """An answer of at most ``tokens`` tokens, by default as many as one word needs, within ``seconds``.
        Raises a :class:`VerifierError`."""
        until = time.monotonic() + seconds
        with self._last_error.watched():
            capability, _ = self._learnt(SYSTEM, PROBE, until)
            plain = replace(capability, logprobs=False)
            limit = (tokens or SHORT_ANSWER) + capability.answer_tokens - SHORT_ANSWER
            try:
                return self._ask(plain, system, prompt, until, tokens=limit, temperature=temperature)
            except Refused:
                self._doubt(capability)
                raise

    def probe(self, seconds: float) -> Capability:
        """Find out anew what the endpoint can do, with a question of our own. Raises a :class:`VerifierError`."""
        with self._last_error.watched():
            return self._learn(SYSTEM, PROBE, time.monotonic() + seconds)[0]

    # --- what the endpoint can do -------------------------------------------------------------------
    def _learnt(self, system: str, prompt: str, until: float) -> tuple[Capability, Reply | None]:
        """The capability, and the reply when this very question had to find it out. One question does; those
        that come meanwhile wait for it, half of their time at most: one that hangs must not take them along."""
        capability = self._known()
        if capability is not None:
            return capability, None
        if not self._learning.acquire(timeout=max(0.0, until - time.monotonic()) / 2):
            return self._learn(system, prompt, until)
        try:
            capability = self._known()
            return (capability, None) if capability else self._learn(system, prompt, until)
        finally:
            self._learning.release()

    def _miss(self) -> None:
        """No log-probabilities came: raises :class:`NoLogprobs` where they came before."""
        known = self._capability
        if known is not None and _gave(known):
            raise NoLogprobs("The endpoint gives no log-probabilities any more.")

    def _known(self) -> Capability | None:
        """What is known and still counts; what is lost is looked up, since another process may have found it again."""
        own = self._capability
        if own is not None and self._is_fresh(own) and not own.has_fallen:
            return own
        found = [
            each for each in (self._memory.load(self._base_url, self.model), own) if self._is_fresh(each)
        ]
        newest = max(found, key=_since, default=None)
        self._capability = newest or own
        return newest

    def _is_fresh(self, known: Capability | None) -> bool:
        """Whether what was found out still counts: for long where it is all that there is to know, for minutes where
        log-probabilities are missing, which may be over soon."""
        if known is None or known.probed_at is None:
            return False
        lasts = self._fresh
        if not known.logprobs:
            longest = WITHOUT if known.has_fallen else lasts
            lasts = min(longest, max(SOONEST, known.probed_at - (known.lacking_since or known.probed_at)))
        return datetime.now(UTC) - known.probed_at <= lasts

    def _learn(self, system: str, prompt: str, until: float) -> tuple[Capability, Reply]:
        paid = Usage()

        def ask(capability: Capability) -> Reply:
            nonlocal paid
            reply = self._ask(capability, system, prompt, until)
            paid += reply.usage
            return reply

        found, reply = negotiate(ask)
        before, now = self._memory.load(self._base_url, self.model) or self._capability, datetime.now(UTC)
        lacked, gave = (before.lacking_since, _gave(before)) if before else (None, False)
        capability = replace(
            found,
            probed_at=now,
            lacking_since=None if found.logprobs else lacked or now,
            gave_logprobs=found.logprobs or gave,
        )
        self._remember(capability)
        return capability, replace(reply, usage=paid)

    def _remember(self, capability: Capability) -> None:
        self._capability = capability
        self._memory.save(self._base_url, self.model, capability)

    def _listed(self, capability: Capability, system: str, prompt: str, until: float) -> Reply:
        """A reply with alternatives, watching for an endpoint that no longer is what it was (contracts §4)."""
        try:
            reply = self._ask(capability, system, prompt, until)
        except Refused as problem:
            if "logprob" in problem.said:
                now = datetime.now(UTC)
                lost = replace(capability, logprobs=False, probed_at=now, lacking_since=now)
                self._remember(replace(lost, gave_logprobs=True))
                return Reply("")
            other = self._otherwise(capability, problem, until)
            return self._ask(other, system, prompt, until) if other.logprobs else Reply("")
        if not reply.positions:
            self._doubt(capability)
        return reply

    def _otherwise(self, capability: Capability, refusal: Refused, until: float) -> Capability:
        """How the endpoint takes questions now; raises its refusal when that is as it was known."""
        if self._doubt(capability):
            found, _ = self._learnt(SYSTEM, PROBE, until)
            if _asked_alike(found) != _asked_alike(capability):
                return found
        raise refusal

    def _doubt(self, capability: Capability) -> bool:
        """Forget what was learnt, unless it was learnt just now; whether it is to be learnt anew."""
        if datetime.now(UTC) - _since(capability) < DOUBTED_AFTER:
            return False
        if self._capability == capability:
            self._remember(replace(capability, probed_at=None))
        return True

    # --- one request --------------------------------------------------------------------------------
    def _ask(
        self,
        capability: Capability,
        system: str,
        prompt: str,
        until: float,
        *,
        tokens: int | None = None,
        temperature: float = 0.0,
    ) -> Reply:
        limit = tokens or (LEADING + 1 if capability.logprobs else capability.answer_tokens)
        request = _request(capability, limit, temperature) | {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
        }
        return self._guard.ask(lambda: self._send(request, until))

    def _send(self, request: dict[str, Any], until: float) -> Reply:
        left = until - time.monotonic()
        if left <= 0:
            raise NotAsked("The time was over before the verifier was asked.")
        with asking(self.model) as span, translated(openai):
            response = self._create(**request, timeout=waiting(left), extra_headers=spans.headers())
            reply = _reply(mapping_of(response.content))
            span.note(tokens_of(reply))
        return reply


def _asked_alike(capability: Capability) -> Capability:
    """How to ask, whenever it was found out."""
    return replace(capability, probed_at=None, lacking_since=None, gave_logprobs=False)


def _since(capability: Capability | None) -> datetime:
    """When it was found out."""
    return (capability and capability.probed_at) or datetime.min.replace(tzinfo=UTC)


def _gave(capability: Capability) -> bool:
    """Whether log-probabilities came from what was known so."""
    return capability.logprobs or capability.gave_logprobs


def _request(capability: Capability, tokens: int, temperature: float) -> dict[str, Any]:
    """What an endpoint is told besides the question."""
    told: dict[str, Any] = {capability.limit_name: tokens}
    if capability.logprobs:
        told |= {"logprobs": True, "top_logprobs": capability.top_logprobs}
    if capability.temperature:
        told["temperature"] = temperature
    if capability.reasoning_effort:
        told["reasoning_effort"] = capability.reasoning_effort
    return told


def _reply(body: dict[str, Any]) -> Reply:
    with reading():
        choices, usage = body["choices"], body.get("usage") or {}
        if not choices or choices[0].get("finish_reason") == "content_filter":
            raise NoAnswer("The model gave no answer.")
        message = choices[0]["message"]
        if message.get("refusal"):
            raise NoAnswer("The model refused to answer.")
        listed = (choices[0].get("logprobs") or {}).get("content") or ()
        return Reply(
            text=message.get("content") or "",
            positions=[_position(token) for token in listed],
            tokens_in=max(0, int(usage.get("prompt_tokens") or 0)),
            tokens_out=max(0, int(usage.get("completion_tokens") or 0)),
            cut=choices[0].get("finish_reason") == "length",
        )


def _position(token: dict[str, Any]) -> Listed:
    """The alternatives at one token, the emitted one first."""
    alternatives = (token, *(token.get("top_logprobs") or ()))
    return [(str(each["token"]), float(each["logprob"])) for each in alternatives]
