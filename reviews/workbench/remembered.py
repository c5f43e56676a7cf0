"""What a process keeps of what it computed, the oldest use forgotten first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Remembered(Generic[Kept]):
    """At most ``most`` values by key. Two threads that miss the same key both compute it; either result stands."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, compute: Callable[[], Kept]) -> Kept:
        """The value of ``key``, computed when nothing is kept of it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = compute()
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        """Forget everything, for whoever measures the first time."""
        with self._lock:
            self._kept.clear()
