"""What the fault tests need of a broker, whichever it is: how many messages wait, deliver them, empty it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import current_app
from kombu.exceptions import ChannelError

import reviews.tasks  # noqa: F401  # as a worker does: a test alone has not imported the tasks
from reviews.lifecycle import publishing

QUEUES = ("fast", "verify", "large", "detect", "detect_verify")


@contextmanager
def channel() -> Iterator[Any]:
    """A channel to the broker, once everything handed over so far is published."""
    publishing.flush(5)
    with current_app.connection_for_read() as connection:
        yield connection.default_channel


def depth(queue: str) -> int:
    """Messages that wait in ``queue``."""
    with channel() as opened:
        try:
            return int(opened.queue_declare(queue, passive=True).message_count)
        except ChannelError:
            return 0


def empty() -> None:
    with channel() as opened:
        for queue in QUEUES:
            opened.queue_purge(queue)


def deliver() -> list[str]:
    """Run the tasks of all waiting messages in this process, those they publish too; their names in order."""
    ran = []
    while taken := _next():
        task, args = taken
        current_app.tasks[task](*args)
        ran.append(task)
    return ran


def _next() -> tuple[str, list[Any]] | None:
    with channel() as opened:
        for queue in QUEUES:
            if message := opened.basic_get(queue):
                message.ack()
                return message.headers["task"], message.decode()[0]
    return None
