"""The page of facts in a real browser: on a phone, in the dark, by keyboard, without a script."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SIDEWAYS, window
from tests.reviews.test_facts_pages import ROOF, rejected, remembered

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "Net operating income was $1,234,567.89 in Q3 2024. " * 20


@pytest.fixture(autouse=True)
def _facts(make_user: Any) -> None:
    make_user("sofia", "senior")
    remembered()
    remembered("The lobby was painted.", evidence=[{"id": "S0", "title": "", "text": LONG}])
    rejected()


WINDOWS: list[dict[str, Any]] = [{}, {"width": 390, "height": 844}, {"width": 320}, {"color_scheme": "dark"}]


def test_both_lists_fit_the_window(open_page: Callable[..., Page], faults: list[str]) -> None:
    page = open_page("sofia")
    wide: list[Any] = []
    for path in ("/facts/", "/facts/rejected/"):
        page.goto(path)
        for options in WINDOWS:
            window(page, **options)
            wide += [(path, options)] if page.evaluate(SIDEWAYS) > 0 else []
    assert wide == []
    assert faults == []


def test_the_list_is_searched_and_left_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page("sofia")
    page.goto("/facts/")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("roof")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("fact-row")).to_have_count(1)
    page.get_by_role("link", name=ROOF).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("history")).to_contain_text("Remembered")


def test_the_pages_need_no_script(open_page: Callable[..., Page]) -> None:
    page = open_page("sofia", java_script_enabled=False)
    page.goto("/facts/")
    page.get_by_label("Search facts").fill("lobby")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_test_id("fact-row")).to_have_count(1)
    page.get_by_role("link", name="Rejected").click()
    expect(page.locator("main")).to_contain_text("The moon is ours.")
