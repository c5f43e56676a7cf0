"""Messages are published after the commit, in the background, and no fault of the broker reaches the caller."""

import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.conf import settings as project
from django.db import transaction

from detection.models import DetectionRun
from detection.operations import optional
from reviews.lifecycle import publishing
from reviews.lifecycle.publishing import Publisher
from tests.faults import broker
from tests.faults.answers import pending_runs

pytestmark = [pytest.mark.postgres, pytest.mark.requirement("APP-02")]


@pytest.fixture
def _empty_broker(transactional_db: None) -> None:
    broker.empty()


@pytest.fixture
def frozen() -> Iterator[str]:
    """A broker that accepts connections and never says a word."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(50)
        yield f"redis://127.0.0.1:{silent.getsockname()[1]}/0"


@pytest.fixture
def refused() -> str:
    """A broker that is not there."""
    with socket.socket() as gone:
        gone.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{gone.getsockname()[1]}/0"


def publisher(url: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Publisher:
    settings.CELERY_BROKER_URL = url
    monkeypatch.setenv("CELERY_BROKER_URL", url)  # Celery heeds it before its own configuration
    app = Celery("away", broker=url, set_as_current=False)
    app.conf.task_ignore_result = True
    return Publisher(app)


@pytest.mark.usefixtures("_empty_broker")
def test_a_commit_publishes_in_the_fast_lane_once() -> None:
    pending_runs()
    assert (broker.depth("fast"), broker.depth("verify")) == (1, 0)


@pytest.mark.usefixtures("_empty_broker")
def test_a_rollback_publishes_nothing() -> None:
    with transaction.atomic():
        pending_runs(3)
        transaction.set_rollback(True)
    assert broker.depth("fast") == 0
    assert not DetectionRun.objects.exists()


@pytest.mark.usefixtures("_empty_broker")
def test_nothing_is_published_before_the_commit() -> None:
    with transaction.atomic():
        pending_runs()
        assert publishing._current is None or not publishing._current.waiting.unfinished_tasks
    assert broker.depth("fast") == 1


@pytest.mark.parametrize(
    ("missing", "queue"),
    [
        (["numeric", "strawberry"], "fast"),
        (["grounding"], "fast"),
        (["strawberry", "judge"], "verify"),
        (["judge"], "verify"),
        ([], "fast"),
    ],
)
def test_what_is_missing_says_which_lane(missing: list[str], queue: str) -> None:
    assert publishing.lane(missing) == queue


def test_handing_over_never_waits_for_a_publication(
    settings: Any, caplog: pytest.LogCaptureFixture, frozen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked, held = publisher(frozen, settings, monkeypatch), threading.Event()

    def waits(_pk: int | str, _queue: str, _request: str) -> None:
        held.wait()

    blocked.publish = waits  # type: ignore[method-assign,assignment]  # blocks as no broker may
    blocked.start()
    for pk in range(publishing.WAITING + 100):
        blocked.hand_over(pk, "fast")
    held.set()
    blocked.flush(5)
    assert caplog.text.count("too many messages wait") == 1


@pytest.mark.timeout(20)
@pytest.mark.requirement("MOV-3")
@pytest.mark.parametrize("fault", ["refused", "frozen"])
@pytest.mark.parametrize("kind", ["redis", "amqp"])
def test_a_publication_to_a_broker_that_is_away_ends_with_an_error(
    fault: str, kind: str, request: pytest.FixtureRequest, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = request.getfixturevalue(fault).replace("redis", kind)
    away = publisher(url, settings, monkeypatch)
    with pytest.raises(Exception, match=r"(?i)refused|timeout|timed out"):
        away.publish(1, "fast")


@pytest.mark.requirement("SPEC-08.43")
def test_a_broker_that_is_away_is_logged_once_and_found_again(
    settings: Any, caplog: pytest.LogCaptureFixture, refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = publisher(refused, settings, monkeypatch)
    away.start()
    for pk in range(3):
        away.hand_over(pk, "fast")
    away.flush(10)
    assert caplog.text.count("doorbell_dropped") == 1
    published: list[tuple[int | str, str]] = []

    def publishes(pk: int | str, queue: str, _request: str) -> bool:
        published.append((pk, queue))
        return True

    away.publish = publishes  # type: ignore[method-assign,assignment]  # the broker is back
    optional.BROKER.forget()  # its rest is over
    away.hand_over(4, "verify")
    away.flush(10)
    assert published == [(4, "verify")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.requirement("SPEC-08.43")
@pytest.mark.parametrize("fault", ["refused", "frozen"])
def test_an_answer_is_stored_whatever_the_broker_does(
    fault: str, request: pytest.FixtureRequest, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = publisher(request.getfixturevalue(fault), settings, monkeypatch)
    away.start()
    monkeypatch.setattr(publishing, "_current", away)
    (run,) = pending_runs()
    assert DetectionRun.objects.get(pk=run.pk).state == "queued"
    away.flush(10)


def test_one_module_alone_publishes() -> None:
    sends = re.compile(r"\.(delay|apply_async|send_task|delay_on_commit|apply_async_on_commit)\(")
    found = {
        path.name
        for package in ("detection", "reviews", "hallu_site")
        for path in Path(project.BASE_DIR, package).rglob("*.py")
        if sends.search(path.read_text())
    }
    assert found == {"publishing.py"}
