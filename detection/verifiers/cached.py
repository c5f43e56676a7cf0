"""Estimates that are kept for a time: at hand in the process, and shared between processes (SPEC-08.30)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any

from detection.core import codec
from detection.core.ports import Estimate
from detection.core.types import Usage
from detection.verifiers.stores import SharedCache

CACHE_SIZE = 10_000
SHARED = "verifier:estimate:"
"""How the keys begin under which estimates are shared."""


@dataclass
class EstimateCache:
    """Estimates by key until they are ``ttl`` seconds old, the oldest leaving first.

    What is not at hand is looked for in ``shared``, if there is one. ``hits`` and ``misses`` count look-ups
    (SPEC-08.40). Safe between threads.
    """

    ttl: float
    size: int = CACHE_SIZE
    clock: Callable[[], float] = time.monotonic
    shared: SharedCache | None = None
    hits: int = 0
    misses: int = 0
    _entries: OrderedDict[str, tuple[float, Estimate]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __len__(self) -> int:
        return len(self._entries)

    def get_many(self, keys: Collection[str]) -> dict[str, Estimate]:
        """The estimates that are kept, at no cost and with no latency."""
        with self._lock:
            found = {key: estimate for key in keys if (estimate := self._at_hand(key)) is not None}
        missing = [key for key in keys if key not in found]
        if missing and self.shared is not None:
            found |= self._elsewhere(missing, self.shared)
        with self._lock:
            self.hits += len(found)
            self.misses += len(keys) - len(found)
        return {key: replace(estimate, usage=Usage(), latency_ms=0.0) for key, estimate in found.items()}

    def put(self, key: str, estimate: Estimate) -> None:
        """Keep an estimate."""
        with self._lock:
            self._entries[key] = (self.clock(), estimate)
            self._entries.move_to_end(key)
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)
        if self.shared is not None:
            self.shared.set(SHARED + key, codec.dump(estimate), self.ttl)

    def _elsewhere(self, keys: Collection[str], shared: SharedCache) -> dict[str, Estimate]:
        held = shared.get_many([SHARED + key for key in keys])
        loaded = {key: _loaded(held.get(SHARED + key)) for key in keys}
        return {key: estimate for key, estimate in loaded.items() if estimate is not None}

    def _at_hand(self, key: str) -> Estimate | None:
        kept = self._entries.get(key)
        return kept[1] if kept is not None and self.clock() - kept[0] < self.ttl else None


def _loaded(kept: Any) -> Estimate | None:
    """An estimate from the shared cache; None for what another version wrote."""
    try:
        return codec.load(Estimate, kept)
    except (AttributeError, TypeError, ValueError):
        return None
