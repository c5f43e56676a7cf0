"""What verifiers need to remember beyond one process, as protocols. The shell passes the real things in;
without it each verifier remembers for itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Protocol

MOST_ALTERNATIVES = 20
SHORT_ANSWER = 16
"""Tokens for one word."""


@dataclass(frozen=True, slots=True)
class Capability:
    """How to ask one model of one endpoint.

    ``top_logprobs`` is the highest number of alternatives it lists, ``limit_name`` the name under which it takes
    the token limit, ``temperature`` whether it takes one, ``reasoning_effort`` what must be said of thinking
    (nothing when empty), ``answer_tokens`` how many tokens one word needs. ``probed_at`` is when this was found out, ``lacking_since`` since when no
    log-probabilities came, None while they do, ``gave_logprobs`` whether it ever gave any that nobody has given up.
    """

    logprobs: bool = True
    top_logprobs: int = MOST_ALTERNATIVES
    limit_name: str = "max_completion_tokens"
    temperature: bool = True
    reasoning_effort: str = ""
    answer_tokens: int = SHORT_ANSWER
    probed_at: datetime | None = None
    lacking_since: datetime | None = None
    gave_logprobs: bool = False

    @property
    def has_fallen(self) -> bool:
        """Whether it gives no log-probabilities any more: what is asked now waits until it does again."""
        return self.gave_logprobs and not self.logprobs


class Memory(Protocol):
    """What was learnt about endpoints."""

    def load(self, base_url: str, model: str) -> Capability | None:
        """What is known about a model at an address, None when it was never asked."""
        ...

    def save(self, base_url: str, model: str, capability: Capability) -> None:
        """Remember it, in place of what was known."""
        ...

    def note(self, base_url: str, model: str, error: str) -> None:
        """Remember the last error that somebody has to look at; empty when it is over."""
        ...


class SharedCache(Protocol):
    """A cache that all processes see: the part of Django's interface that is used here."""

    def get(self, key: str) -> Any:
        """A value, None when it is not there."""
        ...

    def get_many(self, keys: Iterable[str]) -> Mapping[str, Any]:
        """Those of the values that are there."""
        ...

    def set(self, key: str, value: Any, timeout: float) -> None:
        """Keep a value for ``timeout`` seconds."""
        ...

    def add(self, key: str, value: Any, timeout: float) -> bool:
        """Keep a value unless there is one; whether it was kept."""
        ...

    def delete(self, key: str) -> None:
        """Forget a value."""
        ...


class Ledger(Protocol):
    """The books of what verifiers cost."""

    def spent(self, day: date) -> Decimal:
        """US dollars that all backends together spent on a day."""
        ...

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
        ...

    def add_lookups(self, day: date, backend: str, model: str, *, found: int, missed: int) -> None:
        """Enter claims that the cache answered, and those that it did not."""
        ...


@dataclass
class OwnMemory:
    """The memory of one process."""

    known: dict[tuple[str, str], Capability] = field(default_factory=dict)

    def load(self, base_url: str, model: str) -> Capability | None:
        """See :class:`Memory`."""
        return self.known.get((base_url, model))

    def save(self, base_url: str, model: str, capability: Capability) -> None:
        """See :class:`Memory`."""
        self.known[base_url, model] = capability

    def note(self, base_url: str, model: str, error: str) -> None:
        """See :class:`Memory`; a process that remembers for itself logs its errors and keeps none."""


@dataclass
class OwnLedger:
    """The books of one process."""

    money: dict[date, Decimal] = field(default_factory=dict)

    def spent(self, day: date) -> Decimal:
        """See :class:`Ledger`."""
        return self.money.get(day, Decimal(0))

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
        """See :class:`Ledger`."""
        self.money[day] = self.spent(day) + usd

    def add_lookups(self, day: date, backend: str, model: str, *, found: int, missed: int) -> None:
        """See :class:`Ledger`; look-ups cost nothing and are counted nowhere here."""


@dataclass
class Stores:
    """All of them. Without a shared ``cache`` circuits and estimates are each process's own."""

    memory: Memory = field(default_factory=OwnMemory)
    ledger: Ledger = field(default_factory=OwnLedger)
    cache: SharedCache | None = None
