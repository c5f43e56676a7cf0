"""A limit of CPU time ends what its thread computes, nothing beside it and nothing after it."""

import threading
from contextlib import suppress

import pytest

from detection.operations import cpu_time
from detection.operations.cpu_time import OutOfTime, limited
from tests.waiting import ended

pytestmark = pytest.mark.requirement("SPEC-08.43")


def compute_for_ever() -> None:
    while True:
        pass


def go_on_once() -> None:
    with suppress(OutOfTime):
        compute_for_ever()
    compute_for_ever()


def test_what_computes_for_too_long_is_ended() -> None:
    with pytest.raises(OutOfTime), limited(0.02):
        compute_for_ever()


def test_what_catches_everything_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_time, "AGAIN_SECONDS", 0.02)
    with pytest.raises(OutOfTime), limited(0.02):
        go_on_once()


def test_it_is_a_timeout_as_others_are() -> None:
    assert issubclass(OutOfTime, TimeoutError)


def test_another_thread_goes_on() -> None:
    over, found = threading.Event(), list[str]()

    def beside() -> None:
        with limited(3600):
            over.wait()
            found.append("went on")

    thread = threading.Thread(target=beside)
    thread.start()
    with pytest.raises(OutOfTime), limited(0.02):
        compute_for_ever()
    over.set()
    ended([thread])
    assert found == ["went on"]


def test_the_inner_of_two_limits_ends_the_inner_block_alone() -> None:
    went_on = False
    with limited(3600):
        with pytest.raises(OutOfTime), limited(0.02):
            compute_for_ever()
        went_on = True
    assert went_on


def test_nothing_is_raised_once_the_block_is_left() -> None:
    limit = cpu_time._Limit(threading.get_ident(), lambda: 0.0, -1.0)
    limit.end()
    limit.look()


def test_a_thread_that_waits_is_not_ended_however_long_it_takes() -> None:
    limit = cpu_time._Limit(threading.get_ident(), lambda: 5.0, 1.0)
    limit.look()
    assert not limit.over
