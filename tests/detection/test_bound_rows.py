"""What keys, people and groups name cannot be deleted from under them, and whoever tries is told by what it is held."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from detection.models import ApiKey, FinancialPeriod, Property, PropertyGroup
from detection.models.finance import StillBound
from tests.api_calls import Caller, faults

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.requirement("SEC-7")]


@pytest.fixture
def elm(viewer: User) -> Property:
    """A property that a group with a member and a key name."""
    place = Property.objects.create(code="ELM", name="Elm Court")
    group = PropertyGroup.objects.create(name="north")
    place.groups.add(group)
    group.members.add(viewer)
    ApiKey.issue("portal", ["read"], properties=[place])
    return place


@pytest.fixture
def browser() -> Client:
    """A superuser's."""
    client = Client()
    person = User.objects.create_superuser("olivia")
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def unbound(place: Property) -> None:
    for key in ApiKey.objects.all():
        key.change(properties=[])
    place.groups.clear()


def test_a_property_goes_when_nothing_names_it_any_more(elm: Property) -> None:
    FinancialPeriod.objects.create(property=elm, label="Q3", start="2024-07-01", end="2024-09-30")
    with pytest.raises(StillBound, match=r"ELM · Elm Court is still bound to: portal .*, north"):
        elm.delete()
    with pytest.raises(StillBound):
        Property.objects.filter(code="ELM").delete()
    unbound(elm)
    Property.objects.filter(code="ELM").delete()
    assert not Property.objects.exists()
    assert not FinancialPeriod.objects.exists()


def test_a_group_goes_when_it_has_neither_members_nor_properties(elm: Property) -> None:
    group = PropertyGroup.objects.get()
    with pytest.raises(StillBound, match="north is still bound to: vera, ELM"):
        group.delete()
    group.members.clear()
    with pytest.raises(StillBound, match="ELM"):
        group.delete()
    elm.groups.clear()
    PropertyGroup.objects.all().delete()
    assert not PropertyGroup.objects.exists()


def test_of_several_none_goes_when_one_is_bound(elm: Property) -> None:
    Property.objects.create(code="ASH", name="Ash")
    with pytest.raises(StillBound):
        Property.objects.order_by("code").delete()
    assert Property.objects.count() == 2


@pytest.mark.parametrize(
    ("model", "held_by"), [("property", ("portal (", "north")), ("propertygroup", ("vera", "ELM"))]
)
def test_the_administration_lists_what_holds_it(
    browser: Client, elm: Property, model: str, held_by: tuple[str, ...]
) -> None:
    row = elm if model == "property" else PropertyGroup.objects.get()
    one = reverse(f"admin:detection_{model}_delete", args=[row.pk])
    several = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    pages = [
        browser.get(one),
        browser.post(one, {"post": "yes"}),
        browser.post(reverse(f"admin:detection_{model}_changelist"), several),
    ]
    for page in pages:
        assert page.status_code == 200
        listed = page.content.decode().split("protected related objects")[1]
        assert all(f"<li>{name}" in listed for name in held_by)
    assert type(row).objects.filter(pk=row.pk).exists()


def test_a_group_whose_members_and_properties_are_gone_is_deleted_in_the_administration(
    browser: Client, elm: Property
) -> None:
    group = PropertyGroup.objects.get()
    unbound(elm)
    group.members.clear()
    browser.post(reverse("admin:detection_propertygroup_delete", args=[group.pk]), {"post": "yes"})
    browser.post(reverse("admin:detection_property_delete", args=[elm.pk]), {"post": "yes"})
    assert not PropertyGroup.objects.exists()
    assert not Property.objects.exists()


def test_the_api_says_what_holds_it(elm: Property) -> None:
    caller = Caller("admin")
    refused = caller.call("DELETE", f"properties/{elm.pk}/")
    faults(refused, 409)
    assert "still bound to: portal" in refused.json()["detail"]
    unbound(elm)
    assert caller.call("DELETE", f"properties/{elm.pk}/").status_code == 204
