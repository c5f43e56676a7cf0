"""Thresholds and calibration maps apply to every property: whoever sees only some of them changes none (F12, F23)."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from detection.models import CalibrationMap, Property, PropertyGroup, ThresholdProfile
from tests.api_calls import Caller
from tests.calibration_maps import drafted
from tests.reviews.judged_answers import judged_answers

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-05")]
SAID = "It decides about every property; whoever sees only some cannot change it."


@pytest.fixture
def hidden() -> Property:
    """A property that only its group sees."""
    oak = Property.objects.create(code="OAK", name="Oak")
    oak.groups.add(PropertyGroup.objects.create(name="east"))
    return oak


@pytest.fixture
def as_admin(make_user: Callable[..., User]) -> Client:
    """The browser of an administrator in no group."""
    browser = Client()
    browser.force_login(make_user("ada", "admin"), backend="django.contrib.auth.backends.ModelBackend")
    return browser


@pytest.fixture
def draft() -> ThresholdProfile:
    return ThresholdProfile.draft({"base": {"overlap": 0.4}})


def states() -> list[tuple[int, str]]:
    return list(ThresholdProfile.objects.order_by("version").values_list("version", "state"))


def test_no_screen_changes_anything(as_admin: Client, hidden: Property, draft: ThresholdProfile) -> None:
    made = drafted()
    asked = [
        (reverse("version-step", args=[draft.version]), {"step": step, "reason": "x", "seen": "1"})
        for step in ("shadow", "activate", "ask", "confirm", "decline", "retire", "rollback")
    ]
    asked += [
        (reverse(name), {}) for name in ("version-new", "tuning-draft", "tuning-audits", "calibration-fit")
    ]
    asked += [
        (reverse(f"calibration-{step}", args=[made.pk]), {"reason": "x"})
        for step in ("activate", "deactivate")
    ]
    for url, given in asked:
        refused = as_admin.post(url, given)
        assert refused.status_code == 403, url
        assert SAID in refused.content.decode(), url
    assert as_admin.get(reverse("version-new")).status_code == 403
    assert states() == [(1, "active"), (2, "draft")]
    assert CalibrationMap.active("rules") is None


@pytest.mark.parametrize("page", ["/tuning/", "/tuning/versions/2/", "/tuning/calibration/"])
def test_the_pages_are_read_without_buttons(
    as_admin: Client, hidden: Property, draft: ThresholdProfile, page: str
) -> None:
    drafted()
    judged_answers(12, days=5)
    html = as_admin.get(page).content.decode()
    main = html[html.index("<main") : html.index("</main>")]
    assert 'method="post"' not in main
    assert (SAID in main) == (page != "/tuning/calibration/")
    Property.objects.update(code="ELM")
    hidden.groups.clear()
    html = as_admin.get(page).content.decode()
    main = html[html.index("<main") : html.index("</main>")]
    assert ('method="post"' in main, SAID in main) == (True, False)


def test_a_key_of_some_properties_reads_versions_and_changes_none(
    hidden: Property, draft: ThresholdProfile
) -> None:
    Property.objects.create(code="ELM", name="Elm")
    bound = Caller("admin").bound_to(hidden)
    assert bound.get("threshold-profiles/").status_code == 200
    for step in ("activate", "rollback", "shadow", "retire"):
        refused = bound.post(f"threshold-profiles/{draft.pk}/{step}/", {"reason": "x"})
        assert refused.status_code == 403, step
        assert "It decides about every property" in refused.json()["detail"]
    assert bound.post("threshold-profiles/", {"values": {}}).status_code == 403
    assert states() == [(1, "active"), (2, "draft")]


def test_the_administration_offers_neither_a_draft_nor_an_action(
    make_user: Callable[..., User], hidden: Property, draft: ThresholdProfile
) -> None:
    user = make_user("olga", "admin")
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(content_type__model="thresholdprofile"))
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    listing = reverse("admin:detection_thresholdprofile_changelist")
    assert browser.get(listing).status_code == 200
    assert browser.get(reverse("admin:detection_thresholdprofile_add")).status_code == 403
    browser.post(listing, {"action": "shadow", "_selected_action": [draft.pk]})
    assert states() == [(1, "active"), (2, "draft")]
    hidden.groups.clear()
    browser.post(listing, {"action": "shadow", "_selected_action": [draft.pk]})
    assert states() == [(1, "active"), (2, "shadow")]
