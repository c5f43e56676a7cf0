"""What every backend sits behind: cache, deadline, limit, and failures that stay with their claim."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.ports import Estimate, VerifierError, VerifierRateLimited, VerifierTimeout
from detection.core.types import Usage
from detection.verifiers.cached import EstimateCache
from detection.verifiers.guarded import GuardedVerifier
from tests.waiting import GIVEN_UP_AFTER, ended, until

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


class Shelf:
    """A shared cache in a dictionary."""

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self.held.get(key)

    def get_many(self, keys: Iterable[str]) -> Mapping[str, Any]:
        return {key: self.held[key] for key in keys if key in self.held}

    def set(self, key: str, value: Any, timeout: float) -> None:
        self.held[key] = value

    def add(self, key: str, value: Any, timeout: float) -> bool:
        taken = key in self.held
        self.held.setdefault(key, value)
        return not taken

    def delete(self, key: str) -> None:
        self.held.pop(key, None)


@pytest.mark.requirement("SPEC-08.30")
def test_the_same_question_is_asked_and_paid_once() -> None:
    inner = Counting()
    guarded = GuardedVerifier(inner, timeout=60)
    first = guarded.estimate_probability("a claim", "context")
    again = guarded.batch_estimate(["a claim"], "context")[0]
    assert inner.asked == ["a claim"]
    assert (first.usage, again.usage) == (COST, Usage())
    assert again.yes == first.yes
    assert (guarded.cache.hits, guarded.cache.misses) == (1, 1)


@pytest.mark.requirement("SPEC-08.30")
def test_another_context_claim_version_or_placeholder_is_another_question() -> None:
    cache = EstimateCache(60)
    guarded = GuardedVerifier(Counting(), timeout=60, cache=cache, version="1", placeholder="[GONE]")
    other = GuardedVerifier(Counting(), timeout=60, cache=cache, version="2", placeholder="[GONE]")
    third = GuardedVerifier(Counting(), timeout=60, cache=cache, version="1", placeholder="[…]")
    for verifier, claim, context in (
        (guarded, "a", "x"), (guarded, "b", "x"), (guarded, "a", "y"), (other, "a", "x"), (third, "a", "x"),
    ):  # fmt: skip
        verifier.estimate_probability(claim, context)
    assert (cache.hits, cache.misses) == (0, 5)


@pytest.mark.requirement("SPEC-08.30")
@given(st.text(), st.text(), st.text(), st.text())
def test_no_two_questions_share_a_key(context: str, claim: str, context2: str, claim2: str) -> None:
    """Wherever the border between context and claim runs."""
    guarded = GuardedVerifier(Counting(), timeout=60)
    same = guarded._keys([claim], context) == guarded._keys([claim2], context2)
    assert same == ((context, claim) == (context2, claim2))
    assert guarded._keys([claim + claim2], context) != guarded._keys([claim2], context + claim) or not claim


@pytest.mark.requirement("SPEC-08.30")
def test_an_estimate_is_forgotten_after_its_time() -> None:
    now = [0.0]
    kept = EstimateCache(ttl=60, clock=lambda: now[0])
    kept.put("key", Estimate())
    now[0] = 59.9
    assert kept.get_many(["key"])
    now[0] = 60.0
    assert not kept.get_many(["key"])


def test_a_full_cache_forgets_the_oldest() -> None:
    kept = EstimateCache(ttl=60, size=2)
    for key in ("a", "b", "c"):
        kept.put(key, Estimate())
    assert list(kept.get_many(["a", "b", "c"])) == ["b", "c"]
    assert len(kept) == 2


@pytest.mark.requirement("SPEC-08.30")
def test_what_one_process_asked_another_does_not_ask_again() -> None:
    shelf, inner = Shelf(), Counting()
    one = GuardedVerifier(inner, timeout=60, cache=EstimateCache(60, shared=shelf))
    other = GuardedVerifier(inner, timeout=60, cache=EstimateCache(60, shared=shelf))
    first = one.estimate_probability("a claim", "context")
    again = other.estimate_probability("a claim", "context")
    assert inner.asked == ["a claim"]
    assert (again.yes, again.no, again.unknown, again.usage) == (*_labels(first), Usage())


def _labels(estimate: Estimate) -> tuple[Any, Any, Any]:
    return estimate.yes, estimate.no, estimate.unknown


@pytest.mark.parametrize("strange", [{"schema": 99}, {"schema": 1, "yes": "much"}, "text", 3, None])
def test_what_another_version_kept_is_asked_anew(strange: object) -> None:
    shelf, inner = Shelf(), Counting()
    guarded = GuardedVerifier(inner, timeout=60, cache=EstimateCache(60, shared=shelf))
    guarded.estimate_probability("a claim", "context")
    shelf.held = dict.fromkeys(shelf.held, strange)
    other = GuardedVerifier(inner, timeout=60, cache=EstimateCache(60, shared=shelf))
    assert other.estimate_probability("a claim", "context").yes == (0.7, 0.7)
    assert len(inner.asked) == 2


def test_a_claim_said_twice_is_asked_once_and_paid_once() -> None:
    for at_once in (None, 4):
        inner = Counting()
        guarded = GuardedVerifier(inner, timeout=60, at_once=at_once)
        found = guarded.batch_estimate(["same", "other", "same"], "context")
        assert sorted(inner.asked) == ["other", "same"]
        assert [estimate.usage.calls for estimate in found] == [1, 1, 0]


def test_claims_answered_from_the_cache_are_reported() -> None:
    told: list[tuple[int, int]] = []
    guarded = GuardedVerifier(Counting(), timeout=60, looked_up=lambda *counts: told.append(counts))
    guarded.batch_estimate(["a", "b"], "context")
    guarded.batch_estimate(["a", "b", "c"], "context")
    assert told == [(0, 2), (2, 1)]


@pytest.mark.requirement("SPEC-08.42")
@pytest.mark.parametrize("at_once", [None, 4])
def test_failures_become_the_claims_error_and_are_not_kept(at_once: int | None) -> None:
    inner = Failing(VerifierRateLimited("later", retry_after=7.0))
    guarded = GuardedVerifier(inner, timeout=60, at_once=at_once)
    for _ in range(2):
        estimate = guarded.batch_estimate(["a claim"], "context")[0]
        assert (estimate.error, estimate.retry_after) == ("rate_limited", 7.0)
    assert len(inner.asked) == 2


@pytest.mark.requirement("SPEC-08.43")
def test_any_exception_stays_with_its_claims() -> None:
    guarded = GuardedVerifier(Failing(ZeroDivisionError()), timeout=60)
    assert [estimate.error for estimate in guarded.batch_estimate(["a", "b"], "context")] == [
        "verifier_error"
    ] * 2
    with pytest.raises(ZeroDivisionError):
        guarded.estimate_probability("a", "context")


def test_a_batch_of_the_wrong_length_is_an_error() -> None:
    class Short(Counting):
        def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
            return []

    assert (
        GuardedVerifier(Short(), timeout=60).batch_estimate(["a"], "context")[0].error == VerifierError.code
    )


class Stuck(Counting):
    """A verifier that answers about ``slow`` only after its release, about others when as many ask ``together``
    as it is told, and counts how many it has at once."""

    def __init__(self) -> None:
        super().__init__()
        self.together: threading.Barrier | None = None
        self.released = threading.Event()
        self.now = self.most = 0
        self.lock = threading.Lock()

    def estimate_probability(self, claim: str, context: str) -> Estimate:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        if claim.startswith("slow"):
            self.released.wait(GIVEN_UP_AFTER)
        elif self.together:
            self.together.wait()
        with self.lock:
            self.now -= 1
        return super().estimate_probability(claim, context)


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    """A stuck verifier, released in the end."""
    verifier = Stuck()
    yield verifier
    verifier.released.set()


@pytest.mark.requirement("SPEC-08.42")
def test_a_verifier_that_never_answers_is_left_at_the_deadline(stuck: Stuck) -> None:
    guarded = GuardedVerifier(stuck, timeout=0.05)
    assert guarded.batch_estimate(["slow"], "context")[0].error == "timeout"
    with pytest.raises(VerifierTimeout):
        guarded.estimate_probability("slow", "context")


@pytest.mark.requirement("SPEC-08.42")
def test_the_neighbours_of_a_claim_that_hangs_are_answered(stuck: Stuck) -> None:
    guarded = GuardedVerifier(stuck, timeout=3, at_once=2)
    found = guarded.batch_estimate(["slow", "a", "b"], "context")
    assert [estimate.error for estimate in found] == ["timeout", None, None]


@pytest.mark.requirement("SPEC-08.30")
def test_an_answer_that_comes_too_late_serves_the_next_who_asks(stuck: Stuck) -> None:
    guarded = GuardedVerifier(stuck, timeout=0.05, at_once=2)
    assert guarded.batch_estimate(["slow"], "context")[0].error == "timeout"
    stuck.released.set()
    until(lambda: guarded.cache.get_many(guarded._keys(["slow"], "context")))
    assert guarded.batch_estimate(["slow"], "context")[0].error is None
    assert stuck.asked == ["slow"]


@pytest.mark.requirement("SPEC-08.29")
def test_all_batches_together_ask_no_more_at_once_than_permitted(stuck: Stuck) -> None:
    guarded = GuardedVerifier(stuck, timeout=60, at_once=3)
    stuck.together = threading.Barrier(3, timeout=60)
    batches = [
        threading.Thread(
            target=guarded.batch_estimate, args=([f"{context}{n}" for n in range(8)], str(context))
        )
        for context in range(3)
    ]
    for batch in batches:
        batch.start()
    for batch in batches:
        batch.join()
    assert len(stuck.asked) == 24
    assert stuck.most == 3


def test_what_has_not_begun_by_the_deadline_never_begins(stuck: Stuck) -> None:
    guarded, before = GuardedVerifier(stuck, timeout=0.1, at_once=1), set(threading.enumerate())
    found = guarded.batch_estimate(["slow", "a"], "context")
    begun = set(threading.enumerate()) - before
    stuck.released.set()
    ended(begun)
    assert [estimate.error for estimate in found] == ["timeout", "timeout"]
    assert stuck.asked == ["slow"]
