"""Wrong API keys from one address are slowed and cost the database nothing; a right one from there works."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from detection.access.wrong_keys import MOST
from detection.models import ApiKey
from tests.api_calls import faults

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SEC-21")]
HERE, ELSEWHERE = "203.0.113.9", "198.51.100.7"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that goes on only when it is told to."""
    with time_machine.travel(datetime(2026, 3, 2, 9, 0, 20, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def shown(key: str, address: str = HERE, **headers: str) -> Any:
    """A request with a key."""
    client = Client(REMOTE_ADDR=address, headers={"Authorization": f"Bearer {key}", **headers})
    return client.get("/api/v1/answers/")


def guess(times: int = MOST, address: str = HERE) -> list[int]:
    return [shown(f"hallu_{n}", address).status_code for n in range(times)]


def test_many_wrong_keys_are_told_when_to_come_back(caplog: pytest.LogCaptureFixture) -> None:
    assert set(guess()) == {401}
    slowed = shown("hallu_more")
    assert [line for line in caplog.messages if "wrong_keys" in line] == [f"wrong_keys address={HERE}"]
    faults(slowed, 429)
    assert slowed["Retry-After"] == "40"
    assert "Too many wrong API keys came from this address." in slowed.json()["detail"]
    assert shown("hallu_more", ELSEWHERE).status_code == 401


def test_the_next_minute_begins_anew(clock: Any) -> None:
    guess(MOST + 1)
    clock.shift(40)
    assert set(guess()) == {401}
    assert shown("hallu_more").status_code == 429


def test_further_wrong_keys_ask_the_database_nothing() -> None:
    guess(MOST + 1)
    with CaptureQueriesContext(connection) as queries:
        assert set(guess(50)) == {429}
    assert len(queries) == 0


@pytest.mark.parametrize("secret", ["first", "rotated", "of before"])
def test_a_right_key_works_from_an_address_that_guesses(secret: str) -> None:
    key, plain = ApiKey.issue("backend", ["read"])
    if secret != "first":
        new = key.rotate()
        plain = new if secret == "rotated" else plain
    guess(MOST + 5)
    assert shown(plain).status_code == 200
    assert shown("hallu_more").status_code == 429


def test_a_key_that_was_just_issued_works_within_seconds(clock: Any) -> None:
    guess(MOST + 1)
    _, plain = ApiKey.issue("backend", ["read"])
    clock.shift(5)
    assert shown(plain).status_code == 200


@pytest.mark.parametrize("ended", ["revoked", "expired", "rotated"])
def test_a_key_that_has_ended_is_wrong(ended: str, clock: Any) -> None:
    key, plain = ApiKey.issue("backend", ["read"], expires=datetime(2026, 3, 2, 9, 5, tzinfo=UTC))
    if ended == "rotated":
        key.rotate(overlap=timedelta())
    elif ended == "revoked":
        key.revoke()
    else:
        clock.shift(300)
    assert shown(plain).status_code == 401
    guess()
    assert shown(plain).status_code == 429


def test_right_keys_and_requests_without_one_are_not_counted() -> None:
    _, plain = ApiKey.issue("backend", ["read"])
    for _ in range(MOST + 1):
        shown(plain)
        Client(REMOTE_ADDR=HERE).get("/api/v1/answers/")
    assert shown("hallu_wrong").status_code == 401


@pytest.mark.requirement("SEC-31")
def test_an_address_that_the_client_writes_itself_counts_for_nothing(settings: Any) -> None:
    settings.HALLU_TRUSTED_PROXIES = 1
    for n in range(MOST):
        shown(f"hallu_{n}", "10.0.0.1", **{"X-Forwarded-For": f"192.0.2.{n}, {HERE}"})
    assert shown("hallu_x", "10.0.0.1", **{"X-Forwarded-For": f"192.0.2.99, {HERE}"}).status_code == 429
    assert shown("hallu_x", "10.0.0.1", **{"X-Forwarded-For": f"{HERE}, {ELSEWHERE}"}).status_code == 401
