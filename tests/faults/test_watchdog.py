"""A hanging task ends its worker process; tasks within their limit do not."""

from types import SimpleNamespace

import pytest
from django.conf import settings

from hallu_site.broker import configuration
from hallu_site.watchdog import EXIT_CODE, Watchdog

pytestmark = [pytest.mark.postgres, pytest.mark.requirement("SPEC-08.43")]


class Watched:
    def __init__(self) -> None:
        self.now = 0.0
        self.left: list[int] = []
        self.watchdog = Watchdog({"reviews.verify": 30}, leave=self.left.append, clock=lambda: self.now)

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


@pytest.mark.parametrize("task", ["reviews.screen", "reviews.verify"])
def test_limits_rise_from_soft_to_hard_to_redelivery(task: str) -> None:
    limits = configuration.task_annotations[task]
    redelivery = [
        configuration.transport_options(url)["visibility_timeout"] for url in ("djangodb://", "redis://")
    ]
    assert limits["soft_time_limit"] < limits["time_limit"] < min(redelivery)
    assert limits["time_limit"] <= settings.RUN_LEASE_SECONDS
