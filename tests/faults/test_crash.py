"""Answers survive their workers and their broker: all finish, each judged once, none shown twice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import QuerySet

from detection.models import DetectionRun
from hallu_site.watchdog import EXIT_CODE
from tests import migrated, servers
from tests.faults import broker
from tests.faults.answers import finished_whole, pending_runs
from tests.faults.processes import (
    LEASE_SECONDS,
    SWEEP_SECONDS,
    environment,
    running,
    sweeper,
    wait_until,
    worker,
)
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-02"),
    pytest.mark.requirement("SPEC-08.43"),
]


NO_RABBITMQ = pytest.mark.skipif(
    not servers.RABBITMQ.exists(), reason="RabbitMQ is not there: apt install rabbitmq-server"
)
NOT_ON_SERVERS = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="The embedded broker is for SQLite."
)


def finished(runs: list[DetectionRun]) -> QuerySet[DetectionRun]:
    return DetectionRun.objects.filter(pk__in=[run.pk for run in runs], finished_at__isnull=False)


@pytest.mark.parametrize(
    ("answers", "kills", "at"),
    [
        pytest.param(200, 8, "redis", id="both servers", marks=pytest.mark.services),
        pytest.param(60, 3, "rabbitmq", id="rabbitmq", marks=[pytest.mark.services, NO_RABBITMQ]),
        pytest.param(60, 4, "embedded", id="sqlite", marks=NOT_ON_SERVERS),
    ],
)
@pytest.mark.requirement("MOV-3")
@pytest.mark.requirement("APP-06")
def test_whatever_is_killed_no_answer_is_lost_doubled_or_left(
    tmp_path: Path, answers: int, kills: int, at: str
) -> None:
    """The short form of ``benchmarks.faults``, which says what is done; whatever it finds wrong is its exit status."""
    report, log = tmp_path / "report.jsonl", tmp_path / "processes.log"
    told: dict[str, object] = {
        "answers": answers,
        "kills": kills,
        "lease": LEASE_SECONDS,
        "sweep": SWEEP_SECONDS,
    }
    told |= {"patience": GIVEN_UP_AFTER, "report": report, "logs": log}
    with migrated.another(tmp_path) as database:
        told |= {"database": database, "broker": at}
        command = [sys.executable, "-m", "benchmarks.faults", "--small"]
        command += [f"--{name}={value}" for name, value in told.items()]
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-5000:]}\n{done.stderr[-5000:]}\n{log.read_text()[-5000:]}"
    found = json.loads(report.read_text().splitlines()[-1])
    assert found["became"]["completed"] == answers
    assert sum(found["kills"].values()) == kills
    assert "locked" not in log.read_text()


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
    assert "task_hangs reviews.screen" in log.read_text()
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


def test_an_answer_that_takes_all_memory_is_ended_alone(tmp_path: Path) -> None:
    broker.empty()
    log, swept = tmp_path / "worker.log", tmp_path / "sweep.log"
    (greedy,) = pending_runs(remark="It takes all memory.")
    others = pending_runs(4)
    limits = {"FAULTY_MEMORY_MB": "1500", "HALLU_RUN_ATTEMPTS": "2"}
    working = worker(log, pool="prefork", **limits)
    with running(working, sweeper(swept, **limits)):
        wait_until(lambda: finished(others).count() == len(others), log, swept)
        wait_until(
            lambda: DetectionRun.objects.get(pk=greedy.pk).state not in ("queued", "running"), log, swept
        )
        assert working.child.poll() is None
    greedy.refresh_from_db()
    assert (greedy.state, greedy.failed_reason) == ("needs_attention", "worker_crashed(2)")
    for run in others:
        finished_whole(run)
