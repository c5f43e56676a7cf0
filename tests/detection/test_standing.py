"""Nobody gives more than they hold: the forms, lists and actions of the administration, tried by staff without the right."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from detection.models import NotHeld, PersonEvent, Property, PropertyGroup
from detection.models.standing import changing, standing

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-2")]
MANAGES = ("user", "group", "propertygroup", "property")
JOINED = {"date_joined_0": "2024-01-01", "date_joined_1": "00:00:00"}
SECRET = "another correct horse"


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def owner() -> User:
    """A superuser."""
    return User.objects.create_superuser("olivia", password="correct horse battery")


@pytest.fixture
def staff(make_user: Callable[..., User]) -> User:
    """An administrator who may change people, roles, groups and properties, and is no superuser."""
    person = make_user("stan", "admin")
    Group.objects.get(name="admin").permissions.clear()  # what they hold is theirs, and no more
    User.objects.filter(pk=person.pk).update(is_staff=True)
    steps = [f"{verb}_{model}" for verb in ("view", "add", "change", "delete") for model in MANAGES]
    person.user_permissions.set(Permission.objects.filter(codename__in=steps))
    person.refresh_from_db()
    return person


def sent(person: User, **changes: Any) -> dict[str, Any]:
    """What the form of a person sends, with ``changes``; None leaves a field out."""
    given: dict[str, Any] = {
        "username": person.username,
        "is_active": "on" if person.is_active else None,
        "is_staff": "on" if person.is_staff else None,
        "is_superuser": "on" if person.is_superuser else None,
        "groups": [group.pk for group in person.groups.all()],
        "user_permissions": [permission.pk for permission in person.user_permissions.all()],
        **JOINED,
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


def changed(browser: Client, person: User, **changes: Any) -> Any:
    return browser.post(reverse("admin:auth_user_change", args=[person.pk]), sent(person, **changes))


def events(person: User) -> list[tuple[Any, ...]]:
    rows = PersonEvent.objects.filter(subject=person).order_by("seq")
    return [(event.action, event.actor, event.before, event.after) for event in rows]


# --- people ---
@pytest.mark.parametrize(
    "given",
    [
        {"is_superuser": "on"},
        {"groups": ["senior"]},
        {"groups": ["accounting"]},
        {"user_permissions": ["change_apikey"]},
    ],
    ids=lambda given: next(iter(given)),
)
@pytest.mark.parametrize("whose", ["own", "another's"])
def test_staff_give_nothing_they_lack(
    staff: User, make_user: Callable[..., User], given: dict[str, Any], whose: str
) -> None:
    for name in ("senior", "accounting"):
        Group.objects.get_or_create(name=name)
    person = staff if whose == "own" else make_user("paul")
    before = standing(person)
    if "groups" in given:
        given = {"groups": [group.pk for group in Group.objects.filter(name__in=given["groups"])]}
    if "user_permissions" in given:
        asked = Permission.objects.filter(codename__in=given["user_permissions"])
        given = {"user_permissions": [permission.pk for permission in asked]}
    response = changed(browser_of(staff), person, **given)
    assert response.status_code == 403
    assert b"Nobody gives what they do not hold themselves" in response.content
    assert standing(User.objects.get(pk=person.pk)) == before
    assert events(person) == []


def test_staff_give_what_they_hold_and_it_is_written_down(
    staff: User, make_user: Callable[..., User]
) -> None:
    paul = make_user("paul")
    admin, permission = Group.objects.get(name="admin"), Permission.objects.get(codename="view_user")
    given = {"groups": [admin.pk], "user_permissions": [permission.pk], "is_staff": "on"}
    assert changed(browser_of(staff), paul, **given).status_code == 302
    now = {"administration": True, "roles": ["admin"], "permissions": ["auth.view_user"]}
    assert events(paul) == [
        ("access_changed", staff, {"administration": False, "roles": [], "permissions": []}, now)
    ]
    taken = changed(browser_of(staff), User.objects.get(pk=paul.pk), groups=[], user_permissions=[])
    assert taken.status_code == 302
    assert not paul.groups.exists()


def test_staff_take_away_what_they_lack_and_cannot_give_it_back(staff: User, senior: User) -> None:
    role = Group.objects.get(name="senior")
    assert changed(browser_of(staff), senior, groups=[]).status_code == 302
    assert not senior.groups.exists()
    assert changed(browser_of(staff), senior, groups=[role.pk]).status_code == 403
    assert not senior.groups.exists()


def test_staff_let_nobody_in_again_who_holds_more(staff: User, senior: User) -> None:
    assert changed(browser_of(staff), senior, is_active=None).status_code == 302
    senior.refresh_from_db()
    assert not senior.is_active
    assert changed(browser_of(staff), senior, is_active="on").status_code == 403
    senior.refresh_from_db()
    assert not senior.is_active


def test_staff_make_nobody_who_holds_more(staff: User) -> None:
    url = reverse("admin:auth_user_add")
    given = {"username": "paula", "password1": SECRET, "password2": SECRET, "usable_password": "true"}
    assert browser_of(staff).post(url, given).status_code == 302
    paula = User.objects.get(username="paula")
    ((action, actor, before, after),) = events(paula)
    assert (action, actor, before, after["roles"], after["log_in"]) == ("added", staff, {}, [], True)
    assert SECRET not in str(after)
    assert paula.password not in str(after)


@pytest.mark.parametrize(
    "change", [{"email": "stan@example.com"}, {"is_active": None}, {"is_superuser": None}]
)
def test_staff_change_nothing_of_a_superuser(staff: User, owner: User, change: dict[str, Any]) -> None:
    assert changed(browser_of(staff), owner, **change).status_code == 403
    owner.refresh_from_db()
    assert (owner.email, owner.is_active, owner.is_superuser) == ("", True, True)


@pytest.mark.parametrize("field", ["email", "is_active", "is_superuser", "username"])
def test_the_rule_of_superusers_is_that_of_the_model_and_not_of_the_form(
    staff: User, owner: User, field: str
) -> None:
    values = {"email": "stan@example.com", "is_active": False, "is_superuser": False, "username": "o"}
    with pytest.raises(NotHeld, match="Only superusers"), changing(staff, owner):
        User.objects.filter(pk=owner.pk).update(**{field: values[field]})
    assert User.objects.get(username="olivia").is_superuser


@pytest.mark.parametrize("above", ["owner", "senior", "wider"])
def test_staff_set_no_password_of_somebody_above(
    staff: User, owner: User, senior: User, make_user: Callable[..., User], above: str
) -> None:
    wider = make_user("wilma")
    wider.user_permissions.add(Permission.objects.get(codename="change_apikey"))
    person = {"owner": owner, "senior": senior, "wider": wider}[above]
    url = reverse("admin:auth_user_password_change", args=[person.pk])
    given = {"password1": SECRET, "password2": SECRET, "usable_password": "true"}
    assert browser_of(staff).post(url, given).status_code == 403
    person.refresh_from_db()
    assert person.check_password("correct horse battery")
    assert events(person) == []


def test_a_password_set_for_somebody_is_an_event_without_the_password(
    staff: User, owner: User, make_user: Callable[..., User]
) -> None:
    paul = make_user("paul")
    url = reverse("admin:auth_user_password_change", args=[paul.pk])
    given = {"password1": SECRET, "password2": SECRET, "usable_password": "true"}
    assert browser_of(staff).post(url, given).status_code == 302
    paul.refresh_from_db()
    assert paul.check_password(SECRET)
    assert events(paul) == [("password_changed", staff, {"password": True}, {"password": True})]
    senior_too = Group.objects.get_or_create(name="senior")[0]
    paul.groups.add(senior_too)
    assert (
        browser_of(owner)
        .post(url, given | {"password1": SECRET + "!", "password2": SECRET + "!"})
        .status_code
        == 302
    )


@pytest.mark.parametrize("url", ["/me/password/", "/admin/password_change/"])
def test_a_persons_own_new_password_is_an_event(staff: User, url: str) -> None:
    given = {"old_password": "correct horse battery", "new_password1": SECRET, "new_password2": SECRET}
    assert browser_of(staff).post(url, given).status_code == 302
    staff.refresh_from_db()
    assert staff.check_password(SECRET)
    assert events(staff) == [("password_changed", staff, {"password": True}, {"password": True})]


def test_a_list_takes_no_values(staff: User, viewer: User) -> None:
    """Nothing can be edited in a list: what is sent as if it could is not read."""
    for model, row in (
        ("auth_user", viewer),
        ("detection_propertygroup", PropertyGroup.objects.create(name="n")),
    ):
        form = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": row.pk, "_save": "Save"}
        values = {"form-0-is_superuser": "on", "form-0-all_properties": "on", "form-0-name": "mine"}
        browser_of(staff).post(reverse(f"admin:{model}_changelist"), form | values)
    viewer.refresh_from_db()
    assert not viewer.is_superuser
    assert PropertyGroup.objects.values_list("name", "all_properties").get() == ("n", False)


# --- roles ---
def test_staff_put_no_permission_they_lack_into_a_role(staff: User, owner: User, viewer: User) -> None:
    role, lacked = Group.objects.get(name="viewer"), Permission.objects.get(codename="change_apikey")
    url = reverse("admin:auth_group_change", args=[role.pk])
    held = Permission.objects.get(codename="view_property")
    assert browser_of(staff).post(url, {"permissions": [lacked.pk]}).status_code == 403
    empty = Group.objects.create(name="empty")
    url_of_empty = reverse("admin:auth_group_change", args=[empty.pk])
    assert browser_of(staff).post(url_of_empty, {"permissions": [lacked.pk]}).status_code == 403
    assert not role.permissions.exists()
    assert not empty.permissions.exists()
    assert browser_of(staff).post(url, {"permissions": [held.pk]}).status_code == 302
    assert browser_of(owner).post(url, {"permissions": [held.pk, lacked.pk]}).status_code == 302
    steps = [
        (actor, before["permissions"], after["permissions"]) for _, actor, before, after in events(viewer)
    ]
    both = ["detection.change_apikey", "detection.view_property"]
    assert steps == [(staff, [], both[1:]), (owner, both[1:], both)]


def test_a_role_that_somebody_has_cannot_be_deleted_and_the_page_names_them(
    owner: User, viewer: User
) -> None:
    role = Group.objects.get(name="viewer")
    url = reverse("admin:auth_group_delete", args=[role.pk])
    assert "<li>vera</li>" in browser_of(owner).post(url, {"post": "yes"}).content.decode()
    listing = reverse("admin:auth_group_changelist")
    chosen = {"action": "delete_selected", "_selected_action": [role.pk], "post": "yes"}
    browser_of(owner).post(listing, chosen)
    assert Group.objects.filter(name="viewer").exists()
    viewer.groups.clear()
    browser_of(owner).post(url, {"post": "yes"})
    assert not Group.objects.filter(name="viewer").exists()


# --- property groups and properties ---
@pytest.fixture
def north() -> PropertyGroup:
    return PropertyGroup.objects.create(name="north")


def regroup(browser: Client, group: PropertyGroup, *members: User, **given: Any) -> Any:
    url = reverse("admin:detection_propertygroup_change", args=[group.pk])
    return browser.post(url, {"name": group.name, "members": [person.pk for person in members], **given})


@pytest.mark.requirement("SEC-7")
def test_staff_let_nobody_into_a_group_they_are_not_in(
    staff: User, owner: User, viewer: User, north: PropertyGroup
) -> None:
    for person in (staff, viewer):
        assert regroup(browser_of(staff), north, person).status_code == 403
    assert not north.members.exists()
    assert regroup(browser_of(owner), north, staff).status_code == 302
    assert regroup(browser_of(staff), north, staff, viewer).status_code == 302
    assert events(viewer) == [
        ("access_changed", staff, {"property_groups": []}, {"property_groups": ["north"]})
    ]


@pytest.mark.requirement("SEC-7")
def test_all_properties_are_given_by_whoever_sees_them_all(
    staff: User, owner: User, viewer: User, north: PropertyGroup
) -> None:
    assert regroup(browser_of(staff), north, all_properties="on").status_code == 403
    url = reverse("admin:detection_propertygroup_add")
    assert browser_of(staff).post(url, {"name": "mine", "all_properties": "on"}).status_code == 403
    assert not PropertyGroup.objects.filter(all_properties=True).exists()
    assert regroup(browser_of(owner), north, viewer, all_properties="on").status_code == 302
    ((_, actor, before, after),) = events(viewer)
    assert (actor, before) == (owner, {"property_groups": [], "all_properties": False})
    assert after == {"property_groups": ["north"], "all_properties": True}
    assert (
        "icon-yes"
        in browser_of(owner).get(reverse("admin:detection_propertygroup_changelist")).content.decode()
    )


@pytest.mark.requirement("SEC-7")
def test_who_sees_a_property_is_said_by_those_who_see_it(
    staff: User, owner: User, viewer: User, north: PropertyGroup
) -> None:
    hidden = Property.objects.create(code="ELM", name="Elm Court")
    hidden.groups.add(north)
    url = reverse("admin:detection_property_change", args=[hidden.pk])
    given = {"code": "ELM", "name": "Elm Court", "currency": "USD"}
    browser_of(staff).post(url, given)
    with pytest.raises(NotHeld, match="You do not see this property"), hidden.regrouping(staff):
        hidden.groups.clear()
    assert [*hidden.groups.all()] == [north]
    south = PropertyGroup.objects.create(name="south")
    south.members.add(viewer)
    assert browser_of(owner).post(url, given | {"groups": [north.pk, south.pk]}).status_code == 302
    was, now = ({"property": "ELM", "property_groups": groups} for groups in (["north"], ["north", "south"]))
    assert events(viewer) == [("property_regrouped", owner, was, now)]
    assert PersonEvent.broken_at(viewer) is None


# --- the frame itself ---
def test_what_an_actor_gained_in_the_same_change_counts_for_nothing(staff: User, viewer: User) -> None:
    role = Group.objects.get_or_create(name="senior")[0]
    with pytest.raises(NotHeld, match="senior"), changing(staff, staff, viewer):
        role.user_set.add(staff, viewer)
    assert not role.user_set.exists()


def test_a_password_set_at_the_command_line_is_an_event(
    viewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter([SECRET, SECRET, SECRET, "mistyped", "short", "short"])
    monkeypatch.setattr("getpass.getpass", lambda *prompt: next(typed))
    call_command("changepassword", "vera", stdout=StringIO())
    viewer.refresh_from_db()
    assert viewer.check_password(SECRET)
    for why in ("do not match", "too short"):
        with pytest.raises(CommandError, match=why):
            call_command("changepassword", "vera", stdout=StringIO())
    with pytest.raises(CommandError, match="does not exist"):
        call_command("changepassword", "nobody", stdout=StringIO())
    assert events(viewer) == [("password_changed", None, {"password": True}, {"password": True})]


def test_a_superuser_made_at_the_command_line_is_an_event(viewer: User, owner: User) -> None:
    given = {"username": "oscar", "email": "", "interactive": False}
    call_command("createsuperuser", **given, stdout=StringIO())
    ((action, actor, before, after),) = events(User.objects.get(username="oscar"))
    assert (action, actor, before, after["everything"]) == ("added", None, {}, True)
    assert PersonEvent.objects.count() == 1


def test_whoever_runs_the_machine_gives_everything(viewer: User) -> None:
    with changing(None, viewer):
        User.objects.filter(pk=viewer.pk).update(is_superuser=True)
    assert events(viewer) == [("access_changed", None, {"everything": False}, {"everything": True})]
