"""Auditing traces end to end: worked traces, an executor over HTTP, the one deadline, the shell's function."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import log
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from detection import toolkit, traces
from detection.core.ports import Estimate
from detection.models import Trace
from detection.operations import verifying
from detection.verifiers.embedded.local import LocalVerifier
from tests.detection.verifier_stub import Answer, Endpoint, completion, hangs, serving
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("SPEC-08.23")]

# --- worked traces, written for these tests -----------------------------------------------------------
ENGLISH: dict[str, Any] = {
    "question": "What was the net operating income of Oak Tower in Q3 2024?",
    "context": ["In Q3 2024 rental income of Oak Tower was $1,500,000. Operating expenses were $600,000."],
    "steps": [
        "Rental income of Oak Tower was $1,500,000 in Q3 2024 [S0].",
        "Operating expenses were $650,000 [S0].",
        "The roof garden was opened by the mayor in spring.",
        "The roof garden opened by the mayor blooms in spring.",
        "1,500,000 − 600,000 = 950,000",
        "What else should be known?",
    ],
    "answer": "Rental income of Oak Tower was $1,500,000 in Q3 2024.",
}
HEBREW: dict[str, Any] = {
    "question": "מה היו הכנסות השכירות של מגדל האלון?",
    "context": ['הכנסות השכירות של מגדל האלון היו 1,500,000 ש"ח. הוצאות התפעול היו 600,000 ש"ח.'],
    "steps": [
        'הכנסות השכירות של מגדל האלון היו 1,500,000 ש"ח [S0].',
        'הוצאות התפעול היו 700,000 ש"ח [S0].',
        "ראש העיר חנך את גינת הגג באביב.",
        "מה עוד צריך לדעת?",
    ],
    "answer": 'הכנסות השכירות של מגדל האלון היו 1,500,000 ש"ח.',
}
CHINESE: dict[str, Any] = {
    "question": "橡树大厦的租金收入是多少？",
    "context": ["橡树大厦2024年第三季度的租金收入为150万美元，运营费用为60万美元。"],
    "steps": [
        "橡树大厦2024年第三季度的租金收入为150万美元[S0]。",
        "运营费用为90万美元[S0]。",
        "市长在春天为屋顶花园揭幕。",
        "还需要知道什么？",
    ],
    "answer": "橡树大厦2024年第三季度的租金收入为150万美元。",
}


@pytest.mark.requirement("SPEC-08.24")
def test_a_worked_trace_with_the_embedded_verifier() -> None:
    found = toolkit.audit_trace(**ENGLISH)
    assert [step["status"] for step in found["steps"]] == [
        "ENTAILED",
        "CONTRADICTED",
        "NOT_IN_CONTEXT",
        "NOT_IN_CONTEXT",
        "CONTRADICTED",
        "UNVERIFIABLE",
    ]
    assert found["post_hoc"]["derivable"] is True
    assert found["post_hoc"]["method"] == "entailment"


@pytest.mark.parametrize("worked", [HEBREW, CHINESE], ids=["Hebrew", "Chinese"])
def test_in_a_language_that_no_verifier_reads_no_step_is_held(worked: dict[str, Any]) -> None:
    found = toolkit.audit_trace(**worked)
    assert {step["status"] for step in found["steps"]} <= {"UNVERIFIABLE", "CONTRADICTED"}
    assert found["post_hoc"]["derivable"] is None


@pytest.mark.requirement("SPEC-08.25")
def test_an_answer_that_does_not_follow_is_caught_without_an_executor() -> None:
    answer = "The anchor tenant renewed its lease for ten years."
    assert toolkit.audit_trace(**{**ENGLISH, "answer": answer})["post_hoc"]["derivable"] is False


# --- the shell's function -----------------------------------------------------------------------------
@pytest.mark.requirement("SPEC-08.31")
@pytest.mark.requirement("SPEC-08.32")
def test_the_function_of_the_shell_returns_structured_results_and_stores_nothing() -> None:
    found = toolkit.audit_trace(
        [{"text": "The lease is new.", "citations": ["S0"], "confidence": 0.8}], "The lease is new."
    )
    step = found["steps"][0]
    figures = {"status", "p0", "p1", "required_bits", "observed_bits", "budget_gap"}
    assert figures <= set(step)
    assert step["p1"] > step["p0"]
    assert found["post_hoc"] == {
        "derivable": None,
        "executor_answer": None,
        "method": "none",
        "reason": "The trace came without an answer.",
    }
    assert json.loads(json.dumps(found)) == found
    assert not Trace.objects.exists()


@pytest.mark.requirement("SPEC-08.33")
def test_steps_alone_are_enough() -> None:
    found = toolkit.audit_trace(["All tenants pay rent monthly.", "All tenants pay rent monthly [step 1]."])
    assert [step["finding"] for step in found["steps"]] == ["premise", "under_premises"]
    assert found["steps"][1]["rests_on"] == ["step 1"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"steps": []}, "steps: give 1 to 200, not 0"),
        ({"steps": ["a step"] * 201}, "not 201"),
        ({"steps": ["a step", " "]}, "without text"),
        ({"steps": ["a"], "context": [{"id": "A", "text": "x"}, {"id": "A", "text": "y"}]}, "already"),
        ({"steps": ["a"], "context": [{"id": "step 2", "text": "x"}]}, "names a step"),
    ],
)
def test_a_trace_that_cannot_be_audited_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        toolkit.audit_trace(**given)


def test_the_check_of_the_answer_can_be_switched_off() -> None:
    tree = settings.HALLUCINATION
    off = {**tree, "trace_auditing": {**tree["trace_auditing"], "check_post_hoc": False}}
    with override_settings(HALLUCINATION=off):
        found = toolkit.audit_trace(**ENGLISH)
    assert (found["post_hoc"]["derivable"], found["post_hoc"]["method"]) == (None, "none")
    assert "switched off" in found["post_hoc"]["reason"]


# --- an executor over HTTP ----------------------------------------------------------------------------
@contextmanager
def executor(answer: Answer, timeout: float = 10.0, **tree: Any) -> Iterator[Any]:
    """Trace auditing with a language model behind a stub that verifies and writes."""
    with serving(answer) as stub:
        verifier = {
            **settings.VERIFIER,
            "backend": "external",
            "base_url": stub.url,
            "model": "m",
            "timeout": timeout,
        }
        changed = {**settings.HALLUCINATION, "timeout": timeout, **tree}
        forget()
        with override_settings(VERIFIER=verifier, HALLUCINATION=changed):
            yield stub
        forget()


def forget() -> None:
    """Let the operations open their models anew."""
    verifying.forget()


def plays(reply: str | Callable[[Endpoint], None], yes: float = 0.97) -> Answer:
    """An endpoint that writes ``reply`` as executor and believes every claim by ``yes`` as verifier."""
    said = completion({"YES": log(yes), "NO": log((1 - yes) / 2), "UNKNOWN": log((1 - yes) / 2)})

    def answer(endpoint: Endpoint, body: dict[str, Any]) -> None:
        if not is_executor(body):
            return endpoint.reply(200, said)
        if callable(reply):
            return reply(endpoint)
        return endpoint.reply(200, completion({reply: 0.0}))

    return answer


def is_executor(body: dict[str, Any]) -> bool:
    return "work out the answer" in body["messages"][0]["content"]


def asked_of_executor(stub: Any) -> list[str]:
    return [json.dumps(body["messages"], ensure_ascii=False) for body in stub.asked if is_executor(body)]


DERIVED: dict[str, Any] = {
    "question": "What was NOI?",
    "context": ["Only the context speaks of the blue lobby."],
    "steps": ["Rental income was $1,500,000.", "Operating expenses were $600,000."],
    "answer": "NOI was $900,000.",
}


@pytest.mark.requirement("SPEC-08.26")
def test_the_executor_answers_from_question_and_steps_alone() -> None:
    with executor(plays("The NOI was $900,000.")) as stub:
        found = toolkit.audit_trace(**DERIVED)["post_hoc"]
    assert (found["derivable"], found["method"]) == (True, "executor")
    assert found["executor_answer"] == "The NOI was $900,000."
    (asked,) = asked_of_executor(stub)
    assert all(said in asked for said in ("What was NOI?", "$1,500,000", "$600,000"))
    assert "blue lobby" not in asked
    assert "900,000" not in asked


@pytest.mark.requirement("SPEC-08.25")
@pytest.mark.parametrize("reply", ["The NOI was $800,000.", "UNDERIVABLE"])
def test_a_right_answer_that_does_not_follow_is_caught(reply: str) -> None:
    with executor(plays(reply)):
        assert toolkit.audit_trace(**DERIVED)["post_hoc"]["derivable"] is False


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize(
    "fault",
    [
        lambda endpoint: endpoint.reply(500, "{}"),
        lambda endpoint: endpoint.reply(429, "{}", Retry_After="30"),
        lambda endpoint: endpoint.reply(200, "<html>"),
        lambda endpoint: endpoint.reply(200, completion({"": 0.0})),
        lambda endpoint: endpoint.connection.close(),
    ],
    ids=["500", "429", "no JSON", "empty", "cut"],
)
def test_a_failing_executor_leaves_it_open(fault: Callable[[Endpoint], None]) -> None:
    with executor(plays(fault)):
        found = toolkit.audit_trace(**DERIVED)["post_hoc"]
    assert (found["derivable"], found["executor_answer"], found["method"]) == (None, None, "executor")
    assert found["reason"].startswith("The executor gave no answer.")


def test_what_the_calls_cost_is_added_up() -> None:
    with executor(plays("The NOI was $900,000.")) as stub:
        found = toolkit.audit_trace(**DERIVED)
    assert found["cost"]["calls"] >= 1
    assert found["cost"]["tokens"] == 201 * found["cost"]["calls"]
    assert found["cost"]["calls"] <= len(stub.asked)


def test_without_a_question_there_is_nothing_to_ask_an_executor() -> None:
    with executor(plays("The NOI was $900,000.")) as stub:
        found = toolkit.audit_trace(**{**DERIVED, "question": " "})["post_hoc"]
    assert found["method"] == "entailment"
    assert asked_of_executor(stub) == []


# --- the one deadline ---------------------------------------------------------------------------------
@pytest.mark.requirement("SPEC-08.42")
def test_an_endpoint_that_hangs_ends_with_the_deadline_and_proves_nothing() -> None:
    with executor(hangs, timeout=0.6):
        row, steps = traces.examine(traces.trace_of(DERIVED["steps"], question="What?", answer="NOI was $9."))
    assert {step.status for step in steps} == {"UNVERIFIABLE"}
    assert [step.finding for step in steps] == ["premise", *["timeout"] * (len(steps) - 1)]
    assert row.derivable is None


@pytest.mark.requirement("SPEC-08.43")
def test_steps_not_reached_in_time_are_unverifiable_and_the_others_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A verifier that says nothing about one step only while the audit lasts."""
    over = threading.Event()

    class Slow(LocalVerifier):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            if any("roof" in claim for claim in claims):
                over.wait(GIVEN_UP_AFTER)
            return super().batch_estimate(claims, context)

    monkeypatch.setattr(verifying, "verifier_for", lambda _operation: Slow())
    with override_settings(HALLUCINATION={**settings.HALLUCINATION, "timeout": 5}):
        found = toolkit.audit_trace(
            ["The lease is new and long.", "The roof is old and leaks."], "The lease is new and long."
        )
    over.set()
    assert [step["status"] for step in found["steps"]] == ["ENTAILED", "UNVERIFIABLE"]
    assert found["steps"][1]["finding"] == "timeout"


def test_an_audit_is_logged_without_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "detection.traces")
    row = traces.audit(
        traces.trace_of(["The lease is new and long."], context=["The lease is new and long."])
    )
    assert f"trace_audited trace={row.pk} steps=1" in caplog.text
    assert "entailed=1" in caplog.text
    assert "lease" not in caplog.text


def test_a_verifier_that_cannot_be_opened_leaves_every_step_open() -> None:
    forget()
    with override_settings(VERIFIER={**settings.VERIFIER, "backend": "external", "model": ""}):
        found = toolkit.audit_trace(
            ["The lease is new and long."], "The lease is new.", answer="The lease is long."
        )
    forget()
    assert [step["status"] for step in found["steps"]] == ["UNVERIFIABLE"]
    assert found["post_hoc"]["derivable"] is None
