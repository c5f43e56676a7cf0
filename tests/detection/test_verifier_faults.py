"""Every fault of an endpoint costs its own claim and nothing else: not its neighbours, not the answer, and
never the truth (SPEC-08.42, SPEC-08.43)."""

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from math import log
from typing import Any

import pytest

from detection import toolkit
from detection.core.verdict import LASTING
from detection.operations import verifier_stores, verifying
from detection.verifiers import open_verifier
from tests.detection.fault_server import SURE, Does, faulty, never_accepting
from tests.detection.verifier_stub import completion

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.requirement("SPEC-08.42"),
    pytest.mark.requirement("SPEC-08.43"),
]

ROOF, LIFT, GARDEN = (
    "The roof was replaced after the storm",
    "The elevator has been out of order since May",
    "The garden has old trees along its wall",
)
ANSWER = f"{ROOF} [S0]. {LIFT} [S0]. {GARDEN} [S0]."
SOURCES = [{"id": "S0", "text": f"{ROOF}. {LIFT}. {GARDEN}."}]
DEADLINE, AT_ONCE, PATIENCE = 5.0, 0.5, 120.0
"""Seconds for one batch: where its neighbours end and something never does, where nothing ever ends, and where
everything does. None is waited for but by those that never end, and the neighbours take some milliseconds."""

Judge = Callable[..., dict[str, Any]]

BELIEVED = {"YES": log(SURE), "NO": log(0.02), "UNKNOWN": log(0.01)}


def listing(*tokens: str | float) -> Does:
    """An answer whose first token has these alternatives: token, log-probability, token, …"""
    return Does(completion(dict(zip(tokens[::2], tokens[1::2], strict=True))))  # type: ignore[arg-type]  # in pairs


def choosing(**choice: object) -> Does:
    """A believing answer with keys of its choice changed."""
    return Does(completion(BELIEVED, **choice))


