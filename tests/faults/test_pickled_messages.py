"""A worker that meets a message of pickle runs none of it, drops it and goes on with the next (SEC-29)."""

import os
import pickle
from pathlib import Path
from typing import Any

import kombu
import pytest
from django.conf import settings

from detection.models import DetectionRun
from tests.faults import broker
from tests.faults.answers import finished_whole, pending_runs
from tests.faults.processes import running, wait_until, worker

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


class Bomb:
    """What makes a folder once somebody reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.folder),)


def publish_pickle(folder: Path, content_type: str) -> None:
    """Put a message of a task on the lane of answers, its body a pickle, said to be of that type."""
    headers = {"task": "reviews.screen", "id": "a-pickle", "lang": "py"}
    with broker.channel() as opened:
        body = pickle.dumps(([Bomb(folder)], {}, {}))
        kombu.Producer(opened).publish(
            body, "fast", headers=headers, content_type=content_type, content_encoding="binary"
        )


def test_no_message_of_pickle_is_run_and_the_next_answer_is_judged(tmp_path: Path) -> None:
    broker.empty()
    log, ran = tmp_path / "worker.log", tmp_path / "ran"
    for content_type in ("application/x-python-serialize", "application/json"):
        publish_pickle(ran, content_type)
    (run,) = pending_runs()
    survivor = worker(log, pool=settings.WORKER_POOL)
    with running(survivor):
        wait_until(lambda: DetectionRun.objects.get(pk=run.pk).finished_at is not None, log)
        wait_until(lambda: log.read_text().count("decode") >= 2, log)
        assert survivor.child.poll() is None
        assert broker.depth("fast") == 0
    finished_whole(run)
    assert "ContentDisallowed" in log.read_text()
    assert not ran.exists()


def test_the_pickle_does_run_where_somebody_reads_it(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Bomb(tmp_path / "ran")))  # noqa: S301 — or the test above would show nothing
    assert (tmp_path / "ran").exists()
