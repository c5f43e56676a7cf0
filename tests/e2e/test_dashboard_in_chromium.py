"""The dashboard in a real browser: fetched as it comes into sight, in the dark, on a phone, mirrored, by keyboard,
without a script."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from reviews.dashboard.registry import BLOCKS
from reviews.models import Preferences
from tests.e2e import axe
from tests.e2e.conftest import window
from tests.reviews.dashboards import answers, judged_twice, opened, resolved

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-05"),
]
Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def _four_weeks(make_user: Any, make_period: Any) -> None:
    """Answers and verdicts of four weeks, some of them late, some audited, some judged twice."""
    dana, sofia = make_user("dana", "reviewer"), make_user("sofia", "senior")
    places = [make_period(code).property for code in ("OAK", "ELM")]
    now = timezone.now()
    for week in range(4):
        at = now - timedelta(days=7 * week)
        for number, place in enumerate(places):
            found = opened(
                answers(9 - week - 2 * number, at=at, about=place, model=f"writer-{number}"), created_at=at
            )
            resolved(found[:3], dana, "rejected", at=at + timedelta(minutes=9), reason="wrong_value")
            resolved(found[3:5], sofia, "supported", at=at + timedelta(hours=7), seconds=200)
        quiet = answers(
            12,
            at=at,
            needs_review=False,
            has_hallucinations=False,
            audit_stratum="base",
            audit_probability=0.5,
        )
        audits = opened(quiet[:6], created_at=at, selection_reason="audit_random", selection_probability=0.5)
        resolved(audits[:5], dana, "supported", at=at, blind=True)
        resolved(audits[5:], dana, "rejected", at=at, blind=True)
    said = {("rejected", "rejected"): 21, ("supported", "supported"): 20, ("rejected", "supported"): 17}
    judged_twice(said, dana, sofia)


def whole(page: Page) -> None:
    """Scroll down until every block is there, and back."""
    for name in BLOCKS:
        page.evaluate("id => document.getElementById(id).scrollIntoView()", f"block-{name}")
        expect(page.get_by_test_id(f"block-{name}").locator(".tile").first).to_be_visible()
    expect(page.locator(".later")).to_have_count(0)
    page.evaluate("scrollTo(0, 0)")


WINDOWS: list[dict[str, Any]] = [
    {},
    {"color_scheme": "dark"},
    {"width": 390, "height": 844},
    {"forced_colors": "active"},
]


def test_all_blocks_come_and_fit_the_window(open_page: Open, keep: Callable[[Page, str], None]) -> None:
    page, wrong = open_page("sofia", "/dashboard/"), []
    whole(page)
    for options in WINDOWS:
        window(page, **options)
        name = f"dashboard-{'-'.join(map(str, options.values())) or 'light'}"
        keep(page, name)
        wrong += axe.wrong(page, name)
        page.get_by_test_id("block-quality").scroll_into_view_if_needed()
        keep(page, f"{name}-below")
        page.evaluate("scrollTo(0, 0)")
    assert wrong == []


def test_mirrored_it_fits_and_charts_run_from_left_to_right(
    open_page: Open, keep: Callable[[Page, str], None]
) -> None:
    Preferences.keep(User.objects.get(username="sofia"), language="he")
    page = open_page("sofia")
    page.goto("/dashboard/blocks/flow/")
    whole(page)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.evaluate("getComputedStyle(document.querySelector('.chart')).direction") == "ltr"
    widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]
    keep(page, "dashboard-mirrored")


def test_alerts_lead_to_their_tile_and_tiles_to_their_rows(open_page: Open) -> None:
    page = open_page("sofia")
    page.goto("/dashboard/")
    expect(page.get_by_test_id("alerts")).to_contain_text("of the unflagged answers are wrong")
    page.get_by_role("link", name="of the unflagged answers are wrong").click()
    page.wait_for_url("**#tile-unflagged_wrong")
    expect(page.get_by_test_id("tile-unflagged_wrong")).to_be_in_viewport()
    page.get_by_role("link", name="Rows of Flagged", exact=True).click()
    page.wait_for_url("**/answers/**")


def test_by_keyboard_a_definition_opens_and_the_parts_of_a_tile(open_page: Open) -> None:
    page = open_page("sofia")
    page.goto("/dashboard/")
    tile = page.get_by_test_id("tile-open")
    tile.locator(".what summary").focus()
    page.keyboard.press("Enter")
    expect(tile).to_contain_text("by priority")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(tile.get_by_role("rowheader", name="Medium")).to_be_visible()


def test_without_a_script_it_is_narrowed_and_blocks_open_by_their_links(open_page: Open) -> None:
    page = open_page("sofia", java_script_enabled=False)
    page.goto("/dashboard/")
    page.locator(".narrow summary").click()
    page.get_by_label("Property").select_option("ELM")
    page.get_by_role("button", name="Filter", exact=True).click()
    page.wait_for_url("**property=ELM**")
    page.get_by_test_id("block-quality").get_by_role("link", name="Show these figures").click()
    page.wait_for_url("**/blocks/quality/**property=ELM**")
    expect(page.get_by_test_id("tile-flagged").get_by_test_id("value")).to_have_text("100.0 %")
