"""The Celery application. Tasks are found in the ``tasks`` module of every app."""

import os
from typing import Any

import celery
from celery.signals import celeryd_after_setup, worker_init, worker_process_shutdown

from hallu_site import watchdog

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")
# A worker would load all pages to check them, and say nothing of what it found.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")


class OutOfMemory(Exception):
    """A task could not have the memory that it asked for."""


class Task(celery.Task):  # type: ignore[type-arg]  # no type can be given where it runs
    """A task that fails by :class:`OutOfMemory` where there is no memory. After a ``MemoryError`` of a child Celery's thread
    that takes the results ends, and the worker lives on without doing anything."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do it. Raises what the task raises."""
        try:
            return self.run(*args, **kwargs)  # what the worker knows of the request is there already
        except MemoryError as error:
            raise OutOfMemory(self.name) from error


app = celery.Celery("hallu", task_cls=Task)
app.config_from_object("hallu_site.broker.configuration")
app.autodiscover_tasks()


@celeryd_after_setup.connect
def watch_threads(instance: Any, **_: Any) -> None:
    """Put the watchdog into a worker whose pool has no time limits of its own."""
    if "prefork" not in instance.pool_cls.__module__:
        limits = {name: limit["time_limit"] for name, limit in app.conf.task_annotations.items()}
        watchdog.start(limits)


@worker_init.connect
def limit_patience(**_: Any) -> None:
    """Wait for the database as long as a worker may."""
    from detection.operations import patience  # which needs the settings

    patience.limit("worker")


@worker_init.connect
def warm_up(**_: Any) -> None:
    """Let no answer pay out of its time for what a worker loads once: the first would not be checked in it."""
    from detection.core.warming import warm  # the detectors are loaded in workers, not in every process
    from detection.operations import garbage

    warm()
    garbage.settle()


@worker_init.connect
def start_spans(**_: Any) -> None:
    """Send spans, those of the processes of a pool too."""
    from detection import spans  # which needs the settings

    spans.start("worker")


@worker_process_shutdown.connect
def stop_spans(**_: Any) -> None:
    """Send what waits in a process of a pool, which ends without Python's own end."""
    from detection import spans

    spans.stop()
