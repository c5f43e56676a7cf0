"""When an endpoint is left alone: after it asked for patience, and after it failed again and again.

One circuit stands for one endpoint. Workers share it over the cache, so that what one of them learns all of
them obey. When its time is over one request goes through as a probe; its success closes the circuit, its
failure opens it for twice as long.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from detection.core.ports import VerifierError, VerifierRateLimited, VerifierTimeout
from detection.verifiers.endpoints.failures import Malformed, NotAsked, Unauthorized, Unreachable
from detection.verifiers.stores import SharedCache

FAILURES = 5
WINDOW = 10.0
"""This many failures in a row within so many seconds open the circuit."""

SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds; the pause doubles from one to the other. A Retry-After counts instead where it was given."""

REFRESH = 0.2
"""Seconds for which a process goes by what it last read of the shared state."""

KEPT = 3600.0
RATE_LIMITED, FAILING, REFUSED = (each.code for each in (VerifierRateLimited, Unreachable, Unauthorized))


@dataclass(frozen=True, slots=True)
class CircuitState:
    """When the last failures in a row were, until when nothing is asked, for which ``code``, how many pauses
    came one after the other, and when this became so. Times are seconds since the epoch, since several machines
    compare them."""

    failures: tuple[float, ...] = ()
    until: float = 0.0
    code: str = ""
    pauses: int = 0
    changed: float = 0.0

    def after(self, failure: VerifierError, now: float) -> "CircuitState":
        """The state after a request failed. What a working endpoint says, such as a refusal, closes it."""
        if isinstance(failure, VerifierRateLimited):
            return self._paused(RATE_LIMITED, now, failure.retry_after)
        if isinstance(failure, NotAsked):
            return self
        if not _is_the_endpoints(failure):
            return self.closed(now)
        recent = (*(when for when in self.failures if now - when < WINDOW), now)
        if self.code or len(recent) >= FAILURES:
            return self._paused(REFUSED if isinstance(failure, Unauthorized) else FAILING, now, None)
        return replace(self, failures=recent, changed=now)

    def _paused(self, code: str, now: float, asked: float | None) -> "CircuitState":
        pause = min(SHORTEST_PAUSE * 2.0**self.pauses, LONGEST_PAUSE) if asked is None else asked
        return CircuitState((), now + max(pause, SHORTEST_PAUSE), code, self.pauses + 1, now)

    def meanwhile(self, failure: VerifierError | None, now: float) -> "CircuitState":
        """The state after a request ended that was under way when the pause began: it says nothing of the
        endpoint as it is after the pause, but it may have been asked for more patience."""
        asked = failure.retry_after if isinstance(failure, VerifierRateLimited) else None
        if asked is None or now + asked <= self.until:
            return self
        return replace(self, until=now + asked, code=RATE_LIMITED, changed=now)

    def closed(self, now: float) -> "CircuitState":
        """The state after a request was answered."""
        return CircuitState(changed=now) if self.failures or self.code else self

    def refusal(self, seconds: float) -> VerifierError:
        """What a claim gets that is not asked about."""
        if self.code == RATE_LIMITED:
            return VerifierRateLimited("The endpoint asked to wait.", seconds)
        if self.code == REFUSED:
            return Unauthorized("The endpoint refused the key.")
        return Unreachable("The endpoint failed repeatedly and is left alone.", seconds)


def _is_the_endpoints(failure: VerifierError) -> bool:
    """Whether the endpoint failed; a refused parameter or an empty answer come from one that works."""
    return type(failure) is VerifierError or isinstance(
        failure, VerifierTimeout | Unreachable | Unauthorized | Malformed
    )


class Circuit:
    """The circuit of the endpoint ``key``; every request goes through :meth:`passage`.

    ``probe_seconds`` is how long a probe may take before another is let through. Safe between threads.
    """

    def __init__(
        self,
        key: str,
        shared: SharedCache | None = None,
        *,
        probe_seconds: float = 10.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._key = f"verifier:circuit:{key}"
        self._shared = shared
        self._probe_seconds = probe_seconds
        self._clock = clock
        self._state = CircuitState()
        self._read_at = float("-inf")
        self._lock = threading.Lock()
        self._probing = threading.Lock()

    @property
    def state(self) -> CircuitState:
        """The state as all workers see it."""
        with self._lock:
            return self._seen(self._clock())

    def _seen(self, now: float) -> CircuitState:
        """The state with what other workers shared of it; the lock is held."""
        if self._shared is not None and abs(now - self._read_at) >= REFRESH:
            shared = _read(self._shared.get(self._key))
            self._state, self._read_at = max(shared, self._state, key=lambda state: state.changed), now
        return self._state

    @contextmanager
    def passage(self) -> Iterator[None]:
        """Around one request. Raises :class:`VerifierRateLimited`, :class:`Unreachable` or
        :class:`Unauthorized` without asking while the circuit is open."""
        probe = self._enter()
        begun = self._clock()
        try:
            yield
            self._change(None, begun)
        except VerifierError as failure:
            self._change(failure, begun)
            raise
        finally:
            if probe:
                self._end_probe()

    def _enter(self) -> bool:
        """Let a request in; True when it is the probe, which the others in this process wait for."""
        if not self._checked().code:
            return False
        if not self._probing.acquire(timeout=self._probe_seconds):
            raise self.state.refusal(SHORTEST_PAUSE)
        try:
            if self._checked().code:
                self._be_first()
                return True
        except VerifierError:
            self._probing.release()
            raise
        self._probing.release()
        return False

    def _checked(self) -> CircuitState:
        """The state; raises its refusal while its pause lasts."""
        state = self.state
        left = state.until - self._clock()
        if state.code and left > 0:
            raise state.refusal(left)
        return state

    def _be_first(self) -> None:
        """Raises the refusal when another process has its probe under way."""
        if self._shared is not None and not self._shared.add(f"{self._key}:probe", True, self._probe_seconds):
            raise self.state.refusal(SHORTEST_PAUSE)

    def _end_probe(self) -> None:
        if self._shared is not None:
            self._shared.delete(f"{self._key}:probe")
        self._probing.release()

    def _change(self, failure: VerifierError | None, begun: float) -> None:
        with self._lock:
            now = self._clock()
            before = self._seen(now)
            if begun < before.until:
                after = before.meanwhile(failure, now)
            else:
                after = before.after(failure, now) if failure else before.closed(now)
            self._state = after
        if after != before and self._shared is not None:
            self._shared.set(self._key, asdict(after), KEPT)


def _read(kept: Any) -> CircuitState:
    """A state from the shared cache; a closed one when there is none or another version wrote it."""
    try:
        return CircuitState(**{**kept, "failures": tuple(kept["failures"])}) if kept else CircuitState()
    except (KeyError, TypeError):
        return CircuitState()