def refusing(retry_after: str | None) -> Does:
    """429, with or without its header."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Does('{"error": {"message": "slow down"}}', 429, headers)


SOON = format_datetime(datetime.now(UTC) + timedelta(minutes=5), usegmt=True)
MUTE = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}

FAULTS: dict[str, tuple[str, Does]] = {
    "hangs": ("timeout", Does(hangs=True)),
    "drips": ("timeout", Does(drip=0.05)),
    "500": ("verifier_error", Does("{}", 500)),
    "502 page": ("verifier_error", Does("<html>Bad Gateway</html>", 502, {"Content-Type": "text/html"})),
    "503": ("verifier_error", Does("", 503)),
    "404": ("verifier_error", Does('{"error": {"message": "no such model"}}', 404)),
    "401": ("verifier_auth", Does('{"error": {"message": "bad key"}}', 401)),
    "cut at once": ("verifier_unreachable", Does(cut=0)),
    "cut in the body": ("verifier_unreachable", Does(cut=40)),
    "half JSON": ("verifier_bad_json", Does('{"choices": [{"mess')),
    "HTML page": ("verifier_bad_json", Does("<html>Log in first</html>", headers={"Content-Type": "text/html"})),
    "a list": ("verifier_bad_json", Does("[1, 2]")),
    "null": ("verifier_bad_json", Does("null")),
    "nothing": ("verifier_bad_json", Does("")),
    "nested": ("verifier_bad_json", Does("[" * 200_000)),
    "no text at all": ("verifier_bad_json", Does(b"\xff\xfe\x00\x80" * 50)),
    "an error in a 200": ("verifier_bad_json", Does('{"error": {"message": "overloaded"}}')),
    "100 MB": ("verifier_bad_json", Does(b" " * 1_000_000, times=100)),
    "false gzip": ("verifier_bad_json", Does(completion(BELIEVED), headers={"Content-Encoding": "gzip"})),
    "empty choices": ("verifier_empty_choices", Does(json.dumps({"choices": []}))),
    "filtered": ("verifier_empty_choices", choosing(finish_reason="content_filter")),
    "refusal": ("verifier_empty_choices", choosing(message=MUTE)),
    "NaN": ("verifier_bad_json", listing("YES", float("nan"))),
    "a positive logarithm": ("verifier_bad_json", listing("YES", 0.7)),
}  # fmt: skip

WAITS: dict[str, Does] = {
    "seconds": refusing("7"),
    "date": refusing(SOON),
    "a day": refusing("86400"),
    "bare": refusing(None),
    "negative": refusing("-3"),
    "nonsense": refusing("abc"),
}

# Words without the belief behind them: the same YES with the evidence and without it is no support.
LISTED_NOTHING = {"content": [{"token": "YES", "logprob": log(SURE), "top_logprobs": []}]}
BLIND: dict[str, tuple[tuple[str, str], Does]] = {
    "log-probabilities left out": (("unverified", "verifier_no_logprobs"), choosing(logprobs=None)),
    "an empty list": (("unverified", "verifier_no_logprobs"), choosing(logprobs={"content": []})),
    "no alternatives": (("unverified", "uncertain"), choosing(logprobs=LISTED_NOTHING)),
    "NO is not listed": (("unverified", "uncertain"), listing("YES", log(0.6), "Maybe", log(0.2))),
    "YES is not listed": (("contradicted", "contradicted"), listing("NO", log(0.9), "Maybe", log(0.05))),
    "neither is listed": (("unverified", "verifier_no_label"), listing("Certainly", -0.01)),
    "all of them absent": (("unverified", "uncertain"), listing("YES", -9999.0, "NO", -9999.0)),
}


@pytest.fixture
def judge(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Judge]:
    """Judge the answer by an endpoint, with the settings of a real start."""
    monkeypatch.setattr(verifier_stores, "PATIENCE", PATIENCE)

    def judged(url: str, answer: str = ANSWER, timeout: float = PATIENCE) -> dict[str, Any]:
        settings.VERIFIER = settings.VERIFIER | {
            "backend": "external",
            "base_url": url,
            "model": "m",
            "timeout": timeout,
        }
        verifier_stores.written()  # what the answer before found out: a new start reads it
        verifying.forget()
        return toolkit.judge(answer, sources=SOURCES, detectors=["strawberry"], original_confidence=0.95)

    before = dict(settings.VERIFIER)
    yield judged
    settings.VERIFIER = before
    verifying.forget()


def claim(result: dict[str, Any], text: str) -> tuple[str, str]:
    """The status and the finding of a claim."""
    found = next(each for each in result["claims"] if each["text"].startswith(text))
    return found["status"], found["finding"]


def test_the_honest_endpoint_supports_all_three(judge: Judge) -> None:
    with faulty({}) as stub:
        result = judge(stub.url)
    assert [claim(result, text) for text in (ROOF, LIFT, GARDEN)] == [("supported", "supported")] * 3
    assert result["verdict"]["adjusted_confidence"] == 0.95


@pytest.mark.parametrize(("code", "does"), FAULTS.values(), ids=FAULTS)
def test_a_fault_costs_its_own_claim_and_no_other(judge: Judge, code: str, does: Does) -> None:
    with faulty({LIFT: [does]}) as stub:
        result = judge(stub.url, timeout=DEADLINE if code == "timeout" else PATIENCE)
    assert claim(result, LIFT) == ("unverified", code)
    assert claim(result, ROOF) == claim(result, GARDEN) == ("supported", "supported")
    verdict = result["verdict"]
    assert (result["status"], verdict["has_hallucinations"]) == ("completed", False)
    assert verdict["coverage"] == {"claims": 3, "verified": 2, "unverified": 1, "not_checked": 0}
    assert verdict["risk_level"] != "low"
    assert verdict["adjusted_confidence"] == (0.76 if code == "timeout" else 0.95)


@pytest.mark.parametrize("does", WAITS.values(), ids=WAITS)
def test_a_rate_limit_makes_claims_wait_and_fails_none(judge: Judge, does: Does) -> None:
    with faulty({LIFT: [does]}) as stub:
        result = judge(stub.url)
    waiting = ("unverified", "rate_limited")
    assert claim(result, LIFT) == waiting
    assert {claim(result, ROOF), claim(result, GARDEN)} <= {waiting, ("supported", "supported")}
    assert result["status"] == "completed"


@pytest.mark.parametrize(
    ("code", "does"), [*FAULTS.values(), *(("rate_limited", does) for does in WAITS.values())]
)
def test_an_endpoint_that_always_fails_supports_nothing_and_the_answer_completes(
    judge: Judge, code: str, does: Does
) -> None:
    with faulty({"": [does]}) as stub:
        result = judge(stub.url, timeout=AT_ONCE if code == "timeout" else PATIENCE)
    found = [claim(result, text) for text in (ROOF, LIFT, GARDEN)]
    assert {status for status, _ in found} == {"unverified"}
    assert code in {finding for _, finding in found}
    verdict = result["verdict"]
    lasting = code in LASTING and result["checks"]["strawberry"]["status"] == "error"
    assert (result["status"], verdict["answer_status"]) == (
        "completed",
        "error" if lasting else "not_verified",
    )
    assert (verdict["has_hallucinations"], verdict["needs_review"]) == (False, False)
    assert verdict["risk_level"] != "low"


def test_a_port_that_never_accepts_is_a_timeout(judge: Judge) -> None:
    with never_accepting() as url:
        result = judge(url, timeout=AT_ONCE)
    assert {claim(result, text) for text in (ROOF, LIFT, GARDEN)} == {("unverified", "timeout")}
    assert result["verdict"]["adjusted_confidence"] == 0.76


@pytest.mark.parametrize(
    "first", [Does(hangs=True), Does("{}", 500), Does(cut=0)], ids=["hangs", "500", "cut"]
)
def test_the_first_question_ever_asked_of_an_endpoint_may_fail_by_itself(first: Does) -> None:
    with faulty({LIFT: [first]}) as stub:
        verifier = open_verifier(
            {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 2 * DEADLINE}
        )
        found = verifier.batch_estimate([LIFT, ROOF, GARDEN], ANSWER)
    assert [estimate.error is None for estimate in found] == [False, True, True]


# What is odd and no fault: the answer counts.
ODD: dict[str, Does] = {
    "another content type": Does(headers={"Content-Type": "text/html"}),
    "no content type": Does(headers={"Content-Type": ""}),
    "slow": Does(wait=0.1),
}


@pytest.mark.parametrize("does", ODD.values(), ids=ODD)
def test_an_odd_answer_that_can_be_read_counts(judge: Judge, does: Does) -> None:
    with faulty({LIFT: [does]}) as stub:
        assert claim(judge(stub.url), LIFT) == ("supported", "supported")


def test_a_packed_answer_is_never_unpacked_and_never_support(judge: Judge) -> None:
    packed = Does(gzip.compress(completion(BELIEVED).encode()), headers={"Content-Encoding": "gzip"})
    with faulty({LIFT: [packed]}) as stub:
        result = judge(stub.url)
    assert claim(result, LIFT) == ("unverified", "verifier_bad_json")
    assert claim(result, ROOF) == ("supported", "supported")


@pytest.mark.requirement("SPEC-08.13")
@pytest.mark.requirement("SPEC-08.14")
@pytest.mark.parametrize(("expected", "does"), BLIND.values(), ids=BLIND)
def test_a_yes_without_belief_behind_it_is_no_support(
    judge: Judge, expected: tuple[str, str], does: Does
) -> None:
    with faulty({LIFT: [does]}) as stub:
        judge(
            stub.url, f"{ROOF} [S0]."
        )  # whether it has log-probabilities is known by what is asked of it first
        result = judge(stub.url)
    assert claim(result, LIFT) == expected
    assert claim(result, ROOF) == claim(result, GARDEN) == ("supported", "supported")
