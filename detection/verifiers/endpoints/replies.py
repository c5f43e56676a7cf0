"""One exchange with a language model: how it is bounded, what comes back, and how its failures are named.

The official clients of both providers come from one generator, so one translation serves both. A client reads
a response until a single read takes too long; here the whole exchange is bounded in time and in size, error
bodies included.
"""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from detection import spans
from detection.core.ports import VerifierError, VerifierRateLimited, VerifierTimeout
from detection.core.types import Usage
from detection.verifiers.endpoints.failures import Malformed, Refused, TooLong, Unauthorized, Unreachable
from detection.verifiers.endpoints.logprobs import Listed

LARGEST_BODY = 1_000_000
LONGEST_CONNECT = 1.0
LONGEST_WAIT = 900.0
"""Seconds; an endpoint that asks for more is asked again after this."""

TOO_LONG = ("context length", "context_length", "context size", "context window", "prompt is too long")
"""How providers say that a question does not fit."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: its text, the alternatives listed at each token (none where the endpoint gives no
    log-probabilities), the tokens read and written, whether the text was cut at the token limit, and what the
    answer cost."""

    text: str
    positions: Sequence[Listed] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    cut: bool = False
    usage: Usage = field(default_factory=Usage)


def asking(model: str) -> AbstractContextManager[spans.Span]:
    """The span of one call to a verifier; the call takes :func:`detection.spans.headers` along."""
    return spans.span("ask verifier", {"gen_ai.request.model": model}, kind="client")


def tokens_of(reply: Reply) -> spans.Noted:
    """What a span notes of a reply: how long it was, not what it said."""
    return {"gen_ai.usage.input_tokens": reply.tokens_in, "gen_ai.usage.output_tokens": reply.tokens_out}


class _Bounded(httpx2.SyncByteStream):
    """A body that ends in an error at its deadline and at :data:`LARGEST_BODY` bytes."""

    def __init__(self, stream: httpx2.SyncByteStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        for piece in self._stream:
            received += len(piece)
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("The body did not end in time.")
            if received > LARGEST_BODY:
                raise Malformed("The response is too large.")
            yield piece

    def close(self) -> None:
        self._stream.close()


def bounded_client() -> httpx2.Client:
    """An HTTP client that follows no redirect and gives a whole exchange the time that was meant for a read."""
    return httpx2.Client(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"request": [_start], "response": [_bound]},
    )


def waiting(seconds: float) -> httpx2.Timeout:
    """The time for one exchange: ``seconds`` in all, of them at most one for the connection."""
    return httpx2.Timeout(seconds, connect=min(seconds, LONGEST_CONNECT))


def _start(request: httpx2.Request) -> None:
    request.extensions["deadline"] = time.monotonic() + request.extensions["timeout"]["read"]


def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Malformed("The response is packed, so its length is not known.")
    stream = response.stream
    if isinstance(stream, httpx2.SyncByteStream):
        response.stream = _Bounded(stream, response.request.extensions["deadline"])


def mapping_of(body: bytes) -> dict[str, Any]:
    """A response's body as a mapping. Raises :class:`Malformed`."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError) as problem:
        raise Malformed("The response is not JSON.") from problem
    if not isinstance(read, dict):
        raise Malformed("The response is no answer of a model.")
    return read


@contextmanager
def reading() -> Iterator[None]:
    """Whatever is missing or of another kind in a response is :class:`Malformed`."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ArithmeticError) as problem:
        raise Malformed("The response is no answer of a model.") from problem


@contextmanager
def translated(client: Any) -> Iterator[None]:
    """The errors of a client module (``openai`` or ``anthropic``) as the port's."""
    try:
        yield
    except client.APITimeoutError as problem:
        raise VerifierTimeout("The verifier did not answer in time.") from problem
    except client.APIConnectionError as problem:
        if isinstance(problem.__cause__, Malformed):
            raise problem.__cause__ from problem
        raise Unreachable("The verifier cannot be reached.") from problem
    except client.APIStatusError as problem:
        raise _of_status(problem) from problem
    except client.APIError as problem:
        raise VerifierError("The verifier's client failed.") from problem


def _of_status(problem: Any) -> VerifierError:
    """An answer other than 200. An overloaded endpoint that says when to come back is a rate limit too."""
    status, said = int(problem.status_code), str(problem).lower()
    wait = retry_after(problem.response.headers.get("retry-after", ""))
    if status == 429 or (status in (503, 529) and wait is not None):
        return VerifierRateLimited("The verifier asked to wait.", wait)
    if status in (400, 413, 422) and any(words in said for words in TOO_LONG):
        return TooLong("The context is longer than the verifier's model can read.")
    if status in (400, 422) or (status == 403 and "logprob" in said):
        return Refused(f"The verifier answered {status}.", said)
    if status in (401, 403):
        return Unauthorized("The verifier refused the key.")
    return VerifierError(f"The verifier answered {status}.")


def retry_after(stated: str) -> float | None:
    """A Retry-After header in seconds, from seconds or a date; None when it is missing or nonsense."""
    try:
        seconds = float(stated)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(stated) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return min(seconds, LONGEST_WAIT) if seconds >= 0 else None
