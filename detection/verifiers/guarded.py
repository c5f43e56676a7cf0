"""What every backend sits behind: a cache, a total deadline, a limit, and failures that stay with their claim."""

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from detection.core.ports import Estimate, Verifier, VerifierError, failed
from detection.core.types import Usage
from detection.verifiers.cached import EstimateCache
from detection.verifiers.side_by_side import side_by_side

Outcome = Estimate | Exception


class GuardedVerifier:
    """Any verifier with a total deadline (``timeout`` seconds, for one call or one batch) and a cache.

    With ``at_once`` the claims of a batch are asked each by itself, at most so many at the same time in this
    process; without it the verifier gets the batch whole. ``batch_estimate`` never raises: what a verifier
    throws becomes the error of the claims it was asked about (SPEC-08.42, SPEC-08.43). Failures are never kept.
    """

    def __init__(
        self,
        inner: Verifier,
        *,
        timeout: float,
        cache: EstimateCache | None = None,
        at_once: int | None = None,
        version: str = "",
        placeholder: str = "",
        looked_up: Callable[[int, int], None] = lambda _found, _missed: None,
    ) -> None:
        """``looked_up`` is told how many claims the cache answered and how many it did not."""
        self.name = inner.name
        self.timeout = timeout
        self.cache = cache if cache is not None else EstimateCache(3600.0)
        self._inner = inner
        self._at_once = at_once
        self._permits = threading.BoundedSemaphore(at_once or 1)
        self._identity = (inner.name, version, placeholder)
        self._looked_up = looked_up

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        """Estimate one claim. Raises what the verifier raises, and
        :class:`~detection.core.ports.VerifierTimeout` at the deadline."""
        (outcome,) = self._outcomes([claim], context, self._ask_each)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """Estimate claims that share a context, in order; those kept are not asked again."""
        ask = self._ask_whole if self._at_once is None else self._ask_each
        outcomes = self._outcomes(claims, context, ask)
        return [outcome if isinstance(outcome, Estimate) else failed(outcome) for outcome in outcomes]

    def _outcomes(
        self,
        claims: Sequence[str],
        context: str,
        ask: Callable[[Mapping[str, str], str], dict[str, Outcome]],
    ) -> list[Outcome]:
        keys = self._keys(claims, context)
        found: dict[str, Outcome] = {**self.cache.get_many(dict.fromkeys(keys))}
        asked = {key: claim for key, claim in zip(keys, claims, strict=True) if key not in found}
        if keys:
            self._looked_up(len(found), len(asked))
        return _in_order(keys, found | (ask(asked, context) if asked else {}))

    def _ask_each(self, asked: Mapping[str, str], context: str) -> dict[str, Outcome]:
        """Each claim by itself; one that comes too late for its batch is kept for the next."""

        def ask(key: str, claim: str) -> Estimate:
            return self._kept(key, self._inner.estimate_probability(claim, context))

        calls = [lambda key=key, claim=claim: ask(key, claim) for key, claim in asked.items()]
        permit = self._permits if self._at_once else None
        outcomes = side_by_side(calls, limit=self._at_once or 1, seconds=self.timeout, permit=permit)
        return dict(zip(asked, outcomes, strict=True))

    def _ask_whole(self, asked: Mapping[str, str], context: str) -> dict[str, Outcome]:
        def ask() -> list[Estimate]:
            return self._inner.batch_estimate(list(asked.values()), context)

        (outcome,) = side_by_side([ask], limit=1, seconds=self.timeout)
        if isinstance(outcome, Exception):
            return dict.fromkeys(asked, outcome)
        if len(outcome) != len(asked):
            return dict.fromkeys(asked, VerifierError("The verifier answered for other claims."))
        return {key: self._kept(key, estimate) for key, estimate in zip(asked, outcome, strict=True)}

    def _kept(self, key: str, estimate: Estimate) -> Estimate:
        if estimate.error is None:
            self.cache.put(key, estimate)
        return estimate

    def _keys(self, claims: Sequence[str], context: str) -> list[str]:
        """SHA-256 of backend, model, prompt version, placeholder, context and claim (contracts §5)."""
        parts = (*self._identity, context)
        common = hashlib.sha256(
            "".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")
        )
        keys = []
        for claim in claims:
            digest = common.copy()
            digest.update(claim.encode("utf-8", "surrogatepass"))
            keys.append(digest.hexdigest())
        return keys


def _in_order(keys: Sequence[str], outcomes: Mapping[str, Outcome]) -> list[Outcome]:
    """One outcome for each claim; what was asked once for two claims is paid once."""
    charged: set[str] = set()
    ordered: list[Outcome] = []
    for key in keys:
        outcome = outcomes[key]
        if key in charged and isinstance(outcome, Estimate):
            outcome = replace(outcome, usage=Usage())
        ordered.append(outcome)
        charged.add(key)
    return ordered
