"""Answers survive their workers and their broker: all finish, each judged once, none shown twice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.db.models import QuerySet

from detection.models import DetectionRun
from hallu_site.broker.configuration import transport_options
from hallu_site.watchdog import EXIT_CODE
from reviews.lifecycle import publishing
from tests import servers
from tests.faults import broker
from tests.faults.answers import finished_whole, pending_runs
from tests.faults.processes import running, sweeper, wait_until, worker

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-02"),
    pytest.mark.requirement("SPEC-08.43"),
]


def use(url: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process, and the children it starts, use the broker at ``url``."""
    publishing.flush(5)
    monkeypatch.setattr(publishing, "_current", None)
    settings.CELERY_BROKER_URL = url
    monkeypatch.setenv("CELERY_BROKER_URL", url)  # Celery heeds it before its own configuration
    monkeypatch.setitem(current_app.conf, "broker_url", url)
    monkeypatch.setitem(current_app.conf, "broker_transport_options", transport_options(url))


NO_RABBITMQ = pytest.mark.skipif(
    not servers.RABBITMQ.exists(), reason="RabbitMQ is not there: apt install rabbitmq-server"
)


@pytest.fixture(
    params=[
        "default",
        pytest.param("redis", marks=pytest.mark.services),
        pytest.param("rabbitmq", marks=[pytest.mark.services, NO_RABBITMQ]),
    ]
)
def each_broker(
    request: pytest.FixtureRequest, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[None]:
    """The broker of this test run, and a Redis and a RabbitMQ of its own."""
    if request.param == "default":
        broker.empty()
        yield
        return
    with getattr(servers, request.param)(tmp_path) as url:
        use(url, settings, monkeypatch)
        yield


def finished(runs: list[DetectionRun]) -> QuerySet[DetectionRun]:
    return DetectionRun.objects.filter(pk__in=[run.pk for run in runs], finished_at__isnull=False)


@pytest.mark.usefixtures("each_broker")
@pytest.mark.requirement("MOV-3")
@pytest.mark.requirement("APP-06")
def test_a_killed_worker_and_an_emptied_broker_cost_time_and_no_answer(tmp_path: Path) -> None:
    log, swept = tmp_path / "worker.log", tmp_path / "sweep.log"
    answers = pending_runs(40, remark="It dawdles.")
    first = worker(log)
    with running(first):
        wait_until(lambda: finished(answers).count() >= 8, log)
    assert finished(answers).count() < len(answers)
    broker.empty()
    with running(worker(log), sweeper(swept)):
        wait_until(lambda: finished(answers).count() == len(answers), log, swept)
    for run in answers:
        finished_whole(run)
    assert "locked" not in log.read_text() + swept.read_text()


def test_a_task_that_hangs_does_not_stop_its_lane_and_ends_its_process(tmp_path: Path) -> None:
    broker.empty()
    log = tmp_path / "worker.log"
    (hanging,) = pending_runs(remark="It hangs.")
    others = pending_runs(6)
    hung = worker(log, FAULTY_HARD_LIMIT="15")
    with running(hung):
        wait_until(lambda: finished(others).count() == len(others), log)
        assert hung.child.poll() is None
        wait_until(lambda: hung.child.poll() is not None, log)
    assert hung.child.returncode == EXIT_CODE
    assert "task_hangs reviews.verify" in log.read_text()
    assert DetectionRun.objects.get(pk=hanging.pk).finished_at is None
    for run in others:
        finished_whole(run)


@pytest.mark.parametrize("pool", ["threads", "prefork"])
def test_an_answer_that_computes_for_ever_is_ended_alone(tmp_path: Path, pool: str) -> None:
    broker.empty()
    log = tmp_path / "worker.log"
    (endless,) = pending_runs(remark="It computes for ever.")
    others = pending_runs(6)
    ending = worker(log, pool=pool, FAULTY_CPU_SECONDS="1")
    with running(ending):
        wait_until(lambda: finished([endless, *others]).count() == 7, log)
        assert ending.child.poll() is None
    for run in (endless, *others):
        finished_whole(run)
    endless.refresh_from_db()
    assert (endless.large, endless.attempts) == (True, 1)
    reports = dict(endless.reports.values_list("detector", "status"))
    assert reports.pop("numeric") == "timeout"
    assert "timeout" not in reports.values()


def test_an_answer_that_kills_its_worker_needs_attention_and_the_others_finish(tmp_path: Path) -> None:
    broker.empty()
    log, swept = tmp_path / "worker.log", tmp_path / "sweep.log"
    (poison,) = pending_runs(remark="It kills its worker.")
    others = pending_runs(4)
    with running(worker(log, pool="prefork"), sweeper(swept)):
        wait_until(lambda: bool(DetectionRun.objects.get(pk=poison.pk).failed_reason), log, swept)
        wait_until(lambda: finished(others).count() == len(others), log, swept)
    poison.refresh_from_db()
    assert (poison.state, poison.failed_reason) == ("needs_attention", "worker_crashed(5)")
    for run in others:
        finished_whole(run)
