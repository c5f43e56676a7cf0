"""A person lets a key act for them, and no longer, in a real browser."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from detection.models import AccessEvent, ApiKey
from reviews.models import HallucinationReview, Preferences
from tests.api_calls import Caller
from tests.e2e import axe
from tests.e2e.conftest import SIDEWAYS, Open

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("SEC-7"),
    pytest.mark.django_db(transaction=True),
]


def chip(page: Page, text: str) -> None:
    expect(page.get_by_test_id("consent")).to_have_text(text)


@pytest.mark.parametrize("script", [True, False])
def test_consent_is_given_and_withdrawn(
    open_page: Open, dana: User, oak: HallucinationReview, script: bool
) -> None:
    key, plain = ApiKey.issue("assistant", ["review"], all_properties=True, user=dana)
    caller, take = Caller(key=plain), f"reviews/{oak.pk}/take/"
    assert caller.post(take).status_code == 403
    page = open_page("dana", "/me/", java_script_enabled=script)
    page.get_by_role("link", name="Keys that act for me").click()
    expect(page.get_by_role("heading", name="assistant")).to_be_visible()
    expect(page.get_by_test_id("key")).to_contain_text("all properties")
    chip(page, "Waits for you")
    page.get_by_role("button", name="Agree").click()
    expect(page.get_by_test_id("message")).to_have_text("assistant acts for you from now on.")
    chip(page, "You agreed")
    assert caller.post(take).status_code == 200
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_test_id("message")).to_have_text("assistant no longer acts for you.")
    chip(page, "Waits for you")
    assert caller.post(take).status_code == 403
    steps = AccessEvent.objects.filter(subject=key).order_by("seq").values_list("action", flat=True)
    assert list(steps) == ["issued", "consented", "consent_withdrawn"]


def test_the_page_fits_a_phone_and_turns_to_the_left(open_page: Open, dana: User) -> None:
    ApiKey.issue("a key with a rather long name for what it is there to do", ["review", "admin"], user=dana)
    Preferences.keep(dana, language="he", theme="dark")
    page = open_page("dana", "/me/acting/", width=320, height=700)
    expect(page.get_by_test_id("consent")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == 0
    assert axe.grave(page, axe.ALL) == []
    assert axe.small_targets(page) == []
