"""A task that does nothing for its limit ends its worker process; one that goes on does not, however long it takes."""

from types import SimpleNamespace

import pytest

from detection import runs
from hallu_site.broker import configuration
from hallu_site.watchdog import EXIT_CODE, Watchdog
from reviews.tasks import EVERY

pytestmark = [pytest.mark.postgres, pytest.mark.requirement("SPEC-08.43")]


class Watched:
    def __init__(self) -> None:
        self.now = self.used = 0.0
        self.left: list[int] = []
        self.watchdog = Watchdog(
            {"reviews.verify": 30},
            leave=self.left.append,
            clock=lambda: self.now,
            used_by=lambda _thread: lambda: self.used,
        )

    def begin(self, task: str, name: str = "reviews.verify") -> None:
        self.watchdog.begun(task, SimpleNamespace(name=name))


def test_a_task_past_its_limit_ends_the_process(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched()
    watched.begin("hung")
    watched.now = 30.5
    watched.watchdog.look()
    assert watched.left == [EXIT_CODE]
    assert "task_hangs reviews.verify[hung]" in caplog.text


def test_a_task_within_its_limit_goes_on() -> None:
    watched = Watched()
    watched.begin("slow")
    watched.now = 30.0
    watched.watchdog.look()
    assert watched.left == []


def test_a_task_that_goes_on_is_left_alone_however_slow_the_machine() -> None:
    watched = Watched()
    watched.begin("slow")
    for watched.now in range(20, 1000, 20):
        watched.used += 0.01
        watched.watchdog.look()
    assert watched.left == []
    watched.now += 30.5
    watched.watchdog.look()
    assert watched.left == [EXIT_CODE]


def test_an_ended_task_is_forgotten() -> None:
    watched = Watched()
    watched.begin("done")
    watched.watchdog.ended("done")
    watched.now = 1000
    assert watched.watchdog.hanging() == []


def test_a_task_without_a_limit_is_not_watched() -> None:
    watched = Watched()
    watched.begin("other", name="celery.backend_cleanup")
    watched.now = 1000
    assert watched.watchdog.hanging() == []


def test_what_computes_is_ended_long_before_it_would_count_as_hanging() -> None:
    limits = {name: limit["time_limit"] for name, limit in configuration.task_annotations.items()}
    assert runs.seconds_for(large=False) * len(EVERY) < limits["reviews.screen"]
    assert runs.seconds_for(large=True) * len(EVERY) <= limits["reviews.judge_large"]
