"""The screens in Hebrew and Chinese: mirrored where the language runs from right to left, and nothing cut off (F39)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from reviews.models import HallucinationReview, Preferences
from tests.e2e.conftest import SIDEWAYS, Open
from tests.reviews import answers
from tests.reviews.answers import person
from tests.reviews.test_facts_pages import remembered
from tests.reviews.test_traces_page import audited

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]
CLIPPED = """() => [...document.querySelectorAll("button, .button, .chip, .tag, .verdict, summary, th, dt, h1, h2, h3, nav a, label")]
    .filter((it) => it.checkVisibility() && it.clientWidth && !it.closest(".unseen, .skip, [dir=auto], [data-testid=answer]"))
    .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 3)
    .map((it) => `${it.outerHTML.slice(0, 120)} ${it.scrollWidth}>${it.clientWidth} ${it.scrollHeight}>${it.clientHeight}`)"""
WIDTHS = (1440, 390)


@pytest.fixture
def oak(transactional_db: None) -> HallucinationReview:
    """The review of Oak Plaza, and beside it one of each other kind of row."""
    oak = answers.oak_plaza()
    answers.hebrew()
    answers.chinese()
    return oak


@pytest.fixture
def sofia(transactional_db: None) -> User:
    """A senior, who sees the most of every page."""
    return person("sofia", "senior", full="Sofia Levi")


def left(of: Locator) -> float:
    """Where a box begins, in pixels from the left."""
    box = of.bounding_box()
    assert box is not None
    return box["x"]


def paths(oak: HallucinationReview) -> dict[str, str]:
    """The pages with the most of their own words."""
    return {
        "my-work": "/",
        "queue": "/queue/",
        "review": f"/reviews/{oak.pk}/",
        "history": f"/reviews/{oak.pk}/history/",
        "answers": "/answers/",
        "answer": f"/answers/{oak.answer_id}/",
        "facts": "/facts/",
        "traces": "/traces/",
        "trace": f"/traces/{audited().pk}/",
        "monitoring": "/monitoring/",
        "preferences": "/me/",
        "acting": "/me/acting/",
        "help": "/help/",
        "audit": "/audit/",
    }


@pytest.mark.parametrize("language", ["he", "zh-hans", "zh-hant"])
def test_no_word_is_cut_off_and_no_page_runs_sideways(
    open_page: Open, keep: Keep, oak: HallucinationReview, sofia: User, language: str
) -> None:
    remembered()
    Preferences.keep(sofia, language=language)
    page = open_page("sofia")
    wrong: list[Any] = []
    for name, path in paths(oak).items():
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 860})
            keep(page, f"language-{language}-{name}-{width}")
            wrong += [(name, width, clipped) for clipped in page.evaluate(CLIPPED)]
            wrong += [(name, width, "sideways")] if page.evaluate(SIDEWAYS) > 0 else []
    assert wrong == []


def test_hebrew_mirrors_the_workspace_and_leaves_the_answer_as_it_is(
    open_page: Open, keep: Keep, oak: HallucinationReview, sofia: User
) -> None:
    page = open_page("sofia")
    page.goto(f"/reviews/{oak.pk}/")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    assert left(page.get_by_test_id("answer")) < left(page.locator("#evidence"))
    Preferences.keep(sofia, language="he")
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("html")).to_have_attribute("lang", "he")
    assert left(page.locator("#evidence")) < left(page.get_by_test_id("answer"))
    assert left(page.locator("header.site nav")) < left(page.locator("header.site .brand"))
    expect(page.get_by_test_id("answer")).to_have_attribute("lang", "en")
    assert (
        page.get_by_test_id("answer").evaluate(
            "it => getComputedStyle(it.querySelector('p') ?? it).direction"
        )
        == "ltr"
    )
    keep(page, "language-he-mirrored")


@pytest.mark.parametrize(
    ("asked", "spoken", "title"), [("he-IL", "he", "כניסה"), ("zh-TW", "zh-hant", "登入")]
)
def test_the_page_to_sign_in_speaks_what_the_browser_asks_for(
    open_page: Open, transactional_db: None, asked: str, spoken: str, title: str
) -> None:
    page = open_page(locale=asked)
    page.goto("/queue/")
    expect(page.locator("html")).to_have_attribute("lang", spoken)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
