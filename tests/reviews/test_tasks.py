"""Tasks take a run through its lanes, do each thing once and survive being stopped between any two."""

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.core import serializers
from django.utils import timezone

from detection import runs
from detection.models import ApiKey, Claim, DetectionRequest, DetectionRun, DetectorReport, StrictAnswer
from detection.models.runs import FAST
from detection.operations import verifying
from detection.runs import screening
from reviews import tasks
from reviews.lifecycle import intake, publishing, strict
from reviews.models import HallucinationReview
from tests.faults import broker
from tests.faults.answers import finished_whole, pending_runs

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-02"),
]


@pytest.fixture(autouse=True)
def _empty_broker(db: None) -> None:
    broker.empty()


def reloaded(run: DetectionRun) -> DetectionRun:
    return DetectionRun.objects.get(pk=run.pk)


def rows() -> str:
    """Every row that a task may write, as text."""
    kinds: list[Any] = [DetectionRun, DetectorReport, Claim, HallucinationReview]
    return "".join(serializers.serialize("json", kind.objects.order_by("pk")) for kind in kinds)


def lose_lease(run: DetectionRun) -> None:
    DetectionRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements are judged as if it had to be waited for."""
    monkeypatch.setattr(verifying, "asks_a_network", lambda _due: True)


def test_an_answer_is_judged_in_the_fast_lane_where_no_endpoint_is_asked() -> None:
    (run,) = pending_runs()
    assert broker.deliver() == ["reviews.screen"]
    finished_whole(run)


@pytest.mark.usefixtures("endpoint")
def test_an_answer_goes_through_both_lanes_where_an_endpoint_is_asked() -> None:
    (run,) = pending_runs()
    assert broker.deliver() == ["reviews.screen", "reviews.verify"]
    finished_whole(run)


@pytest.mark.usefixtures("endpoint")
def test_the_fast_lane_reports_before_an_endpoint_is_asked() -> None:
    (run,) = pending_runs()
    tasks.screen(run.pk)
    assert {report.detector for report in run.reports.all()} == set(FAST)
    assert reloaded(run).state == "queued"


def test_an_answer_without_slow_detectors_is_concluded_in_the_fast_lane() -> None:
    (run,) = pending_runs()
    DetectionRun.objects.filter(pk=run.pk).update(due=list(FAST))
    assert broker.deliver() == ["reviews.screen"]
    finished_whole(run)


@pytest.mark.parametrize("name", ["reviews.screen", "reviews.verify", "reviews.judge_large"])
def test_every_task_done_twice_leaves_the_rows_of_once(name: str) -> None:
    (run,) = pending_runs()
    broker.deliver()
    once = rows()
    current_app.tasks[name](run.pk)
    assert rows() == once


def test_a_strict_answer_done_twice_is_done_once() -> None:
    row = strict.enqueue(strict.Question("What was NOI?"))
    tasks.answer_strictly(str(row.pk))
    once = StrictAnswer.objects.values().get()
    tasks.answer_strictly(str(row.pk))
    assert StrictAnswer.objects.values().get() == once
    assert once["finished_at"]


def test_what_a_caller_waits_for_done_twice_is_done_once() -> None:
    given = {"answer": "NOI fell.", "external_id": None, "detectors": ["numeric"]}
    row = DetectionRequest.ask(ApiKey.issue("backend", ["submit"])[0], given, seconds=60)
    tasks.detect(str(row.pk))
    once = DetectionRequest.objects.values().get()
    tasks.detect(str(row.pk))
    assert DetectionRequest.objects.values().get() == once
    assert once["outcome"]


def test_a_history_whose_demo_is_gone_is_left_alone() -> None:
    tasks.settle_demo("demo")
    assert not DetectionRun.objects.exists()


def test_every_task_of_the_project_is_covered_by_the_tests_above() -> None:
    own = {name for name in current_app.tasks if not name.startswith("celery.")}
    assert own == {
        "reviews.screen",
        "reviews.verify",
        "reviews.judge_large",
        "reviews.answer_strictly",
        "reviews.detect",
        "reviews.settle_demo",
    }


def test_a_doubled_doorbell_measures_once() -> None:
    (run,) = pending_runs()
    tasks.screen(run.pk)
    written = [report.created_at for report in run.reports.order_by("detector")]
    tasks.screen(run.pk)
    assert [report.created_at for report in run.reports.order_by("detector")] == written
    broker.deliver()
    finished_whole(run)


def test_a_run_that_another_worker_holds_is_left_alone() -> None:
    (run,) = pending_runs()
    assert DetectionRun.take(run.pk, seconds=30, limit=5)
    tasks.screen(run.pk)
    assert not run.reports.exists()


def test_a_message_for_an_unknown_run_is_dropped() -> None:
    tasks.screen(10**9)
    tasks.verify(10**9)
    assert not DetectionRun.objects.exists()


def test_a_run_whose_worker_died_before_the_conclusion_is_concluded() -> None:
    (run,) = pending_runs()
    held = DetectionRun.take(run.pk, seconds=30, limit=5)
    assert held
    runs.read(held)
    runs.screen(held)
    lose_lease(run)
    tasks.screen(run.pk)
    finished_whole(run)


@pytest.mark.parametrize("measured", [0, 1, 2, 3, 4])
def test_a_run_goes_on_wherever_its_worker_died(measured: int) -> None:
    (run,) = pending_runs()
    held = DetectionRun.take(run.pk, seconds=30, limit=5)
    assert held
    runs.read(held)
    runs.screen(held, held.missing()[:measured])
    lose_lease(run)
    broker.deliver()
    finished_whole(run)


def test_a_worker_that_lost_its_lease_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (run,) = pending_runs()
    read, others = runs.read, list[DetectionRun | None]()

    def overtaken(held: DetectionRun) -> None:
        """This worker takes so long to read that another one takes the run."""
        read(held)
        lose_lease(run)
        others.append(DetectionRun.take(run.pk, seconds=30, limit=5))

    with monkeypatch.context() as slowly:
        slowly.setattr(runs, "read", overtaken)
        tasks.screen(run.pk)
    assert not run.reports.exists()
    assert "stale_attempt" in caplog.text
    lose_lease(run)
    broker.empty()
    tasks.screen(run.pk)
    broker.deliver()
    finished_whole(run)


@pytest.mark.requirement("SPEC-08.43")
def test_a_failing_task_gives_its_run_back_and_counts_the_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    (run,) = pending_runs()

    def broken(_: DetectionRun) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(runs, "read", broken)
    with pytest.raises(OSError, match="disk full"):
        tasks.screen(run.pk)
    assert (reloaded(run).state, reloaded(run).attempts) == ("queued", 1)


@pytest.mark.requirement("SPEC-08.43")
def test_a_failed_conclusion_leaves_neither_verdict_nor_review(monkeypatch: pytest.MonkeyPatch) -> None:
    (run,) = pending_runs()

    def broken(_: DetectionRun, *, audit: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as breaking:
        breaking.setattr(intake, "open_review", broken)
        with pytest.raises(OSError, match="disk full"):
            broker.deliver()
        assert reloaded(run).finished_at is None
    tasks.verify(run.pk)
    finished_whole(run)


def test_a_run_that_always_kills_its_worker_needs_attention(settings: Any) -> None:
    (run,) = pending_runs()
    for _ in range(settings.RUN_ATTEMPTS):
        assert DetectionRun.take(run.pk, seconds=30, limit=settings.RUN_ATTEMPTS)
        lose_lease(run)
    tasks.screen(run.pk)
    assert reloaded(run).state == "needs_attention"
    assert reloaded(run).failed_reason == "worker_crashed(5)"
    assert not run.reports.exists()


def test_messages_carry_ids_only() -> None:
    (run,) = pending_runs(remark="secret " * 1000)
    publishing.flush(5)
    with broker.channel() as channel:
        message = channel.basic_get("fast")
    assert message.decode()[0] == [run.pk]
    assert len(message.body) + len(str(message.headers)) < 1500


def test_concluding_twice_opens_one_review() -> None:
    (run,) = pending_runs()
    broker.deliver()
    assert intake.conclude(reloaded(run)) is False
    finished_whole(run)


def test_what_a_worker_has_no_time_for_is_the_next_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screening, "PART_SECONDS", -1.0)
    (run,) = pending_runs()
    publishing.flush(5)
    ran = broker.deliver()
    finished_whole(run)
    assert len(ran) == 1 + len(run.due) + 1  # the claims, each detector, the conclusion
    assert reloaded(run).attempts == 1  # each part was progress
