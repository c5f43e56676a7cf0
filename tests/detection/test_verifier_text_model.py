"""Text from the same endpoints, for the executor of traces and for the judge."""

import json
from typing import Any

import pytest

from detection.core.ports import TextModel, VerifierError
from detection.verifiers import open_text_model
from tests.detection.verifier_stub import Answer, Endpoint, completion, hangs, sends, serving

pytestmark = pytest.mark.requirement("SPEC-08.26")

ANSWER = completion({"NOI was $1.2M.": -0.1}, logprobs=None)


def opened(url: str, **more: Any) -> TextModel:
    model = open_text_model({"backend": "external", "base_url": url, "model": "m", "timeout": 60} | more)
    assert model is not None
    return model


def test_the_embedded_verifier_writes_no_text() -> None:
    assert open_text_model({}) is None
    assert open_text_model({"backend": "local"}) is None


def test_an_endpoint_is_asked_as_it_was_told_with_little_at_random() -> None:
    with serving(sends(ANSWER)) as stub:
        text = opened(stub.url, price_in="1", price_out="1").complete(
            "Only the steps.", "What was NOI?", maximum_tokens=77
        )
        body = stub.asked[-1]
    assert (text.text, text.model) == ("NOI was $1.2M.", "m")
    assert text.usage.tokens == 201
    assert text.usage.usd > 0
    assert text.latency_ms > 0
    assert [each["content"] for each in body["messages"]] == ["Only the steps.", "What was NOI?"]
    assert (body["temperature"], "logprobs" in body) == (0.0, False)
    assert body["max_completion_tokens"] == 77


def test_what_the_endpoint_can_do_is_found_out_once() -> None:
    def answer(endpoint: Endpoint, body: dict) -> None:
        if "max_completion_tokens" in body:
            endpoint.reply(400, json.dumps({"error": {"message": "unknown: max_completion_tokens"}}))
        else:
            endpoint.reply(200, ANSWER)

    with serving(answer) as stub:
        model = opened(stub.url)
        for _ in range(3):
            assert model.complete("system", "prompt").text
    assert len([body for body in stub.asked if body["messages"][1]["content"] == "prompt"]) == 3
    assert len(stub.asked) == 3 + 2


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (sends("{}", 500), "verifier_error"),
        (sends("{}", 429), "rate_limited"),
        (sends(completion({"": -0.1}, logprobs=None)), "verifier_empty_choices"),
        (hangs, "timeout"),
    ],
)
def test_what_goes_wrong_is_named(answer: Answer, code: str) -> None:
    with serving(answer) as stub, pytest.raises(VerifierError) as failure:
        opened(stub.url, timeout=0.5 if code == "timeout" else 60).complete("system", "prompt")
    assert failure.value.code == code
