"""Two people, two windows, one review: leases, conflicts, and what a reader sees change (F02, E3, E4)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from detection.models import DetectionRun
from reviews.models import ClaimVerdict, HallucinationReview, Lease, ReviewPass
from tests.e2e.conftest import Open
from tests.e2e.reviewing import opened, selected, state_of
from tests.reviews import answers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.browser,
    pytest.mark.requirement("APP-03"),
    pytest.mark.django_db(transaction=True),
]
Keep = Callable[[Page, str], None]


def end_lease(review: HallucinationReview) -> None:
    """The holder's time runs out."""
    Lease.objects.filter(review=review).update(expires_at=timezone.now() - timedelta(seconds=1))


def test_who_was_overtaken_is_told_by_whom_and_loses_nothing(
    open_page: Open, keep: Keep, dana: User, erez: User, oak: HallucinationReview
) -> None:
    late = opened(open_page("erez"), oak)
    late.keyboard.press("x")
    late.locator("[data-testid=note]:visible").fill("typed with care")
    end_lease(oak)
    quick = opened(open_page("dana"), oak)
    quick.keyboard.press("a")
    state_of(quick, 2).to_have_attribute("data-state", "supported")
    late.locator("[data-testid=verdict-rejected]:visible").click()
    panel = late.locator("#conflict[role=alert]")
    expect(panel).to_contain_text("Dana Levi gave a verdict on claim 2: Supported.")
    expect(panel).to_contain_text("Dana Levi holds this review now")
    expect(panel.get_by_test_id("typed")).to_contain_text("typed with care")
    expect(late.locator("[data-testid=note]:visible")).to_have_value("typed with care")
    expect(panel.get_by_test_id("apply-mine")).to_have_count(0)
    expect(late.get_by_test_id("saved")).to_have_attribute("data-state", "refused")
    keep(late, "conflict")
    assert ClaimVerdict.objects.get().verdict == "supported"
    panel.get_by_test_id("reload-theirs").click()
    expect(late.get_by_test_id("held-by")).to_have_text("Dana Levi is reviewing this")
    expect(late.locator("[data-testid^=verdict-]")).to_have_count(0)


def test_mine_goes_on_top_of_another_window_but_not_over_a_colleague(
    open_page: Open, dana: User, erez: User, oak: HallucinationReview
) -> None:
    page = opened(open_page("dana"), oak)
    other = opened(open_page("dana"), oak)
    page.keyboard.press("a")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    other.keyboard.press("3")
    other.keyboard.press("x")
    other.locator("[data-testid=note]:visible").fill("the growth is 5.2 %")
    other.locator("[data-testid=verdict-rejected]:visible").click()
    other.get_by_test_id("apply-mine").click()
    state_of(other, 3).to_have_attribute("data-state", "rejected")
    state_of(other, 2).to_have_attribute("data-state", "supported")
    assert ClaimVerdict.objects.get(claim__index=2).note == "the growth is 5.2 %"
    Lease.release(oak, dana)
    oak.refresh_from_db()
    Lease.take(oak, erez)
    ReviewPass.decide(oak, erez, oak.version, oak.run.claims.get(index=5), "cannot_tell")
    Lease.release(oak, erez)
    other.keyboard.press("6")
    other.keyboard.press("n")
    panel = other.locator("#conflict[role=alert]")
    expect(panel).to_contain_text("Erez Cohen gave a verdict on claim 6: Cannot tell.")
    expect(panel.get_by_test_id("apply-mine")).to_have_count(0)


def test_a_lease_that_ran_out_is_taken_again_by_the_next_verdict(
    open_page: Open, dana: User, oak: HallucinationReview
) -> None:
    page = open_page("dana")
    page.clock.install()
    opened(page, oak)
    page.clock.fast_forward(8 * 60_000 + 5_000)
    expect(page.locator("#live")).to_contain_text("Two minutes left")
    expect(page.get_by_test_id("lease")).to_have_attribute("data-ending", "true")
    page = opened(open_page("dana"), oak)
    Lease.expire(timezone.now() + timedelta(hours=1))
    assert not Lease.objects.exists()
    page.keyboard.press("a")
    state_of(page, 2).to_have_attribute("data-state", "supported")
    expect(page.locator("#live")).to_contain_text("you hold this review again")
    assert Lease.objects.get().user == dana


def test_who_lost_a_review_reads_along_with_the_own_draft_at_hand(
    open_page: Open, dana: User, erez: User, oak: HallucinationReview
) -> None:
    page = opened(open_page("dana"), oak)
    page.keyboard.press("d")
    state_of(page, 2).to_have_attribute("data-state", "corrected")
    end_lease(oak)
    Lease.take(HallucinationReview.objects.get(pk=oak.pk), erez)
    page.reload()
    expect(page.get_by_test_id("held-by")).to_have_text("Erez Cohen is reviewing this")
    page.get_by_test_id("draft").click()
    expect(page.locator(".drafts")).to_contain_text("$1,234,567.89")


def test_a_reader_sees_within_one_poll_who_did_what(
    open_page: Open, keep: Keep, dana: User, erez: User, oak: HallucinationReview
) -> None:
    Lease.take(oak, dana)
    page = open_page("erez")
    page.clock.install()
    page.goto(f"/reviews/{oak.pk}/")
    expect(page.get_by_test_id("held-by")).to_have_text("Dana Levi is reviewing this")
    with page.expect_response(lambda response: "/state/" in response.url) as quiet:
        page.clock.fast_forward(16_000)
    assert quiet.value.status == 204
    expect(page.get_by_test_id("changed")).to_have_count(0)
    for claim in oak.to_decide():
        oak.refresh_from_db()
        ReviewPass.decide(oak, dana, oak.version, claim, "supported")
    oak.resolve(dana, oak.version, final_confidence=0.9)
    page.clock.fast_forward(16_000)
    changed = page.get_by_test_id("changed")
    expect(changed).to_contain_text("Dana Levi resolved this review: Approved.")
    keep(page, "changed")
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.fast_forward(60_000)
    assert [url for url in asked if "/state/" in url] == []
    page.keyboard.press("r")
    expect(page.get_by_test_id("outcome")).to_contain_text("Resolved: approved by Dana Levi")
    selected(page, 1)
    page.keyboard.press("j")
    selected(page, 2)


def test_a_check_run_again_is_awaited_offered_and_used(
    open_page: Open, keep: Keep, dana: User, transactional_db: None
) -> None:
    written = answers.Written("NOI was $5.00.")
    written.claim("$5.00", "currency", "unverified", "timeout", flagged=True, reason="Time ran out.")
    review = written.store()
    page = open_page("dana")
    page.clock.install()
    opened(page, review)
    page.keyboard.press("Shift+KeyR")
    expect(page.get_by_test_id("checking")).to_be_visible()
    run = DetectionRun.objects.get(purpose="rescreen")
    claim = review.run.claims.get()
    claim.pk, claim.run = None, run
    claim.save()
    finished = {"finished_at": timezone.now(), "result": review.run.result, "risk_level": "high"}
    DetectionRun.objects.filter(pk=run.pk).update(**finished)
    page.clock.fast_forward(3_000)
    expect(page.get_by_test_id("newer-run")).to_contain_text("A newer check of this answer has finished.")
    keep(page, "newer-run")
    page.get_by_test_id("adopt").click()
    expect(page.get_by_test_id("newer-run")).to_have_count(0)
    review.refresh_from_db()
    assert review.run == run
