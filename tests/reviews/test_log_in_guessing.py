"""Who guesses passwords is slowed by account, by address and by all together, and locks nobody else out."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from detection.access import log_in
from detection.access.addresses import client_address

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-21")]
RIGHT, WRONG = "correct horse battery", "guess"
HOME, CAFE, FAR = "198.51.100.7", "203.0.113.9", "192.0.2.44"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that goes on only when it is told to."""
    with time_machine.travel(datetime(2026, 3, 2, 9, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def dana(make_user: Callable[..., User]) -> User:
    return make_user("dana", "reviewer")


def attempt(address: str, name: str = "dana", password: str = WRONG, *, door: str = "/login/") -> Any:
    """One attempt of a browser without cookies."""
    return Client(REMOTE_ADDR=address).post(door, {"username": name, "password": password})


def enters(response: Any) -> bool:
    """Whether the attempt has opened a session."""
    return response.status_code == 302 and settings.SESSION_COOKIE_NAME in response.cookies


def nth(n: int) -> str:
    """The nth of many addresses."""
    return f"10.{n // 65536}.{n // 256 % 256}.{n % 256}"


# --- the account ---
def test_five_wrong_guesses_close_the_account_for_that_address_alone(dana: User) -> None:
    statuses = [attempt(CAFE).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 200, 429]
    assert attempt(CAFE, password=RIGHT).status_code == 429
    assert enters(attempt(HOME, password=RIGHT))


def test_it_opens_by_itself_though_the_guessing_goes_on(dana: User, clock: Any) -> None:
    for _ in range(5):
        attempt(CAFE)
    clock.shift(14 * 60)
    late = attempt(CAFE)
    assert (late.status_code, late["Retry-After"]) == (429, "60")
    assert "again by itself after 1 minute." in late.content.decode()
    clock.shift(61)
    assert enters(attempt(CAFE, password=RIGHT))


def test_a_guesser_with_many_addresses_gets_one_try_of_each_and_locks_nobody_out(dana: User) -> None:
    for n in range(log_in.OF_AN_ACCOUNT):
        assert attempt(nth(n)).status_code == (200 if n < log_in.OF_AN_ACCOUNT - 1 else 429)
    assert attempt(FAR).status_code == 429
    assert attempt(FAR, password=RIGHT).status_code == 429
    assert enters(attempt(HOME, password=RIGHT))


def test_a_known_device_enters_from_the_address_that_guesses(dana: User) -> None:
    laptop = Client(REMOTE_ADDR=HOME)
    laptop.post("/login/", {"username": "dana", "password": RIGHT})
    laptop.post("/logout/")
    for _ in range(30):
        attempt(CAFE)
    laptop.defaults["REMOTE_ADDR"] = CAFE
    assert attempt(CAFE, password=RIGHT).status_code == 429
    assert enters(laptop.post("/login/", {"username": "dana", "password": RIGHT}))


def test_a_known_device_has_five_failures_of_its_own_and_is_known_for_its_account_only(
    dana: User, make_user: Callable[..., User]
) -> None:
    make_user("erez", "reviewer")
    laptop = Client(REMOTE_ADDR=HOME)
    laptop.post("/login/", {"username": "dana", "password": RIGHT})
    laptop.post("/logout/")
    for _ in range(5):
        attempt(HOME, "erez")
    sent = [
        laptop.post("/login/", {"username": name, "password": "guess"}, REMOTE_ADDR=address).status_code
        for name, address in [("erez", HOME), *[("dana", nth(n)) for n in range(5)]]
    ]
    assert sent == [429, 200, 200, 200, 200, 429]


@pytest.mark.parametrize("made_up", ["x", "x:1tYq2b:AAAA", "known device: x"])
def test_a_made_up_device_is_not_known(dana: User, made_up: str) -> None:
    for _ in range(5):
        attempt(CAFE)
    thief = Client(REMOTE_ADDR=CAFE, HTTP_USER_AGENT=made_up)
    thief.cookies[settings.DEVICE_COOKIE_NAME] = made_up
    assert thief.post("/login/", {"username": "dana", "password": RIGHT}).status_code == 429


def test_the_devices_cookie_is_read_by_no_script_and_names_nobody(dana: User) -> None:
    cookie = attempt(HOME, password=RIGHT).cookies[settings.DEVICE_COOKIE_NAME]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "dana" not in cookie.value
    assert settings.DEVICE_COOKIE_NAME not in attempt(HOME).cookies


# --- the address, and all together ---
def test_an_address_that_tries_many_names_has_one_attempt_a_minute(dana: User, clock: Any) -> None:
    for n in range(log_in.OF_AN_ADDRESS):
        last = attempt(CAFE, f"name {n}")
    assert (last.status_code, last["Retry-After"]) == (429, "60")
    assert attempt(CAFE, password=RIGHT).status_code == 429
    clock.shift(60)
    assert attempt(CAFE, "one more").status_code == 429
    clock.shift(60)
    assert enters(attempt(CAFE, password=RIGHT))


def test_browsers_names_are_no_way_round(dana: User) -> None:
    for n in range(5):
        Client(REMOTE_ADDR=CAFE, HTTP_USER_AGENT=f"{n}").post(
            "/login/", {"username": "dana", "password": "guess"}
        )
    assert attempt(CAFE, password=RIGHT).status_code == 429


def test_very_many_failures_slow_all_who_failed_and_nobody_else(dana: User, clock: Any) -> None:
    AccessAttempt.objects.bulk_create(
        AccessAttempt(ip_address=nth(n), username=f"name {n}", failures_since_start=1)
        for n in range(log_in.OF_ALL)
    )
    slowed = attempt(nth(3), password=RIGHT)
    assert (slowed.status_code, slowed["Retry-After"]) == (429, "60")
    assert enters(attempt(HOME, password=RIGHT))
    clock.shift(60)
    assert enters(attempt(nth(3), password=RIGHT))


# --- the same for names that there are and that there are not ---
def test_unknown_names_get_the_same_words_at_the_same_cost(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    hasher = type(hashers.get_hasher())
    encode = hasher.encode

    def counted(self: Any, password: str, *given: Any) -> str:
        hashed.append(password)
        return encode(self, password, *given)

    monkeypatch.setattr(hasher, "encode", counted)
    seen: dict[str, list[Any]] = {}
    for address, name in ((CAFE, "dana"), (FAR, "dora")):
        seen[name] = []
        for _ in range(6):
            hashed.clear()
            with CaptureQueriesContext(
                connection,
            ) as queries:
                answered = attempt(address, name)
            page = answered.content.decode().replace(name, "NAME")
            told = [part for part in page.split("<p")[1:] if "csrf" not in part]
            seen[name].append((answered.status_code, len(queries), len(hashed), told))
    assert seen["dana"] == seen["dora"]
    assert [(status, hashes) for status, _, hashes, _ in seen["dora"]] == [(200, 1)] * 4 + [
        (429, 1),
        (429, 0),
    ]


# --- the address behind proxies ---
@pytest.mark.requirement("SEC-31")
@pytest.mark.parametrize("trusted", [0, 1, 2])
def test_a_forged_address_counts_for_nothing(dana: User, settings: Any, trusted: int) -> None:
    settings.HALLU_TRUSTED_PROXIES = trusted

    def behind(n: int, client: str, password: str) -> Any:
        forwarded = ", ".join([nth(n), "127.0.0.1", *([client, "10.0.0.2"][:trusted])])
        peer = "10.0.0.1" if trusted else client
        return Client(REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded).post(
            "/login/", {"username": "dana", "password": password}
        )

    assert [behind(n, CAFE, "guess").status_code for n in range(5)] == [200] * 4 + [429]
    assert behind(99, CAFE, RIGHT).status_code == 429
    assert enters(behind(1, HOME, RIGHT))
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {CAFE}


@pytest.mark.requirement("SEC-31")
@pytest.mark.parametrize(
    ("trusted", "forwarded", "address"),
    [
        (0, CAFE, HOME),
        (1, "", HOME),
        (1, "unknown", HOME),
        (1, CAFE, CAFE),
        (1, f"{FAR},{CAFE}", CAFE),
        (1, f" {CAFE}:4711 ", CAFE),
        (2, f"{FAR}, {CAFE}, 10.0.0.2", CAFE),
        (2, CAFE, CAFE),
        (1, "[2001:db8:1:2:3:4:5:6]:443", "2001:db8:1:2::"),
        (1, "2001:db8:1:2::1", "2001:db8:1:2::"),
        (1, f"::ffff:{CAFE}", CAFE),
    ],
)
def test_the_address_is_what_the_outermost_trusted_proxy_has_seen(
    rf: Any, settings: Any, trusted: int, forwarded: str, address: str
) -> None:
    settings.HALLU_TRUSTED_PROXIES = trusted
    request = rf.get("/", REMOTE_ADDR=HOME, HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == address
