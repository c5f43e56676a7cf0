"""The way of a reviewer in a real browser: log in, look, judge, resolve, next."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from reviews.models import HallucinationReview
from tests.e2e.conftest import Open, window
from tests.e2e.reviewing import opened, positions, selected, state_of, visual_order
from tests.reviews import answers
from tests.reviews.answers import person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]


def test_a_reviewer_settles_an_answer_by_mouse_and_goes_on(
    open_page: Open, keep: Keep, faults: list[str], dana: User, oak: HallucinationReview
) -> None:
    following = answers.hebrew()
    page = open_page("dana", "/queue/")
    expect(page.get_by_test_id("queue-row")).to_have_count(2)
    keep(page, "queue")
    page.get_by_test_id("open-review").first.click()
    expect(page.get_by_test_id("lease")).to_have_attribute("data-state", "mine")
    shown = page.locator("[data-testid=evidence]:visible")
    expect(shown.get_by_test_id("comparison")).to_contain_text("1,234,567.89")
    expect(shown.locator("mark.match")).to_have_text("1,234,567.89")
    keep(page, "review")
    page.locator("[data-testid=verdict-database]:visible").click()
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    expect(page.get_by_test_id("saved")).to_have_attribute("data-state", "saved")
    expect(page.get_by_test_id("diff").locator("ins")).to_have_text("$1,234,567.89")
    selected(page, 3)
    page.locator("[data-testid=open-rejected]:visible").click()
    page.locator("[data-testid=note]:visible").fill("the growth is 5.2 %")
    page.locator("[data-testid=verdict-rejected]:visible").click()
    state_of(page, 3).to_have_attribute("data-state", "rejected")
    page.get_by_test_id("resolve").click()
    expect(page.get_by_test_id("undecided")).to_contain_text("1 claim undecided: 6 Debt service")
    page.locator("[data-testid=verdict-cannot-tell]:visible").click()
    state_of(page, 6).to_have_attribute("data-state", "cannot_tell")
    page.get_by_test_id("final-confidence").fill("0.6")
    keep(page, "decided")
    page.get_by_test_id("resolve").click()
    page.wait_for_url(f"**/reviews/{following.pk}/**")
    oak.refresh_from_db()
    assert (oak.state, oak.outcome, oak.final_confidence) == ("resolved", "corrected", 0.6)
    assert "$1,234,567.89" in oak.corrected_answer
    page.goto(f"/reviews/{oak.pk}/")
    expect(page.get_by_test_id("outcome")).to_contain_text("Resolved: corrected by Dana Levi")
    keep(page, "resolved")
    assert [fault for fault in faults if "422" not in fault] == []


def test_the_same_walk_without_scripts(
    open_page: Open, keep: Keep, dana: User, oak: HallucinationReview
) -> None:
    page = open_page("dana", "/queue/", java_script_enabled=False)
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("lease")).to_have_attribute("data-state", "mine")
    page.locator("[data-testid=verdict-database]:visible").click()
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    page.locator("[data-testid=open-rejected]:visible").click()
    page.locator("[data-testid=verdict-rejected]:visible").click()
    state_of(page, 3).to_have_attribute("data-state", "rejected")
    keep(page, "without-scripts")
    page.get_by_test_id("resolve").click()
    expect(page.get_by_test_id("undecided")).to_contain_text("1 claim undecided")
    page.locator("[data-testid=verdict-supported]:visible").click()
    page.get_by_test_id("resolve").click()
    expect(page.get_by_test_id("empty")).to_have_attribute("data-state", "done")
    oak.refresh_from_db()
    assert (oak.outcome, oak.resolved_by) == ("corrected", dana)


def test_hebrew_reads_in_the_same_order_with_marks_as_without(
    open_page: Open, keep: Keep, faults: list[str], dana: User
) -> None:
    review = answers.hebrew()
    page = opened(open_page("dana", width=1900), review)
    expect(page.locator("#answer")).to_have_attribute("dir", "rtl")
    page.evaluate(
        "document.querySelector('#answer').style.whiteSpace = 'pre'"
    )  # one line, wherever it would break
    marked = visual_order(positions(page, "#answer"), review.answer.text)
    page.evaluate(
        "(text) => { const a = document.querySelector('#answer'); a.textContent = text; }", review.answer.text
    )
    assert marked == visual_order(positions(page, "#answer"), review.answer.text)
    page.reload()
    number = page.locator("#answer mark", has_text="85.5%").bounding_box()
    badge = page.locator("#answer sup[data-n='2']").bounding_box()
    assert number is not None
    assert badge is not None
    assert badge["x"] + badge["width"] <= number["x"] + 2
    keep(page, "hebrew")
    assert faults == []


def test_chinese_full_width_digits_are_marked_exactly(open_page: Open, keep: Keep, dana: User) -> None:
    page = opened(open_page("dana"), answers.chinese())
    expect(page.locator("#answer mark.ok")).to_have_text("85.5％")
    keep(page, "chinese")


def test_the_evidence_of_a_number_is_a_table_that_keys_open(
    open_page: Open, keep: Keep, faults: list[str], dana: User, oak: HallucinationReview
) -> None:
    page = opened(open_page("dana"), answers.off_period())
    shown = page.locator("[data-testid=evidence]:visible")
    expect(shown.get_by_test_id("read-as")).to_contain_text("net operating income · Q3 2024 · OAK")
    expect(shown.get_by_test_id("slip")).to_contain_text("The figure of another period")
    expect(shown.get_by_test_id("source-table").locator("td.hit")).to_have_text("1,234,567.89")
    expect(shown.get_by_test_id("source-table").locator("td.slipped")).to_have_text("1,173,500.00")
    looked = shown.get_by_test_id("looked-at")
    expect(looked.get_by_role("table")).to_be_hidden()
    looked.locator("summary").focus()
    page.keyboard.press("Enter")
    rows = looked.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1).get_by_role("rowheader")).to_contain_text("The figure of another period")
    keep(page, "looked-at")
    page = opened(open_page("dana"), oak)
    page.keyboard.press("3")
    selected(page, 3)
    shown = page.locator("[data-testid=evidence]:visible")
    expect(shown.get_by_test_id("arithmetic")).to_contain_text("1,234,567.89 / 1,173,500.00 − 1")
    assert faults == []


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_everything_without_scrolling_sideways(
    open_page: Open, keep: Keep, faults: list[str], dana: User, oak: HallucinationReview, width: int
) -> None:
    page = open_page("dana", width=width, height=844)
    for path in ("/queue/", "/answers/", f"/answers/{oak.answer_id}/", f"/reviews/{oak.pk}/history/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    opened(page, oak)
    page.locator("[data-testid=looked-at]:visible summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """[...document.querySelectorAll('.bar button, .bar summary')].filter((b) => b.getClientRects().length)
           .filter((b) => b.getBoundingClientRect().height < 44).map((b) => b.textContent)"""
    )
    assert small == []
    page.locator("[data-testid=verdict-database]:visible").click()
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    keep(page, f"phone-{width}")
    assert faults == []


OTHER_COLOURS: list[dict[str, Any]] = [{"color_scheme": "dark"}, {"forced_colors": "active"}]
STYLES = """['bad', 'ok', 'doubt', 'idle', 'near'].map((tone) =>
    getComputedStyle(document.querySelector('#answer mark.' + tone)).textDecorationStyle)"""


def test_other_colours_keep_every_status_apart(
    open_page: Open, keep: Keep, faults: list[str], dana: User, oak: HallucinationReview
) -> None:
    page = opened(open_page("dana"), oak)
    for colours in OTHER_COLOURS:
        window(page, **colours)
        assert page.evaluate(STYLES) == ["wavy", "solid", "dashed", "dotted", "double"], colours
        keep(page, "review-" + next(iter(colours.values())))
    assert faults == []


def test_a_viewer_reads_and_is_told_so(open_page: Open, faults: list[str], oak: HallucinationReview) -> None:
    person("vera", "viewer")
    page = open_page("vera", "/queue/")
    page.get_by_test_id("open-review").click()
    expect(page.get_by_test_id("read-only-bar")).to_contain_text("your role may look, not judge")
    expect(page.locator("[data-testid^=verdict-]")).to_have_count(0)
    page.keyboard.press("j")
    selected(page, 3)
    assert faults == []
