"""The lists in a real browser: filters in the address, news that move no row, several rows by key, truthful states."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from reviews.models import HallucinationReview, Lease, ReviewPass, Skip
from tests.e2e import axe
from tests.e2e.conftest import Open
from tests.reviews import answers
from tests.reviews.answers import person

pytestmark = [pytest.mark.browser, pytest.mark.requirement("APP-03"), pytest.mark.django_db(transaction=True)]
Review = HallucinationReview
Keep = Callable[[Page, str], None]


@pytest.fixture
def noam(transactional_db: None) -> User:
    """Another reviewer."""
    return person("noam", "reviewer", full="Noam Bar")


def plain(number: int, risk: str = "high") -> HallucinationReview:
    """A review of a short answer that says its number."""
    written = answers.Written(f"Answer {number} says $5.", question=f"Question {number}?", risk=risk)
    written.claim("$5", "currency", "contradicted", "not_found", numeric=answers.number("5", "6", "USD", ""))
    return written.store()


def rows(page: Page) -> list[int]:
    """The reviews in the list, in their order."""
    return [int(row.get_attribute("data-review-id") or 0) for row in page.get_by_test_id("queue-row").all()]


def look(page: Page) -> None:
    """Ask for news now, as every 15 seconds."""
    page.evaluate("document.querySelector('#news').dispatchEvent(new Event('look'))")


def usable(page: Page) -> None:
    """Nothing grave for weak eyes, a screen reader or a keyboard."""
    assert axe.grave(page, axe.ALL) == []


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def resolve(review: HallucinationReview, user: User) -> None:
    review.refresh_from_db()
    for claim in review.undecided():
        ReviewPass.decide(review, user, review.version, claim, "supported")
    review.resolve(user, review.version, final_confidence=0.9)


def test_filters_travel_in_the_address_and_news_move_no_row(
    open_page: Open, keep: Keep, dana: User, noam: User
) -> None:
    high, low, hebrew = plain(1), plain(2, "low"), answers.hebrew()
    page = open_page("dana", "/queue/")
    page.get_by_test_id("more-filters").click()
    page.get_by_label("Priority").select_option("High")
    expect(page.get_by_test_id("queue-row")).to_have_count(2)
    page.get_by_label("Order").select_option("Newest first")
    page.wait_for_url("**/queue/?risk=high&sort=newest")
    assert rows(page) == [hebrew.pk, high.pk]
    keep(page, "queue-filtered")
    usable(page)
    other = open_page("noam")
    other.goto(page.url)
    assert rows(other) == rows(page)
    added = plain(3)
    look(page)
    expect(page.get_by_test_id("new-rows")).to_contain_text("1 new")
    assert rows(page) == [hebrew.pk, high.pk]
    expect(page.get_by_test_id("view-waiting")).to_contain_text("4")
    expect(page.locator("header nav .count")).to_have_text("4")
    keep(page, "queue-news")
    page.locator("h1").click()
    page.keyboard.press("r")
    expect(page.get_by_test_id("queue-row")).to_have_count(3)
    assert rows(page) == [added.pk, hebrew.pk, high.pk]
    Lease.take(high, noam)
    look(page)
    state = page.locator(f"#standing-{high.pk}")
    expect(state).to_have_text("held by Noam Bar")
    assert rows(page) == [added.pk, hebrew.pk, high.pk]
    page.get_by_test_id("chip").first.click()
    page.wait_for_url("**/queue/?sort=newest")
    assert rows(page) == [added.pk, hebrew.pk, low.pk, high.pk]
    press(page, "/")
    page.keyboard.type("Answer 2")
    expect(page.get_by_test_id("queue-row")).to_have_count(1)
    page.wait_for_url("**/queue/?q=Answer+2&sort=newest")
    page.go_back()
    expect(page.get_by_test_id("queue-row")).to_have_count(4)


def test_a_hidden_page_asks_for_nothing_and_one_without_changes_is_told_so(
    open_page: Open, dana: User
) -> None:
    plain(1)
    page, asked = open_page("dana", "/queue/"), []
    page.on("request", lambda request: asked.append(request.url) if "/live/" in request.url else None)
    with page.expect_response("**/queue/live/**") as told:
        look(page)
    assert (told.value.status, len(asked)) == (204, 1)
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    plain(2)
    look(page)
    page.evaluate(
        "fetch('/healthz').then(() => null)"
    )  # asked later, it is answered: nothing was asked before
    assert len(asked) == 1
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_test_id("new-rows")).to_contain_text("1 new")


def test_a_list_that_cannot_be_asked_says_so_until_it_can(
    open_page: Open, faults: list[str], dana: User
) -> None:
    plain(1)
    page = open_page("dana", "/queue/")
    lost = page.locator("#news [data-lost]")
    page.context.set_offline(True)
    look(page)
    expect(lost).to_be_visible()
    assert {fault.split(",")[0].split(":")[0] for fault in faults} == {"htmx", "Failed to load resource"}
    faults.clear()
    page.context.set_offline(False)
    look(page)
    expect(lost).to_be_hidden()
    expect(page.get_by_test_id("queue-row")).to_have_count(1)


def test_a_slow_list_says_that_it_is_busy_and_can_be_left(open_page: Open, dana: User) -> None:
    plain(1)
    page = open_page("dana")
    page.clock.install()
    held: list[Route] = []
    page.route("**/queue/?*", lambda route: held.append(route))  # before the page: see test_review_saving
    page.goto("/queue/")
    page.get_by_test_id("order").select_option("due")
    busy = page.get_by_test_id("rows")
    page.clock.run_for(400)
    expect(busy).to_have_attribute("aria-busy", "true")
    page.clock.run_for(5_000)
    page.get_by_role("button", name="Cancel").click()
    expect(busy).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_text("still working …")).to_be_hidden()
    expect(page.get_by_test_id("queue-row")).to_have_count(1)
    assert len(held) == 1


def test_several_rows_are_snoozed_and_assigned_by_keys_alone(
    open_page: Open, keep: Keep, dana: User, noam: User
) -> None:
    made = [plain(number) for number in range(1, 6)]
    ids = [review.pk for review in made]
    Lease.take(made[1], noam)
    page = open_page("dana", "/queue/")
    press(page, "j", "Space", "j", "j", "Shift+Space")
    expect(page.get_by_test_id("picked")).to_have_text("Selected: 3")
    page.keyboard.press("z")
    sheet = page.get_by_test_id("several")
    expect(sheet).to_contain_text("Snooze 3 reviews")
    expect(sheet.get_by_test_id("left")).to_contain_text("Noam Bar is reviewing this")
    keep(page, "queue-snooze")
    usable(page)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("done")).to_contain_text("2 reviews snoozed.")
    assert rows(page) == [ids[1], ids[3], ids[4]]
    page.keyboard.press("u")
    expect(page.get_by_test_id("message").first).to_have_text("Undone for 2 reviews.")
    assert rows(page) == ids
    press(page, "j", "i")
    expect(page.get_by_test_id("several")).to_contain_text("Assign 1 review")
    page.keyboard.press("i")
    expect(page.get_by_test_id("done")).to_contain_text("1 review assigned.")
    expect(page.get_by_test_id("assignee").first).to_have_text("you")
    page.keyboard.press("j")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("pick").first).not_to_be_checked()
    press(page, "j", "z")
    expect(page.get_by_test_id("several")).to_contain_text("1 is left as it is:")
    expect(page.get_by_test_id("until-tomorrow")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("several")).not_to_be_visible()
    press(page, "j", "z")
    page.get_by_test_id("until-tomorrow").click()
    expect(page.get_by_test_id("done")).to_contain_text("1 review snoozed.")
    gone = set(ids) - set(rows(page))
    assert len(gone) == 1
    Review.wake_due(timezone.now() + timedelta(days=2))
    page.reload()
    assert rows(page)[0] == gone.pop()
    expect(page.get_by_test_id("returned")).to_have_count(1)
    keep(page, "queue-returned")


def test_each_key_that_is_shown_belongs_to_a_control(open_page: Open, dana: User) -> None:
    for number in range(2):
        plain(number)
    page = open_page("dana")
    unbound = """() => [...document.querySelectorAll('main kbd, header kbd')].filter((k) => k.getClientRects().length)
        .filter((k) => !k.closest('[data-key]')).map((k) => k.textContent)"""
    for path in ("/queue/", "/", "/answers/"):
        page.goto(path)
        assert page.evaluate(unbound) == [], path
    page.goto("/queue/")
    press(page, "j", "j", "o")
    page.wait_for_url("**/reviews/*/**")


def test_why_a_review_is_here_opens_by_key_and_closes(open_page: Open, dana: User) -> None:
    answers.oak_plaza()
    page = open_page("dana", "/queue/")
    page.get_by_test_id("why").focus()
    page.keyboard.press("Enter")
    why = page.get_by_test_id("why-text")
    expect(why).to_be_visible()
    expect(why).to_contain_text("1 × currency: digits swapped")
    usable(page)
    page.keyboard.press("Escape")
    expect(why).to_be_hidden()


def test_an_empty_list_is_never_a_lie(open_page: Open, keep: Keep, dana: User, noam: User) -> None:
    """E11: every state of a list, one after the other, as two people come and go."""
    page = open_page("dana")
    empty, note = page.get_by_test_id("empty"), page.get_by_test_id("nothing-free")

    def is_empty(state: str, text: str) -> None:
        page.goto("/queue/")
        expect(empty).to_have_attribute("data-state", state)
        expect(empty).to_contain_text(text)
        keep(page, f"queue-{state}")

    is_empty("new", "Nothing waiting")
    made = [plain(number) for number in range(1, 5)]
    page.goto("/queue/?language=zh")
    expect(empty).to_contain_text("0 of 4 match")
    empty.get_by_test_id("way").click()
    expect(page.get_by_test_id("queue-row")).to_have_count(4)
    for review in made:
        Lease.take(review, noam)
    page.goto("/queue/")
    expect(note).to_have_attribute("data-state", "held")
    expect(note).to_contain_text("4 reviews are being reviewed by others: Noam Bar (4, until")
    expect(page.get_by_test_id("queue-row")).to_have_count(4)
    keep(page, "queue-held")
    page.keyboard.press("s")
    expect(page.get_by_test_id("message")).to_contain_text("4 reviews are being reviewed by others")
    for review in made:
        Lease.release(review, noam)
        Skip.leave(review, dana, "unclear")
    page.goto("/queue/")
    expect(note).to_have_attribute("data-state", "skipped")
    expect(note).to_contain_text("You passed on 4 reviews.")
    note.get_by_test_id("way").click()
    expect(page.get_by_test_id("message")).to_have_text("4 reviews are back in your queue.")
    expect(note).to_have_count(0)
    for review in made:
        review.refresh_from_db()
        review.assign(noam, review.version, noam)
    page.goto("/queue/")
    expect(note).to_have_attribute("data-state", "assigned")
    expect(note).to_contain_text("4 reviews are assigned to others: Noam Bar (4).")
    for review in made:
        review.refresh_from_db()
        review.snooze(noam, review.version, timezone.now() + timedelta(hours=3))
    is_empty("snoozed", "4 reviews are snoozed and come back by themselves.")
    empty.get_by_test_id("way").click()
    expect(page.get_by_test_id("queue-row")).to_have_count(4)
    for review in made:
        review.refresh_from_db()
        review.wake(noam)
        resolve(review, noam)
    is_empty("done", "by Noam Bar")
    expect(empty).to_contain_text("Resolved today: 4.")
    page.goto("/answers/?risk=low")
    expect(empty).to_contain_text("No answers match")


def test_my_work_starts_with_enter_and_reopens_what_was_settled(
    open_page: Open, keep: Keep, dana: User
) -> None:
    settled, waiting = plain(1), plain(2)
    resolve(settled, dana)
    page = open_page("dana", "/queue/")
    page.get_by_role("link", name="My work").click()
    expect(page.get_by_test_id("today")).to_have_text("Resolved today: 1")
    keep(page, "my-work")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/reviews/{waiting.pk}/**")
    page.goto("/")
    expect(page.get_by_test_id("on-me").get_by_test_id("mark")).to_have_text("held by you")
    page.get_by_test_id("reopen").click()
    usable(page)
    page.get_by_label("Why?").fill("the other quarter was meant")
    page.get_by_role("button", name="Reopen").click()
    page.wait_for_url(f"**/reviews/{settled.pk}/**")
    settled.refresh_from_db()
    assert settled.state in ("open", "in_review")


def test_an_unflagged_answer_is_sent_to_review_by_hand(open_page: Open, keep: Keep, dana: User) -> None:
    written = answers.Written("All is well.", question="How is it?", risk="low")
    review = written.store()
    review.void("withdrawn")
    page = open_page("dana")
    page.goto("/answers/")
    page.get_by_role("link", name="How is it?").click()
    page.get_by_test_id("open-send").click()
    page.get_by_label("Why does it need a review?").fill("too good to be true")
    keep(page, "answer-send")
    usable(page)
    page.get_by_test_id("send").click()
    page.wait_for_url("**/reviews/*/**")
    assert Review.objects.filter(selection_reason="manual", state__in=("open", "in_review")).count() == 1


@pytest.mark.parametrize("width", [320, 390])
def test_the_lists_fit_a_phone(open_page: Open, keep: Keep, dana: User, width: int) -> None:
    answers.oak_plaza()
    answers.hebrew()
    resolve(plain(1), dana)
    page = open_page("dana", width=width, height=844)
    small = """() => [...document.querySelectorAll('main a, main button, main input, main select, main summary')]
        .filter((e) => e.getClientRects().length && e.type !== 'hidden').map((e) => [e, e.getBoundingClientRect()])
        .filter(([e, box]) => (box.height < 24 || box.width < 24) && !e.closest('p, li.none'))
        .map(([e, box]) => `${e.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
    for path in ("/queue/", "/queue/?risk=high&kind=currency", "/", "/answers/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(small) == [], path
    page.goto("/queue/")
    expect(page.get_by_label("Priority")).to_be_hidden()
    page.get_by_test_id("more-filters").click()
    expect(page.get_by_label("Priority")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_test_id("more-filters").click()
    page.get_by_test_id("pick").first.check()
    page.get_by_test_id("snooze").click()
    page.get_by_test_id("until-tomorrow").click()
    expect(page.get_by_test_id("done")).to_contain_text("1 review snoozed.")
    keep(page, f"queue-phone-{width}")


def test_without_scripts_the_lists_do_everything(open_page: Open, dana: User) -> None:
    made = [plain(number) for number in range(1, 4)]
    page = open_page("dana", "/queue/", java_script_enabled=False)
    page.get_by_test_id("more-filters").click()
    page.get_by_label("Priority").select_option("High")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_test_id("queue-row")).to_have_count(3)
    page.get_by_test_id("pick").nth(0).check()
    page.get_by_test_id("pick").nth(2).check()
    page.get_by_test_id("assign").click()
    page.get_by_test_id("assign-me").click()
    expect(page.get_by_test_id("done")).to_contain_text("2 reviews assigned.")
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("message").first).to_have_text("Undone for 2 reviews.")
    page.get_by_test_id("snooze").click()
    expect(page.get_by_test_id("message")).to_have_text("Choose at least one review.")
    assert not Review.objects.exclude(assignee=None).exists()
    assert rows(page) == [review.pk for review in made]


def test_the_list_mirrors_in_hebrew_and_keeps_what_was_written(
    open_page: Open, keep: Keep, dana: User
) -> None:
    answers.hebrew()
    answers.oak_plaza()
    page = open_page("dana", "/queue/", locale="he-IL")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    first, last = (
        page.get_by_test_id("why").first.bounding_box(),
        page.get_by_test_id("row-state").first.bounding_box(),
    )
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]
    directions: list[Any] = [e.get_attribute("dir") for e in page.locator(".excerpt").all()]
    assert sorted(directions) == ["ltr", "rtl"]
    keep(page, "queue-hebrew")
