"""How many wrong API keys may come from one address (SEC-21).

Each process counts for itself, in memory, so that guessing costs the database nothing. Over the limit a key is looked up only
when it is among the digests of all live keys, which are read again every few seconds: who has a right key is never slowed.
"""

import logging
import threading
import time
from collections import Counter

from rest_framework.exceptions import Throttled

from detection.models import ApiKey

log = logging.getLogger(__name__)

MOST = 30
"""Wrong keys from one address in a minute."""
WINDOW = 60
FRESH = 5.0
"""Seconds for which the digests are taken for all that there are."""
clock = time.time


class WrongKeys:
    """The wrong keys of this minute, by address. Safe between threads."""

    def __init__(self) -> None:
        self._counting, self._reading = threading.Lock(), threading.Lock()
        self._minute, self._from = 0, Counter[str]()
        self._digests, self._read_at = frozenset[str](), -FRESH

    def check(self, address: str, digest: str) -> None:
        """Raise :class:`Throttled` for a key that is none, from an address that has shown too many."""
        with self._counting:
            self._turn()
            few = self._from[address] < MOST
        if few or digest in self._known():
            return
        raise Throttled(WINDOW - clock() % WINDOW, "Too many wrong API keys came from this address.")

    def count(self, address: str) -> None:
        """One more wrong key."""
        with self._counting:
            self._turn()
            self._from[address] += 1
            over = self._from[address] == MOST
        if over:
            log.warning("wrong_keys address=%s", address)

    def _turn(self) -> None:
        minute = int(clock()) // WINDOW
        if minute != self._minute:
            self._minute = minute
            self._from.clear()

    def _known(self) -> frozenset[str]:
        with self._reading:
            if clock() - self._read_at >= FRESH:
                self._digests, self._read_at = ApiKey.live_digests(), clock()
            return self._digests


WRONG = WrongKeys()
