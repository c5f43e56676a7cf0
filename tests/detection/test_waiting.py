"""Callers wait in places of their own, for whom one thread looks; whoever hangs up, or waits in vain, frees the place."""

import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from detection.api.waiting import Ended, Room, Waiter
from tests.waiting import GIVEN_UP_AFTER, ended, until

pytestmark = pytest.mark.requirement("APP-06")


class Work:
    """Work that is done when the test says so; what it was asked for, look by look, and by which thread."""

    def __init__(self) -> None:
        self.finished: set[Any] = set()
        self.asked: list[set[Any]] = []
        self.threads: set[threading.Thread] = set()
        self.fault: Exception | None = None

    def done(self, keys: Collection[Any]) -> Collection[Any]:
        self.asked.append(set(keys))
        self.threads.add(threading.current_thread())
        if self.fault:
            raise self.fault
        return self.finished & set(keys)


class Callers:
    """Callers of a room, each in a thread; how the wait of each ended."""

    def __init__(self, room: Room, work: Work) -> None:
        self.room, self.work = room, work
        self.found: dict[Any, Ended] = {}
        self.threads: list[threading.Thread] = []

    def come(
        self, key: Any, connection: socket.socket | None = None, seconds: float = GIVEN_UP_AFTER
    ) -> None:
        def wait() -> None:
            with self.room.place() as free:
                assert free
                self.found[key] = self.room.wait(Waiter(self.work.done, key, connection), seconds)

        self.threads.append(threading.Thread(target=wait))
        self.threads[-1].start()


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def callers(work: Work) -> Iterator[Callers]:
    found = Callers(Room(16), work)
    yield found
    work.fault, work.finished = None, set(range(100))
    ended(found.threads)


def test_one_look_is_for_all_who_wait_and_ends_with_them(callers: Callers, work: Work) -> None:
    for key in range(16):
        callers.come(key)
    until(lambda: set(range(16)) in work.asked)
    work.finished = set(range(15))
    ended(callers.threads[:15])
    until(lambda: work.asked[-1] == {15})
    work.finished = {15}
    ended(callers.threads)
    assert set(callers.found.values()) == {Ended.DONE}
    assert len(work.threads) == 1
    ended(work.threads)


def test_whoever_comes_later_is_looked_for_too(callers: Callers, work: Work) -> None:
    work.finished = {0, 1}
    callers.come(0)
    ended(callers.threads)
    until(lambda: not any(thread.is_alive() for thread in work.threads))
    callers.come(1)
    ended(callers.threads)
    assert callers.found == {0: Ended.DONE, 1: Ended.DONE}


def test_a_caller_who_hangs_up_is_let_go_and_one_who_says_more_is_not(callers: Callers, work: Work) -> None:
    (caller, connection), (other, others) = socket.socketpair(), socket.socketpair()
    with caller, connection, other, others:
        callers.come(0, connection)
        callers.come(1, others)
        other.sendall(b"GET / HTTP/1.1\r\n")
        caller.close()
        ended(callers.threads[:1])
        assert callers.found == {0: Ended.GONE}
        work.finished = {1}
        ended(callers.threads)
    assert callers.found == {0: Ended.GONE, 1: Ended.DONE}


def test_whoever_waits_in_vain_waits_no_longer_than_they_said(callers: Callers) -> None:
    callers.come(0, seconds=0.01)
    ended(callers.threads)
    assert callers.found == {0: Ended.LATE}


def test_a_look_that_fails_is_followed_by_others(
    callers: Callers, work: Work, caplog: pytest.LogCaptureFixture
) -> None:
    work.fault = RuntimeError("the database is away")
    callers.come(0)
    until(lambda: len(work.asked) > 1)
    work.fault, work.finished = None, {0}
    ended(callers.threads)
    assert callers.found == {0: Ended.DONE}
    assert "waiters_not_looked_for" in caplog.text


def test_no_more_wait_than_there_are_places() -> None:
    room = Room(2)
    with ExitStack() as stack:
        assert [stack.enter_context(room.place()) for _ in range(3)] == [True, True, False]
    with room.place() as free:
        assert free
