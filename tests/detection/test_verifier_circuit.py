"""An endpoint that asks for patience or fails again and again is left alone, by all workers."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import log
from typing import Any

import pytest

from detection.core.ports import Verifier, VerifierError, VerifierRateLimited, VerifierTimeout
from detection.verifiers import open_verifier
from detection.verifiers.endpoints.circuit import LONGEST_PAUSE, REFRESH, Circuit
from detection.verifiers.endpoints.failures import (
    Malformed,
    NoAnswer,
    NotAsked,
    Refused,
    TooLong,
    Unauthorized,
    Unreachable,
)
from detection.verifiers.stores import Stores
from tests.detection.test_verifier_guards import Shelf
from tests.detection.verifier_stub import Answer, Endpoint, Stub, completion, sends, serving
from tests.waiting import GIVEN_UP_AFTER, ended, until

pytestmark = pytest.mark.requirement("SPEC-08.42")

GOOD = completion({"YES": log(0.8), "NO": log(0.1), "UNKNOWN": log(0.1)})


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_000_000.0
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A standing clock."""
    return Clock()


def fails(circuit: Circuit, failure: VerifierError, times: int = 1) -> None:
    """Send requests through that end in this failure."""
    for _ in range(times):
        with pytest.raises(type(failure)), circuit.passage():
            raise failure


def refused(circuit: Circuit) -> VerifierError | None:
    """What a request gets instead of being sent, None when it is sent (and answered)."""
    try:
        with circuit.passage():
            return None
    except VerifierError as refusal:
        return refusal


def test_a_rate_limit_opens_at_once_for_as_long_as_was_asked(clock: Clock) -> None:
    circuit = Circuit("e", clock=clock)
    fails(circuit, VerifierRateLimited("", 7.0))
    clock.now += 4
    refusal = refused(circuit)
    assert isinstance(refusal, VerifierRateLimited)
    assert refusal.retry_after == pytest.approx(3)
    clock.now += 3.01
    assert refused(circuit) is None
    assert circuit.state.code == ""


@pytest.mark.parametrize("failure", [VerifierError(), VerifierTimeout(), Unreachable(), Malformed()])
def test_five_failures_in_a_row_within_ten_seconds_open_it(clock: Clock, failure: VerifierError) -> None:
    circuit = Circuit("e", clock=clock)
    fails(circuit, failure, 4)
    assert circuit.state.code == ""
    clock.now += 9
    fails(circuit, failure)
    refusal = refused(circuit)
    assert isinstance(refusal, Unreachable)
    assert refusal.code == "verifier_unreachable"
    assert refusal.retry_after == pytest.approx(1)


def test_a_refused_key_is_said_to_be_one(clock: Clock) -> None:
    circuit = Circuit("e", clock=clock)
    fails(circuit, Unauthorized(), 5)
    assert isinstance(refused(circuit), Unauthorized)


@pytest.mark.parametrize("failure", [NoAnswer(), Refused("no"), TooLong(), NotAsked()])
def test_what_a_working_endpoint_says_does_not_open_it(clock: Clock, failure: VerifierError) -> None:
    circuit = Circuit("e", clock=clock)
    fails(circuit, failure, 20)
    assert refused(circuit) is None


def test_failures_that_are_old_or_not_in_a_row_do_not_open_it(clock: Clock) -> None:
    circuit = Circuit("e", clock=clock)
    for _ in range(10):
        fails(circuit, VerifierError())
        clock.now += 4
    assert circuit.state.code == ""
    for _ in range(10):
        fails(circuit, VerifierError(), 2)
        assert refused(circuit) is None


def test_each_failed_probe_doubles_the_pause_up_to_a_minute_and_success_ends_it(clock: Clock) -> None:
    circuit = Circuit("e", clock=clock)
    fails(circuit, VerifierError(), 5)
    pauses = []
    for _ in range(9):
        pauses.append(circuit.state.until - clock.now)
        clock.now = circuit.state.until + 0.01
        fails(circuit, VerifierError())
    assert pauses == pytest.approx([1, 2, 4, 8, 16, 32, 60, 60, 60])
    clock.now += LONGEST_PAUSE + 0.01
    assert refused(circuit) is None
    fails(circuit, VerifierError())
    assert refused(circuit) is None


@pytest.mark.parametrize("late", [None, NoAnswer(), VerifierTimeout(), VerifierRateLimited("", 3.0)])
def test_what_was_under_way_when_the_pause_began_neither_ends_it_nor_makes_it_longer(
    clock: Clock, late: VerifierError | None
) -> None:
    circuit = Circuit("e", clock=clock)
    with suppress(VerifierError), circuit.passage():
        fails(circuit, VerifierRateLimited("", 7.0))
        clock.now += 1
        if late:
            raise late
    assert (circuit.state.code, circuit.state.pauses) == ("rate_limited", 1)
    assert circuit.state.until == pytest.approx(clock.now + 6)


def test_of_several_waits_that_were_asked_for_at_once_the_longest_counts(clock: Clock) -> None:
    circuit = Circuit("e", clock=clock)
    with suppress(VerifierError), circuit.passage():
        fails(circuit, VerifierError(), 5)
        raise VerifierRateLimited("", 30.0)
    assert isinstance(refused(circuit), VerifierRateLimited)
    assert circuit.state.until == pytest.approx(clock.now + 30)


