"""What verifiers remember, over the database and the shared cache (:mod:`detection.verifiers.stores`).

A verifier is asked in threads, and at times inside a transaction whose end must not undo what was paid. So rows
are read and written in two threads of their own, each with its own connection. Nobody waits for a write, and
for a read not longer than :data:`PATIENCE`: a database that is slow or away costs what is remembered there,
never a claim (SPEC-08.43).
"""

import atexit
import functools
import logging
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from django.core.cache import cache
from django.db import connections

from detection.models import VerifierEndpoint, VerifierSpending
from detection.operations.lanes import Lane
from detection.operations.optional import CACHE
from detection.verifiers.stores import Capability, Stores

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds that a reader waits."""

Result = TypeVar("Result")
Account = tuple[date, str, str]


reading, writing = Lane("verifier-reads"), Lane("verifier-writes")


def read(job: Callable[[], Result], otherwise: Result) -> Result:
    """What a job read; ``otherwise`` when it failed or took too long."""
    try:
        return reading.submit(job).result(PATIENCE)
    except Exception:  # noqa: BLE001 — the lane has logged it; what is not remembered is asked again
        return otherwise


@atexit.register
def written(seconds: float = 10.0) -> None:
    """Wait until everything that was handed over for writing is written, at most ``seconds``; then both lanes
    hold no connection."""
    for lane in (writing, reading):
        if lane.started:
            with suppress(TimeoutError):
                lane.submit(connections.close_all).result(seconds)


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
    """:class:`~detection.verifiers.stores.Ledger` over :class:`VerifierSpending`. What comes while an entry
    waits to be written is entered with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unwritten: dict[Account, Counter[str]] = {}
        self._waiting: set[Account] = set()

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
        counts = {"calls": calls, "tokens_in": tokens_in, "tokens_out": tokens_out, "usd": usd}
        self._book((day, backend, model), counts)

    def add_lookups(self, day: date, backend: str, model: str, *, found: int, missed: int) -> None:
        """Enter claims that the cache answered, and those that it did not."""
        self._book((day, backend, model), {"cached": found, "missed": missed})

    def _book(self, account: Account, counts: Mapping[str, Any]) -> None:
        with self._lock:
            self._unwritten.setdefault(account, Counter()).update(counts)
            waits = account in self._waiting
            self._waiting.add(account)
        if not waits:
            writing.submit(lambda: self._enter(account))

    def _enter(self, account: Account) -> None:
        """Write what is not written yet; what cannot be written stays, and goes with the next."""
        with self._lock:
            self._waiting.discard(account)
            unwritten: Any = self._unwritten.pop(account)
        try:
            VerifierSpending.add(*account, **unwritten)
        except Exception:
            with self._lock:
                self._unwritten.setdefault(account, Counter()).update(unwritten)
            raise


class EveryonesCache:
    """:class:`~detection.verifiers.stores.SharedCache` over Django's cache, which is a table or Redis. While it is away
    nothing is remembered, and each process has the circuits by itself."""

    def get(self, key: str) -> Any:
        """A value, None when it is not there."""
        return read(lambda: CACHE.ask(lambda: cache.get(key), None), None)

    def get_many(self, keys: Iterable[str]) -> Mapping[str, Any]:
        """Those of the values that are there."""
        return read(lambda: CACHE.ask(lambda: cache.get_many(keys), {}), {})

    def set(self, key: str, value: Any, timeout: float) -> None:
        """Keep a value for ``timeout`` seconds, rounded up; 0 keeps nothing."""
        writing.submit(lambda: CACHE.ask(lambda: cache.set(key, value, math.ceil(timeout)), None))

    def add(self, key: str, value: Any, timeout: float) -> bool:
        """Keep a value unless there is one; True also when that could not be found out."""
        return bool(read(lambda: CACHE.ask(lambda: cache.add(key, value, math.ceil(timeout)), True), True))

    def delete(self, key: str) -> None:
        """Forget a value."""
        writing.submit(lambda: CACHE.ask(lambda: cache.delete(key), False))


@functools.cache
def stores() -> Stores:
    """What all verifiers of this process remember with."""
    return Stores(Rows(), Books(), EveryonesCache())
