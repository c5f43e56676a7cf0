"""The sweep finds pending work in the database and publishes it: what is due, not too much, harmless if doubled."""

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from celery import current_app
from django.core.management import call_command
from django.utils import timezone

from detection.models import DetectionRun
from detection.operations import optional
from reviews import tasks
from reviews.management.commands import sweep
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


def later(seconds: float = 60) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


def lost(count: int = 1) -> list[DetectionRun]:
    """Answers whose messages are gone."""
    answers = pending_runs(count)
    broker.empty()
    return answers


def test_a_run_whose_message_is_lost_is_published_and_finishes() -> None:
    (run,) = lost()
    assert sweep.sweep(later()) == 1
    broker.deliver()
    finished_whole(run)


def test_a_message_that_holds_more_than_its_task_takes_costs_a_sweep() -> None:
    """One of a newer version, which an older worker has got."""
    (run,) = lost()
    newer: dict[str, Any] = {"of_a_newer_version": True}
    with pytest.raises(TypeError):
        current_app.tasks[tasks.screen.name](run.pk, **newer)
    assert sweep.sweep(later()) == 1
    broker.deliver()
    finished_whole(run)


def test_a_run_that_only_misses_slow_reports_is_published_in_the_verify_lane() -> None:
    (run,) = lost()
    DetectionRun.objects.filter(pk=run.pk).update(due=["strawberry"])
    sweep.sweep(later())
    assert (broker.depth("fast"), broker.depth("verify")) == (0, 1)


def test_a_young_run_is_left_to_its_own_doorbell() -> None:
    lost()
    assert sweep.sweep(timezone.now()) == 0


@pytest.mark.parametrize(
    "changes",
    [
        lambda: {"lease_until": later(600)},
        lambda: {"failed_reason": "worker_crashed(5)"},
        lambda: {"finished_at": timezone.now(), "result": {}},
    ],
    ids=["held", "failed", "finished"],
)
def test_a_run_that_is_not_pending_is_not_published(changes: Callable[[], dict[str, Any]]) -> None:
    (run,) = lost()
    DetectionRun.objects.filter(pk=run.pk).update(**changes())
    assert sweep.sweep(later()) == 0


def test_the_oldest_are_published_and_no_more_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    oldest, *_ = lost(4)
    monkeypatch.setattr(sweep, "AHEAD", 3)
    assert sweep.sweep(later()) == 3
    assert broker.depth("fast") == 3
    assert sweep.sweep(later()) == 0
    with broker.channel() as channel:
        assert channel.basic_get("fast").decode()[0] == [oldest.pk]


def test_a_backlog_whose_messages_all_wait_is_not_published_again() -> None:
    pending_runs(3)
    assert broker.depth("fast") == 3
    assert sweep.sweep(later()) == 0


@pytest.mark.requirement("MOV-3")
def test_a_run_whose_worker_is_gone_is_published_once_however_many_messages_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweep, "AHEAD", 2)
    held, *_ = pending_runs(3)
    with broker.channel() as channel:
        channel.basic_get("fast").ack()
    taken = DetectionRun.take(held.pk, seconds=30, limit=5)
    assert taken
    assert sweep.sweep(timezone.now()) == 0
    assert [sweep.sweep(later()), sweep.sweep(later())] == [1, 0]
    assert broker.depth("fast") == 3
    assert not taken.prolong(seconds=30)
    taken.renew(seconds=30)  # it stood still, and nobody else has the run: it may go on
    assert DetectionRun.take(held.pk, seconds=30, limit=5) is None


def test_only_as_many_as_are_wanting_are_published() -> None:
    pending_runs(3)
    with broker.channel() as channel:
        channel.basic_get("fast").ack()
    assert sweep.sweep(later()) == 1


def test_three_sweepers_have_the_effect_of_one() -> None:
    answers = lost(3)
    for _ in range(3):
        sweep.sweep(later())
    broker.deliver()
    for run in answers:
        finished_whole(run)


@pytest.mark.requirement("SPEC-08.43")
def test_a_broker_that_is_away_costs_the_round_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    lost()

    def away(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError("no broker")

    with monkeypatch.context() as breaking:
        breaking.setattr(sweep, "_depth", away)
        assert sweep.sweep(later()) == 0
    optional.BROKER.forget()  # its rest is over
    assert sweep.sweep(later()) == 1


def test_the_command_sweeps_once_and_says_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    lost(2)
    monkeypatch.setattr(sweep, "GRACE_SECONDS", -1)
    said = StringIO()
    call_command("sweep", "--once", stdout=said)
    assert said.getvalue() == "2 pending rows published.\n"