def test_one_probe_goes_ahead_and_the_others_of_the_process_wait_for_it(clock: Clock) -> None:
    circuit = Circuit("e", clock=clock)
    fails(circuit, VerifierRateLimited("", 1.0))
    clock.now += 2
    inside, most, lock = 0, 0, threading.Lock()
    probing, done = threading.Event(), threading.Event()

    def ask() -> None:
        nonlocal inside, most
        with circuit.passage():
            with lock:
                inside += 1
                most = max(most, inside if not done.is_set() else 0)
            probing.set()
            done.wait(GIVEN_UP_AFTER)

    askers = [threading.Thread(target=ask) for _ in range(5)]
    for asker in askers:
        asker.start()
    probing.wait(GIVEN_UP_AFTER)
    until(
        lambda: clock.asked >= 2 * len(askers)
    )  # each has seen the pause end, and those behind the probe wait
    done.set()
    ended(askers)
    assert (most, inside) == (1, 5)


def test_workers_learn_from_each_other(clock: Clock) -> None:
    shelf = Shelf()
    one, other = (Circuit("e", shelf, clock=clock) for _ in range(2))
    assert refused(other) is None
    fails(one, VerifierRateLimited("", 30.0))
    clock.now += REFRESH + 0.01
    assert isinstance(refused(other), VerifierRateLimited)
    assert refused(Circuit("another endpoint", shelf, clock=clock)) is None
    clock.now += 30
    assert refused(one) is None
    clock.now += REFRESH + 0.01
    assert other.state.code == ""


@pytest.mark.parametrize("late", [None, VerifierError()])
def test_what_another_worker_had_under_way_takes_nothing_from_a_pause(
    clock: Clock, late: VerifierError | None
) -> None:
    shelf = Shelf()
    first, second = Circuit("e", shelf, clock=clock), Circuit("e", shelf, clock=clock)
    fails(second, VerifierError())
    with suppress(VerifierError), second.passage():
        clock.now += 1
        fails(first, VerifierRateLimited("", 7.0))
        clock.now += 1
        if late:
            raise late
    clock.now += REFRESH
    assert isinstance(refused(first), VerifierRateLimited)
    assert isinstance(refused(second), VerifierRateLimited)


def test_another_workers_probe_is_waited_for(clock: Clock) -> None:
    shelf = Shelf()
    one, other = (Circuit("e", shelf, clock=clock) for _ in range(2))
    fails(one, VerifierRateLimited("", 5.0))
    clock.now += 6
    with one.passage():
        refusal = refused(other)
    assert isinstance(refusal, VerifierRateLimited)
    clock.now += REFRESH + 0.01
    assert refused(other) is None


@pytest.mark.parametrize("strange", ["text", 7, {"until": 1}, {"failures": [], "unknown": 2}])
def test_what_another_version_shared_closes_nothing_and_breaks_nothing(clock: Clock, strange: object) -> None:
    shelf = Shelf()
    circuit = Circuit("e", shelf, clock=clock)
    shelf.held["verifier:circuit:e"] = strange
    assert refused(circuit) is None


# --- with real requests ----------------------------------------------------------------------------
@contextmanager
def worker(
    answer: Answer, shelf: Shelf, workers: int = 1, **more: Any
) -> Iterator[tuple[Stub, list[Verifier]]]:
    """Verifiers of several workers for one endpoint."""
    with serving(answer) as stub:
        config = {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 60} | more
        yield stub, [open_verifier(config, Stores(cache=shelf)) for _ in range(workers)]


@pytest.fixture
def same_clock(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of every circuit that is opened."""
    monkeypatch.setitem(Circuit.__init__.__kwdefaults__, "clock", clock)  # type: ignore[arg-type]  # it has defaults
    return clock


@pytest.mark.usefixtures("same_clock")
def test_after_a_429_nothing_is_asked_by_any_worker() -> None:
    with worker(sends("{}", 429, Retry_After="30"), Shelf(), workers=2) as (stub, (one, other)):
        (first,) = one.batch_estimate(["a claim"], "context")
        asked = len(stub.asked)
        later = one.batch_estimate(["b", "c"], "context") + other.batch_estimate(["d", "e"], "context")
    assert first.retry_after == 30
    assert len(stub.asked) == asked == 1
    assert {estimate.error for estimate in later} == {"rate_limited"}
    assert all(estimate.retry_after == 30 for estimate in later)


@pytest.mark.usefixtures("same_clock")
def test_after_five_failures_claims_fail_at_once_and_say_for_how_long() -> None:
    with worker(sends("{}", 500), Shelf()) as (stub, (verifier,)):
        verifier.batch_estimate(list("abcde"), "context")
        asked = len(stub.asked)
        (estimate,) = verifier.batch_estimate(["f"], "context")
    assert len(stub.asked) == asked
    assert estimate.error == "verifier_unreachable"
    assert estimate.retry_after is not None
    assert 0 < estimate.retry_after <= 1


def test_half_a_pair_is_kept_and_only_the_other_half_asked_again(same_clock: Clock) -> None:
    """F31: p1 was answered, p0 was not."""

    def answer(endpoint: Endpoint, body: dict) -> None:
        scrubbed = "scrubbed" in body["messages"][-1]["content"]
        if scrubbed and recovers():
            endpoint.reply(200, GOOD)
        else:
            endpoint.reply(429 if scrubbed else 200, GOOD, Retry_After="0")

    asked_scrubbed = iter([False, True])
    recovers: Callable[[], bool] = lambda: next(asked_scrubbed)  # noqa: E731 — a turn each time it is asked
    shelf = Shelf()
    with worker(answer, shelf, workers=2) as (stub, (one, other)):
        p1, p0 = one.batch_estimate(["a"], "full")[0], one.batch_estimate(["a"], "scrubbed")[0]
        same_clock.now += 1.1
        again = [other.batch_estimate(["a"], context)[0] for context in ("full", "scrubbed")]
    assert (p1.error, p0.error) == (None, "rate_limited")
    assert [estimate.error for estimate in again] == [None, None]
    assert [body["messages"][-1]["content"].count("full") for body in stub.asked] == [1, 0, 0]
