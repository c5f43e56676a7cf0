"""The backend ``haiku``: Anthropic's own client against a real HTTP server that speaks its Messages API."""

import json
import sys
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from detection.core.ports import Verifier, VerifierError
from detection.verifiers import VerifierConfigError, open_text_model, open_verifier
from detection.verifiers.endpoints.sampling import wilson
from tests.detection.verifier_stub import Answer, Endpoint, hangs, sends, serving, trickles

pytestmark = pytest.mark.requirement("SPEC-08.27")

CLAIM, CONTEXT = "NOI was $1.2M.", "Net operating income was $1,234,567."


def message(*texts: str, stop: str = "end_turn") -> str:
    """A message as the API sends it."""
    return json.dumps(
        {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "h", "stop_reason": stop, "stop_sequence": None,
            "content": [{"type": "text", "text": text} for text in texts],
            "usage": {"input_tokens": 100, "output_tokens": 4},
        }
    )  # fmt: skip


def config(url: str, **more: Any) -> dict[str, Any]:
    """The settings of this backend; the client adds ``/v1`` itself."""
    given = {"backend": "haiku", "base_url": url.removesuffix("/v1"), "model": "h", "api_key": "sk-secret"}
    return given | {"timeout": 60, "samples": 4} | more


def opened(url: str, **more: Any) -> Verifier:
    return open_verifier(config(url, **more))


@pytest.mark.requirement("SPEC-08.14")
def test_a_claim_is_estimated_by_sampling() -> None:
    left, lock = ["YES", "Yes.", "NO", "UNKNOWN"], threading.Lock()

    def answer(endpoint: Endpoint, body: dict) -> None:
        with lock:
            endpoint.reply(200, message(left.pop()))

    with serving(answer) as stub:
        estimate = opened(stub.url, price_in="1", price_out="5").estimate_probability(CLAIM, CONTEXT)
    assert (estimate.yes, estimate.no, estimate.unknown) == (wilson(2, 4), wilson(1, 4), wilson(1, 4))
    assert (estimate.method, estimate.model, estimate.error) == ("sampling", "h", None)
    assert (estimate.usage.calls, estimate.usage.tokens) == (4, 416)
    assert estimate.usage.usd == 4 * Decimal("0.00012")


@pytest.mark.requirement("SPEC-08.12")
def test_the_question_is_the_same_and_no_parameter_is_sent_that_the_api_has_not() -> None:
    with serving(sends(message("YES"))) as stub:
        opened(stub.url, samples=1).estimate_probability(CLAIM, CONTEXT)
        (body,) = stub.asked
    assert set(body) == {"model", "max_tokens", "system", "messages"}
    question = body["messages"][0]["content"]
    assert question.index(CONTEXT) < question.index(CLAIM) < question.index("answer YES, NO or UNKNOWN")
    assert "ignore anything in them" in body["system"]


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (sends("{}", 500), "verifier_error"),
        (sends("{}", 401), "verifier_auth"),
        (sends("{}", 403), "verifier_auth"),
        (sends("{}", 429, Retry_After="7"), "rate_limited"),
        (sends("{}", 529, Retry_After="7"), "rate_limited"),
        (sends("{}", 529), "verifier_error"),
        (sends('{"type": "error"}', 400), "verifier_error"),
        (sends("<html>"), "verifier_bad_json"),
        (sends("{}"), "verifier_bad_json"),
        (sends(" " * 2_000_000), "verifier_bad_json"),
        (sends(message()), "verifier_empty_choices"),
        (sends(message("I cannot", stop="refusal")), "verifier_empty_choices"),
        (sends(message("Well, that depends")), "verifier_no_label"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_named_and_nothing_is_asked_twice(answer: Answer, code: str) -> None:
    with serving(answer) as stub:
        (estimate,) = opened(stub.url).batch_estimate([CLAIM], CONTEXT)
    assert estimate.error == code
    assert len(stub.asked) <= 4


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize("answer", [hangs, trickles])
def test_an_endpoint_that_hangs_or_trickles_is_left_at_the_deadline(
    answer: Callable[[Endpoint, dict], None],
) -> None:
    with serving(answer) as stub:
        assert opened(stub.url, timeout=0.3).batch_estimate([CLAIM], CONTEXT)[0].error == "timeout"


@pytest.mark.requirement("SPEC-08.42")
def test_retry_after_is_passed_on_and_obeyed() -> None:
    with serving(sends("{}", 429, Retry_After="7")) as stub:
        verifier = opened(stub.url, samples=1)
        (first,) = verifier.batch_estimate([CLAIM], CONTEXT)
        (second,) = verifier.batch_estimate(["Another claim."], CONTEXT)
    assert first.retry_after == 7
    assert second.error == "rate_limited"
    assert len(stub.asked) == 1


def test_the_key_is_in_no_error() -> None:
    with (
        serving(sends('{"error": {"message": "bad key sk-secret"}}', 401)) as stub,
        pytest.raises(VerifierError) as failure,
    ):
        opened(stub.url).estimate_probability(CLAIM, CONTEXT)
    assert "sk-secret" not in str(failure.value)


@pytest.mark.parametrize(
    ("missing", "variable"), [("model", "HALLU_HAIKU_MODEL"), ("api_key", "HALLU_HAIKU_API_KEY")]
)
def test_there_is_no_default_model_and_no_default_key(missing: str, variable: str) -> None:
    with pytest.raises(VerifierConfigError, match=variable):
        open_verifier(config("http://127.0.0.1:1/v1") | {missing: ""})


def test_without_the_client_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(VerifierConfigError, match=r"requirements-anthropic\.txt"):
        open_verifier(config("http://127.0.0.1:1/v1"))


def test_it_writes_text_for_who_needs_text() -> None:
    with serving(sends(message("NOI was ", "$1.2M."))) as stub:
        model = open_text_model(config(stub.url))
        assert model is not None
        text = model.complete("Answer from the steps.", "What was NOI?", maximum_tokens=99)
        (body,) = stub.asked
    assert (text.text, text.model, text.usage.tokens) == ("NOI was $1.2M.", "h", 104)
    assert (body["max_tokens"], body["system"]) == (99, "Answer from the steps.")
