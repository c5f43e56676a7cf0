"""What every backend sits behind: a cache, a total deadline, and failures that stay with their claim."""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field, replace
from typing import TypeVar

from detection.core.ports import Estimate, Verifier, VerifierError, VerifierTimeout, failed
from detection.core.types import Usage

CACHE_SIZE = 10_000
Result = TypeVar("Result")


@dataclass
class Kept:
    """Estimates by key until they are ``ttl`` seconds old, the oldest leaving first (SPEC-08.30).

    ``hits`` and ``misses`` count look-ups (SPEC-08.40). Safe to share between threads.
    """

    ttl: float
    size: int = CACHE_SIZE
    clock: Callable[[], float] = time.monotonic
    hits: int = 0
    misses: int = 0
    _entries: OrderedDict[str, tuple[float, Estimate]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: str) -> Estimate | None:
        """A kept estimate, at no cost and with no latency, or None."""
        with self._lock:
            kept = self._entries.get(key)
            if kept is None or self.clock() - kept[0] >= self.ttl:
                self.misses += 1
                return None
            self.hits += 1
            return replace(kept[1], usage=Usage(), latency_ms=0.0)

    def put(self, key: str, estimate: Estimate) -> None:
        """Keep an estimate."""
        with self._lock:
            self._entries[key] = (self.clock(), estimate)
            self._entries.move_to_end(key)
            while len(self._entries) > self.size:
                self._entries.popitem(last=False)


class GuardedVerifier:
    """Any verifier with a total deadline (seconds, for one call or one batch) and a cache.

    ``batch_estimate`` never raises: what a verifier throws becomes the error of the claims it was asked
    about (SPEC-08.42, SPEC-08.43). Failures are never kept.
    """

    def __init__(
        self,
        inner: Verifier,
        *,
        timeout: float,
        cache_ttl: float = 3600.0,
        version: str = "",
        placeholder: str = "",
    ) -> None:
        self.name = inner.name
        self.timeout = timeout
        self.cache = Kept(cache_ttl)
        self._inner = inner
        self._identity = (inner.name, version, placeholder)

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Estimate one claim. Raises what the verifier raises, and :class:`VerifierTimeout` at the deadline."""
        key = self._key(claim, context)
        kept = self.cache.get(key)
        if kept is not None:
            return kept
        estimate = _within(self.timeout, lambda: self._inner.estimate_probability(claim, context))
        self._keep(key, estimate)
        return estimate

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """Estimate claims that share a context, in order; those kept are not asked again."""
        keys = [self._key(claim, context) for claim in claims]
        found = {key: kept for key in dict.fromkeys(keys) if (kept := self.cache.get(key)) is not None}
        asked = {key: claim for key, claim in zip(keys, claims, strict=True) if key not in found}
        fresh = dict(zip(asked, self._ask(list(asked.values()), context), strict=True)) if asked else {}
        for key, estimate in fresh.items():
            self._keep(key, estimate)
        return self._in_order(keys, found | fresh)

    def _ask(self, claims: list[str], context: str) -> list[Estimate]:
        try:
            estimates = _within(self.timeout, lambda: self._inner.batch_estimate(claims, context))
        except Exception as failure:  # noqa: BLE001 — whatever it is, it must stay with these claims
            return [failed(failure)] * len(claims)
        if len(estimates) != len(claims):
            return [failed(VerifierError())] * len(claims)
        return estimates

    @staticmethod
    def _in_order(keys: list[str], estimates: dict[str, Estimate]) -> list[Estimate]:
        """One estimate for each claim; what was asked once for two claims is paid once."""
        charged: set[str] = set()
        ordered = []
        for key in keys:
            ordered.append(replace(estimates[key], usage=Usage()) if key in charged else estimates[key])
            charged.add(key)
        return ordered

    def _key(self, claim: str, context: str) -> str:
        parts = (*self._identity, context, claim)
        return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def _keep(self, key: str, estimate: Estimate) -> None:
        if estimate.error is None:
            self.cache.put(key, estimate)


def _within(seconds: float, call: Callable[[], Result]) -> Result:
    """The result of a call made in a thread of its own, or :class:`VerifierTimeout` at the deadline.

    The thread of a call that is given up ends with the process at the latest; it holds nothing.
    """
    done: Future[Result] = Future()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as failure:  # noqa: BLE001 — carried over to the waiting thread
            done.set_exception(failure)

    threading.Thread(target=run, daemon=True).start()
    try:
        return done.result(timeout=seconds)
    except FutureTimeout as late:
        raise VerifierTimeout(f"No answer within {seconds:g} seconds.") from late
