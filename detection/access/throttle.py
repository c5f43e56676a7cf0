"""How many requests one key may send (SEC-22).

The window's counter lives in the shared cache, so that the limit holds for all processes together. A
process does not count there one by one but takes permits in blocks: one write for each two hundredth of the
limit, and never more than the limit in all.
"""

import threading
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from detection.models import ApiKey

if TYPE_CHECKING:  # at run time it would import this module again, by DEFAULT_THROTTLE_CLASSES
    from rest_framework.views import APIView

WINDOW = 60
BLOCKS = 200
clock = time.time


class KeyThrottle(BaseThrottle):
    """At most ``settings.HALLU_REQUESTS_PER_MINUTE`` requests for each key in a minute; 0 means no limit."""

    _permits: dict[tuple[int, int], int] = {}
    _guard = threading.Lock()

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Whether the key has a permit left in this minute."""
        limit: int = settings.HALLU_REQUESTS_PER_MINUTE
        if not limit or not isinstance(request.auth, ApiKey):
            return True
        window = int(clock()) // WINDOW
        with self._guard:
            return self._spend(request.auth.pk, window, limit)

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return WINDOW - clock() % WINDOW

    def _spend(self, key: int, window: int, limit: int) -> bool:
        left = self._permits.get((key, window), 0) or _take_block(key, window, limit)
        if left:
            self._permits[key, window] = left - 1
        for old in [held for held in self._permits if held[1] < window]:
            del self._permits[old]
        return bool(left)


def _take_block(key: int, window: int, limit: int) -> int:
    """How many permits this process gets; the counter never goes past ``limit``."""
    name, size = f"requests:{key}:{window}", max(1, limit // BLOCKS)
    with transaction.atomic():  # SQLite's write lock makes reading and writing the counter one step
        cache.add(name, 0, 2 * WINDOW)
        try:
            taken: int = cache.incr(name, size)
        except (TypeError, ValueError):  # somebody else wrote there: the counting begins again
            taken = size
            cache.set(name, taken, 2 * WINDOW)
    return max(0, min(size, limit - (taken - size)))
