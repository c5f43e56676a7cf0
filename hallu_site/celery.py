"""The Celery application. Tasks are found in the ``tasks`` module of every app."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_after_setup

from hallu_site import watchdog

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hallu_site.settings")

app = Celery("hallu")
app.config_from_object("hallu_site.broker.configuration")
app.autodiscover_tasks()


@celeryd_after_setup.connect
def watch_threads(instance: Any, **_: Any) -> None:
    """Put the watchdog into a worker whose pool has no time limits of its own."""
    if "prefork" not in instance.pool_cls.__module__:
        limits = {name: limit["time_limit"] for name, limit in app.conf.task_annotations.items()}
        watchdog.start(limits)
