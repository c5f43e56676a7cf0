"""Large answers: a lane of their own, ended alone where they take too long, and no web thread held by one."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from detection.api import waiting
from detection.core import claims, pipeline
from detection.models import DetectionRequest, DetectionRun
from detection.operations import costs, leases
from detection.runs import steps
from reviews import tasks
from reviews.lifecycle.intake import Submission, rescreen, submit
from tests.api_calls import Caller
from tests.faults import broker
from tests.faults.answers import finished_whole, pending_runs
from tests.waiting import until

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-02"),
]
LARGE = "The tenant renewed its lease. " * 1200


@pytest.fixture(autouse=True)
def _empty_broker(db: None) -> None:
    broker.empty()


@pytest.fixture
def every_answer_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "SMALL_SECONDS", 0.0)


def reloaded(run: DetectionRun) -> DetectionRun:
    return DetectionRun.objects.get(pk=run.pk)


@pytest.fixture
def submitter() -> Caller:
    return Caller("submit", "read")


def detail_of(refused: Any) -> str:
    assert refused.status_code == 413
    return str(refused.json()["detail"])


def spin(*_: Any) -> Any:
    """What never comes to an end by itself."""
    while True:
        pass


def ended_after(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let detectors, and the reading of claims, have so much CPU time."""
    for name in ("DETECTOR_SECONDS", "LARGE_SECONDS"):
        monkeypatch.setattr(steps, name, seconds)


@pytest.mark.parametrize(
    ("answer", "source", "queue"),
    [
        ("NOI was $1.2 million [S0].", "NOI was $1,234,567.", "fast"),
        (LARGE, "NOI was $1,234,567.", "large"),
        ("NOI was $1.2 million [S0].", "NOI was $1,234,567. " * 60_000, "large"),
    ],
    ids=["small", "large answer", "large sources"],
)
def test_what_costs_much_is_announced_in_a_lane_of_its_own(answer: str, source: str, queue: str) -> None:
    run = submit(Submission(answer=answer, sources=[{"id": "S0", "text": source}]))
    assert [name for name in broker.QUEUES if broker.depth(name)] == [queue]
    assert reloaded(run).large is (queue == "large")


@pytest.mark.usefixtures("every_answer_is_large")
def test_a_large_answer_is_judged_in_its_lane_by_every_detector() -> None:
    (run,) = pending_runs()
    assert broker.deliver() == ["reviews.judge_large"]
    finished_whole(run)


@pytest.mark.usefixtures("every_answer_is_large")
def test_a_message_in_another_lane_hands_a_large_answer_on() -> None:
    (run,) = pending_runs()
    broker.empty()
    tasks.screen(run.pk)
    assert not run.reports.exists()
    assert broker.deliver() == ["reviews.judge_large"]
    finished_whole(run)


def test_what_takes_longer_than_its_size_does_is_measured_in_the_lane_of_large_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (run,) = pending_runs()
    broker.empty()
    with monkeypatch.context() as slow:
        ended_after(0.3, slow)
        slow.setattr(pipeline.DETECTORS["numeric"], "measure", spin)
        tasks.screen(run.pk)
    assert {report.detector for report in run.reports.all()} == set(tasks.EVERY) - {"numeric"}
    assert broker.deliver() == ["reviews.judge_large"]
    finished_whole(run)
    assert run.reports.get(detector="numeric").status == "ok"


@pytest.mark.requirement("SPEC-08.43")
def test_what_takes_too_long_there_too_ends_alone_and_the_answer_is_concluded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (run,) = pending_runs()
    ended_after(0.3, monkeypatch)
    monkeypatch.setattr(pipeline.DETECTORS["numeric"], "measure", spin)
    broker.deliver()
    finished_whole(run)
    report = run.reports.get(detector="numeric")
    assert (report.status, report.reason) == ("timeout", pipeline.OUT_OF_TIME)
    assert reloaded(run).attempts == 1


def test_claims_that_cannot_be_read_in_time_are_given_up_at_once_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (run,) = pending_runs()
    ended_after(0.3, monkeypatch)
    monkeypatch.setattr(claims, "read", spin)
    assert broker.deliver() == ["reviews.screen", "reviews.judge_large"]
    assert reloaded(run).state == "needs_attention"
    assert reloaded(run).failed_reason == "too_long: more than 0.3 s to read its claims"


def test_judged_again_it_is_as_large_as_before() -> None:
    run = submit(Submission(answer=LARGE))
    DetectionRun.objects.filter(pk=run.pk).update(failed_reason="worker_crashed(5)")
    assert rescreen(run.answer).large


def test_the_lease_is_kept_while_somebody_works_and_no_longer() -> None:
    (run,) = pending_runs()
    held = DetectionRun.take(run.pk, seconds=30, limit=5)
    assert held
    first = reloaded(run).lease_until
    with leases.kept(held, seconds=0):
        until(lambda: reloaded(run).lease_until != first)
    last = reloaded(run).lease_until
    assert last
    assert last <= timezone.now()
    assert reloaded(run).fence == held.fence


def test_a_lease_that_was_lost_is_not_taken_back() -> None:
    (run,) = pending_runs()
    held = DetectionRun.take(run.pk, seconds=30, limit=5)
    assert held
    DetectionRun.objects.filter(pk=run.pk).update(fence=held.fence + 1)
    first = reloaded(run).lease_until
    with leases.kept(held, seconds=0):
        pass
    assert reloaded(run).lease_until == first


def test_a_lease_that_was_given_back_stays_so() -> None:
    (run,) = pending_runs()
    held = DetectionRun.take(run.pk, seconds=30, limit=5)
    assert held
    held.release(progressed=True)
    assert not held.prolong(seconds=30)
    assert reloaded(run).lease_until is None


def test_detect_refuses_a_large_answer_and_says_to_post_it(submitter: Caller) -> None:
    reply = submitter.post("answers:detect", {"answer": LARGE})
    assert "Post it to /api/v1/answers/ instead" in detail_of(reply)
    reply = submitter.post("answers/", {"answer": LARGE})
    assert reply.status_code == 202


def test_detect_gives_up_what_takes_too_long_to_read(
    submitter: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_after(0.3, monkeypatch)
    monkeypatch.setattr(claims, "read", spin)
    reply = submitter.post("answers:detect", {"answer": "NOI was $1.2 million."})
    assert "Post it to /api/v1/answers/ instead" in detail_of(reply)


def test_nobody_waits_for_a_large_answer(submitter: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "until", spin)
    reply = submitter.post("answers/", {"answer": LARGE}, prefer="wait=10")
    assert (reply.status_code, reply.json()["status"]) == (202, "queued")


def test_while_as_many_wait_as_may_the_next_gets_its_reply_at_once(
    submitter: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "until", spin)
    with ExitStack() as stack:
        taken = [stack.enter_context(waiting.place()) for _ in range(30)]
        reply = submitter.post("answers/", {"answer": "NOI fell."}, prefer="wait=10")
        refused = submitter.post("answers:detect", {"answer": "NOI fell."})
    assert (sum(taken), reply.status_code, refused.status_code) == (settings.HALLU_WAITERS, 202, 503)
    assert refused["Retry-After"]
    assert not DetectionRequest.objects.exists()
