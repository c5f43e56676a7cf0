"""The ways out of a review and back, in a real browser: next, skip, snooze, hand over, undo (F04, F07, F08, F11)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from reviews.models import ClaimVerdict, HallucinationReview, Lease, ReviewEvent, Skip
from tests.e2e.conftest import Open
from tests.e2e.reviewing import opened, selected, state_of, with_flagged

pytestmark = [
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]


def at(page: Page, review: HallucinationReview) -> None:
    """The page of ``review`` is open, its first undecided claim selected and focused."""
    page.wait_for_url(f"**/reviews/{review.pk}/**")
    expect(page.get_by_test_id("review-number")).to_have_text(f"#{review.pk}")
    selected(page, 1)
    expect(page.locator("#claims li[data-n='1'] a")).to_be_focused()


def test_resolving_opens_the_next_that_is_free_and_undo_brings_it_back(
    open_page: Open, keep: Keep, dana: User, erez: User
) -> None:
    first, held, third = (with_flagged([value]) for value in ("1,000.10", "2,000.20", "3,000.30"))
    Lease.take(held, erez)
    page = opened(open_page("dana"), first)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("undecided")).to_contain_text("1 claim undecided: 1 $1,000.10")
    expect(page.get_by_test_id("undecided").locator("a")).to_be_focused()
    # Until the page has settled a key is taken for one of before the refusal.
    expect(page.locator(".htmx-settling")).to_have_count(0)
    page.keyboard.press("a")
    state_of(page, 1).to_have_attribute("data-state", "supported")
    page.keyboard.press("Control+Enter")
    at(page, third)
    toast = page.get_by_test_id("toast")
    expect(toast).to_contain_text("The review is resolved.")
    expect(toast.locator("[data-countdown]")).to_contain_text("s")
    expect(page.locator("#live")).to_contain_text("The review is resolved.")
    keep(page, "toast")
    page.keyboard.press("u")
    page.wait_for_url(f"**/reviews/{first.pk}/**")
    state_of(page, 1).to_have_attribute("data-state", "supported")
    first.refresh_from_db()
    assert (first.state, first.outcome, ClaimVerdict.objects.get().verdict) == ("in_review", "", "supported")
    actions = list(ReviewEvent.objects.filter(subject=first).order_by("seq").values_list("action", flat=True))
    assert actions == ["opened", "taken", "decided", "resolved", "undone"]
    page.keyboard.press("Control+Z")
    state_of(page, 1).to_have_attribute("data-state", "undecided")
    expect(page.locator("#live")).to_contain_text("Undone: the verdict on claim 1")
    assert not ClaimVerdict.objects.exists()


def test_a_toast_stays_while_it_has_the_focus_and_goes_when_its_time_is_over(
    open_page: Open, dana: User
) -> None:
    review = with_flagged(["1,000.10"])
    page = open_page("dana")
    page.clock.install()
    opened(page, review)
    page.keyboard.press("a")
    state_of(page, 1).to_have_attribute("data-state", "supported")
    page.keyboard.press("Control+Shift+Enter")
    expect(page.get_by_test_id("outcome")).to_contain_text("Resolved: approved by Dana Levi")
    page.get_by_test_id("undo-toast").focus()
    page.clock.fast_forward(20_000)
    expect(page.get_by_test_id("toast")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.clock.fast_forward(2_000)
    expect(page.get_by_test_id("toast")).to_have_count(0)


def test_skip_takes_one_letter_and_leaves_the_review_to_the_others(
    open_page: Open, keep: Keep, dana: User, erez: User
) -> None:
    first, second = (with_flagged([value]) for value in ("1,000.10", "2,000.20"))
    page = opened(open_page("dana"), first)
    page.keyboard.press("s")
    expect(page.get_by_test_id("skip-unclear")).to_be_visible()
    keep(page, "skip")
    page.keyboard.press("u")
    at(page, second)
    skipped = Skip.objects.get()
    assert (skipped.review, skipped.user, skipped.reason) == (first, dana, "unclear")
    first.refresh_from_db()
    assert (first.state, first.version) == ("open", 1)
    page.get_by_test_id("undo-toast").click()
    page.wait_for_url(f"**/reviews/{first.pk}/**")
    assert not Skip.objects.exists()
    opened(open_page("erez"), second)


def test_a_snoozed_review_leaves_and_comes_back_with_a_chip(open_page: Open, keep: Keep, dana: User) -> None:
    first, second = (with_flagged([value]) for value in ("1,000.10", "2,000.20"))
    page = opened(open_page("dana"), first)
    page.keyboard.press("z")
    page.keyboard.press("e")
    keep(page, "snooze")
    page.keyboard.press("t")
    at(page, second)
    first.refresh_from_db()
    assert (first.state, first.awaits_evidence_since is not None) == ("snoozed", True)
    page.goto(f"/reviews/{first.pk}/")
    expect(page.get_by_test_id("read-only-bar")).to_contain_text("Snoozed")
    expect(page.get_by_test_id("wake")).to_be_visible()
    HallucinationReview.wake_due(timezone.now() + timedelta(days=2))
    opened(page, first)
    expect(page.get_by_test_id("returned")).to_have_text("back from snooze")


def test_assigning_to_oneself_takes_two_keys_and_to_another_hands_it_over(
    open_page: Open, keep: Keep, dana: User, erez: User
) -> None:
    first, second = (with_flagged([value]) for value in ("1,000.10", "2,000.20"))
    page = opened(open_page("dana"), first)
    page.keyboard.press("i")
    page.keyboard.press("i")
    expect(page.get_by_test_id("assignee")).to_have_text("for Dana Levi")
    expect(page.get_by_test_id("lease")).to_have_attribute("data-state", "mine")
    page.keyboard.press("i")
    page.get_by_label("Note for them (optional)").fill("you know this property")
    keep(page, "assign")
    page.get_by_test_id("assign-person").filter(has_text="Erez Cohen").click()
    at(page, second)
    first.refresh_from_db()
    assert first.assignee == erez
    event = ReviewEvent.objects.filter(subject=first, action="assigned").order_by("seq").last()
    assert event is not None
    assert event.reason == "you know this property"
    page.goto(f"/reviews/{first.pk}/")
    expect(page.get_by_test_id("read-only-bar")).to_contain_text("Assigned to Erez Cohen")


def test_the_ways_out_work_without_scripts(open_page: Open, dana: User, erez: User) -> None:
    first, second, third = (with_flagged([value]) for value in ("1,000.10", "2,000.20", "3,000.30"))
    page = open_page("dana", "/queue/", java_script_enabled=False)
    page.get_by_test_id("start").click()
    page.get_by_test_id("open-skip").click()
    page.get_by_test_id("skip-later").click()
    page.wait_for_url(f"**/reviews/{second.pk}/**")
    page.get_by_test_id("undo-toast").click()
    page.wait_for_url(f"**/reviews/{first.pk}/**")
    page.get_by_test_id("open-snooze").click()
    page.get_by_test_id("snooze-day").fill(str((timezone.now() + timedelta(days=3)).date()))
    page.get_by_role("button", name="Snooze until that day").click()
    page.wait_for_url(f"**/reviews/{second.pk}/**")
    page.get_by_test_id("open-assign").click()
    page.get_by_test_id("assign-person").filter(has_text="Erez Cohen").click()
    page.wait_for_url(f"**/reviews/{third.pk}/**")
    page.get_by_test_id("quote").fill("Item 0")
    page.get_by_test_id("add-claim").click()
    state_of(page, 2).to_have_attribute("data-state", "rejected")
    page.get_by_test_id("undo").click()
    expect(page.locator("#claims li")).to_have_count(1)
