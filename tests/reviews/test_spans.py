"""The way of an answer belongs to its caller's trace, from POST over workers and verifiers to the person who resolves it."""

import http.client
import json
import logging
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from detection import spans
from detection.models import DetectionRun
from reviews.lifecycle import intake
from reviews.management.commands import sweep
from tests.api_calls import Caller, drain
from tests.detection.fault_server import faulty, never_accepting
from tests.detection.verifier_stub import Stub
from tests.faults import broker
from tests.faults.processes import Process, running, wait_until, worker
from tests.product import free_port
from tests.span_receiver import CALLER, SENT, TRACE, Receiver, receiving
from tests.test_house import start

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("SPEC-08.41")]
STATEMENT = "The zebra house was painted by the landlord in spring."
BODY = {
    "question": "What of the zebras?",
    "answer": f"{STATEMENT} NOI was $9,999,999.00 in Q3 2024 [S0].",
    "sources": [{"id": "S0", "text": "Net operating income for Q3 2024 was $1,234,567.89."}],
}
WORDS = (b"zebra", b"landlord", b"9,999,999", b"1,234,567")


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    """Spans of this process go to it."""
    broker.empty()
    with receiving() as started:
        settings.TRACES = started.url
        spans.start("web")
        yield started
        spans.stop()


@pytest.fixture
def verifier() -> Iterator[Stub]:
    """An endpoint that believes what the context says."""
    with faulty({}) as stub:
        yield stub


@pytest.mark.budget(25)
def test_one_trace_leads_from_a_caller_over_the_processes_and_the_verifier_to_the_resolution(
    tmp_path: Path, verifier: Stub, reviewer: User
) -> None:
    broker.empty()
    backend, dana = Caller("submit", "read"), Caller("review", user=reviewer)
    logs = [tmp_path / "web.log", tmp_path / "worker.log"]
    with receiving() as receiver:
        port = free_port()
        given = {
            "HALLU_TRACES": receiver.url,
            "HALLU_VERIFIER": "external",
            "HALLU_VERIFIER_BASE_URL": verifier.url,
            "HALLU_VERIFIER_MODEL": "stub-model",
        }
        web = Process(["process", "web", "--concurrency", "1"], logs[0], HALLU_PORT=str(port), **given)
        with running(web, worker(logs[1], **given)):
            client = Http(port, backend.key or "")
            wait_until(client.is_ready, *logs)
            status, reply = client.post("answers/", BODY, traceparent=SENT)
            assert status == 202, reply
            run = DetectionRun.objects.get(answer=reply["id"])
            wait_until(lambda: DetectionRun.objects.get(pk=run.pk).finished_at is not None, *logs)
            resolve_over(Http(port, dana.key or ""), reply["id"])
            wait_until(lambda: {"judge verify", "POST api-review-resolve"} <= receiver.names(), *logs)
    ours = [span for span in receiver.spans if span.trace == TRACE]
    post = next(span for span in ours if span.name == "POST answer-list")
    assert (post.parent, post.process, post.kind) == (CALLER, "web", 2)
    taken = next(span for span in ours if span.name == "take in")
    assert taken.parent == post.id
    assert run.traceparent == f"00-{TRACE}-{taken.id}-01"
    for lane in ("judge fast", "judge verify"):
        judged = next(span for span in ours if span.name == lane)
        assert (judged.parent, judged.process) == (taken.id, "worker")
        assert judged.noted["hallu.answer"] == reply["id"]
    detectors = {span.name for span in ours if span.name.startswith("detector ")}
    assert detectors == {f"detector {name}" for name in run.due}
    calls = {span.id: span for span in ours if span.name == "ask verifier"}
    strawberry = next(span for span in ours if span.name == "detector strawberry")
    assert calls
    assert {call.parent for call in calls.values()} == {strawberry.id}
    assert set(verifier.traced) == {f"00-{TRACE}-{call}-01" for call in calls}
    resolution = next(span for span in ours if span.name == "resolve")
    assert resolution.parent == taken.id
    asked = next(span for span in receiver.spans if span.name == "POST api-review-resolve")
    assert resolution.links == [asked.trace] != [TRACE]
    assert not [word for word in WORDS if word in receiver.raw]


def submitted(**headers: str) -> DetectionRun:
    """An answer of a caller in this process, judged."""
    reply = Caller("submit", "read").post("answers/", BODY, **headers)
    drain()
    return DetectionRun.objects.get(answer=reply.json()["id"])


def test_what_a_caller_does_not_sample_is_not_sent_and_keeps_its_trace(receiver: Receiver) -> None:
    run = submitted(traceparent=SENT[:-2] + "00")
    spans.stop()
    assert (run.traceparent[:36], run.traceparent[-2:]) == (f"00-{TRACE}-", "00")
    assert receiver.spans == []


@pytest.mark.parametrize("given", ["", "00-nonsense", SENT.replace(TRACE, "0" * 32)])
def test_without_a_valid_trace_one_begins_that_is_the_answers(receiver: Receiver, given: str) -> None:
    run = submitted(**({"traceparent": given} if given else {}))
    spans.stop()
    (post,) = [span for span in receiver.spans if span.name == "POST answer-list"]
    assert post.parent == ""
    assert {span.trace for span in receiver.spans} == {post.trace}
    assert run.traceparent.split("-")[1] == post.trace


