"""What an endpoint can do: found out by asking, remembered with a date (contracts §5).

No list of models is kept: which of them gives log-probabilities, how many alternatives, under which name it
takes its token limit, changes from month to month. The most useful request is tried first; each refusal says
what to leave out.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from detection.verifiers.endpoints.failures import Refused
from detection.verifiers.endpoints.replies import Reply
from detection.verifiers.stores import MOST_ALTERNATIVES, Capability

LADDER = (MOST_ALTERNATIVES, 8, 5, 3, 1)
"""Numbers of alternatives that providers permit (verifiers.md §2.2), the best first."""

AFTER_THINKING = 2048
"""Tokens for one word after thoughts that cannot be switched off."""

MOST_TRIES = 12
_A_BOUND = re.compile(
    r"less than|at most|maximum|between|exceed|<=|≤|range|too (?:large|high|big)|greater than|up to|\bmax\b"
)
_LOGPROBS = re.compile(r"(?<!top_)logprobs|log[- ]probabilit")


def negotiate(ask: Callable[[Capability], Reply]) -> tuple[Capability, Reply]:
    """Ask until the endpoint takes the question as it is put; how it was put and what it answered.

    A reply whose log-probabilities were left out in silence settles that there are none. Raises
    :class:`Refused` when nothing is left to leave out, and what ``ask`` raises otherwise.
    """
    capability = Capability()
    tried = {capability}
    for _ in range(MOST_TRIES):
        try:
            reply = ask(capability)
            simpler = _for_thinkers(capability) if _thought(reply) else iter(())
            refusal = None
        except Refused as problem:
            simpler, refusal = adapted(capability, problem.said), problem
        following = next((each for each in simpler if each not in tried), None)
        if following is None:
            if refusal is not None:
                raise refusal
            return replace(capability, logprobs=capability.logprobs and bool(reply.positions)), reply
        tried.add(capability := following)
    raise Refused("The endpoint refuses the question however it is put.")


def adapted(capability: Capability, said: str) -> Iterator[Capability]:
    """What to try after a refusal that was explained in these words, the best first."""
    if "limit was reached" in said:
        yield from _for_thinkers(capability)
    if capability.reasoning_effort and "reasoning" in said:
        yield replace(capability, reasoning_effort="", logprobs=False)
    if "top_logprobs" in said and (_A_BOUND.search(said) or not _LOGPROBS.search(said)):
        yield from (replace(capability, top_logprobs=n) for n in LADDER if n < capability.top_logprobs)
    if _LOGPROBS.search(said) or "top_logprobs" in said:
        yield replace(capability, reasoning_effort="none")
        yield replace(capability, logprobs=False, reasoning_effort="")
    if "temperature" in said:
        yield replace(capability, temperature=False)
    if "max_completion_tokens" in said or "max_tokens" in said:
        yield replace(capability, limit_name="max_tokens")
    if not any(word in said for word in ("logprobs", "temperature", "_tokens", "reasoning")):
        yield from _simpler(capability)


def _thought(reply: Reply) -> bool:
    """Whether a model spent its tokens on what it does not show."""
    return reply.cut and not reply.positions and not reply.text.strip()


def _for_thinkers(capability: Capability) -> Iterator[Capability]:
    """How to ask a model that thinks first: without thoughts, or with enough tokens for both."""
    if capability.logprobs:
        yield replace(capability, reasoning_effort="none")
    yield replace(capability, answer_tokens=AFTER_THINKING, logprobs=False, reasoning_effort="")


def _simpler(capability: Capability) -> Iterator[Capability]:
    """What to leave out when a refusal says nothing that helps, what is worth least first."""
    yield replace(capability, limit_name="max_tokens")
    yield replace(capability, top_logprobs=5)
    yield replace(capability, temperature=False)
    yield replace(capability, logprobs=False)
