"""What every page has, in a real browser: the door that opens again in the middle of work, the menu, theme, keys."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from reviews.models import ClaimVerdict, HallucinationReview, Preferences
from tests.e2e.conftest import Open, log_in
from tests.reviews.answers import PASSWORD, person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
HIDDEN = """() => { const it = document.activeElement, box = it.getBoundingClientRect();
    if (it === document.body || !box.width) return "";
    const x = Math.min(innerWidth - 1, box.left + Math.min(box.width, 20) / 2), y = box.top + Math.min(box.height, 20) / 2;
    const there = document.elementFromPoint(x, y);
    return it.contains(there) || there?.contains(it) ? "" : `${it.outerHTML.slice(0, 120)} under ${there?.outerHTML.slice(0, 80)}` }"""
CLIPPED = """() => [...document.querySelectorAll("button, .button, .chip, th, label, summary, h1, h2, .tag, .menu a")].filter(
    (it) => it.scrollWidth > it.clientWidth + 1 && it.clientWidth && getComputedStyle(it).display !== "inline"
        && !it.closest(".unseen")).map((it) => it.outerHTML.slice(0, 140))"""
UNDERLINES = """() => [...document.querySelectorAll("#answer mark.number")].map((mark) =>
    getComputedStyle(mark).textDecorationStyle)"""


def taken(page: Page, review: HallucinationReview) -> Page:
    page.goto(f"/reviews/{review.pk}/")
    expect(page.get_by_test_id("resolve")).to_be_visible()
    return page


def log_in_again(page: Page, name: str, password: str = PASSWORD) -> None:
    dialog = page.locator("#signin")
    expect(dialog.get_by_label("User name")).to_be_focused()
    dialog.get_by_label("User name").fill(name)
    dialog.get_by_label("Password").fill(password)
    dialog.get_by_role("button", name="Log in").click()


def state_of(page: Page, n: int) -> Any:
    return expect(page.locator(f"#claims li[data-n='{n}']"))


def test_what_an_ended_session_interrupted_is_sent_once_after_logging_in_again(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    page = taken(open_page("dana"), oak)
    Session.objects.all().delete()
    page.keyboard.press("a")
    expect(page.locator("#signin")).to_be_visible()
    assert not ClaimVerdict.objects.exists()
    log_in_again(page, "dana", "wrong")
    expect(page.get_by_test_id("login-error")).to_be_visible()
    assert not ClaimVerdict.objects.exists()
    log_in_again(page, "dana")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    expect(page.locator("#signin")).to_be_hidden()
    page.keyboard.press("3")
    page.keyboard.press("n")
    state_of(page, 3).to_have_attribute("data-state", "not_a_claim")
    assert ClaimVerdict.objects.count() == 2


PRESSED_AT_ONCE = """document.addEventListener("htmx:afterSwap", (event) => {
    if (!event.detail.target.matches("#signin-form") || !document.querySelector("[name=password]")) return;
    setTimeout(() => {
        document.querySelector("#signin [name=username]").value = "dana";
        document.querySelector("#signin [name=password]").value = "%s";
        document.querySelector("#signin button").click();
    });
});"""


def test_who_logs_in_again_as_soon_as_the_form_is_there_goes_on(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    page = taken(open_page("dana"), oak)
    page.evaluate(PRESSED_AT_ONCE % PASSWORD)
    Session.objects.all().delete()
    page.keyboard.press("a")
    state_of(page, 2).to_have_attribute("data-state", "supported")


def test_nothing_is_sent_for_another_person_who_logs_in(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    person("vera", "viewer")
    page = taken(open_page("dana"), oak)
    Session.objects.all().delete()
    page.keyboard.press("a")
    log_in_again(page, "vera")
    expect(page.get_by_test_id("resolve")).to_have_count(0)
    expect(page.locator(".who")).to_contain_text("vera")
    assert not ClaimVerdict.objects.exists()


@pytest.mark.parametrize("script", [True, False])
def test_the_way_in_leads_to_the_page_asked_for_on_a_phone(
    open_page: Open, dana: User, oak: HallucinationReview, script: bool
) -> None:
    page = open_page(width=390, height=844, java_script_enabled=script)
    page.goto("/help/#reasons")
    page.get_by_label("User name").fill("dana")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/help/**")
    expect(page.locator(".menu nav")).to_be_hidden()
    page.get_by_role("button", name="Menu").press("Enter")
    page.get_by_role("link", name="Preferences").or_(page.get_by_role("link", name="Dana Levi")).click()
    page.get_by_label("Dark").check()
    page.get_by_test_id("save-looks").click()
    expect(page.get_by_test_id("message")).to_have_text("Saved.")
    assert Preferences.of(User.objects.get(username="dana")).theme == "dark"


def test_a_persons_theme_outranks_the_systems(open_page: Open, dana: User) -> None:
    pages = {system: open_page("dana", color_scheme=system) for system in ("light", "dark")}
    seen = {}
    for theme in ("light", "dark", "system"):
        Preferences.keep(dana, theme=theme)
        for system, page in pages.items():
            page.goto("/help/")
            seen[theme, system] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert seen["light", "dark"] == seen["light", "light"] == seen["system", "light"] == "rgb(246, 247, 249)"
    assert seen["dark", "light"] == seen["dark", "dark"] == seen["system", "dark"] == "rgb(15, 19, 24)"


def test_highlights_differ_without_any_colour_of_ours(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    page = taken(open_page("dana", forced_colors="active"), oak)
    assert page.evaluate(UNDERLINES) == ["wavy", "wavy", "solid", "solid", "double"]


@pytest.mark.parametrize(("width", "height"), [(1280, 620), (390, 844)])
def test_what_has_the_focus_is_never_covered(
    open_page: Open, dana: User, oak: HallucinationReview, width: int, height: int
) -> None:
    page = taken(open_page("dana", width=width, height=height), oak)
    page.evaluate("document.activeElement.blur()")
    for key in ("Tab", "Shift+Tab"):
        for _step in range(45):
            page.keyboard.press(key)
            assert page.evaluate(HIDDEN) == "", key


def test_a_moved_key_acts_and_the_old_one_does_not(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    page = open_page("dana")
    page.goto("/me/")
    page.locator("select[name=supported]").select_option("KeyG")
    page.get_by_test_id("save-keys").click()
    expect(page.get_by_test_id("message")).to_have_text("Saved.")
    taken(page, oak)
    expect(page.locator("[data-testid=verdict-supported]:visible kbd")).to_have_text("G")
    page.keyboard.press("a")
    page.keyboard.press("g")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    page.keyboard.press("Shift+Slash")
    page.get_by_test_id("shortcuts").click()
    expect(page.get_by_test_id("resolve")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("x")
    expect(page.locator(".row[open]")).to_have_count(0)
    assert ClaimVerdict.objects.count() == 1


def test_in_hebrew_everything_changes_sides_and_nothing_is_cut(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    Preferences.keep(dana, language="he")
    page = taken(open_page("dana"), oak)
    evidence, answer = page.locator("#evidence").bounding_box(), page.locator("#answer").bounding_box()
    assert evidence
    assert answer
    assert evidence["x"] + evidence["width"] < answer["x"]
    for path in (f"/reviews/{oak.pk}/", "/", "/queue/", "/me/", "/help/", "/answers/", "/monitoring/"):
        page.goto(path)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 860})
            assert page.evaluate(CLIPPED) == [], (path, width)


def test_a_person_logs_in_out_and_is_locked_out_in_words(open_page: Open, dana: User) -> None:
    page = open_page()
    log_in(page, "dana", PASSWORD)
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login/**")
    for _attempt in range(5):
        page.get_by_label("User name").fill("dana")
        page.get_by_label("Password").fill("no")
        page.get_by_role("button", name="Log in").click()
    expect(page.get_by_test_id("locked-out")).to_contain_text("again by itself after 15 minutes")
