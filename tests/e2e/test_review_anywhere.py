"""The same review in Hebrew, in Chinese and on a phone: every action by key, by composed text, by tap (E6, E7, F33)."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from reviews.models import ClaimVerdict, Preferences
from tests.e2e.conftest import Open
from tests.e2e.reviewing import opened, press_code, selected, state_of, with_flagged
from tests.reviews import answers

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]


def test_a_hebrew_review_with_the_keys_of_a_hebrew_keyboard(open_page: Open, keep: Keep, dana: User) -> None:
    Preferences.keep(dana, language="he")
    review = answers.hebrew()
    page = opened(open_page("dana"), review)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    keep(page, "review-he")
    press_code(page, "KeyJ", "ח")
    selected(page, 3)
    press_code(page, "KeyX", "ס")
    press_code(page, "KeyP", "פ")
    press_code(page, "Enter", "Enter")
    state_of(page, 3).to_have_attribute("data-state", "rejected")
    press_code(page, "KeyD", "ג")
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    press_code(page, "Enter", "Enter", ctrlKey=True)
    page.wait_for_url("**/queue/**")
    review.refresh_from_db()
    assert (review.state, review.outcome) == ("resolved", "corrected")
    given = dict(ClaimVerdict.objects.values_list("claim__index", "reason_code"))
    assert given == {1: "wrong_value", 2: "wrong_period"}


COMPOSE = """(text) => {
  const field = document.activeElement, fire = (name, init) => field.dispatchEvent(new CompositionEvent(name, { bubbles: true, ...init }));
  fire('compositionstart', { data: '' });
  for (const code of ['KeyA', 'KeyX', 'Enter'])
    field.dispatchEvent(new KeyboardEvent('keydown', { code, key: 'Process', isComposing: true, bubbles: true, cancelable: true }));
  field.value = text;
  fire('compositionend', { data: text });
}"""


def test_a_chinese_review_whose_correction_is_composed(open_page: Open, dana: User) -> None:
    review = answers.chinese()
    page = opened(open_page("dana"), review)
    page.keyboard.press("c")
    expect(
        page.locator("[data-sheet][open] form")
    ).to_be_focused()  # an opened sheet takes the focus, a task later
    page.locator("[data-testid=corrected-value]:visible").focus()
    page.evaluate(COMPOSE, "一百二十三万美元")
    expect(page.locator("[data-testid=corrected-value]:visible")).to_have_value("一百二十三万美元")
    assert not ClaimVerdict.objects.exists()
    page.keyboard.press("Enter")
    state_of(page, 1).to_have_attribute("data-state", "corrected")
    expect(page.get_by_test_id("diff").locator("ins")).to_have_text("一百二十三万美元")


def test_a_whole_review_by_taps_on_a_phone(open_page: Open, keep: Keep, dana: User) -> None:
    oak, following = answers.oak_plaza(), with_flagged(["1,000.10"])
    page = opened(open_page("dana", width=390, height=844, has_touch=True, is_mobile=True), oak)
    small = page.evaluate(
        """[...document.querySelectorAll('#bar :is(button, summary, a)')].filter((b) => b.checkVisibility() && !b.matches('.unseen'))
           .filter((b) => b.getBoundingClientRect().height < 44).map((b) => b.textContent.trim())"""
    )
    assert small == []
    page.locator("[data-testid=verdict-database]:visible").tap()
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    page.locator("[data-testid=open-rejected]:visible").tap()
    page.locator("[data-testid=note]:visible").fill("the growth is 5.2 %")
    keep(page, "phone-reject")
    page.locator("[data-testid=verdict-rejected]:visible").tap()
    state_of(page, 3).to_have_attribute("data-state", "rejected")
    page.locator("[data-testid=verdict-cannot-tell]:visible").tap()
    state_of(page, 6).to_have_attribute("data-state", "cannot_tell")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_test_id("resolve").tap()
    page.wait_for_url(f"**/reviews/{following.pk}/**")
    keep(page, "phone-next")
    page.get_by_test_id("undo-toast").tap()
    page.wait_for_url(f"**/reviews/{oak.pk}/**")
