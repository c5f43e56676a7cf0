"""What a key sees and does is named, is no more than its issuer holds, and is done for a person who agreed."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection.access import sees_everything, visible_properties
from detection.models import AccessEvent, ApiKey, NotHeld, Property, PropertyGroup
from tests.api_calls import Caller, faults

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-7")]


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def oak() -> Property:
    return Property.objects.create(code="OAK", name="Oak Tower")


@pytest.fixture
def elm() -> Property:
    """A property that only its group sees, which is empty."""
    place = Property.objects.create(code="ELM", name="Elm Court")
    place.groups.add(PropertyGroup.objects.create(name="north"))
    return place


@pytest.fixture
def staff(make_user: Callable[..., User]) -> User:
    """An administrator who may issue and change keys, and is no superuser."""
    person = make_user("stan", "admin")
    User.objects.filter(pk=person.pk).update(is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__endswith="_apikey"))
    person.refresh_from_db()
    return person


def acting(key: ApiKey) -> User | None:
    """For whom the key acts now."""
    return key.acts_for


def last(key: ApiKey) -> AccessEvent:
    event: AccessEvent | None = AccessEvent.objects.filter(subject=key).order_by("-seq").first()
    assert event is not None
    return event


# --- empty means nothing ---
def test_a_key_without_properties_sees_none_and_the_flag_shows_all(oak: Property, elm: Property) -> None:
    empty, _ = ApiKey.issue("empty", ["read", "admin"])
    whole, _ = ApiKey.issue("whole", ["read"], all_properties=True)
    named, _ = ApiKey.issue("named", ["read"], properties=[elm])
    assert [set(visible_properties(key)) for key in (empty, whole, named)] == [set(), {oak, elm}, {elm}]
    Property.objects.create(code="NEW", name="New")
    assert [sees_everything(key) for key in (empty, whole, named)] == [False, True, False]


def test_a_key_without_properties_decides_about_none_where_there_are_none() -> None:
    key, _ = ApiKey.issue("empty", ["admin"])
    assert not sees_everything(key)


def test_a_key_whose_last_property_is_taken_away_sees_none(oak: Property) -> None:
    caller = Caller("read", "submit", "admin").bound_to(oak)
    assert len(caller.get("properties/").json()["results"]) == 1
    caller.bound_to()
    assert caller.get("properties/").json()["results"] == []
    faults(caller.get(f"properties/{oak.pk}/"), 404)
    assert "property" in faults(caller.post("answers/", {"answer": "x", "property": "OAK"}))
    faults(caller.post("properties/", {"code": "NEW", "name": "New"}), 403)


def test_a_group_without_properties_shows_none_and_the_flag_shows_all(
    elm: Property, oak: Property, viewer: User
) -> None:
    group = PropertyGroup.objects.create(name="nothing yet")
    group.members.add(viewer)
    assert set(visible_properties(viewer)) == {oak}
    group.all_properties = True
    group.save()
    assert set(visible_properties(viewer)) == {oak, elm}


def test_the_list_of_keys_says_what_each_sees(oak: Property) -> None:
    for name, seen in (("a", {"all_properties": True}), ("b", {}), ("c", {"properties": [oak]})):
        ApiKey.issue(name, ["read"], **seen)
    owner = User.objects.create_superuser("olivia")
    page = browser_of(owner).get(reverse("admin:detection_apikey_changelist")).content.decode()
    assert [part.split("<")[0] for part in page.split('field-sees">')[1:]] == [
        "all properties",
        "no property",
        "OAK",
    ]


# --- nobody issues more than they hold ---
BEYOND: list[dict[str, Any]] = [
    {"scopes": ["review"]},
    {"scopes": ["read", "admin"]},  # whoever may everything may review
    {"scopes": ["read"], "all_properties": "on"},
    {"scopes": ["read"], "properties": ["ELM"]},
]
beyond = pytest.mark.parametrize("asked", BEYOND, ids=["review", "admin", "all", "foreign"])


def posted(asked: dict[str, Any]) -> dict[str, Any]:
    named = Property.objects.filter(code__in=asked.get("properties", []))
    return {"name": "backend", **asked, "properties": [one.pk for one in named]}


@pytest.mark.requirement("SEC-2")
@beyond
def test_staff_issue_no_key_beyond_their_rights(staff: User, elm: Property, asked: dict[str, Any]) -> None:
    response = browser_of(staff).post(reverse("admin:detection_apikey_add"), posted(asked))
    assert response.status_code == 403
    assert b"Nobody gives what they do not hold themselves" in response.content
    assert not ApiKey.objects.exists()
    given = {**asked, "properties": list(Property.objects.filter(code__in=asked.get("properties", [])))}
    given["all_properties"] = "all_properties" in asked
    with pytest.raises(NotHeld), transaction.atomic():
        ApiKey.issue("backend", given.pop("scopes"), actor=staff, **given)
    assert not ApiKey.objects.exists()


@pytest.mark.requirement("SEC-2")
@beyond
def test_staff_widen_no_key_beyond_their_rights(staff: User, elm: Property, asked: dict[str, Any]) -> None:
    key, _ = ApiKey.issue("backend", ["read"], actor=staff)
    url = reverse("admin:detection_apikey_change", args=[key.pk])
    assert browser_of(staff).post(url, posted(asked)).status_code == 403
    key.refresh_from_db()
    assert (key.scopes, key.all_properties, key.properties.count()) == (["read"], False, 0)
    assert last(key).action == "issued"


@pytest.mark.requirement("SEC-2")
def test_staff_prolong_no_key_that_may_more_than_they_and_may_end_it(staff: User) -> None:
    key, _ = ApiKey.issue("backend", ["read"], all_properties=True)
    url = reverse("admin:detection_apikey_change", args=[key.pk])
    given = {
        "name": "backend",
        "scopes": ["read"],
        "all_properties": "on",
        "expires_0": "2099-01-01",
        "expires_1": "00:00",
    }
    assert browser_of(staff).post(url, given).status_code == 403
    key.refresh_from_db()
    assert key.expires is None
    chosen = {"action": "revoke", "_selected_action": [key.pk]}
    browser_of(staff).post(reverse("admin:detection_apikey_changelist"), chosen)
    event = last(key)
    key.refresh_from_db()
    assert (key.is_live, event.action, event.actor, event.before["revoked"]) == (
        False,
        "revoked",
        staff,
        None,
    )


@pytest.mark.requirement("SEC-2")
def test_staff_issue_a_key_within_their_rights(staff: User, oak: Property) -> None:
    given = {"name": "backend", "scopes": ["submit", "read"], "properties": [oak.pk]}
    assert browser_of(staff).post(reverse("admin:detection_apikey_add"), given).status_code == 302
    key = ApiKey.objects.get()
    assert (last(key).action, last(key).actor, last(key).before) == ("issued", staff, {})
    assert last(key).after == {
        "name": "backend",
        "scopes": ["read", "submit"],
        "all_properties": False,
        "properties": ["OAK"],
        "user": None,
        "expires": None,
        "consent": None,
        "requests_per_minute": None,
    }


@pytest.mark.requirement("SEC-2")
def test_the_command_issues_no_key_beyond_whoever_issues_it(staff: User, elm: Property) -> None:
    for beyond_them in (
        ["--scopes", "admin"],
        ["--scopes", "read", "--all-properties"],
        ["--scopes", "read", "--property", "ELM"],
    ):
        with pytest.raises(CommandError, match="Nobody gives what they do not hold"):
            call_command("create_api_key", "backend", "--by", "stan", *beyond_them)
    assert not ApiKey.objects.exists()
    told = StringIO()
    call_command(
        "create_api_key", "backend", "--by", "stan", "--scopes", "read", stdout=StringIO(), stderr=told
    )
    assert last(ApiKey.objects.get()).actor == staff
    assert "It sees no property." in told.getvalue()
    call_command(
        "create_api_key", "whole", "--scopes", "admin", "--all-properties", stdout=StringIO(), stderr=told
    )
    assert "It sees all properties." in told.getvalue()


@pytest.mark.requirement("SEC-2")
def test_no_key_opens_the_administration_or_changes_who_may_what(reviewer: User) -> None:
    key, plain = ApiKey.issue(
        "whole", ["submit", "read", "review", "admin"], all_properties=True, user=reviewer
    )
    key.agree(reviewer, key.last_event())
    browser = Client(headers={"authorization": f"Bearer {plain}"})
    for name in ("apikey_add", "propertygroup_add", "apikey_changelist"):
        assert browser.post(reverse(f"admin:detection_{name}"), {"name": "x"}).status_code == 302
    assert browser.post("/me/acting/", {"key": key.pk, "withdraw": "1"}).status_code == 302
    assert Caller(key=plain).call("PATCH", "properties/0/", {"groups": [1]}).status_code == 404
    key.refresh_from_db()
    assert (ApiKey.objects.count(), PropertyGroup.objects.count()) == (1, 0)
    assert acting(key) == reviewer


# --- consent ---
@pytest.fixture
def key(reviewer: User) -> ApiKey:
    """A key that would act for the reviewer."""
    return ApiKey.issue("assistant", ["review"], all_properties=True, user=reviewer)[0]


def test_a_key_acts_for_whoever_agreed_and_until_they_withdraw(key: ApiKey, reviewer: User) -> None:
    assert acting(key) is None
    key.agree(reviewer, key.last_event())
    assert acting(key) == reviewer
    agreed = last(key)
    assert (agreed.action, agreed.actor, agreed.before) == ("consented", reviewer, {"consent": None})
    assert key.consented_at is not None
    assert agreed.after == {"consent": key.consented_at.isoformat()}
    key.withdraw(reviewer)
    key.withdraw(reviewer)
    assert acting(key) is None
    gone = last(key)
    assert (gone.action, gone.before, gone.after) == ("consent_withdrawn", agreed.after, {"consent": None})
    assert AccessEvent.objects.filter(subject=key).count() == 3
    assert AccessEvent.broken_at(key) is None


def test_nobody_agrees_for_somebody_else(key: ApiKey, colleague: User, reviewer: User) -> None:
    for person in (colleague, User.objects.create_superuser("olivia")):
        with pytest.raises(NotHeld, match="does not act for you"):
            key.agree(person, key.last_event())
        page = browser_of(person).post("/me/acting/", {"key": key.pk, "seen": key.last_event()})
        assert page.status_code == 404
    key.agree(reviewer, key.last_event())
    with pytest.raises(NotHeld):
        key.withdraw(colleague)
    key.refresh_from_db()
    assert acting(key) == reviewer


@pytest.mark.parametrize("field", ["consented_at", "consent"])
def test_no_form_of_the_administration_gives_consent(key: ApiKey, field: str) -> None:
    owner = User.objects.create_superuser("olivia")
    url = reverse("admin:detection_apikey_change", args=[key.pk])
    given = {"name": "renamed", "scopes": ["review"], "all_properties": "on", "user": key.user_id}
    stamps = {field: "2024-01-01 00:00", f"{field}_0": "2024-01-01", f"{field}_1": "00:00"}
    assert browser_of(owner).post(url, given | stamps).status_code == 302
    key.refresh_from_db()
    assert (key.name, acting(key)) == ("renamed", None)


CHANGES: list[dict[str, Any]] = [
    {"scopes": ["review", "admin"]},
    {"scopes": ["review", "submit"]},
    {"all_properties": False},
    {"expires": timezone.now()},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_a_key_that_changes_needs_a_new_consent(key: ApiKey, reviewer: User, change: dict[str, Any]) -> None:
    key.agree(reviewer, key.last_event())
    seen = key.last_event()
    key.change(name="another name")
    assert acting(key) == reviewer
    key.change(**change)
    assert acting(key) is None
    assert {"consent", *change} == set(last(key).after)
    with pytest.raises(NotHeld, match="changed meanwhile"):
        key.agree(reviewer, seen)


def test_another_person_has_not_agreed_by_what_the_first_did(
    key: ApiKey, reviewer: User, colleague: User
) -> None:
    key.agree(reviewer, key.last_event())
    key.change(user=colleague)
    assert acting(key) is None
    assert (last(key).before["user"], last(key).after["user"]) == ("dana", "erez")


def test_the_database_keeps_no_consent_of_nobody(key: ApiKey) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiKey.objects.filter(pk=key.pk).update(user=None, consented_at=timezone.now())


def test_a_key_acts_for_nobody_who_may_no_longer_log_in(key: ApiKey, reviewer: User) -> None:
    key.agree(reviewer, key.last_event())
    User.objects.filter(pk=reviewer.pk).update(is_active=False)
    assert acting(ApiKey.objects.get(pk=key.pk)) is None


def test_the_history_names_nobody_who_has_not_agreed(reviewer: User) -> None:
    from detection.models import ProfileEvent

    key, plain = ApiKey.issue("admin", ["admin"], all_properties=True, user=reviewer)
    caller = Caller(key=plain)
    assert caller.post("threshold-profiles/", {"values": {"base": {}}}).status_code == 201
    key.agree(reviewer, key.last_event())
    assert caller.post("threshold-profiles/", {"values": {"base": {}}}).status_code == 201
    drafted = ProfileEvent.objects.filter(action="drafted").order_by("pk")
    assert [(event.key, event.actor) for event in drafted] == [(key, None), (key, reviewer)]
