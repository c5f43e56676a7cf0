"""The page of the four rates in a real browser: on a phone, in the dark, by keyboard, without a script."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.api_calls import Caller, body, drain, portfolio
from tests.e2e.conftest import SIDEWAYS, window

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("CIT-11"),
]


@pytest.fixture(autouse=True)
def _answers(make_user: Any) -> None:
    make_user("vera", "viewer")
    portfolio()
    backend = Caller("submit")
    for text in ("The tenant of the tower renewed its lease [S0].", "The tenant renewed its lease [S7]."):
        backend.post("answers/", body(text))
    drain()


WINDOWS: list[dict[str, Any]] = [{}, {"width": 390, "height": 844}, {"width": 320}, {"color_scheme": "dark"}]
LABEL = "getComputedStyle(document.querySelector('.rates td:nth-of-type(2)'), '::before').content"


def test_the_table_fits_the_window_and_on_a_phone_each_rate_says_what_it_is(
    open_page: Callable[..., Page], faults: list[str]
) -> None:
    page = open_page("vera", "/monitoring/")
    wide = []
    for options in WINDOWS:
        window(page, **options)
        wide += [options] if page.evaluate(SIDEWAYS) > 0 else []
    assert wide == []
    window(page, width=390, height=844)
    assert page.evaluate(LABEL).startswith('"Mean risk')
    assert faults == []


def test_it_is_narrowed_by_keyboard_without_a_script(open_page: Callable[..., Page]) -> None:
    page = open_page("vera", java_script_enabled=False)
    page.goto("/monitoring/")
    page.get_by_label("To").fill("2024-01-31")
    page.get_by_label("From").fill("2024-01-01")
    page.keyboard.press("Enter")
    page.wait_for_url("**from=2024-01-01**")
    assert "No answers match" in (page.text_content("main") or "")
    page.get_by_role("link", name="Clear filters").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/monitoring/")
    assert page.get_by_test_id("week").count() > 0
