"""What an endpoint can do is found out by asking, remembered with a date, and found out anew when it is over."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.ports import Estimate, VerifierError
from detection.verifiers import open_verifier
from detection.verifiers.endpoints.failures import NoLogprobs, Refused
from detection.verifiers.endpoints.negotiation import MOST_TRIES, negotiate
from detection.verifiers.endpoints.replies import Reply
from detection.verifiers.opening import open_endpoint
from detection.verifiers.stores import Capability, OwnMemory, Stores
from tests.detection.verifier_stub import Endpoint, Stub, completion, serving

LISTED = {"YES": log(0.8), "NO": log(0.1), "UNKNOWN": log(0.1)}
YES = completion(LISTED)
SILENT = completion(LISTED, logprobs=None)
THINKING = completion(
    LISTED, logprobs=None, message={"role": "assistant", "content": ""}, finish_reason="length"
)
CLAIM, CONTEXT = "NOI was $1.2M.", "Net operating income was $1,234,567."

Rule = Callable[[Mapping[str, Any]], str | None]


def refuses(rule: Rule, good: str = YES, status: int = 400) -> Callable[[Endpoint, dict], None]:
    """An endpoint that refuses what ``rule`` finds wrong with a request, in these words."""

    def answer(endpoint: Endpoint, body: dict) -> None:
        wrong = rule(body)
        if wrong:
            refusal = {"error": {"message": wrong, "type": "invalid_request_error"}}
            endpoint.reply(status if "logprobs" in wrong else 400, json.dumps(refusal))
        else:
            endpoint.reply(200, good if body.get("logprobs") else SILENT)

    return answer


def estimated(stub: Stub, memory: OwnMemory, **more: Any) -> Estimate:
    """One claim, asked by a process that remembers nothing but ``memory``."""
    config = {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 60, "samples": 4}
    return open_verifier(config | more, Stores(memory)).estimate_probability(CLAIM, CONTEXT)


def learnt(rule: Rule, **more: Any) -> tuple[Capability, Estimate, list[dict]]:
    """What is remembered of such an endpoint after one claim, the claim's estimate, and what it was asked."""
    memory = OwnMemory()
    with serving(refuses(rule, **more)) as stub:
        estimate = estimated(stub, memory)
    return memory.known[stub.url, "m"], estimate, stub.asked


def test_an_endpoint_that_can_do_everything_is_asked_once() -> None:
    capability, estimate, asked = learnt(lambda body: None)
    assert len(asked) == 1
    assert (estimate.method, estimate.usage.calls) == ("logprobs", 1)
    assert (capability.logprobs, capability.top_logprobs) == (True, 20)
    assert capability.probed_at is not None
    assert datetime.now(UTC) - capability.probed_at < timedelta(minutes=1)


@pytest.mark.parametrize("most", [8, 5, 3, 1])
def test_the_highest_permitted_number_of_alternatives_is_found(most: int) -> None:
    def rule(body: Mapping[str, Any]) -> str | None:
        wrong = body.get("top_logprobs", 0) > most
        return f"Invalid 'top_logprobs': must be less than or equal to {most}." if wrong else None

    capability, estimate, asked = learnt(rule)
    assert (capability.top_logprobs, estimate.method) == (most, "logprobs")
    assert asked[-1]["top_logprobs"] == most


@pytest.mark.parametrize(
    ("refused", "said", "found"),
    [
        ("max_completion_tokens", "Unsupported parameter: 'max_completion_tokens'.", {"limit_name": "max_tokens"}),
        ("max_completion_tokens", '{"loc": ["body", "max_completion_tokens"], "msg": "extra fields"}', {"limit_name": "max_tokens"}),
        ("temperature", "Unsupported value: 'temperature' does not support 0 with this model.", {"temperature": False}),
        ("top_logprobs", "You are not allowed to send that.", {"logprobs": False}),
        ("max_completion_tokens", "Unrecognized request argument.", {"limit_name": "max_tokens"}),
    ],
)  # fmt: skip
def test_what_an_endpoint_refuses_is_left_out(refused: str, said: str, found: dict[str, Any]) -> None:
    capability, estimate, asked = learnt(lambda body: said if refused in body else None)
    assert estimate.error is None
    assert refused not in asked[-1]
    assert replace(capability, **found) == capability


