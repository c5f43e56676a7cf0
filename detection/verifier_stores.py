"""What verifiers remember, over the database and the shared cache (:mod:`detection.verifiers.stores`).

A verifier is asked in threads, and at times inside a transaction whose end must not undo what was paid. So rows
are read and written in two threads of their own, each with its own connection. Nobody waits for a write, and
for a read not longer than :data:`PATIENCE`: a database that is slow or away costs what is remembered there,
never a claim (SPEC-08.43).
"""

import functools
import logging
import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from django.core.cache import cache
from django.db import connections

from detection.models import VerifierEndpoint, VerifierSpending
from detection.verifiers.stores import Capability, Stores

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds."""

Result = TypeVar("Result")


class Lane:
    """One thread that does jobs one after the other, and closes its connection when none waits. It is started
    anew in a process that was forked."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._pid = 0
        self._waiting = 0
        self._silent = False
        self._pool: ThreadPoolExecutor | None = None

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Do a job after those before it."""
        with self._lock:
            if self._pool is None or self._pid != os.getpid():
                self._pool, self._pid = ThreadPoolExecutor(1, thread_name_prefix=self._name), os.getpid()
                self._waiting = 0
            self._waiting += 1
            return self._pool.submit(self._do, job)

    def _do(self, job: Callable[[], Result]) -> Result:
        try:
            done = job()
            self._silent = False
            return done
        except Exception as error:
            self._report(error)
            raise
        finally:
            with self._lock:
                self._waiting -= 1
                idle = not self._waiting
            if idle:
                connections.close_all()

    def _report(self, error: Exception) -> None:
        """Log the first of the failures in a row."""
        if not self._silent:
            log.warning("verifier_store_failed lane=%s error=%s: %s", self._name, type(error).__name__, error)
        self._silent = True


reading, writing = Lane("verifier-reads"), Lane("verifier-writes")


def read(job: Callable[[], Result], otherwise: Result) -> Result:
    """What a job read; ``otherwise`` when it failed or took too long."""
    try:
        return reading.submit(job).result(PATIENCE)
    except Exception:  # noqa: BLE001 — the lane has logged it; what is not remembered is asked again
        return otherwise


def written() -> None:
    """Wait until everything that was handed over for writing is written."""
    writing.submit(lambda: None).result()


class Rows:
    """:class:`~detection.verifiers.stores.Memory` over :class:`VerifierEndpoint`."""

    def load(self, base_url: str, model: str) -> Capability | None:
        """What is known about a model at an address."""
        return read(lambda: VerifierEndpoint.known(base_url, model), None)

    def save(self, base_url: str, model: str, capability: Capability) -> None:
        """Remember it."""
        log.info("verifier_capability model=%s at=%s %s", model, base_url, capability)
        writing.submit(lambda: VerifierEndpoint.remember(base_url, model, capability))

    def note(self, base_url: str, model: str, error: str) -> None:
        """Remember the last error."""
        writing.submit(lambda: VerifierEndpoint.note(base_url, model, error))


class Books:
    """:class:`~detection.verifiers.stores.Ledger` over :class:`VerifierSpending`."""

    def spent(self, day: date) -> Decimal:
        """US dollars of a day; nothing when the books cannot be read, since the reader knows its own part."""
        return read(lambda: VerifierSpending.spent(day), Decimal(0))

    def add(
        self,
        day: date,
        backend: str,
        model: str,
        *,
        calls: int,
        tokens_in: int,
        tokens_out: int,
        usd: Decimal,
    ) -> None:
        """Enter calls that were answered."""
        counts: dict[str, int | Decimal] = {
            "calls": calls, "tokens_in": tokens_in, "tokens_out": tokens_out, "usd": usd,
        }  # fmt: skip
        writing.submit(lambda: VerifierSpending.add(day, backend, model, **counts))

    def add_lookups(self, day: date, backend: str, model: str, *, found: int, missed: int) -> None:
        """Enter claims that the cache answered, and those that it did not."""
        writing.submit(lambda: VerifierSpending.add(day, backend, model, cached=found, missed=missed))


class EveryonesCache:
    """:class:`~detection.verifiers.stores.SharedCache` over Django's cache, which is a table or Redis."""

    def get(self, key: str) -> Any:
        """A value, None when it is not there."""
        return read(lambda: cache.get(key), None)

    def get_many(self, keys: Iterable[str]) -> Mapping[str, Any]:
        """Those of the values that are there."""
        return read(lambda: cache.get_many(keys), {})

    def set(self, key: str, value: Any, timeout: float) -> None:
        """Keep a value for ``timeout`` seconds, at least one."""
        writing.submit(lambda: cache.set(key, value, math.ceil(timeout)))

    def add(self, key: str, value: Any, timeout: float) -> bool:
        """Keep a value unless there is one; True also when that could not be found out."""
        return bool(read(lambda: cache.add(key, value, math.ceil(timeout)), True))

    def delete(self, key: str) -> None:
        """Forget a value."""
        writing.submit(lambda: cache.delete(key))


@functools.cache
def stores() -> Stores:
    """What all verifiers of this process remember with."""
    return Stores(Rows(), Books(), EveryonesCache())
