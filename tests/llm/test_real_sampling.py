"""Where a real model's log-probabilities say nothing, or are left out, its answers are sampled."""

import json
from typing import Any

import pytest

from detection.verifiers import open_verifier
from detection.verifiers.endpoints.sampling import wilson
from tests.detection.verifier_stub import Answer, Endpoint, forwards, serving
from tests.llm.endpoint import MODEL, Endpoints
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [pytest.mark.llm, pytest.mark.requirement("SPEC-08.14")]

CLAIM, CONTEXT = "The roof is new.", "The roof is new and the lift is old."
SAMPLES = 4


def opened(url: str) -> Any:
    """The backend, with few samples."""
    given = {
        "backend": "external",
        "base_url": url,
        "model": MODEL,
        "timeout": GIVEN_UP_AFTER,
        "samples": SAMPLES,
    }
    return open_verifier(given)


def dropping(url: str) -> Answer:
    """An endpoint that passes questions on to another and drops what it says of log-probabilities."""
    forward = forwards(url)

    def answer(endpoint: Endpoint, body: dict) -> None:
        kept = {name: value for name, value in body.items() if "logprobs" not in name}
        forward(endpoint, kept)

    return answer


def test_a_model_that_begins_sentences_is_sampled_and_never_guessed(endpoints: Endpoints) -> None:
    with serving(forwards(endpoints.chatty)) as stub:
        (estimate,) = opened(stub.url).batch_estimate([CLAIM], CONTEXT)
        asked = [bool(body.get("logprobs")) for body in stub.asked]
    assert asked == [True] + [False] * SAMPLES
    assert (estimate.method, estimate.error) in (("sampling", None), ("", "verifier_no_label"))


def test_log_probabilities_dropped_in_silence_are_replaced_by_real_answers(endpoints: Endpoints) -> None:
    with serving(dropping(endpoints.terse)) as stub:
        (estimate,) = opened(stub.url).batch_estimate([CLAIM], CONTEXT)
        texts = [answer["choices"][0]["message"]["content"] for answer in stub.answered]
        tokens = sum(answer["usage"]["total_tokens"] for answer in stub.answered)
    said = [text.split()[0].strip(".,").casefold() for text in texts[1:] if text.split()]
    count = {label: said.count(label) for label in ("yes", "no", "unknown")}
    labelled = sum(count.values())
    if 2 * labelled < SAMPLES:  # rare: what a real model says at random cannot be fixed
        assert estimate.error == "verifier_no_label"
        return
    assert (estimate.method, estimate.usage.calls, estimate.usage.tokens) == ("sampling", 1 + SAMPLES, tokens)
    assert estimate.yes == pytest.approx(wilson(count["yes"], labelled))
    assert estimate.no == pytest.approx(wilson(count["no"], labelled))


def test_what_an_endpoint_can_do_is_asked_once(endpoints: Endpoints) -> None:
    with serving(forwards(endpoints.terse)) as stub:
        verifier = opened(stub.url)
        verifier.estimate_probability(CLAIM, CONTEXT)
        first = len(stub.asked)
        verifier.estimate_probability("The lift is old.", CONTEXT)
        assert len(stub.asked) == first + 1
        assert json.dumps(stub.asked[-1]["messages"]) != json.dumps(stub.asked[0]["messages"])
