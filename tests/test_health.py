"""Readiness says what a process lacks to take an answer in; the queue's health says which lane stands still."""

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from redis.exceptions import ConnectionError as RedisAway

from detection.models import DetectionRun, DetectorReport, LeftOut, StrictAnswer
from detection.operations import optional
from hallu_site import health, startup
from tests.faults.answers import pending_runs

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("APP-06")]


@pytest.fixture(autouse=True)
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process has not looked at the migrations yet."""
    monkeypatch.setattr(health, "_migrated", False)


def ready() -> tuple[int, str]:
    response = Client().get("/readyz")
    return response.status_code, response.content.decode()


def queue() -> tuple[int, dict[str, Any]]:
    response = Client().get("/healthz/queue")
    return response.status_code, response.json()


# --- readiness --------------------------------------------------------------------------------------
def test_a_process_that_can_write_is_ready_and_leaves_nothing_behind() -> None:
    before = Session.objects.count()
    assert ready() == (200, "ok\n")
    assert Session.objects.count() == before


def test_a_database_that_can_only_be_read_is_not_ready() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("On PostgreSQL tests/faults/test_database_away.py asks a server that is read-only.")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1")
        try:
            assert ready() == (503, "database: OperationalError\n")
        finally:
            cursor.execute("PRAGMA query_only = 0")


def test_a_database_that_lacks_a_migration_is_not_ready_until_it_is_applied() -> None:
    recorder = MigrationRecorder(connection)
    newest = recorder.Migration.objects.filter(app="detection").latest("name").name
    recorder.record_unapplied("detection", newest)
    assert ready() == (503, "migrations: 1 not applied\n")
    recorder.record_applied("detection", newest)
    assert ready() == (200, "ok\n")


def test_a_process_is_not_ready_while_it_warms_up(monkeypatch: pytest.MonkeyPatch) -> None:
    warm = threading.Event()
    monkeypatch.setattr("detection.core.warming.warm", warm.wait)
    monkeypatch.setattr(startup, "_warming", None)
    startup.warm_up()
    assert ready() == (503, "warming up\n")
    warm.set()
    assert startup._warming is not None
    startup._warming.join()
    assert ready() == (200, "ok\n")


def test_a_store_that_is_gone_without_is_named_and_costs_no_readiness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LeftOut, "add", lambda *_: None)

    def away() -> None:
        raise RedisAway("gone")

    optional.BROKER.ask(away, None)
    optional.written()
    assert ready() == (200, "ok\nwithout broker: ConnectionError\n")


# --- the queue --------------------------------------------------------------------------------------
def waiting(seconds: float, **columns: Any) -> DetectionRun:
    """A run whose answer has been waiting for so long."""
    (run,) = pending_runs()
    at = timezone.now() - timedelta(seconds=seconds)
    DetectionRun.objects.filter(pk=run.pk).update(created_at=at, **columns)
    return run


def reported(run: DetectionRun, detector: str, seconds: float) -> None:
    """A detector has reported so long ago."""
    report = DetectorReport.objects.create(run=run, detector=detector, status="ok")
    DetectorReport.objects.filter(pk=report.pk).update(created_at=timezone.now() - timedelta(seconds=seconds))


def soon() -> datetime:
    return timezone.now() + timedelta(seconds=30)


def test_an_empty_queue_is_fine() -> None:
    status, told = queue()
    nothing = {"unfinished": 0, "oldest_seconds": 0.0, "moves": True}
    assert (status, told["ok"]) == (200, True)
    assert told["lanes"] == {"fast": nothing, "verify": nothing, "large": nothing, "strict": nothing}


@pytest.mark.parametrize("lane", ["fast", "verify"])
@pytest.mark.parametrize(
    ("seconds", "done_ago", "fine"),
    [(30, None, True), (120, None, False), (120, 90, False), (120, 20, True), (400, 20, False)],
    ids=["young", "nothing ever done", "nothing done of late", "done of late", "too old although it moves"],
)
def test_a_lane_is_told_by_its_oldest_and_by_what_was_done_in_it(
    lane: str, seconds: float, done_ago: float | None, fine: bool
) -> None:
    run = waiting(seconds, read_at=None if lane == "fast" else timezone.now())
    if done_ago is not None:
        reported(run, "numeric" if lane == "fast" else "strawberry", done_ago)
    reported(
        run, "strawberry" if lane == "fast" else "numeric", 1
    )  # of the other lane: says nothing of this one
    status, told = queue()
    assert (status, told["ok"]) == ((200, True) if fine else (503, False))
    found = told["lanes"][lane]
    assert (found["unfinished"], found["moves"]) == (1, done_ago == 20 or seconds == 30)
    assert seconds <= found["oldest_seconds"]
    assert {name for name, other in told["lanes"].items() if other["unfinished"]} == {lane}


def test_an_answer_that_a_worker_holds_moves() -> None:
    waiting(120, lease_until=soon())
    assert queue()[0] == 200


@pytest.mark.parametrize(
    ("seconds", "columns", "done_ago", "fine"),
    [
        (900, {"lease_until": "soon"}, None, True),
        (900, {}, 20, True),
        (900, {}, None, False),
        (4000, {"lease_until": "soon"}, None, False),
    ],
    ids=["worked on", "between two parts", "nobody works on it", "too old although it moves"],
)
def test_a_large_answer_may_take_long_while_it_moves_and_holds_up_no_other_lane(
    seconds: float, columns: dict[str, Any], done_ago: float | None, fine: bool
) -> None:
    run = waiting(seconds, large=True, **{name: soon() for name in columns})
    if done_ago is not None:
        reported(run, "citations", done_ago)
    status, told = queue()
    assert (status, told["ok"]) == ((200, True) if fine else (503, False))
    assert {name for name, lane in told["lanes"].items() if lane["unfinished"]} == {"large"}


@pytest.mark.parametrize("columns", [{"failed_reason": "worker_crashed(5)"}, {"purpose": "shadow"}])
def test_what_nobody_waits_for_is_not_counted(columns: dict[str, Any]) -> None:
    waiting(4000, **columns)
    status, told = queue()
    assert (status, told["lanes"]["fast"]["unfinished"]) == (200, 0)


def test_a_strict_answer_that_nobody_writes_is_told() -> None:
    row = StrictAnswer.objects.create(question="What was the NOI?")
    StrictAnswer.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(seconds=120))
    status, told = queue()
    assert (status, told["lanes"]["strict"]["moves"]) == (503, False)
    StrictAnswer.objects.filter(pk=row.pk).update(lease_until=soon())
    assert queue()[0] == 200


def test_what_stores_were_spared_is_told() -> None:
    LeftOut.add("depot", 3)  # what this process was spared of the cache may be entered at any time
    assert queue()[1]["left_out"]["depot"] == 3