def test_reading_makes_spans_for_callers_with_a_trace_alone(receiver: Receiver) -> None:
    reader = Caller("read")
    reader.get("answers/")
    reader.http.get("/healthz")
    reader.get("answers/", traceparent=SENT)
    spans.stop()
    assert [(span.name, span.parent) for span in receiver.spans] == [("GET answer-list", CALLER)]


def test_what_the_sweep_does_for_an_answer_belongs_to_its_trace(receiver: Receiver) -> None:
    reply = Caller("submit").post("answers/", BODY, traceparent=SENT)
    run = DetectionRun.objects.get(answer=reply.json()["id"])
    broker.empty()
    late = timezone.now() - timedelta(minutes=1)
    DetectionRun.objects.filter(pk=run.pk).update(created_at=late)
    assert sweep.sweep(timezone.now()) == 1
    drain()
    again = intake.renew(run)
    assert again is not None
    drain()
    spans.stop()
    assert {receiver.named(name).trace for name in ("publish again", "judge again")} == {TRACE}
    judged = [
        span for span in receiver.spans if span.name.startswith("judge ") and "hallu.lane" in span.noted
    ]
    assert {span.noted["hallu.run"] for span in judged} == {run.pk, again.pk}
    assert {span.trace for span in receiver.spans} == {TRACE}


def test_of_what_goes_wrong_the_kind_is_told_and_no_word(receiver: Receiver) -> None:
    with pytest.raises(ValueError, match="zebra"), spans.span("broken"):
        raise ValueError(STATEMENT)
    with spans.span("long", {"hallu.word": STATEMENT * 10}):
        pass
    spans.stop()
    broken, long = receiver.named("broken"), receiver.named("long")
    assert (broken.failed, broken.message, broken.events) == (True, "", [])
    assert broken.noted == {"error.type": "ValueError"}
    assert len(long.noted["hallu.word"]) == 100


def test_a_receiver_that_is_away_costs_spans_and_is_told_of_once(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    broker.empty()
    with never_accepting() as address, caplog.at_level(logging.WARNING):
        settings.TRACES = address
        spans.start("web")
        assert submitted(traceparent=SENT).finished_at
        for _ in range(3000):
            with spans.span("many"):
                pass
        begun = time.monotonic()
        spans.stop()
        assert time.monotonic() - begun < 20  # OpenTelemetry's own end waits for 30
    assert len([record for record in caplog.records if "spans_not_sent" in record.message]) == 1


def test_a_process_of_a_pool_sends_its_own_before_it_ends(receiver: Receiver) -> None:
    child = os.fork()
    if child == 0:
        with spans.span("forked", parent=SENT):
            pass
        spans.stop()  # as Celery's signal does: such a process ends without Python's own end
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert receiver.named("forked").trace == TRACE


def test_where_spans_are_off_nothing_is_loaded_for_them_or_kept(tmp_path: Path) -> None:
    assert submitted(traceparent=SENT).traceparent == ""
    loads = "import sys, hallu_site.wsgi, reviews.tasks; print('detection.spans.sending' in sys.modules)"
    (tmp_path / "off").mkdir()
    off = start(tmp_path / "off", ("-c", loads), HALLU_TRACES="")
    assert (off.returncode, off.stdout.strip()) == (0, "False"), off.stderr


def test_an_address_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    refused = start(tmp_path, HALLU_TRACES="localhost:4318")
    assert refused.returncode == 1
    assert "HALLU_TRACES: give an http or https address" in refused.stderr


class Http:
    """What curl does."""

    def __init__(self, port: int, key: str) -> None:
        self.port, self.key = port, key

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of one POST, or of a GET where nothing is sent."""
        return self._ask("POST", path, json.dumps(body) if body is not None else "{}", headers)

    def get(self, path: str) -> Any:
        """JSON of one GET."""
        return self._ask("GET", path, "", {})[1]

    def is_ready(self) -> bool:
        """Whether it takes answers."""
        try:
            return self._ask("GET", "../../readyz", "", {})[0] == 200
        except OSError:
            return False

    def _ask(self, method: str, path: str, body: str, headers: dict[str, str]) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        named = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **headers}
        address = "/readyz" if path.endswith("readyz") else f"/api/v1/{path}"
        try:
            connection.request(method, address, body, named)
            got = connection.getresponse()
            read = got.read()
            return got.status, json.loads(read) if "json" in got.headers["Content-Type"] else read
        finally:
            connection.close()


def resolve_over(client: Http, answer: str) -> None:
    """Judge every claim of the answer's review and end it."""
    (review,) = client.get(f"reviews/?answer={answer}")["results"]
    path = f"reviews/{review['id']}/"
    client.post(f"{path}take/")
    shown = client.get(path)
    for claim in shown["undecided"]:
        said = {"version": shown["version"], "claim": claim, "verdict": "rejected"}
        status, shown = client.post(f"{path}verdict/", said)
        assert status == 200, shown
    status, told = client.post(f"{path}resolve/", {"version": shown["version"]})
    assert status == 200, told
