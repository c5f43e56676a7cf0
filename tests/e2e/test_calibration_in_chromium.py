"""The calibration page in a browser: a senior reads it, an administrator fits a map and takes it into use (F22)."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from detection.models import CalibrationMap
from reviews.models import Preferences
from tests.e2e import axe
from tests.e2e.conftest import Open, window
from tests.reviews.answers import person
from tests.reviews.judged_answers import judged_answers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Keep = Callable[[Page, str], None]
BY_LANGUAGE = "/tuning/calibration/?by=language"


def whole(page: Page, keep: Keep, name: str) -> None:
    """A screenshot of the whole page."""
    height = page.evaluate("document.documentElement.scrollHeight")
    size = page.viewport_size or {"width": 1440, "height": 860}
    page.set_viewport_size({"width": size["width"], "height": min(height, 6000)})
    keep(page, name)
    page.set_viewport_size(size)


def test_an_administrator_fits_a_map_by_keyboard_and_takes_it_into_use(open_page: Open, keep: Keep) -> None:
    judged_answers(400)
    person("avi", "admin", full="Avi Peretz")
    page = open_page("avi")
    page.goto("/tuning/calibration/")
    expect(page.get_by_test_id("diagram")).to_have_count(3)
    expect(page.get_by_test_id("sentence").first).to_contain_text("reviewers agree")
    whole(page, keep, "calibration-light-1440")
    found = axe.wrong(page, "the page")

    page.get_by_role("button", name="Fit an isotonic map").press("Enter")
    made = page.get_by_test_id("map")
    expect(made).to_have_count(1)
    expect(made.get_by_test_id("map-state")).to_have_text("Draft")
    made.get_by_text("Before and after").press("Enter")
    expect(made.get_by_test_id("diagram").last).to_be_visible()
    whole(page, keep, "calibration-map-light-1440")
    found += axe.wrong(page, "with a map")
    made.get_by_label("Why").fill("ECE fell on the later days")
    made.get_by_label("Why").press("Enter")
    expect(made.get_by_test_id("map-state")).to_have_text("Active")
    assert CalibrationMap.active("rules") is not None
    made.get_by_label("Why").fill("raw again")
    made.get_by_role("button", name="Deactivate").click()
    expect(made.get_by_test_id("map-state")).to_have_text("Retired")
    assert found == []


def test_it_is_read_in_the_dark_narrow_mirrored_and_without_colours(open_page: Open, keep: Keep) -> None:
    judged_answers(120)
    sara = person("sara", "senior", full="Sara Noy")
    wrong: list[str] = []

    def look(page: Page, mode: str, width: int, **colours: Any) -> None:
        window(page, width=width, **colours)
        whole(page, keep, f"calibration-{mode}-{width}")
        wrong.extend(axe.wrong(page, f"{mode}-{width}"))

    page = open_page("sara", BY_LANGUAGE)
    expect(page.get_by_test_id("diagram")).to_have_count(5)
    look(page, "dark", 1440, color_scheme="dark")
    look(page, "dark", 390, color_scheme="dark")
    look(page, "forced", 1024, forced_colors="active")
    Preferences.keep(sara, language="he")
    mirrored = open_page("sara", BY_LANGUAGE, locale="he")
    expect(mirrored.get_by_test_id("diagram")).to_have_count(5)
    look(mirrored, "hebrew", 390)
    assert wrong == []


def test_before_there_are_labels_it_says_so(open_page: Open, keep: Keep) -> None:
    person("sara", "senior", full="Sara Noy")
    page = open_page("sara")
    page.goto("/tuning/calibration/")
    expect(page.get_by_test_id("empty")).to_contain_text("0 of 200 labels")
    keep(page, "calibration-empty-1440")
    assert axe.wrong(page, "empty") == []
