"""How many requests one key may send (SEC-22).

The window's counter lives in the shared cache, so that the limit holds for all processes together. A process does not count
there one by one but takes permits in blocks, outside its lock: one write for each two hundredth of the limit, and
never more than the limit in all. While the cache is away each process holds the limit by itself: it
gives itself permits, and enters them in the counter once the cache is back.
"""

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from detection.models import ApiKey
from detection.operations.optional import CACHE

if TYPE_CHECKING:  # at run time it would import this module again, by DEFAULT_THROTTLE_CLASSES
    from rest_framework.views import APIView

WINDOW = 60
BLOCKS = 200
clock = time.time


@dataclass
class Permits:
    """What a process holds of one key's minute: permits that are left, all that it ever had, and how many of those the shared
    counter does not know of."""

    left: int = 0
    had: int = 0
    owed: int = 0


class KeyThrottle(BaseThrottle):
    """At most ``settings.HALLU_REQUESTS_PER_MINUTE`` requests for each key in a minute, or as many as the key itself says;
    0 means no limit."""

    _permits: dict[tuple[int, int], Permits] = {}
    _guard = threading.Lock()

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Whether the key has a permit left in this minute."""
        if not isinstance(request.auth, ApiKey):
            return True
        limit: int = request.auth.requests_per_minute or settings.HALLU_REQUESTS_PER_MINUTE
        if not limit:
            return True
        key, window = request.auth.pk, int(clock()) // WINDOW
        if self._spend(key, window):
            return True
        self._refill(key, window, limit)
        return self._spend(key, window)

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return WINDOW - clock() % WINDOW

    def _spend(self, key: int, window: int) -> bool:
        with self._guard:
            for old in [held for held in self._permits if held[1] < window]:
                del self._permits[old]
            permits = self._permits.setdefault((key, window), Permits())
            spent = permits.left > 0
            permits.left -= spent
            return spent

    def _refill(self, key: int, window: int, limit: int) -> None:
        size = max(1, limit // BLOCKS)
        permits = self._permits.setdefault((key, window), Permits())
        with self._guard:
            owed, permits.owed = permits.owed, 0
        granted = _take_block(key, window, limit, owed)
        with self._guard:
            if granted is None:
                granted = max(0, min(size, limit - permits.had))
                permits.owed += owed + granted
            permits.left += granted
            permits.had += granted


def _take_block(key: int, window: int, limit: int, owed: int = 0) -> int | None:
    """How many permits this process gets, after those that it ``owed`` the counter, which never goes past ``limit`` by others;
    None while the cache is away."""
    name, size = f"requests:{key}:{window}", max(1, limit // BLOCKS)
    taken = CACHE.ask(lambda: _counted(name, owed + size), None)
    return None if taken is None else max(0, min(size, limit - (taken - size)))


def _counted(name: str, more: int) -> int:
    """What the counter says once ``more`` are entered."""
    cache.add(name, 0, 2 * WINDOW)
    try:
        return cache.incr(name, more)
    except (TypeError, ValueError):  # somebody else wrote there: the counting begins again
        cache.set(name, more, 2 * WINDOW)
        return more
