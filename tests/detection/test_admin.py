"""The admin: every page opens, histories cannot be changed, profiles are drafted and moved, keys shown once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from detection.models import AccessEvent, ApiKey, ProfileEvent, Property, ThresholdProfile
from reviews.models import HallucinationReview

pytestmark = pytest.mark.django_db
OURS = [model for model in admin.site._registry if model._meta.app_label in ("detection", "reviews")]


@pytest.fixture
def browser() -> Client:
    client = Client()
    client.force_login(
        User.objects.create_superuser("ada", password="correct horse battery"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_every_list_opens(browser: Client, model: Any, review: HallucinationReview) -> None:
    assert (
        browser.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")).status_code
        == 200
    )


def test_every_model_of_both_apps_is_there() -> None:
    from django.apps import apps

    elsewhere = {
        "Source",
        "DetectorReport",
        "MeasuredBlock",
        "PlainHead",
        "SecondFactor",
        "EventBody",
        "DetectionRequest",
    }  # inside others, packed, hashes alone, nobody's to look at
    missing = {
        m.__name__
        for app in ("detection", "reviews")
        for m in apps.get_app_config(app).get_models()
        if m not in OURS
    }
    assert missing - elsewhere == set()


def test_a_history_can_be_looked_at_and_not_changed(browser: Client, review: HallucinationReview) -> None:
    event = review.events.first()
    assert event is not None
    url = reverse("admin:reviews_reviewevent_change", args=[event.pk])
    assert browser.get(url).status_code == 200
    assert browser.post(url, {"reason": "changed"}).status_code == 403
    assert browser.post(reverse("admin:reviews_reviewevent_delete", args=[event.pk])).status_code == 403


def test_a_profile_is_drafted_from_one_field_for_each_threshold_and_activated(browser: Client) -> None:
    add = reverse("admin:detection_thresholdprofile_add")
    assert b'name="currency_tolerance"' in browser.get(add).content
    browser.post(add, {"scoring": "govil", "currency_tolerance": "3", "verify_dates": "false"})
    draft = ThresholdProfile.objects.get(version=2)
    assert (draft.state, draft.scoring) == ("draft", "govil")
    assert draft.values["base"] == {"currency_tolerance": 3.0, "verify_dates": False}
    listing = reverse("admin:detection_thresholdprofile_changelist")
    browser.post(listing, {"action": "activate", "_selected_action": [draft.pk]})
    assert ThresholdProfile.active() == draft
    assert ThresholdProfile.objects.get(version=1).state == "retired"
    assert ProfileEvent.objects.filter(subject=draft, action="active").exists()


def test_a_value_out_of_bounds_is_refused_with_its_name(browser: Client) -> None:
    page = browser.post(reverse("admin:detection_thresholdprofile_add"), {"scoring": "govil", "overlap": "7"})
    assert "less than or equal to 1" in page.content.decode()
    assert ThresholdProfile.objects.count() == 1


def test_a_key_is_issued_and_shown_once(browser: Client) -> None:
    page = browser.post(
        reverse("admin:detection_apikey_add"), {"name": "backend", "scopes": ["submit", "read"]}, follow=True
    )
    key = ApiKey.objects.get(name="backend")
    assert key.scopes == ["submit", "read"]
    shown = page.content.decode()
    plain = shown.split("shown only now: ")[1].split("<")[0].strip()
    assert ApiKey.find(plain) == key
    again = browser.get(reverse("admin:detection_apikey_change", args=[key.pk])).content.decode()
    assert plain not in again


def test_a_key_is_revoked_not_deleted(browser: Client) -> None:
    key, plain = ApiKey.issue("backend", ["read"])
    browser.post(
        reverse("admin:detection_apikey_changelist"), {"action": "revoke", "_selected_action": [key.pk]}
    )
    assert ApiKey.find(plain) is None
    assert ApiKey.objects.filter(pk=key.pk).exists()


@pytest.fixture
def onlooker(make_user: Callable[..., User]) -> Client:
    """An administrator who may look at profiles and keys and change neither."""
    user = make_user("olga", "admin")
    user.groups.get().permissions.clear()
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=["view_thresholdprofile", "view_apikey"])
    )
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_who_may_only_look_moves_no_profile_and_revokes_no_key(onlooker: Client) -> None:
    draft, (key, _) = ThresholdProfile.draft({"base": {}}), ApiKey.issue("nlq", ["read"])
    for model, row, actions in (
        ("thresholdprofile", draft, ("shadow", "activate")),
        ("apikey", key, ("revoke",)),
    ):
        listing = reverse(f"admin:detection_{model}_changelist")
        assert onlooker.get(listing).status_code == 200
        for action in actions:
            onlooker.post(listing, {"action": action, "_selected_action": [row.pk]})
    draft.refresh_from_db()
    key.refresh_from_db()
    assert (draft.state, key.revoked) == ("draft", None)


def test_a_changed_key_keeps_what_it_was_in_its_history(browser: Client) -> None:
    oak, elm = (Property.objects.create(code=code, name=code) for code in ("OAK", "ELM"))
    key, _ = ApiKey.issue("nlq", ["read"])
    key.properties.add(oak)
    url = reverse("admin:detection_apikey_change", args=[key.pk])
    given = {"name": "nlq", "scopes": ["read", "admin"], "properties": [oak.pk, elm.pk]}
    assert browser.post(url, given).status_code == 302
    event = AccessEvent.objects.get(subject=key, action="changed")
    assert event.actor is not None
    assert event.before == {"scopes": ["read"], "properties": ["OAK"]}
    assert event.after == {"scopes": ["admin", "read"], "properties": ["ELM", "OAK"]}
    assert AccessEvent.broken_at(key) is None
    key.refresh_from_db()
    assert key.scopes == ["read", "admin"]
