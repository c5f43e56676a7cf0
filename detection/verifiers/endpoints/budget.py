"""Money: what verifier calls cost, and how much of it a day may cost."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal

from detection.core.types import Usage
from detection.verifiers.endpoints.failures import BudgetSpent
from detection.verifiers.stores import Ledger

MILLION = Decimal(1_000_000)
REFRESH = 0.2
"""Seconds for which a process goes by what it last read in the books."""

Price = tuple[Decimal, Decimal]
FREE: Price = (Decimal(0), Decimal(0))


def today() -> date:
    """The day that is paid for; days change at midnight UTC."""
    return datetime.now(UTC).date()


class Budget:
    """What the calls of one model cost, and whether today's money still covers one.

    ``price`` is US dollars for a million tokens in and out, ``daily_usd`` the money of a day for all backends
    together, None for no limit. Calls under way when it is spent are finished and paid. Safe between threads.
    """

    def __init__(
        self,
        ledger: Ledger,
        backend: str,
        model: str,
        *,
        price: Price = FREE,
        daily_usd: Decimal | None = None,
        day: Callable[[], date] = today,
    ) -> None:
        self._ledger = ledger
        self._names = (backend, model)
        self._price = price
        self._daily_usd = daily_usd
        self._day = day
        self._lock = threading.Lock()
        self._known = (day(), Decimal(0))
        self._read_at = float("-inf")

    def check(self) -> None:
        """Raises :class:`BudgetSpent` when today's money is spent."""
        if self._daily_usd is not None and self.spent() >= self._daily_usd:
            raise BudgetSpent("Today's money for verifiers is spent.")

    def spent(self) -> Decimal:
        """US dollars spent today by all backends and processes, as far as this one knows."""
        day = self._day()
        with self._lock:
            now = time.monotonic()
            if day != self._known[0] or now - self._read_at >= REFRESH:
                known = self._known[1] if day == self._known[0] else Decimal(0)
                self._known, self._read_at = (day, max(known, self._ledger.spent(day))), now
            return self._known[1]

    def charge(self, tokens_in: int, tokens_out: int) -> Usage:
        """Enter one answered call into the books; what it cost."""
        usd = (tokens_in * self._price[0] + tokens_out * self._price[1]) / MILLION
        day = self._day()
        with self._lock:
            self._known = (day, self._known[1] + usd if day == self._known[0] else usd)
        self._ledger.add(day, *self._names, calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)
        return Usage(calls=1, tokens=tokens_in + tokens_out, usd=usd)

    def looked_up(self, found: int, missed: int) -> None:
        """Enter how many claims the cache answered, which cost nothing, and how many it did not (SPEC-08.40)."""
        self._ledger.add_lookups(self._day(), *self._names, found=found, missed=missed)
