"""The ``external`` backend reads what a real model's server really sends."""

import math
from collections.abc import Mapping
from typing import Any

import pytest

from detection.core.statements import full_context, scrubbed_context
from detection.core.types import Source
from detection.verifiers import open_verifier
from tests.detection.verifier_stub import forwards, serving
from tests.llm.endpoint import MODEL, Endpoints
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [pytest.mark.llm]

GONE = "[EVIDENCE REMOVED]"
SOURCES = (Source("S0", "Net operating income of the property for Q3 2024 was $1,234,567."),)
WITH, WITHOUT = full_context(SOURCES, GONE), scrubbed_context(SOURCES, {"S0"}, GONE)
CLAIMS = ("Net operating income was $1,234,567 in Q3 2024.", "The roof was replaced after the storm.")


def opened(url: str, **more: Any) -> Any:
    """The backend behind its guards, as the settings would open it."""
    return open_verifier(
        {"backend": "external", "base_url": url, "model": MODEL, "timeout": GIVEN_UP_AFTER} | more
    )


def shares(response: Mapping[str, Any]) -> dict[str, float]:
    """What the first token's list gives to whole-word yes and no, read without the code under test."""
    first = response["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    words = [(each["token"].strip().lower(), math.exp(each["logprob"])) for each in first]
    return {label: sum(p for word, p in words if word == label) for label in ("yes", "no", "unknown")}


@pytest.mark.requirement("SPEC-08.13")
@pytest.mark.requirement("GOV-03")
def test_real_log_probabilities_become_bounds_that_hold_the_listed_shares(endpoints: Endpoints) -> None:
    with serving(forwards(endpoints.terse)) as stub:
        estimates = [opened(stub.url).estimate_probability(CLAIMS[0], text) for text in (WITH, WITHOUT)]
        answers = [answer for answer in stub.answered if answer["choices"][0].get("logprobs")]
    for estimate in estimates:
        assert (estimate.method, estimate.model, estimate.error) == ("logprobs", MODEL, None)
        assert 0 < estimate.yes[0] <= estimate.yes[1] < 1
        assert 0 < estimate.no[0] <= estimate.no[1] < 1
        assert estimate.yes[1] - estimate.yes[0] < 0.2
        assert any(_holds(estimate, shares(answer)) for answer in answers)
    assert estimates[0].yes != estimates[1].yes


def _holds(estimate: Any, share: Mapping[str, float]) -> bool:
    """Whether an estimate is the renormalised reading of one response."""
    highest = share["yes"] / (share["yes"] + share["no"])
    return bool(estimate.yes[0] <= highest + 1e-9 and estimate.yes[1] >= highest - 0.1)


@pytest.mark.requirement("GOV-09")
def test_the_tokens_that_the_server_counted_are_the_usage(endpoints: Endpoints) -> None:
    with serving(forwards(endpoints.terse)) as stub:
        estimate = opened(stub.url).estimate_probability(CLAIMS[0], WITH)
        last = stub.answered[-1]["usage"]
    assert estimate.usage.calls >= 1
    assert estimate.usage.tokens >= last["prompt_tokens"] + last["completion_tokens"] > 200
    assert estimate.latency_ms > 0
