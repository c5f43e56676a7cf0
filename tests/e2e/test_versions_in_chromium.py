"""Versions of the thresholds in a real browser: rolled back with a reason, drafted by keyboard, on every screen (E15)."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from detection.models import ThresholdProfile
from tests.e2e import axe
from tests.e2e.conftest import window
from tests.reviews.answers import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Open = Callable[..., Page]
STRICT: dict[str, Any] = {
    "base": {"currency_tolerance": 3.0},
    "overrides": [{"when": {"language": "he"}, "values": {"overlap": 0.4}}],
}


@pytest.fixture(autouse=True)
def _versions(transactional_db: None) -> None:
    """Version 3 is active, version 2 was before it, version 4 is a draft."""
    avi = person("avi", "admin", full="Avi Mor")
    person("sara", "senior")
    ThresholdProfile.draft(STRICT, note="Slips of 4 % reached a reader", actor=avi).activate(actor=avi)
    ThresholdProfile.draft({"base": {"overlap": 0.9}}, note="Stricter grounding", actor=avi).activate(
        actor=avi, reason="agreed"
    )
    ThresholdProfile.draft({"base": {"overlap": 0.6}}, note="Between both", actor=avi)


def test_rolling_back_makes_a_copy_active_and_keeps_every_version(open_page: Open) -> None:
    page = open_page("avi")
    page.goto("/tuning/versions/")
    page.get_by_role("link", name="Version 2", exact=True).click()
    page.get_by_label("Why").fill("Version 3 flags everything")
    page.get_by_role("button", name="Roll back to this version").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Version 5")
    expect(page.get_by_test_id("state")).to_have_text("Active")
    expect(page.get_by_test_id("history")).to_contain_text("Version 3 flags everything")
    copy, old = ThresholdProfile.active(), ThresholdProfile.objects.get(version=2)
    assert (copy.version, copy.values, copy.scoring) == (5, old.values, old.scoring)
    page.goto("/tuning/versions/3/")
    expect(page.get_by_test_id("state")).to_have_text("Retired")
    page.goto("/tuning/versions/compare/?a=2&b=5")
    expect(page.get_by_test_id("same")).to_be_visible()


def test_a_rollback_without_a_reason_is_not_sent(open_page: Open) -> None:
    page = open_page("avi")
    page.goto("/tuning/versions/2/")
    page.get_by_role("button", name="Roll back to this version").click()
    assert page.get_by_label("Why").evaluate("field => field.validity.valueMissing")
    assert ThresholdProfile.active().version == 3


def test_a_draft_is_made_and_activated_by_keyboard_alone(open_page: Open) -> None:
    page = open_page("avi")
    page.goto("/tuning/versions/new/")
    page.get_by_label("currency tolerance").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2.5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Version 5")
    page.get_by_role("button", name="Activate").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("state")).to_have_text("Active")
    assert ThresholdProfile.active().values["base"] == {"overlap": 0.9, "currency_tolerance": 2.5}


def test_who_comes_late_is_told_who_was_first(open_page: Open) -> None:
    page = open_page("avi")
    page.goto("/tuning/versions/4/")
    ThresholdProfile.draft({}).activate()
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_test_id("form-error")).to_contain_text("activated version 5")
    expect(page.get_by_test_id("state")).to_have_text("Draft")


def test_a_senior_reads_and_is_offered_no_step(open_page: Open) -> None:
    page = open_page("sara")
    page.goto("/tuning/versions/2/")
    expect(page.get_by_test_id("history")).to_contain_text("Avi Mor")
    expect(page.get_by_test_id("steps")).to_have_count(0)


PATHS = {"list": "", "draft": "4/", "old": "2/", "new": "new/", "compare": "compare/?a=2&b=3"}


def test_the_pages_are_usable_at_every_width_in_both_themes(
    open_page: Open, keep: Callable[[Page, str], None]
) -> None:
    page, wrong = open_page("avi"), []
    for name, path in PATHS.items():
        page.goto(f"/tuning/versions/{path}")
        for width, theme in product((1440, 390), ("light", "dark")):
            window(page, width=width, color_scheme=theme)
            mode = f"versions-{name}-{theme}-{width}"
            keep(page, mode)
            wrong += axe.wrong(page, mode, axe.COLOURS if theme == "dark" else axe.ALL)
    assert wrong == []
