"""The port to stores that can be done without: late or failing they cost the deadline once, then nothing, and are counted."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError
from redis.exceptions import ConnectionError as RedisAway

from detection.access import throttle
from detection.models import LeftOut
from detection.operations import optional
from detection.operations.optional import REST, OptionalStore
from tests.api_calls import Caller

pytestmark = [pytest.mark.postgres, pytest.mark.requirement("SPEC-08.43")]


class Clock:
    """Goes on when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Calls:
    """A store that counts its calls, and fails while ``error`` is set."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.made = 0

    def __call__(self) -> str:
        self.made += 1
        if self.error:
            raise self.error
        return "answered"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setattr(optional, "clock", Clock())
    return optional.clock  # type: ignore[return-value]  # just replaced


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """What is entered in the rows."""
    entered: list[int] = []
    monkeypatch.setattr(LeftOut, "add", lambda _store, calls: entered.append(calls))
    yield entered
    optional.written()


@pytest.fixture
def waited_for(settings: Any) -> OptionalStore:
    """A store whose callers wait 50 ms."""
    settings.OPTIONAL_STORE_SECONDS = 0.05
    return OptionalStore("tested", waited_for=lambda: True)


@pytest.mark.parametrize("error", [RedisAway("gone"), ConnectionRefusedError("gone"), TimeoutError()])
def test_a_store_that_fails_is_left_alone_for_a_while(
    clock: Clock, counted: list[int], error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    store, calls = OptionalStore("tested"), Calls()
    calls.error = error
    assert [store.ask(calls, "without") for _ in range(3)] == ["without"] * 3
    assert calls.made == 1
    clock.now += REST
    assert store.ask(calls, "without") == "without"
    assert (calls.made, store.reason) == (2, type(error).__name__)
    clock.now += REST
    calls.error = None
    assert [store.ask(calls, "without") for _ in range(2)] == ["answered"] * 2
    optional.written()
    assert sum(counted) == 4
    assert (caplog.text.count("store_away"), caplog.text.count("store_back"), store.reason) == (1, 1, "")


def test_one_caller_alone_finds_out_whether_a_store_is_back(clock: Clock) -> None:
    store, calls = OptionalStore("tested"), Calls()
    calls.error = RedisAway("gone")
    store.ask(calls, "without")
    clock.now += REST
    assert store.ask(lambda: store.ask(calls, "without"), "unasked") == "without"
    assert calls.made == 1


def test_a_store_that_is_late_is_gone_without_and_what_still_waits_for_it_is_not_done(
    waited_for: OptionalStore, clock: Clock
) -> None:
    released, calls = threading.Event(), Calls()
    assert waited_for.ask(lambda: str(released.wait()), "without") == "without"
    clock.now += REST
    assert waited_for.ask(calls, "without") == "without"
    released.set()
    clock.now += REST
    assert waited_for._lane.submit(lambda: "idle again").result() == "idle again"
    assert calls.made == 0


@pytest.mark.parametrize("error", [ValueError("no number"), OperationalError("the database")])
def test_what_is_no_fault_of_the_store_is_raised(waited_for: OptionalStore, error: Exception) -> None:
    calls = Calls()
    calls.error = error
    for store in (waited_for, OptionalStore("tested")):
        with pytest.raises(type(error)):
            store.ask(calls, "without")
        assert store.reason == ""


@pytest.mark.django_db
def test_calls_that_were_left_out_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    LeftOut.add("cache", 3)
    LeftOut.add("cache", 4)
    assert LeftOut.objects.get().calls == 7


# --- the throttle -----------------------------------------------------------------------------------
@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[pytest.MonkeyPatch]:
    """Ten requests a minute and a cache that is away until the context is undone."""
    settings.HALLU_REQUESTS_PER_MINUTE = 10
    cache.clear()
    with monkeypatch.context() as gone:

        def breaks(*_: Any) -> None:
            raise RedisAway("gone")

        gone.setattr(throttle, "_counted", breaks)
        yield gone
    cache.clear()


@pytest.mark.django_db
def test_without_the_cache_each_process_holds_the_limit_by_itself(away: pytest.MonkeyPatch) -> None:
    caller = Caller("read")
    for _process in range(2):
        away.setattr(throttle.KeyThrottle, "_permits", {})
        assert [caller.get("answers/").status_code for _ in range(11)] == [200] * 10 + [429]


@pytest.mark.django_db
def test_what_was_allowed_without_the_cache_is_entered_once_it_is_back(
    away: pytest.MonkeyPatch, clock: Clock
) -> None:
    caller = Caller("read")
    assert [caller.get("answers/").status_code for _ in range(6)] == [200] * 6
    away.undo()
    clock.now += REST
    assert [caller.get("answers/").status_code for _ in range(5)] == [200] * 4 + [429]