@pytest.mark.parametrize("status", [400, 403])
def test_a_model_that_needs_thinking_off_for_log_probabilities_gets_it_off(status: int) -> None:
    def rule(body: Mapping[str, Any]) -> str | None:
        thinks = body.get("reasoning_effort") != "none" and body.get("logprobs")
        return "logprobs are not supported with reasoning models" if thinks else None

    capability, estimate, _ = learnt(rule, status=status)
    assert (capability.logprobs, capability.reasoning_effort) == (True, "none")
    assert estimate.method == "logprobs"


@pytest.mark.requirement("SPEC-08.14")
@pytest.mark.parametrize("status", [400, 403])
def test_a_model_that_refuses_log_probabilities_is_sampled_from_then_on(status: int) -> None:
    def rule(body: Mapping[str, Any]) -> str | None:
        if body.get("reasoning_effort"):
            return "Unsupported value: 'reasoning_effort' does not support 'none' with this model."
        return "You are not allowed to request logprobs from this model" if body.get("logprobs") else None

    memory = OwnMemory()
    with serving(refuses(rule, status=status)) as stub:
        first = estimated(stub, memory)
        before = len(stub.asked)
        again = estimated(stub, memory)
        later = stub.asked[before:]
    assert (first.method, again.method) == ("sampling", "sampling")
    assert memory.known[stub.url, "m"].logprobs is False
    assert len(later) == 4
    assert not any(body.get("logprobs") or body.get("reasoning_effort") for body in later)


@pytest.mark.requirement("SPEC-08.14")
def test_log_probabilities_that_are_left_out_in_silence_are_no_probabilities() -> None:
    capability, estimate, asked = learnt(lambda body: None, good=SILENT)
    assert (capability.logprobs, estimate.method) == (False, "sampling")
    assert [body.get("logprobs") for body in asked] == [True, None, None, None, None]
    assert estimate.usage.calls == 5


def test_a_model_that_thinks_in_secret_gets_the_tokens_for_it() -> None:
    def answer(endpoint: Endpoint, body: dict) -> None:
        if "reasoning_effort" in body:
            endpoint.reply(400, '{"error": {"message": "Unknown parameter: reasoning_effort"}}')
        else:
            endpoint.reply(200, SILENT if body["max_completion_tokens"] > 1000 else THINKING)

    memory = OwnMemory()
    with serving(answer) as stub:
        estimate = estimated(stub, memory)
    assert (estimate.method, estimate.yes[1]) == ("sampling", 1.0)
    assert memory.known[stub.url, "m"].answer_tokens > 1000


def test_a_model_that_begins_with_an_empty_line_is_not_taken_for_one_that_thinks() -> None:
    blank = completion(*[{"\n": -0.01}] * 4, finish_reason="length")
    capability, estimate, asked = learnt(lambda body: None, good=blank)
    assert (capability.logprobs, capability.reasoning_effort) == (True, "")
    assert (estimate.method, len(asked)) == ("sampling", 5)


@pytest.mark.parametrize("age", [timedelta(days=8), timedelta(days=1)])
def test_a_capability_is_found_out_anew_when_its_time_is_over(age: timedelta) -> None:
    memory, now = OwnMemory(), datetime.now(UTC)
    with serving(refuses(lambda body: None)) as stub:
        memory.known[stub.url, "m"] = Capability(top_logprobs=5, probed_at=now - age)
        estimate = estimated(stub, memory, probe_days=7)
    anew = age > timedelta(days=7)
    assert (estimate.method, memory.known[stub.url, "m"].top_logprobs) == ("logprobs", 20 if anew else 5)


