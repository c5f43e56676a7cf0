"""Every page and state in the light, in the dark and from right to left: at two widths, axe, reflow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import F
from playwright.sync_api import Page, expect

from detection import traces
from detection.models import Trace
from reviews.models import HallucinationReview, Lease, Preferences
from tests.e2e import axe
from tests.e2e.conftest import SIDEWAYS, Open
from tests.reviews import answers
from tests.reviews.answers import person
from tests.reviews.test_facts_pages import rejected, remembered

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]
MODES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "hebrew": {"color_scheme": "light", "locale": "he"},
}
RULES = {"light": axe.ALL, "dark": axe.COLOURS, "hebrew": axe.WORDS}
WIDE, NARROW = 1440, 390
HEIGHT = 860
REFLOW = """() => [...document.querySelectorAll("body *")].filter((it) => {
    const box = it.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 1 || box.left < -1) && getComputedStyle(it).position !== "absolute"
        && !it.closest(".unseen, .skip, .tables, .text, [data-testid=answer]")
}).slice(0, 3).map((it) => it.outerHTML.slice(0, 140))"""
SPACED = """p, li, dd, td, th, a, button, label, h1, h2, h3, summary, input, select {
    line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"""
RESPACE = """(rules) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet]; }"""


@dataclass
class Tour:
    """One walk in one mode: looks at every state in both widths and remembers what is wrong with it."""

    mode: str
    keep: Keep
    wrong: list[str]

    def look(self, page: Page, name: str) -> None:
        """Judge the page at the widest and at the narrowest."""
        for width in (NARROW, WIDE):
            page.set_viewport_size({"width": width, "height": HEIGHT})
            self.keep(page, f"{name}-{self.mode}-{width}")
            self.judge(page, f"{name} at {width}")

    def judge(self, page: Page, where: str) -> None:
        """What axe finds, what sticks out of the window, what is too small to hit."""
        self.wrong += [f"{where}: {finding}" for finding in axe.grave(page, RULES[self.mode])]
        self.wrong += [f"{where}: small {control}" for control in axe.small_targets(page)]
        scrolled = page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        if scrolled:
            self.wrong += [f"{where}: sticks out {element}" for element in page.evaluate(REFLOW) or ["?"]]


@pytest.fixture(params=MODES)
def tour(request: pytest.FixtureRequest, keep: Keep, transactional_db: None) -> Iterator[Tour]:
    """A walk through all states in one mode, by people who speak its language."""
    for name, role in (("dana", "reviewer"), ("erez", "reviewer"), ("sofia", "senior"), ("vera", "viewer")):
        user = person(name, role, full=f"{name.title()} Levi")
        Preferences.keep(user, language="he" if request.param == "hebrew" else "en")
    walk = Tour(request.param, keep, [])
    yield walk
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.fixture
def oak(tour: Tour) -> HallucinationReview:
    """The review of Oak Plaza: claims 2, 3 and 6 to decide."""
    return answers.oak_plaza()


@pytest.fixture
def trace(tour: Tour) -> Trace:
    """A trace with a premise, a step that cites nothing that exists, and a conclusion."""
    steps: list[str | dict[str, Any]] = [
        {"text": "The tenant of unit 11 renewed its lease.", "citations": ["S0"]},
        {"text": "The roof garden was opened by the mayor in spring.", "citations": ["S99"]},
        {"text": "The roof garden opened by the mayor blooms in spring."},
    ]
    context = [{"id": "S0", "text": "The tenant of unit 11 renewed its lease. " * 8}]
    said = "The tenant of unit 11 renewed its lease."
    return traces.audit(traces.trace_of(steps, context=context, question="Who renewed?", answer=said))


def test_the_pages_around_the_review(
    open_page: Open, tour: Tour, oak: HallucinationReview, trace: Trace
) -> None:
    answers.hebrew()
    answers.chinese()
    fact = remembered()
    rejected()
    nobody = open_page(**MODES[tour.mode])
    nobody.goto("/login/")
    tour.look(nobody, "login")
    page = open_page("sofia", "/queue/", **MODES[tour.mode])
    tour.look(page, "queue")
    page.goto("/queue/?q=nothing+of+the+kind")
    tour.look(page, "queue-none-match")
    for name, path in {
        "my-work": "/",
        "answers": "/answers/",
        "answer": f"/answers/{oak.answer_id}/",
        "history": f"/reviews/{oak.pk}/history/",
        "facts": "/facts/",
        "facts-rejected": "/facts/rejected/",
        "fact": f"/facts/{fact.pk}/",
        "traces": "/traces/",
        "trace": f"/traces/{trace.pk}/",
        "monitoring": "/monitoring/",
        "audit": "/audit/",
        "preferences": "/me/",
        "acting": "/me/acting/",
        "password": "/me/password/",
        "help": "/help/",
        "not-found": "/nothing/",
    }.items():
        page.goto(path)
        tour.look(page, name)
    page.goto("/me/")
    page.locator("[name=supported]").select_option("KeyX")
    page.get_by_test_id("save-keys").click()
    expect(page.get_by_test_id("key-errors")).to_be_visible()
    tour.look(page, "preferences-refused")


def test_the_states_of_a_review(open_page: Open, tour: Tour, oak: HallucinationReview) -> None:
    page = open_page("dana", **MODES[tour.mode])
    page.goto(f"/reviews/{oak.pk}/")
    expect(page.get_by_test_id("resolve")).to_be_visible()
    tour.look(page, "review")
    page.keyboard.press("Shift+Slash")
    expect(page.locator("#keys")).to_be_visible()
    tour.look(page, "review-keys")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator(".row[open]:visible")).to_have_count(1)
    tour.look(page, "review-reject")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("undecided")).to_be_visible()
    tour.look(page, "review-undecided")
    HallucinationReview.objects.filter(pk=oak.pk).update(version=F("version") + 1)
    page.keyboard.press("2")
    page.keyboard.press("a")
    expect(page.get_by_test_id("conflict")).to_be_visible()
    tour.look(page, "review-conflict")
    page.reload()
    for key, n in (("2", 2), ("d", 2), ("3", 3), ("q", 3), ("6", 6), ("n", 6)):
        page.keyboard.press(key)
        if not key.isdigit():
            expect(page.locator(f"#claims li[data-n='{n}']")).not_to_have_attribute("data-state", "undecided")
    tour.look(page, "review-decided")
    Session.objects.all().delete()
    page.keyboard.press("a")
    expect(page.locator("#signin")).to_be_visible()
    tour.look(page, "review-session-ended")


def test_what_others_see_of_a_review(open_page: Open, tour: Tour, oak: HallucinationReview) -> None:
    Lease.take(oak, User.objects.get(username="erez"))
    page = open_page("dana", **MODES[tour.mode])
    page.goto(f"/reviews/{oak.pk}/")
    tour.look(page, "review-held")
    page.goto("/queue/")
    tour.look(page, "queue-all-held")
    for made in (answers.hebrew(), answers.chinese(), answers.off_period()):
        page.goto(f"/reviews/{made.pk}/")
        expect(page.get_by_test_id("resolve")).to_be_visible()
        tour.look(page, f"review-{made.answer.language}-{made.run.claims.count()}")
    viewer = open_page("vera", **MODES[tour.mode])
    viewer.goto(f"/reviews/{oak.pk}/")
    tour.look(viewer, "review-read-only")


def test_a_page_without_anything_to_do(open_page: Open, tour: Tour) -> None:
    page = open_page("dana", "/queue/", **MODES[tour.mode])
    tour.look(page, "queue-empty")


def test_320_pixels_and_wider_letters_lose_nothing(open_page: Open, transactional_db: None) -> None:
    review = answers.oak_plaza()
    person("dana", "reviewer")
    wide: list[Any] = []

    def look(page: Page, path: str) -> None:
        page.goto(path)
        for spaced in (False, True):
            if spaced:
                page.evaluate(RESPACE, SPACED)
            wide.extend([(path, spaced, page.evaluate(REFLOW))] if page.evaluate(SIDEWAYS) > 0 else [])

    look(open_page(width=320, height=640), "/login/")
    page = open_page("dana", width=320, height=640)
    for path in ("/queue/", f"/reviews/{review.pk}/", "/me/", "/help/", "/answers/"):
        look(page, path)
    assert wide == []


def test_the_pages_of_libraries_keep_the_policy_too(open_page: Open, transactional_db: None) -> None:
    page = open_page()
    page.goto("/api/v1/docs/")
    expect(page.locator(".swagger-ui .info .title")).to_contain_text("Hallu API")
    person("avi", "admin", full="Avi Peretz")
    User.objects.filter(username="avi").update(is_staff=True, is_superuser=True)
    administration = open_page("avi", "/admin/detection/answer/")
    expect(administration.locator("#content")).to_be_visible()
