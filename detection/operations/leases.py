"""Keeping the lease of a row for as long as somebody really works on it, however slow the machine is."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from django.db import Error, connections

log = logging.getLogger(__name__)


class Leased(Protocol):
    """A row that one worker at a time holds."""

    pk: Any

    def prolong(self, *, seconds: int) -> bool:
        """Keep the lease for longer; False where it was lost or given back."""
        ...


@contextmanager
def kept(held: Leased, *, seconds: int) -> Iterator[None]:
    """Prolong the lease of ``held`` for ``seconds`` whenever a third of that has passed, until it is given back or the block ends."""
    ended = threading.Event()
    thread = threading.Thread(target=_keep, args=[held, seconds, ended], name=f"lease-{held.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _keep(held: Leased, seconds: int, ended: threading.Event) -> None:
    """A lease that was lost is not taken back; whoever works on it learns that when a report is stored."""
    try:
        while not ended.wait(seconds / 3) and held.prolong(seconds=seconds):
            pass
    except Error as error:
        log.warning("lease_not_kept row=%s error=%s", held.pk, type(error).__name__)
    finally:
        connections.close_all()