@pytest.mark.parametrize(
    ("lacking", "probed", "anew"),
    [
        (4, 4, False),
        (6, 6, True),
        (60, 6, False),  # it has lacked them for 54 minutes when it was asked last: the next wait is as long
        (60, 31, True),
        (60 * 24 * 30, 60 * 24 * 6, False),
        (60 * 24 * 30, 60 * 24 * 8, True),
        (None, 6, True),
    ],
)
def test_log_probabilities_that_are_missing_are_asked_for_again_within_minutes_then_less_often(
    lacking: float | None, probed: float, anew: bool
) -> None:
    memory, now = OwnMemory(), datetime.now(UTC)
    since = None if lacking is None else now - timedelta(minutes=lacking)
    with serving(refuses(lambda body: None)) as stub:
        memory.known[stub.url, "m"] = Capability(
            logprobs=False, probed_at=now - timedelta(minutes=probed), lacking_since=since
        )
        estimate = estimated(stub, memory)
    found = memory.known[stub.url, "m"]
    assert (estimate.method, found.logprobs) == (("logprobs", True) if anew else ("sampling", False))
    assert found.lacking_since == (None if anew else since)


def test_since_when_log_probabilities_are_missing_is_kept_while_they_are() -> None:
    memory, now = OwnMemory(), datetime.now(UTC)
    since, probed = now - timedelta(minutes=20), now - timedelta(minutes=15)
    with serving(refuses(lambda body: None, good=SILENT)) as stub:
        memory.known[stub.url, "m"] = Capability(logprobs=False, probed_at=probed, lacking_since=since)
        estimated(stub, memory)
    found = memory.known[stub.url, "m"]
    assert (found.logprobs, found.lacking_since) == (False, since)
    assert found.probed_at is not None
    assert found.probed_at >= now


@pytest.mark.requirement("REL-28")
def test_log_probabilities_that_came_before_are_replaced_by_nothing_and_asked_for_anew() -> None:
    memory, now = OwnMemory(), datetime.now(UTC)
    with serving(refuses(lambda body: None, good=SILENT)) as stub:
        memory.known[stub.url, "m"] = Capability(probed_at=now - timedelta(days=1))
        for asked in (1, 2, 2):  # the one that missed them, the one that found it out, and nobody for minutes
            with pytest.raises(NoLogprobs):
                estimated(stub, memory)
            assert len(stub.asked) == asked
        found = memory.known[stub.url, "m"]
        assert (found.logprobs, found.has_fallen) == (False, True)
        assert found.probed_at is not None
        assert found.probed_at >= now
        memory.known[stub.url, "m"] = replace(found, gave_logprobs=False)
        assert estimated(stub, memory).method == "sampling"


@pytest.mark.requirement("REL-28")
def test_what_another_process_has_found_again_is_used_at_once() -> None:
    memory, replies = OwnMemory(), [SILENT]
    with serving(lambda endpoint, _: endpoint.reply(200, replies[-1])) as stub:
        memory.known[stub.url, "m"] = Capability(probed_at=datetime.now(UTC) - timedelta(days=1))
        config = {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 60}
        worker = open_verifier(config, Stores(memory))
        for claim in ("a", "b"):
            with pytest.raises(NoLogprobs):
                worker.estimate_probability(claim, CONTEXT)
        replies.append(YES)
        open_endpoint(config, Stores(memory)).endpoint.probe(60)
        assert worker.estimate_probability("c", CONTEXT).method == "logprobs"


