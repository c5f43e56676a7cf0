"""A key is given a new secret while the old one goes on, by those who may issue such a key."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse

from detection.models import AccessEvent, ApiKey, EventBody, NotHeld, Property
from tests.api_calls import Caller, body, drain, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-7")]
DAY = 24 * 3600


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that goes on only when it is told to."""
    with time_machine.travel(datetime(2026, 3, 2, 9, 0, tzinfo=UTC), tick=False) as traveller:
        yield traveller


@pytest.fixture
def staff(make_user: Callable[..., User]) -> User:
    """An administrator who may issue and change keys, and is no superuser."""
    person = make_user("stan", "admin")
    person.is_staff = True
    person.save()
    person.user_permissions.set(Permission.objects.filter(codename__endswith="_apikey"))
    return person


def statuses(*secrets: str) -> list[int]:
    """What the API answers to each secret."""
    return [Caller(key=secret).get("answers/").status_code for secret in secrets]


def steps(key: ApiKey) -> list[str]:
    assert AccessEvent.broken_at(key) is None
    return list(AccessEvent.objects.filter(subject=key).order_by("seq").values_list("action", flat=True))


def acting(key: ApiKey) -> User | None:
    """For whom the key acts now."""
    key.refresh_from_db()
    return key.acts_for


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


# --- the overlap ---
@pytest.mark.parametrize(("given", "days"), [({}, 7), ({"overlap": timedelta(days=30)}, 30)])
def test_both_secrets_open_the_key_until_the_overlap_is_over(given: Any, days: int, clock: Any) -> None:
    key, old = ApiKey.issue("backend", ["read"], all_properties=True)
    new = key.rotate(**given)
    assert statuses(old, new) == [200, 200]
    clock.shift(days * DAY - 1)
    assert statuses(old, new) == [200, 200]
    clock.shift(1)
    assert statuses(old, new) == [401, 200]


def test_without_an_overlap_the_old_secret_ends_at_once() -> None:
    key, old = ApiKey.issue("backend", ["read"])
    new = key.rotate(overlap=timedelta())
    assert statuses(old, new) == [401, 200]


def test_a_key_stays_itself_with_its_answers() -> None:
    portfolio()
    caller = Caller("submit", "read", requests_per_minute=50)
    before = caller.row.content()
    pk = caller.post("answers/", body()).json()["id"]
    drain()
    new = Caller(key=caller.row.rotate())
    caller.bound_to()
    later = new.post("answers/", {"answer": "It rained."}).json()["id"]
    drain()
    assert new.get(f"answers/{later}/").status_code == caller.get(f"answers/{later}/").status_code == 200
    caller.row.properties.add(Property.objects.get())
    assert new.get(f"answers/{pk}/").status_code == 200
    assert caller.row.content() | {"properties": []} == before | {"all_properties": True, "properties": []}


def test_neither_secret_is_stored_and_each_step_is_an_event(staff: User) -> None:
    key, old = ApiKey.issue("backend", ["read"], actor=staff)
    new = key.rotate(actor=staff)
    stored = str(ApiKey.objects.values().get()) + str(list(EventBody.objects.values()))
    assert old[12:] not in stored
    assert new[12:] not in stored
    rotated = AccessEvent.objects.get(action="rotated")
    assert (rotated.actor, rotated.before) == (
        staff,
        {"secret": old[:12], "old_secret": None, "old_until": None},
    )
    assert rotated.after == {
        "secret": new[:12],
        "old_secret": old[:12],
        "old_until": "2026-03-09T09:00:00+00:00",
    }
    key.end_old_secret(actor=staff)
    key.end_old_secret(actor=staff)
    assert statuses(old, new) == [401, 200]
    assert steps(key) == ["issued", "rotated", "old_secret_ended"]


def test_nobodys_secret_ends_unasked(clock: Any) -> None:
    key, first = ApiKey.issue("backend", ["read"])
    second = key.rotate()
    with pytest.raises(ValueError, match="goes on until 2026-03-09 09:00 UTC"):
        key.rotate()
    assert statuses(first, second) == [200, 200]
    third = key.rotate(overlap=timedelta())
    assert statuses(first, second, third) == [401, 401, 200]
    clock.shift(DAY)
    fourth = key.rotate()
    assert statuses(third, fourth) == [200, 200]


@pytest.mark.parametrize("ended", ["revoked", "expired"])
def test_a_key_that_has_ended_is_not_brought_back(ended: str, clock: Any) -> None:
    key, old = ApiKey.issue("backend", ["read"], expires=datetime(2026, 4, 1, tzinfo=UTC))
    new = key.rotate(overlap=timedelta(days=60))
    if ended == "revoked":
        key.revoke()
    clock.shift(DAY if ended == "revoked" else 31 * DAY)
    assert statuses(old, new) == [401, 401]
    with pytest.raises(ValueError, match="This key has ended"):
        key.rotate()


