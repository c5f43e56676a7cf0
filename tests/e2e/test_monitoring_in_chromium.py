"""The page of the four rates in a real browser: on a phone, in the dark, by keyboard, without a script."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.api_calls import Caller, body, drain, portfolio

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


@pytest.mark.parametrize(
    "options", [{}, {"width": 390, "height": 844}, {"width": 320}, {"color_scheme": "dark"}], ids=str
)
def test_the_table_fits_the_window(
    open_page: Callable[..., Page], faults: list[str], options: dict[str, Any]
) -> None:
    page = open_page("vera", **options)
    page.goto("/monitoring/")
    widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]
    assert faults == []


def test_on_a_phone_each_rate_says_what_it_is(open_page: Callable[..., Page]) -> None:
    page = open_page("vera", width=390, height=844)
    page.goto("/monitoring/")
    label = "getComputedStyle(document.querySelector('.rates td:nth-of-type(2)'), '::before').content"
    assert page.evaluate(label).startswith('"Mean risk')


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
