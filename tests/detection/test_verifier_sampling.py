"""Probabilities from repeated answers, where there are no log-probabilities."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.ports import Estimate, VerifierError
from detection.verifiers import open_verifier
from detection.verifiers.endpoints.sampling import label_of, wilson
from detection.verifiers.stores import Capability, OwnMemory, Stores
from tests.detection.verifier_stub import Answer, Endpoint, Stub, completion, serving
from tests.tables import each_case
from tests.waiting import GIVEN_UP_AFTER

pytestmark = pytest.mark.requirement("SPEC-08.14")

CLAIM, CONTEXT = "NOI was $1.2M.", "Net operating income was $1,234,567."


def said(text: str) -> str:
    """A chat completion without log-probabilities."""
    return completion({text: -0.1}, logprobs=None)


def saying(*answers: str | int) -> Answer:
    """An endpoint that gives these answers one after another; a number is a status."""
    left, lock = list(answers), threading.Lock()

    def answer(endpoint: Endpoint, body: dict) -> None:
        with lock:
            following = left.pop(0)
        if isinstance(following, int):
            endpoint.reply(following, "{}")
        else:
            endpoint.reply(200, said(following))

    return answer


def sampled(answers: Sequence[str | int], **more: Any) -> tuple[Estimate, Stub]:
    """The estimate from these answers of an endpoint that is known to give no log-probabilities."""
    memory = OwnMemory()
    with serving(saying(*answers)) as stub:
        memory.known[stub.url, "m"] = Capability(logprobs=False, probed_at=datetime.now(UTC))
        config = {
            "backend": "self",
            "base_url": stub.url,
            "model": "m",
            "timeout": 60,
            "samples": len(answers),
        }
        return open_verifier(config | more, Stores(memory)).estimate_probability(CLAIM, CONTEXT), stub


@pytest.mark.parametrize(
    ("trials", "low"), [(5, 0.5655), (10, 0.7225), (20, 0.8389), (50, 0.9287), (73, 0.9500)]
)
def test_the_interval_of_a_unanimous_yes_is_the_published_one(trials: int, low: float) -> None:
    assert wilson(trials, trials) == pytest.approx((low, 1.0), abs=5e-5)
    assert wilson(0, trials) == pytest.approx((0.0, 1 - low), abs=5e-5)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_the_jeffreys_mean(drawn: tuple[int, int]) -> None:
    k, n = drawn
    low, high = wilson(k, n)
    assert 0 <= low <= k / n + 1e-12
    assert k / n - 1e-12 <= high <= 1
    assert low <= (k + 0.5) / (n + 1) <= high


@each_case(
    ("text", "label"),
    [
        ("YES", "yes"), ("Yes.", "yes"), ("**No**", "no"), (' "unknown" ', "unknown"), ("NO, because", "no"),
        ("NOT in the context", None), ("Yesterday", None), ("", None), ("42", None), ("Maybe yes", None),
    ],
)  # fmt: skip
def test_a_label_is_the_first_word_and_nothing_else(text: str, label: str | None) -> None:
    assert label_of(text) == label


def test_every_label_is_counted() -> None:
    estimate, stub = sampled(["YES"] * 6 + ["NO"] * 3 + ["UNKNOWN"])
    assert (estimate.yes, estimate.no, estimate.unknown) == (wilson(6, 10), wilson(3, 10), wilson(1, 10))
    assert (estimate.method, estimate.usage.calls, len(stub.asked)) == ("sampling", 10, 10)
    assert {body["temperature"] for body in stub.asked} == {1.0}
    assert not any("logprobs" in body or "top_logprobs" in body for body in stub.asked)


def test_a_failed_call_is_neither_yes_nor_no() -> None:
    estimate, _ = sampled(["YES", 500, "YES", 500, "YES", "hm"])
    assert estimate.yes == wilson(3, 3)


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize(
    ("answers", "code"),
    [
        (["YES", 500, 500, 500], "verifier_error"),
        (["YES", 500, 429, 429], "rate_limited"),
        (["YES", "well", "hm", "let me see"], "verifier_no_label"),
        ([500, 500, 500, 500], "verifier_error"),
    ],
)
def test_fewer_than_half_of_the_answers_are_no_estimate(answers: list[str | int], code: str) -> None:
    with pytest.raises(VerifierError) as failure:
        sampled(answers)
    assert failure.value.code == code


def test_a_first_word_that_is_no_label_has_the_claim_sampled() -> None:
    def answer(endpoint: Endpoint, body: dict) -> None:
        endpoint.reply(200, completion({"Certainly": -0.01}) if body.get("logprobs") else said("NO"))

    with serving(answer) as stub:
        config = {"backend": "self", "base_url": stub.url, "model": "m", "timeout": 60, "samples": 4}
        estimate = open_verifier(config).estimate_probability(CLAIM, CONTEXT)
    assert (estimate.method, estimate.no) == ("sampling", wilson(4, 4))
    assert estimate.usage.calls == 5


def test_sampling_ends_with_the_time_of_its_claim() -> None:
    def answer(endpoint: Endpoint, body: dict) -> None:
        if len(stub.asked) > 2:
            stub.over.wait(GIVEN_UP_AFTER)
        endpoint.reply(200, said("YES"))

    memory = OwnMemory()
    with serving(answer) as stub:
        memory.known[stub.url, "m"] = Capability(logprobs=False, probed_at=datetime.now(UTC))
        config = {"backend": "self", "base_url": stub.url, "model": "m", "timeout": 0.5, "samples": 10}
        (estimate,) = open_verifier(config, Stores(memory)).batch_estimate([CLAIM], CONTEXT)
    assert estimate.error == "timeout"
