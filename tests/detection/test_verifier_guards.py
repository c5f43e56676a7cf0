"""What every backend sits behind: cache, deadline, and failures that stay with their claim."""

import threading
from collections.abc import Sequence
from decimal import Decimal

import pytest

from detection.core.ports import Estimate, VerifierError, VerifierRateLimited, VerifierTimeout
from detection.core.types import Usage
from detection.verifiers.guarded import GuardedVerifier, Kept

COST = Usage(1, 100, Decimal("0.01"))


class Counting:
    """A verifier that counts its questions."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        self.asked.append(claim)
        return Estimate((0.7, 0.7), (0.1, 0.1), (0.2, 0.2), usage=COST, latency_ms=5.0)

    def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        return [self.estimate_probability(claim, context) for claim in claims]


class Failing(Counting):
    """A verifier that raises."""

    def __init__(self, failure: Exception) -> None:
        super().__init__()
        self.failure = failure

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        self.asked.append(claim)
        raise self.failure


@pytest.mark.requirement("SPEC-08.30")
def test_the_same_question_is_asked_and_paid_once() -> None:
    inner = Counting()
    guarded = GuardedVerifier(inner, timeout=5)
    first = guarded.estimate_probability("a claim", "context")
    again = guarded.batch_estimate(["a claim"], "context")[0]
    assert inner.asked == ["a claim"]
    assert (first.usage, again.usage) == (COST, Usage())
    assert again.yes == first.yes
    assert (guarded.cache.hits, guarded.cache.misses) == (1, 1)


@pytest.mark.requirement("SPEC-08.30")
def test_another_context_claim_version_or_placeholder_is_another_question() -> None:
    guarded = GuardedVerifier(Counting(), timeout=5, version="1", placeholder="[GONE]")
    other = GuardedVerifier(Counting(), timeout=5, version="2", placeholder="[GONE]")
    third = GuardedVerifier(Counting(), timeout=5, version="1", placeholder="[…]")
    other.cache = third.cache = guarded.cache
    for verifier, claim, context in (
        (guarded, "a", "x"), (guarded, "b", "x"), (guarded, "a", "y"), (other, "a", "x"), (third, "a", "x"),
    ):  # fmt: skip
        verifier.estimate_probability(claim, context)
    assert (guarded.cache.hits, guarded.cache.misses) == (0, 5)


@pytest.mark.requirement("SPEC-08.30")
def test_an_estimate_is_forgotten_after_its_time() -> None:
    now = [0.0]
    kept = Kept(ttl=60, clock=lambda: now[0])
    kept.put("key", Estimate())
    now[0] = 59.9
    assert kept.get("key") is not None
    now[0] = 60.0
    assert kept.get("key") is None


def test_a_full_cache_forgets_the_oldest() -> None:
    kept = Kept(ttl=60, size=2)
    for key in ("a", "b", "c"):
        kept.put(key, Estimate())
    assert kept.get("a") is None
    assert kept.get("c") is not None


def test_a_claim_said_twice_is_asked_once_and_paid_once() -> None:
    inner = Counting()
    found = GuardedVerifier(inner, timeout=5).batch_estimate(["same", "other", "same"], "context")
    assert inner.asked == ["same", "other"]
    assert [estimate.usage.calls for estimate in found] == [1, 1, 0]


@pytest.mark.requirement("SPEC-08.42")
def test_failures_become_the_claims_error_and_are_not_kept() -> None:
    inner = Failing(VerifierRateLimited("later", retry_after=7.0))
    guarded = GuardedVerifier(inner, timeout=5)
    for _ in range(2):
        estimate = guarded.batch_estimate(["a claim"], "context")[0]
        assert (estimate.error, estimate.retry_after) == ("rate_limited", 7.0)
    assert len(inner.asked) == 2


@pytest.mark.requirement("SPEC-08.43")
def test_any_exception_stays_with_its_claims() -> None:
    guarded = GuardedVerifier(Failing(ZeroDivisionError()), timeout=5)
    assert [estimate.error for estimate in guarded.batch_estimate(["a", "b"], "context")] == [
        "verifier_error"
    ] * 2
    with pytest.raises(ZeroDivisionError):
        guarded.estimate_probability("a", "context")


def test_a_batch_of_the_wrong_length_is_an_error() -> None:
    class Short(Counting):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            return []

    assert GuardedVerifier(Short(), timeout=5).batch_estimate(["a"], "context")[0].error == VerifierError.code


@pytest.mark.requirement("SPEC-08.42")
def test_a_verifier_that_never_answers_is_left_at_the_deadline() -> None:
    released = threading.Event()

    class Stuck(Counting):
        def estimate_probability(self, claim: str, context: str) -> Estimate:
            released.wait()
            return super().estimate_probability(claim, context)

    guarded = GuardedVerifier(Stuck(), timeout=0.05)
    try:
        assert guarded.batch_estimate(["a"], "context")[0].error == "timeout"
        with pytest.raises(VerifierTimeout):
            guarded.estimate_probability("a", "context")
    finally:
        released.set()
