"""The page of the limits of doubt in a browser: learnt ones are accepted by keyboard; every theme, width and direction."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from detection.models import ThresholdProfile
from reviews.models import Preferences
from tests.api_calls import Caller, portfolio
from tests.detection.test_degraded import verified_by
from tests.detection.verifier_stub import serving
from tests.e2e import axe
from tests.e2e.conftest import Open, window
from tests.reviews.answers import person
from tests.reviews.doubted_answers import answer, taught

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Keep = Callable[[Page, str], None]


def test_learnt_limits_are_read_anywhere_and_accepted_by_keyboard(
    open_page: Open, keep: Keep, settings: Any
) -> None:
    settings.HALLU_AUDIT_BASE = settings.HALLU_AUDIT_BOUNDARY = settings.HALLU_AUDIT_NEW = 1.0
    avi = person("avi", "admin", full="Avi Mor")
    portfolio()
    with serving(answer) as stub, verified_by(stub.url):
        taught(Caller("submit", "read"), avi)
    wrong: list[str] = []

    def look(page: Page, mode: str, width: int, **colours: Any) -> None:
        window(page, width=width, **colours)
        expect(page.get_by_test_id("limits").get_by_role("listitem")).to_have_count(1)
        keep(page, f"limits-{mode}-{width}")
        wrong.extend(axe.wrong(page, f"{mode}-{width}"))

    page = open_page("avi", "/tuning/limits/")
    look(page, "light", 1440)
    look(page, "dark", 390, color_scheme="dark")
    look(page, "forced", 1024, forced_colors="active")
    Preferences.keep(avi, language="he")
    look(open_page("avi", "/tuning/limits/", locale="he"), "hebrew", 320)
    assert wrong == []

    page.get_by_label("Note").fill("what the verdicts say")
    page.get_by_label("Note").press("Enter")
    page.wait_for_url("**/tuning/versions/2/")
    drafted = ThresholdProfile.objects.get(version=2)
    assert (drafted.state, drafted.note) == ("draft", "what the verdicts say")
    assert list(drafted.values["base"]["doubt_limits"].values()) == [0.6]


def test_without_answers_it_says_what_holds(open_page: Open) -> None:
    person("sara", "senior")
    page = open_page("sara", "/tuning/limits/")
    expect(page.get_by_test_id("empty")).to_contain_text("one half for verifiers of which nothing is known")
    assert axe.wrong(page, "the page") == []