def test_an_endpoint_that_changes_its_parameters_is_asked_in_the_new_way_at_once() -> None:
    def rule(body: Mapping[str, Any]) -> str | None:
        return "Unsupported parameter: max_tokens" if "max_tokens" in body else None

    memory, now = OwnMemory(), datetime.now(UTC)
    with serving(refuses(rule)) as stub:
        memory.known[stub.url, "m"] = Capability(limit_name="max_tokens", probed_at=now - timedelta(days=1))
        estimate = estimated(stub, memory)
    assert (estimate.method, memory.known[stub.url, "m"].limit_name) == ("logprobs", "max_completion_tokens")


def test_a_question_that_is_refused_for_itself_leaves_what_is_known_as_it_was() -> None:
    def rule(body: Mapping[str, Any]) -> str | None:
        return "content is not permitted" if CLAIM in body["messages"][-1]["content"] else None

    memory, yesterday = OwnMemory(), datetime.now(UTC) - timedelta(days=1)
    with serving(refuses(rule)) as stub:
        memory.known[stub.url, "m"] = Capability(top_logprobs=20, probed_at=yesterday)
        config = {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 60}
        verifier = open_verifier(config, Stores(memory))
        refused, other = verifier.batch_estimate([CLAIM], CONTEXT) + verifier.batch_estimate(["b"], CONTEXT)
        asked = len(stub.asked)
        verifier.batch_estimate([CLAIM], CONTEXT)
    assert (refused.error, other.method) == ("verifier_error", "logprobs")
    assert (asked, len(stub.asked)) == (3, 4)
    assert replace(memory.known[stub.url, "m"], probed_at=None) == Capability(gave_logprobs=True)


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize(
    "said",
    ["This model's maximum context length is 8192 tokens.", "the request exceeds the available context size"],
)
def test_a_context_that_is_too_long_is_said_to_be_and_asked_once(said: str) -> None:
    with serving(refuses(lambda body: said)) as stub, pytest.raises(VerifierError) as failure:
        estimated(stub, OwnMemory())
    assert failure.value.code == "verifier_context_too_long"
    assert len(stub.asked) == 1


@pytest.mark.requirement("SPEC-08.42")
def test_a_later_refusal_of_log_probabilities_is_believed() -> None:
    def rule(body: Mapping[str, Any]) -> str | None:
        return "logprobs is not supported any more" if body.get("logprobs") else None

    memory = OwnMemory()
    with serving(refuses(rule)) as stub:
        memory.known[stub.url, "m"] = Capability(probed_at=datetime.now(UTC))
        with pytest.raises(NoLogprobs):
            estimated(stub, memory)
    assert memory.known[stub.url, "m"].has_fallen


def test_an_endpoint_that_refuses_everything_is_an_error_and_nothing_is_remembered() -> None:
    memory = OwnMemory()
    with serving(refuses(lambda body: "no")) as stub, pytest.raises(VerifierError) as failure:
        estimated(stub, memory)
    assert failure.value.code == "verifier_error"
    assert memory.known == {}
    assert len(stub.asked) <= MOST_TRIES


def test_the_claims_of_a_batch_find_it_out_once() -> None:
    memory = OwnMemory()
    with serving(
        refuses(lambda body: "top_logprobs: at most 5" if body["top_logprobs"] > 5 else None)
    ) as stub:
        config = {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 60}
        found = open_verifier(config, Stores(memory)).batch_estimate(list("abcdefgh"), CONTEXT)
    assert {estimate.method for estimate in found} == {"logprobs"}
    assert len(stub.asked) == 8 + 2


@given(st.lists(st.text(max_size=40)), st.booleans())
def test_negotiation_ends_whatever_an_endpoint_says(words: list[str], cut: bool) -> None:
    asked = 0

    def ask(capability: Capability) -> Reply:
        nonlocal asked
        asked += 1
        if asked <= len(words):
            raise Refused("no", words[asked - 1])
        return Reply("", cut=cut)

    try:
        capability, _ = negotiate(ask)
    except Refused:
        capability = Capability(logprobs=False)
    assert asked <= MOST_TRIES
    assert not capability.logprobs
