"""``:detect``: a request lives as long as its caller waits, is judged once by a worker, and leaves nothing behind."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from detection import toolkit
from detection.api import waiting
from detection.core.context import Context
from detection.models import ApiKey, DetectionRequest
from detection.operations import verifying
from detection.verifiers.deadlines import Deadline
from reviews import tasks
from reviews.lifecycle import detecting, publishing
from reviews.management.commands.sweep import sweep
from tests.api_calls import PROBLEM, SOURCE, WRONG, Caller, body, portfolio
from tests.detection.verifier_stub import hanging
from tests.tables import each_case

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-04")]
Outcome = DetectionRequest.Outcome
NOTHING: dict[str, Any] = {"answer": "NOI fell.", "external_id": None}


@pytest.fixture
def key() -> ApiKey:
    return ApiKey.issue("backend", ["submit"])[0]


def asked(key: ApiKey, seconds: float = 60, **given: Any) -> DetectionRequest:
    return DetectionRequest.ask(key, NOTHING | given, seconds=seconds)


def problem(response: Any) -> tuple[int, str, bool]:
    """Status and kind of a problem, and whether it says when to come back."""
    assert response["Content-Type"] == PROBLEM
    kind = response.json()["type"].removeprefix("urn:hallu:problem:")
    return response.status_code, kind, "Retry-After" in response


def ends_with(monkeypatch: pytest.MonkeyPatch, does: Callable[[Any], object]) -> None:
    """What becomes of a request while its caller waits, instead of being judged."""

    def wait(_done: Any, pk: Any, **_named: Any) -> waiting.Ended:
        does(pk)
        return waiting.Ended.LATE

    monkeypatch.setattr(waiting, "until", wait)


def test_the_result_is_that_of_the_toolkit_and_nothing_of_it_remains() -> None:
    oak, backend = portfolio(), Caller("submit")
    shown = backend.post("answers:detect", body(WRONG, external_id="nlq-3", detectors=["numeric"])).json()
    same = toolkit.judge(
        WRONG,
        question="What was NOI in Q3 2024?",
        original_confidence=0.95,
        sources=[SOURCE],
        about=oak,
        period=oak.periods.get(),
        detectors=["numeric"],
        submitted_by=backend.row,
    )
    told = json.loads(json.dumps(same)) | {"external_id": "nlq-3"}
    for result in (shown, told):
        del result["timings_ms"], result["numeric"]["verification_time_ms"]
    assert shown == told
    assert list(shown) == list(told)
    assert not DetectionRequest.objects.exists()


def test_a_request_keeps_its_words(key: ApiKey) -> None:
    given: dict[str, Any] = {
        "answer": "ה־NOI עלה \u2028 净营业收入",
        "sources": [{**SOURCE, "metadata": {"page": [1, None]}}],
    }
    assert asked(key, **given).given == NOTHING | given
    shown = Caller("submit").post("answers:detect", given).json()
    assert {word for claim in shown["claims"] for word in claim["text"].split()} >= {"ה־NOI", "净营业收入"}


def test_a_request_is_taken_once_and_ends_once(key: ApiKey) -> None:
    row = asked(key)
    taken = DetectionRequest.take(row.pk)
    assert taken
    assert taken.is_wanted()
    assert DetectionRequest.take(row.pk) is None
    assert DetectionRequest.end(row.pk, Outcome.JUDGED, "{}")
    assert not taken.is_wanted()
    assert not DetectionRequest.end(row.pk, Outcome.FAULT)
    assert DetectionRequest.ended([row.pk]) == {row.pk}
    found = DetectionRequest.collect(row.pk)
    assert found
    assert (found.outcome, found.result) == ("judged", "{}")
    assert DetectionRequest.collect(row.pk) is None


def test_nobody_judges_what_nobody_waits_for(key: ApiKey, monkeypatch: pytest.MonkeyPatch) -> None:
    late, gone = asked(key, seconds=-1), asked(key)
    DetectionRequest.collect(gone.pk)
    judged: list[Any] = []
    monkeypatch.setattr(toolkit, "judge", lambda *_, **__: judged.append(1))
    for row in (late, gone):
        tasks.detect(str(row.pk))
    assert judged == []
    assert not DetectionRequest.end(gone.pk, Outcome.JUDGED)


def test_a_caller_who_leaves_ends_it_before_the_next_detector(
    key: ApiKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, begun = asked(key, detectors=["numeric", "citation", "grounding"]), []
    begin = toolkit._Reports.begin

    def leaves(store: Any, name: str, context: Context) -> Context:
        begun.append(name)
        context = begin(store, name, context)
        DetectionRequest.collect(row.pk)
        return context

    monkeypatch.setattr(toolkit._Reports, "begin", leaves)
    detecting.work(str(row.pk))
    assert len(begun) == 2  # the second is not begun: the look is before it
    assert not DetectionRequest.objects.exists()


@each_case(
    "does, status, kind, comes_back",
    [
        (lambda _pk: None, 503, "not-in-time", True),  # no worker, or one that died with it
        (DetectionRequest.take, 503, "not-in-time", True),
        (lambda pk: DetectionRequest.end(pk, Outcome.UNTOLD), 503, "not-in-time", True),
        (lambda pk: DetectionRequest.end(pk, Outcome.FAULT), 500, "internal", False),
        (lambda pk: DetectionRequest.end(pk, Outcome.TOO_LARGE), 413, "too-large", False),
        (lambda pk: DetectionRequest.objects.filter(pk=pk).delete(), 503, "not-in-time", True),
    ],
)
def test_what_brings_no_result_is_a_problem_that_says_what_to_do(
    does: Callable[[Any], object],
    status: int,
    kind: str,
    comes_back: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends_with(monkeypatch, does)
    response = Caller("submit").post("answers:detect", {"answer": "NOI fell."})
    assert problem(response) == (status, kind, comes_back)
    if status != 500:
        assert "Post it to /api/v1/answers/ instead" in response.json()["detail"]
    assert not DetectionRequest.objects.exists()


@each_case(
    "path, sent, status",
    [
        ("facts/", {"content": "NOI was $1.2 million.", "confidence": 0.9}, 503),
        ("traces/", {"steps": [{"text": "NOI was $1.2 million."}]}, 503),
        ("strict-answers/", {"question": "What was NOI?", "sources": [SOURCE]}, 202),
        ("answers/", {"answer": "NOI fell."}, 202),
    ],
)
def test_while_all_places_are_taken_nobody_is_served_with_what_takes_long(
    path: str, sent: dict[str, Any], status: int, settings: Any
) -> None:
    settings.HALLUCINATION = {**settings.HALLUCINATION, "trace_auditing": {"enabled": True}}
    with ExitStack() as stack:
        while stack.enter_context(waiting.place()):
            pass
        response = Caller("submit").post(path, sent, prefer="wait=10")
    assert response.status_code == status, response.content
    assert "Preference-Applied" not in response
    assert status == 202 or problem(response) == (503, "not-in-time", True)


def test_a_fault_of_ours_ends_the_wait(key: ApiKey, monkeypatch: pytest.MonkeyPatch) -> None:
    row = asked(key)

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("half way")

    monkeypatch.setattr(toolkit, "judge", broken)
    with pytest.raises(RuntimeError):
        detecting.work(str(row.pk))
    assert DetectionRequest.objects.get().outcome == "fault"


def test_the_sweep_deletes_what_a_dead_process_left(key: ApiKey) -> None:
    left, lives = asked(key, seconds=30), asked(key, seconds=90)
    sweep(timezone.now() + timedelta(seconds=60))
    assert list(DetectionRequest.objects.all()) == [lives]
    assert left != lives


def test_what_no_worker_can_be_told_of_ends_at_once(key: ApiKey, monkeypatch: pytest.MonkeyPatch) -> None:
    row, publisher = asked(key), publishing.Publisher(None)  # type: ignore[arg-type]  # it publishes nothing here
    for lane, outcome in (("fast", ""), ("detect", "untold")):
        publisher._dropped("the broker is away", str(row.pk), lane)
        row.refresh_from_db()
        assert row.outcome == outcome


@each_case(
    "switched, detectors, queue",
    [
        ({}, None, "detect"),
        ({"backend": "external"}, None, "detect_verify"),
        ({"backend": "external"}, ["numeric"], "detect"),
    ],
)
def test_what_waits_for_a_network_has_another_queue(
    switched: dict[str, str],
    detectors: list[str] | None,
    queue: str,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.VERIFIER = {**settings.VERIFIER, **switched}
    told: list[Any] = []
    monkeypatch.setattr(publishing, "publish_request", lambda _row, **named: told.append(named))
    given = NOTHING | ({"detectors": detectors} if detectors else {})
    detecting.ask(given, Caller("submit").row)
    assert publishing.TASKS[publishing.AWAITED[told[0]["asks_a_network"]]] == ("reviews.detect", queue)


def test_a_verifier_that_does_not_answer_costs_its_opinion_and_not_the_result(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VERIFIER = {**settings.VERIFIER, "backend": "external"}
    awaited = toolkit.Awaited(Deadline(0.3), lambda: True)
    text = "The tenants praised the new lobby [S0]."
    sources = [{"id": "S0", "text": "The lobby was renovated. Many tenants wrote about it."}]
    with hanging() as verifier:
        monkeypatch.setattr(verifying, "verifier_for", lambda _operation: verifier)
        result = toolkit.judge(text, sources=sources, awaited=awaited)
    assert [claim["status"] for claim in result["claims"]] == ["unverified"]
