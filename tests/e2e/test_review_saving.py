"""A verdict on its way when something breaks: the network, the session, the patience (F05, F06)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Dialog, Page, Route, expect

from reviews.models import ClaimVerdict, HallucinationReview
from tests.e2e.conftest import Open
from tests.e2e.reviewing import opened, state_of
from tests.reviews import answers
from tests.reviews.answers import PASSWORD, person

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]


@pytest.fixture
def page(open_page: Open, transactional_db: None) -> Page:
    """Dana's page of Oak Plaza: claims 2, 3 and 6 to decide."""
    person("dana", "reviewer", full="Dana Levi")
    return opened(open_page("dana"), answers.oak_plaza())


def saved(page: Page) -> Any:
    """An expectation about the mark that says whether a verdict is saved."""
    return expect(page.get_by_test_id("saved"))


def intercepted(page: Page, handle: Callable[[Route], None]) -> None:
    """Let ``handle`` have every verdict of the page. Chromium may let the requests of a page that is there
    already pass by (microsoft/playwright#41802), so the page is loaded again behind it."""
    page.route("**/verdict/", handle)
    page.reload()
    expect(page.get_by_test_id("resolve")).to_be_visible()
    page.wait_for_load_state()


def test_a_verdict_is_saved_at_once_and_survives_a_reload(page: Page) -> None:
    page.keyboard.press("x")
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    state_of(page, 2).to_have_attribute("data-state", "rejected")
    saved(page).to_have_attribute("data-state", "saved")
    saved(page).to_contain_text("saved ✓")
    page.reload()
    state_of(page, 2).to_have_attribute("data-state", "rejected")
    assert ClaimVerdict.objects.get().reason_code == "wrong_period"


def test_a_verdict_cut_off_by_the_network_keeps_its_value_and_is_saved_once(page: Page, keep: Keep) -> None:
    page.keyboard.press("x")
    note = page.locator("[data-testid=note]:visible")
    note.fill("typed with care")
    page.context.set_offline(True)
    page.locator("[data-testid=verdict-rejected]:visible").click()
    saved(page).to_have_attribute("data-state", "failed")
    saved(page).to_contain_text("not saved")
    expect(note).to_have_value("typed with care")
    expect(page.get_by_test_id("retry")).to_be_focused()
    keep(page, "not-saved")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    with page.expect_event("dialog"):
        page.evaluate("setTimeout(() => { location.href = '/queue/'; })")
    assert asked == ["beforeunload"]
    page.context.set_offline(False)
    page.get_by_test_id("retry").focus()
    page.keyboard.press("Enter")
    state_of(page, 2).to_have_attribute("data-state", "rejected")
    assert ClaimVerdict.objects.get().note == "typed with care"


def test_a_verdict_whose_answer_was_lost_is_not_given_twice(page: Page) -> None:
    sent: list[Route] = []

    def lose_the_first(route: Route) -> None:
        sent.append(route)
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    intercepted(page, lose_the_first)
    page.keyboard.press("a")
    saved(page).to_have_attribute("data-state", "failed")
    review = HallucinationReview.objects.get()
    assert (ClaimVerdict.objects.count(), review.version) == (1, 2)
    page.keyboard.press("Enter")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    review.refresh_from_db()
    assert (ClaimVerdict.objects.count(), review.version) == (1, 2)


def test_a_session_that_ended_is_renewed_in_place_and_the_verdict_goes_out_once(
    page: Page, keep: Keep
) -> None:
    page.keyboard.press("c")
    page.locator("[data-testid=corrected-value]:visible").fill("$1.00")
    Session.objects.all().delete()
    page.keyboard.press("Enter")
    again = page.get_by_test_id("login-again")
    expect(again).to_be_visible()
    keep(page, "session-ended")
    again.get_by_label("User name").fill("dana")
    again.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    assert ClaimVerdict.objects.get().corrected_value == "$1.00"
    page.keyboard.press("a")
    state_of(page, 3).to_have_attribute("data-state", "supported")


def test_a_slow_answer_says_so_and_can_be_given_up(page: Page) -> None:
    page.clock.install()
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    intercepted(page, hold_the_first)
    with page.expect_request("**/verdict/"):  # from here on its clocks run
        page.keyboard.press("a")
    page.clock.fast_forward(400)
    expect(page.locator("#bar")).to_have_attribute("aria-busy", "true")
    page.clock.fast_forward(5_000)
    saved(page).to_contain_text("still working")
    page.locator("#saved [data-cancel]").click()
    saved(page).to_have_attribute("data-state", "failed")
    assert held
    page.get_by_test_id("retry").click()
    state_of(page, 2).to_have_attribute("data-state", "supported")
    assert ClaimVerdict.objects.count() == 1


@pytest.fixture
def on_its_way(page: Page) -> Iterator[Callable[[], None]]:
    """The first verdict stays on its way until this is called; those that follow go through."""
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    intercepted(page, hold_the_first)
    yield lambda: held[0].continue_()
    page.unroute("**/verdict/")


def test_a_sheet_opened_while_a_verdict_is_on_its_way_gets_its_keys(
    page: Page, on_its_way: Callable[[], None]
) -> None:
    with page.expect_request("**/verdict/"):
        page.keyboard.press("a")
    for key in ("x", "p", "Enter", "n"):
        page.keyboard.press(key)
    on_its_way()
    state_of(page, 6).to_have_attribute("data-state", "not_a_claim")
    given = ClaimVerdict.objects.order_by("claim__index").values_list("verdict", "reason_code")
    assert list(given) == [("supported", ""), ("rejected", "wrong_period"), ("not_a_claim", "")]


def test_keys_pressed_while_a_verdict_is_on_its_way_are_not_lost(
    page: Page, on_its_way: Callable[[], None]
) -> None:
    with page.expect_request("**/verdict/"):
        page.keyboard.press("a")
    for key in ("q", "n"):
        page.keyboard.press(key)
    on_its_way()
    state_of(page, 6).to_have_attribute("data-state", "not_a_claim")
    given = ClaimVerdict.objects.order_by("claim__index").values_list("claim__index", "verdict")
    assert list(given) == [(1, "supported"), (2, "cannot_tell"), (5, "not_a_claim")]
