"""Degraded is said: a verifier that is away, or gives no probabilities, flags no answer and makes none a success."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from detection.operations import verifying
from detection.toolkit import judge, verify_claim
from tests.detection.facts import believes
from tests.detection.verifier_stub import Answer, completion, sends, serving

pytestmark = pytest.mark.django_db(transaction=True)

SOURCES = [
    {
        "id": "S0",
        "text": "Unused leave may not be carried over. The office in Leeds closed in spring.",
        "score": 0.9,
    }
]
SAID = "The office in Leeds closed in spring [S0]."
PLAIN = "The office in Leeds closed in spring."
SILENT = completion({"Perhaps": -0.1}, logprobs=None)
"""Neither log-probabilities nor a label."""
NO_SUCH_PARAMETER = json.dumps({"error": {"message": "logprobs are not supported by this model"}})


@contextmanager
def verified_by(url: str, **hallucination: Any) -> Iterator[None]:
    """Answers are verified by the endpoint at ``url``."""
    tree = settings.HALLUCINATION
    verifier = settings.VERIFIER | {
        "backend": "external",
        "base_url": url,
        "model": "stub",
        "samples": 2,
        "timeout": 20.0,
    }
    verifying.forget()
    with override_settings(VERIFIER=verifier, HALLUCINATION={**tree, **hallucination}):
        yield
    verifying.forget()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (sends(SILENT), "verifier_no_label"),
        (sends(NO_SUCH_PARAMETER, 403), "verifier_error"),
        (sends("{}", 500), "verifier_error"),
        (sends("<html>"), "verifier_bad_json"),
        (sends("{}", 401), "verifier_auth"),
        (sends("{}", 429, Retry_After="77"), "rate_limited"),
    ],
    ids=["no label", "no log-probabilities", "500", "html", "401", "429"],
)
@pytest.mark.requirement("SPEC-08.42")
def test_a_verifier_without_probabilities_leaves_an_answer_not_verified_and_flags_nothing(
    answer: Answer, code: str
) -> None:
    with serving(answer) as stub, verified_by(stub.url):
        found = judge(SAID, sources=SOURCES)
    held_to_be_open(found, "unverified", code)


@pytest.mark.parametrize(
    ("url", "code"), [("http://127.0.0.1:9/v1", "verifier_unreachable"), ("", "verifier_unavailable")]
)
@pytest.mark.requirement("SPEC-08.42")
def test_a_verifier_that_is_away_leaves_an_answer_not_verified_and_flags_nothing(url: str, code: str) -> None:
    with verified_by(url):
        found = judge(SAID, sources=SOURCES)
    held_to_be_open(found, "unverified", code)


@pytest.mark.parametrize(
    "off", [{"enabled": False}, {"output_verification": {"enabled": False}}], ids=["all", "answers"]
)
def test_where_no_verifier_is_switched_on_a_statement_is_not_checked_and_the_answer_no_success(
    off: Any,
) -> None:
    tree = settings.HALLUCINATION
    changed = {
        name: {**tree[name], **value} if isinstance(value, dict) else value for name, value in off.items()
    }
    with override_settings(HALLUCINATION={**tree, **changed}):
        found = judge(SAID, sources=SOURCES)
    held_to_be_open(found, "not_checked", "no_verifier")
    assert found["claims"][0]["reason"].startswith("No verifier that reads this is switched on")
    assert not found["hallucination_check"]["overall_grounded"]


def held_to_be_open(found: dict[str, Any], status: str, code: str) -> None:
    """Not verified, the reason told, and no flag."""
    (claim,) = found["claims"]
    assert (claim["status"], claim["finding"], claim["flagged"]) == (status, code, False)
    assert claim["reason"]
    verdict = found["verdict"]
    assert (verdict["answer_status"], verdict["risk_level"]) == ("not_verified", "moderate")
    assert (verdict["has_hallucinations"], verdict["needs_review"]) == (False, False)
    assert found["warning"], "its reader is told"


def test_figures_carry_their_statement_though_the_verifier_is_away() -> None:
    source = [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89.", "score": 0.9}]
    with serving(sends("{}", 500)) as stub, verified_by(stub.url):
        found = judge("Net operating income was $1,234,567.89 in Q3 2024 [S0].", sources=source)
    assert found["verdict"]["answer_status"] == "success"
    assert found["claims"][0]["finding"] == "covered"


def test_a_wrong_number_is_flagged_though_the_verifier_is_away() -> None:
    source = [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89.", "score": 0.9}]
    with serving(sends("{}", 500)) as stub, verified_by(stub.url):
        verdict = judge("Net operating income was $7,654,321 in Q3 2024 [S0].", sources=source)["verdict"]
    assert (verdict["answer_status"], verdict["needs_review"]) == ("hallucination_detected", True)


def test_what_is_asked_for_by_hand_is_verified_where_answers_are_not() -> None:
    off = {
        **settings.HALLUCINATION,
        "output_verification": {**settings.HALLUCINATION["output_verification"], "enabled": False},
    }
    with serving(believes(0.97, 0.1)) as stub, verified_by(stub.url, **off):
        assert verify_claim(SAID, SOURCES[0]["text"])["status"] == "supported"  # type: ignore[arg-type]


# --- empty evidence -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sources", [[], [{"id": "S0", "text": "  "}]], ids=["none", "blank"])
@pytest.mark.parametrize("answer", [PLAIN, "", "What was it?", "It may rain."])
def test_an_answer_over_nothing_is_no_success_whatever_a_verifier_believes(answer: str, sources: Any) -> None:
    with serving(believes(0.97, 0.97)) as stub, verified_by(stub.url):
        found = judge(answer, sources=sources)
    assert stub.asked == []
    if answer == PLAIN or not sources:
        assert found["verdict"]["answer_status"] == "insufficient_context"
    if answer == PLAIN:
        assert found["claims"][0]["finding"] == "no_evidence"
        assert "%" not in found["claims"][0]["reason"]
