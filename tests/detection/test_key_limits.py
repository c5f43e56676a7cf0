"""A key sends as many requests in a minute as it may itself, or else as all keys may."""

from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from detection.models import AccessEvent, ApiKey
from tests.api_calls import Caller, faults

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-22")]


@pytest.fixture(autouse=True)
def counted(settings: Any) -> Iterator[None]:
    """Six requests a minute for all keys, and a counter that nobody used."""
    settings.HALLU_REQUESTS_PER_MINUTE = 6
    cache.clear()
    yield
    cache.clear()


def allowed(caller: Caller, of: int = 12) -> int:
    """How many of so many requests are answered."""
    return [caller.get("answers/").status_code for _ in range(of)].count(200)


@pytest.mark.parametrize(("own", "most"), [(None, 6), (2, 2), (9, 9)])
def test_a_key_keeps_its_own_limit_or_that_of_all(own: int | None, most: int) -> None:
    caller, other = Caller("read", requests_per_minute=own), Caller("read")
    assert allowed(caller) == most
    last = caller.get("answers/")
    faults(last, 429)
    assert last["Retry-After"] == "60"
    assert allowed(other) == 6


def test_a_key_keeps_its_own_limit_where_there_is_none_for_all(settings: Any) -> None:
    settings.HALLU_REQUESTS_PER_MINUTE = 0
    assert (allowed(Caller("read", requests_per_minute=2)), allowed(Caller("read"))) == (2, 12)


def test_both_secrets_of_a_key_share_its_limit() -> None:
    old = Caller("read", requests_per_minute=4)
    new = Caller(key=old.row.rotate())
    assert allowed(old, 2) + allowed(new) == 4


def test_no_key_may_send_nothing() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiKey.issue("backend", ["read"], requests_per_minute=0)


def test_a_limit_is_set_and_listed_in_the_admin_and_asks_nobody_again(reviewer: User) -> None:
    key, _ = ApiKey.issue("backend", ["review"], user=reviewer)
    key.agree(reviewer, key.last_event())
    browser = Client()
    browser.force_login(
        User.objects.create_superuser("olivia"), backend="django.contrib.auth.backends.ModelBackend"
    )
    sent = {"name": "backend", "scopes": ["review"], "user": reviewer.pk, "requests_per_minute": "0"}
    url = reverse("admin:detection_apikey_change", args=[key.pk])
    assert b"greater than or equal to 1" in browser.post(url, sent).content
    listed = browser.post(url, {**sent, "requests_per_minute": "77"}, follow=True).content.decode()
    assert '<td class="field-requests_per_minute">77</td>' in listed
    key.refresh_from_db()
    assert (key.requests_per_minute, key.acts_for) == (77, reviewer)
    changed = AccessEvent.objects.get(action="changed")
    assert (changed.before, changed.after) == ({"requests_per_minute": None}, {"requests_per_minute": 77})


def test_the_command_gives_a_key_a_limit() -> None:
    call_command(
        "create_api_key",
        "backend",
        scopes="read",
        requests_per_minute=5,
        stdout=StringIO(),
        stderr=StringIO(),
    )
    assert ApiKey.objects.get().requests_per_minute == 5
