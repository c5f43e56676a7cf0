"""The threshold workbench in a real browser: the slider asks nobody, keys step, every theme and width."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from benchmarks.labelled_claims import build
from detection.models import ThresholdProfile
from tests.e2e import axe
from tests.e2e.conftest import window
from tests.reviews.answers import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def _answers(transactional_db: None) -> None:
    person("avi", "admin", full="Avi Mor")
    person("sara", "senior")
    build(200, 5)


def opened(open_page: Open, name: str = "avi", query: str = "", **options: Any) -> Page:
    page = open_page(name, **options)
    page.goto(f"/tuning/{query}")
    return page


def asked_of(page: Page) -> list[str]:
    """The addresses that the page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def test_the_slider_changes_the_card_and_asks_for_the_list_alone(open_page: Open) -> None:
    page = opened(open_page)
    expect(page.locator("#chart canvas")).to_be_visible()
    asked = asked_of(page)
    before = page.get_by_test_id("load").inner_text()
    slider = page.locator("#slide")
    slider.focus()
    texts = {page.get_by_test_id("more").inner_text()}
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
        texts.add(page.get_by_test_id("more").inner_text())
    assert len(texts) > 2
    assert page.get_by_test_id("load").inner_text() != before
    listed = page.get_by_test_id("changing")
    expect(listed.first).to_be_visible()
    assert {urlsplit(url).path for url in asked} - {"/static/hallu.svg"} == {"/tuning/changes/"}
    value = page.get_by_test_id("value").input_value()
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query).get("value") == [value])  # once it rests


def test_a_step_is_told_before_anything_is_asked(open_page: Open) -> None:
    page = opened(open_page)
    page.locator("#slide").focus()
    said = page.evaluate(
        """() => { let asked = 0;
        const slide = document.querySelector("#slide"), load = document.querySelector("[data-slot=load]");
        new PerformanceObserver((list) => { asked += list.getEntries().length; }).observe({ type: "resource" });
        const before = load.textContent;
        slide.value = Number(slide.max);
        slide.dispatchEvent(new Event("input", { bubbles: true }));
        return [before !== load.textContent, asked]; }"""
    )
    assert said == [True, 0]


def test_arrows_step_by_one_and_page_keys_by_ten(open_page: Open) -> None:
    page = opened(open_page, query="?value=2")
    slider = page.locator("#slide")
    at = int(slider.input_value())
    slider.focus()
    for key, by in (("ArrowRight", 1), ("ArrowUp", 1), ("PageUp", 10), ("PageDown", -10), ("ArrowDown", -1)):
        page.keyboard.press(key)
        at += by
        assert int(slider.input_value()) == at
    assert slider.get_attribute("aria-valuetext") == page.get_by_test_id("value").input_value()


def test_a_list_that_cannot_be_fetched_is_no_error_of_the_script(open_page: Open) -> None:
    page = opened(open_page)
    page.route("**/changes/**", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_test_id("value").fill("3")
    page.get_by_test_id("value").fill("4")
    expect(page.locator("[data-slot=change]")).to_have_text("5 → 4")


def test_a_number_typed_moves_the_slider(open_page: Open) -> None:
    page = opened(open_page)
    page.get_by_test_id("value").fill("3")
    expect(page.locator("[data-slot=change]")).to_have_text("5 → 3")
    assert page.locator("#slide").input_value() != "0"


def test_without_a_script_the_form_shows_the_same_figures(open_page: Open) -> None:
    with_script = opened(open_page)
    with_script.get_by_test_id("value").fill("3")
    expect(with_script.locator("[data-slot=change]")).to_have_text("5 → 3")
    told = with_script.get_by_test_id("card").locator("dl").first.inner_text()
    page = opened(open_page, java_script_enabled=False)
    page.get_by_test_id("value").fill("3")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**value=3**")
    assert page.get_by_test_id("card").locator("dl").first.inner_text() == told
    assert page.get_by_test_id("changing").count() > 0
    assert not page.locator("#slide").is_visible()


def test_the_moved_value_is_what_is_saved(open_page: Open) -> None:
    page = opened(open_page)
    page.get_by_test_id("value").fill("3")
    page.get_by_label("Note").fill("tighter")
    page.get_by_test_id("save-draft").click()
    page.wait_for_url("**/tuning/versions/**")
    made = ThresholdProfile.objects.get(state="draft")
    assert made.values["base"] == {"exact_numbers": False, "currency_tolerance": 3.0}


def test_a_senior_sees_no_buttons_that_change(open_page: Open) -> None:
    page = opened(open_page, "sara")
    expect(page.get_by_test_id("card")).to_be_visible()
    for name in ("save-draft", "start-shadow", "activate", "more-audits"):
        assert page.get_by_test_id(name).count() == 0


def test_the_chart_has_a_name_and_a_table_beside_it(open_page: Open) -> None:
    page = opened(open_page, query="?value=3")
    assert "currency tolerance" in (
        page.get_by_role("img", name="Precision, recall").get_attribute("aria-label") or ""
    )
    page.get_by_text("The curve as a table").click()
    row = page.locator("#points tr[aria-current]")
    assert row.locator("th").inner_text() == "3"
    page.locator("#slide").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#points tr[aria-current] th").inner_text() != "3"


WINDOWS: list[dict[str, Any]] = [
    {},
    {"color_scheme": "dark"},
    {"width": 390, "height": 844},
    {"width": 320},
    {"width": 1000},
]


def test_it_fits_every_window(open_page: Open, keep: Callable[[Page, str], None]) -> None:
    page, wrong = open_page("avi"), []
    for options in WINDOWS:
        window(page, **options)
        page.goto("/tuning/?value=3")
        expect(page.locator("#chart canvas")).to_be_visible()
        name = "tuning-" + "-".join(map(str, options.values() or ["light"]))
        wrong += axe.wrong(page, name, axe.COLOURS if options else axe.ALL)
        keep(page, name)
    assert wrong == []


def test_from_right_to_left_the_chart_and_the_slider_stay(
    open_page: Open, keep: Callable[[Page, str], None]
) -> None:
    page = opened(open_page, locale="he-IL", extra_http_headers={"Accept-Language": "he"})
    expect(page.locator("#chart canvas")).to_be_visible()
    assert page.evaluate("document.documentElement.dir") == "rtl"
    slider = page.locator("#slide")
    at = int(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert int(slider.input_value()) == at + 1
    widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]
    keep(page, "tuning-rtl")


def test_a_suggestion_is_looked_at_before_it_is_saved(open_page: Open) -> None:
    page = opened(open_page)
    versions = ThresholdProfile.objects.count()
    page.get_by_test_id("suggest").click()
    expect(page.get_by_test_id("suggested")).to_be_visible()
    assert ThresholdProfile.objects.count() == versions
    save = page.get_by_test_id("save-suggested")
    if save.count():
        save.click()
        page.wait_for_url("**/tuning/versions/**")
        assert ThresholdProfile.objects.filter(state="draft").count() == 1
