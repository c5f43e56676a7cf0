"""A session ends when nobody asks for anything, and twelve hours after it began; the log-in page says why."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reviews.models import HallucinationReview, Lease

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SEC-11")]
HTMX = {"HX-Request": "true"}
MINUTE, HOUR = 60, 3600


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that goes on only when it is told to."""
    with time_machine.travel(datetime(2026, 3, 2, 9, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def dana(make_user: Callable[..., User]) -> Client:
    """A reviewer who has just logged in."""
    make_user("dana", "reviewer")
    client = Client()
    client.post("/login/", {"username": "dana", "password": "correct horse battery"})
    return client


def test_after_half_an_hour_without_a_request_the_log_in_page_says_so(dana: Client, clock: Any) -> None:
    clock.shift(29 * MINUTE)
    assert dana.get("/queue/").status_code == 200
    clock.shift(30 * MINUTE)
    old = dana.cookies[settings.SESSION_COOKIE_NAME].value
    away = dana.get("/queue/")
    assert (away.status_code, away["Location"]) == (302, "/login/?next=/queue/")
    page = dana.get(away["Location"]).content.decode()
    assert "You were logged out because nothing was asked for in 30 minutes." in page
    assert not Session.objects.filter(session_key=old).exists()
    dana.post("/login/", {"username": "dana", "password": "correct horse battery"})
    assert dana.get("/queue/").status_code == 200
    dana.post("/logout/")
    assert "You were logged out" not in dana.get("/login/").content.decode()


def test_the_time_is_a_setting(dana: Client, clock: Any, settings: Any) -> None:
    settings.HALLU_IDLE_MINUTES = 5
    clock.shift(5 * MINUTE)
    dana.get("/queue/")
    assert "nothing was asked for in 5 minutes." in dana.get("/login/").content.decode()


def test_requests_keep_it_alive_for_twelve_hours_and_no_longer(dana: Client, clock: Any) -> None:
    for _ in range(12 * 3 - 1):
        clock.shift(20 * MINUTE)
        assert dana.get("/queue/").status_code == 200
    clock.shift(20 * MINUTE)
    assert dana.get("/queue/").status_code == 302
    assert "because a log-in lasts 12 hours." in dana.get("/login/").content.decode()


def test_a_cookie_that_was_kept_opens_nothing_afterwards(dana: Client, clock: Any) -> None:
    thief = Client()
    thief.cookies = dana.cookies.copy()  # type: ignore[assignment]  # the same kind of cookies
    clock.shift(31 * MINUTE)
    assert dana.get("/queue/").status_code == 302
    assert thief.get("/queue/").status_code == 302


def test_a_fragment_gets_the_form_of_the_dialog_and_why(dana: Client, clock: Any) -> None:
    clock.shift(31 * MINUTE)
    answered = dana.get("/queue/live/?rev=0", headers=HTMX)
    page = answered.content.decode()
    assert answered.status_code == 401
    assert "<html" not in page
    assert "nothing was asked for in 30 minutes." in page
    assert 'data-testid="login-again"' in page


@pytest.mark.parametrize(
    ("by", "lives"), [("live", False), ("state", False), ("beat", False), ("pressed", True), ("page", True)]
)
def test_what_a_page_asks_by_itself_keeps_no_session_alive(
    dana: Client, clock: Any, review: HallucinationReview, by: str, lives: bool
) -> None:
    Lease.take(review, User.objects.get(username="dana"))
    beat = reverse("review-heartbeat", args=[review.pk])
    ask: Callable[[], Any] = {
        "live": lambda: dana.get(reverse("queue-live"), headers=HTMX),
        "state": lambda: dana.get(reverse("review-state", args=[review.pk]), headers=HTMX),
        "beat": lambda: dana.post(beat, headers=HTMX),
        "pressed": lambda: dana.post(beat, {"pressed": ""}, headers=HTMX),
        "page": lambda: dana.get(reverse("review", args=[review.pk])),
    }[by]
    for _ in range(7):
        clock.shift(4 * MINUTE)
        assert ask().status_code in (200, 204)
    clock.shift(4 * MINUTE)
    assert dana.get("/queue/").status_code == (200 if lives else 302)


def test_the_button_that_keeps_a_lease_says_that_it_was_pressed(
    dana: Client, review: HallucinationReview
) -> None:
    Lease.take(review, User.objects.get(username="dana"))
    page = dana.get(reverse("review", args=[review.pk])).content.decode()
    assert 'name="pressed" data-testid="keep"' in page


def test_the_page_to_which_the_administration_sends_says_it_too(
    make_user: Callable[..., User], clock: Any
) -> None:
    User.objects.filter(pk=make_user("ada", "admin").pk).update(is_staff=True)
    ada = Client()
    ada.post("/login/", {"username": "ada", "password": "correct horse battery"})
    assert ada.get("/admin/").status_code == 200
    clock.shift(31 * MINUTE)
    page = ada.get("/admin/", follow=True).content.decode()
    assert "nothing was asked for in 30 minutes." in page


def test_a_last_request_is_written_once_a_minute(dana: Client, clock: Any) -> None:
    written = []
    for seconds in (0, 30, 31):
        clock.shift(seconds)
        with CaptureQueriesContext(connection) as queries:
            dana.get("/help/")
        written.append(sum('UPDATE "django_session"' in query["sql"] for query in queries))
    assert written == [0, 0, 1]


def test_the_api_and_its_keys_know_no_session(dana: Client, clock: Any) -> None:
    clock.shift(31 * MINUTE)
    assert dana.get("/api/v1/answers/").status_code == 401
    assert Session.objects.count() == 1