@pytest.mark.parametrize("overlap", [timedelta(days=-1), timedelta(days=367)])
def test_an_overlap_has_an_end(overlap: timedelta) -> None:
    key, _ = ApiKey.issue("backend", ["read"])
    with pytest.raises(ValueError, match="0 to 366 days"):
        key.rotate(overlap=overlap)
    assert steps(key) == ["issued"]


# --- who may ---
@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize("beyond", [{"scopes": ["review"]}, {"scopes": ["read"], "all_properties": True}])
def test_only_who_may_issue_such_a_key_rotates_it(staff: User, beyond: dict[str, Any]) -> None:
    key, old = ApiKey.issue("backend", beyond.pop("scopes"), **beyond)
    with pytest.raises(NotHeld), transaction.atomic():
        key.rotate(actor=staff)
    url = reverse("admin:detection_apikey_change", args=[key.pk])
    sent = {"name": "backend", "scopes": key.scopes, "rotate": "on", "overlap_days": "7"}
    sent |= {"all_properties": "on"} if key.all_properties else {}
    assert browser_of(staff).post(url, sent).status_code == 403
    with pytest.raises(CommandError, match="Nobody gives what they do not hold"):
        call_command("rotate_api_key", "backend", by="stan")
    assert steps(key) == ["issued"]
    assert ApiKey.find(old) == key


def test_whoever_gets_a_secret_that_others_made_asks_the_person_again(
    make_user: Callable[..., User], reviewer: User
) -> None:
    maker, other = (make_user(name, "reviewer", "admin") for name in ("mira", "omar"))
    key, _ = ApiKey.issue("backend", ["review"], actor=maker, user=reviewer)
    key.agree(reviewer, key.last_event())
    for actor in (maker, None, reviewer):
        key.rotate(actor=actor, overlap=timedelta())
        assert acting(key) == reviewer, actor
    key.rotate(actor=other, overlap=timedelta())
    assert acting(key) is None
    rotated = AccessEvent.objects.filter(subject=key).order_by("seq").last()
    assert rotated is not None
    assert (rotated.before["consent"], rotated.after["consent"]) == ("2026-03-02T09:00:00+00:00", None)


# --- in the administration ---
def test_an_administrator_rotates_a_key_on_its_page_and_sees_the_secret_once(staff: User) -> None:
    key, old = ApiKey.issue("backend", ["read"], actor=staff)
    browser, url = browser_of(staff), reverse("admin:detection_apikey_change", args=[key.pk])
    assert 'name="overlap_days" value="7"' in browser.get(url).content.decode()
    sent = {"name": "backend", "scopes": ["read"], "overlap_days": "14"}
    assert browser.post(url, sent).status_code == 302
    assert steps(key) == ["issued"]
    page = browser.post(url, {**sent, "rotate": "on"}, follow=True).content.decode()
    new = page.split("The new secret, shown only now: ")[1].split("<")[0].strip()
    assert statuses(old, new) == [200, 200]
    assert "16 Mar 2026 09:00" in page
    again = browser.post(url, {**sent, "rotate": "on"})
    assert b"The secret before this one goes on until 2026-03-16 09:00 UTC." in again.content
    listed = reverse("admin:detection_apikey_changelist")
    browser.post(listed, {"action": "end_old_secret", "_selected_action": [key.pk]})
    assert statuses(old, new) == [401, 200]
    assert steps(key) == ["issued", "rotated", "old_secret_ended"]
    assert new not in browser.get(listed).content.decode()


# --- by command ---
def test_the_command_prints_the_secret_and_until_when_the_old_one_goes_on() -> None:
    _, old = ApiKey.issue("backend", ["read"])
    out, err = StringIO(), StringIO()
    call_command("rotate_api_key", "backend", overlap=2, stdout=out, stderr=err)
    assert statuses(old, out.getvalue().strip()) == [200, 200]
    assert "The old secret goes on until 2026-03-04 09:00 UTC." in err.getvalue()
    call_command("rotate_api_key", "backend", overlap=0, stdout=out, stderr=err)
    assert "The old secret has ended." in err.getvalue()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["bakend"], "There is no key “bakend”. "),
        (["backend", "--overlap", "400"], "invalid choice"),
        (["backend", "--overlap=-1"], "invalid choice"),
        (["backend", "--by", "nobody"], "There is no user “nobody”"),
    ],
)
def test_the_command_says_what_is_wrong(given: list[str], said: str) -> None:
    key, _ = ApiKey.issue("backend", ["read"])
    with pytest.raises(CommandError, match=said):
        call_command("rotate_api_key", *given)
    assert steps(key) == ["issued"]
