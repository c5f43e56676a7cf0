"""Keeping the lease of a run for as long as somebody really works on it, however slow the machine is."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, connections

from detection.models import DetectionRun

log = logging.getLogger(__name__)


@contextmanager
def kept(run: DetectionRun, *, seconds: int) -> Iterator[None]:
    """Prolong the lease of ``run`` for ``seconds`` whenever a third of that has passed, until it is given back or the block ends."""
    ended = threading.Event()
    thread = threading.Thread(target=_keep, args=[run, seconds, ended], name=f"lease-{run.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _keep(run: DetectionRun, seconds: int, ended: threading.Event) -> None:
    """A lease that was lost is not taken back; whoever works on it learns that when a report is stored."""
    try:
        while not ended.wait(seconds / 3) and run.prolong(seconds=seconds):
            pass
    except Error as error:
        log.warning("lease_not_kept run=%s error=%s", run.pk, type(error).__name__)
    finally:
        connections.close_all()
