"""T2 and T3: who works on a review, for how long, and what stays when they leave."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from reviews.models import Conflict, HallucinationReview, Lease, NotAllowed, ReviewEvent, ReviewPass
from tests.conftest import NOI

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
Review = HallucinationReview


def _expire(review: HallucinationReview) -> None:
    Lease.objects.filter(review=review).update(expires_at=timezone.now() - timedelta(seconds=1))


def _actions(review: HallucinationReview) -> list[str]:
    return list(ReviewEvent.objects.filter(subject=review).order_by("seq").values_list("action", flat=True))


@pytest.mark.requirement("APP-03")
def test_taking_gives_a_lease_and_a_draft(review: HallucinationReview, reviewer: User) -> None:
    before = timezone.now()
    review_pass = Lease.take(review, reviewer)
    assert (review.state, review.version, review.holder) == ("in_review", 1, reviewer)
    assert (review_pass.pass_no, review_pass.state, review_pass.blind) == (1, "draft", False)
    assert review.lease.pass_no == 1
    assert before + timedelta(seconds=599) < review.lease.expires_at
    assert _actions(review) == ["opened", "taken"]


def test_taking_what_one_holds_extends_it_silently(review: HallucinationReview, reviewer: User) -> None:
    first = Lease.take(review, reviewer)
    token, until = review.lease.token, review.lease.expires_at
    assert Lease.take(review, reviewer) == first
    assert review.lease.token == token
    assert review.lease.expires_at > until
    assert _actions(review) == ["opened", "taken"]


def test_a_held_review_is_refused_with_the_holders_name(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, reviewer)
    with pytest.raises(Conflict, match="dana is reviewing this until") as refused:
        Lease.take(review, colleague)
    assert refused.value.who == "dana"
    assert Lease.objects.get().user == reviewer


def test_an_expired_lease_of_another_is_swept_aside(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, reviewer)
    _expire(review)
    Lease.take(review, colleague)
    assert review.holder == colleague
    assert review.state == "in_review"
    assert _actions(review) == ["opened", "taken", "lease_expired", "taken"]
    assert review.passes.filter(reviewer=reviewer, state="draft").exists()


@pytest.mark.requirement("APP-03")
@pytest.mark.parametrize("roles", [(), ("viewer",), ("admin",)])
def test_who_is_no_reviewer_takes_nothing(
    review: HallucinationReview, make_user: Callable[..., User], roles: tuple[str, ...]
) -> None:
    with pytest.raises(NotAllowed, match="reviewer role"):
        Lease.take(review, make_user("somebody", *roles))
    assert not Lease.objects.exists()


def test_an_assigned_review_is_for_its_assignee_and_for_seniors(
    review: HallucinationReview, reviewer: User, colleague: User, senior: User
) -> None:
    Review.objects.filter(pk=review.pk).update(assignee=colleague)
    with pytest.raises(NotAllowed, match="assigned to somebody else"):
        Lease.take(review, reviewer)
    Lease.take(review, colleague)
    Lease.release(review, colleague)
    assert Lease.take(review, senior).reviewer == senior


def test_a_snoozed_review_says_until_when(review: HallucinationReview, reviewer: User) -> None:
    until = timezone.now() + timedelta(days=1)
    Review.objects.filter(pk=review.pk).update(state="snoozed", snoozed_until=until)
    with pytest.raises(NotAllowed, match=f"Snoozed until {until:%Y-%m-%d}"):
        Lease.take(review, reviewer)


def test_a_resolved_review_names_who_resolved_it(
    make_review: Callable[..., HallucinationReview], reviewer: User, colleague: User
) -> None:
    review = make_review(flagged={})
    review.resolve(reviewer, 1, final_confidence=0.9)
    with pytest.raises(Conflict, match="dana resolved this review") as refused:
        Lease.take(review, colleague)
    assert refused.value.when == review.resolved_at


def test_who_has_judged_does_not_judge_again(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    ReviewPass.objects.create(
        review=review, reviewer=reviewer, pass_no=1, state="submitted", submitted_at=timezone.now()
    )
    Review.objects.filter(pk=review.pk).update(state="second_review")
    with pytest.raises(NotAllowed, match="judged this review already"):
        Lease.take(review, reviewer)
    second = Lease.take(review, colleague)
    assert (second.pass_no, second.blind, review.state) == (2, True, "second_review")
    Lease.release(review, colleague)
    assert review.state == "second_review"


def test_an_audit_is_blind(review: HallucinationReview, reviewer: User) -> None:
    Review.objects.filter(pk=review.pk).update(selection_reason="audit_random")
    assert Lease.take(review, reviewer).blind


def test_releasing_reopens_and_keeps_the_draft(review: HallucinationReview, reviewer: User) -> None:
    Lease.take(review, reviewer)
    claim = review.run.claims.get(text=NOI)
    ReviewPass.decide(review, reviewer, review.version, claim, "supported")
    Lease.release(review, reviewer)
    assert (review.state, review.holder) == ("open", None)
    assert Lease.take(review, reviewer).decided().get().claim == claim
    assert _actions(review) == ["opened", "taken", "decided", "released", "taken"]


def test_releasing_what_nobody_holds_changes_nothing(review: HallucinationReview, reviewer: User) -> None:
    Lease.release(review, reviewer)
    assert _actions(review) == ["opened"]


def test_only_a_senior_with_a_reason_releases_for_another(
    review: HallucinationReview, reviewer: User, colleague: User, senior: User
) -> None:
    Lease.take(review, reviewer)
    with pytest.raises(NotAllowed, match="holder or a senior"):
        Lease.release(review, colleague)
    with pytest.raises(NotAllowed, match="Say why"):
        Lease.release(review, senior)
    Lease.release(review, senior, reason="Dana is on leave.")
    event = review.events.get(action="force_released")
    assert (event.actor, event.reason, event.before) == (senior, "Dana is on leave.", {"holder": reviewer.pk})


def test_a_heartbeat_extends_and_counts_active_time(review: HallucinationReview, reviewer: User) -> None:
    review_pass = Lease.take(review, reviewer)
    ReviewPass.objects.filter(pk=review_pass.pk).update(last_active_at=timezone.now() - timedelta(seconds=40))
    Lease.objects.update(expires_at=timezone.now() + timedelta(seconds=5))
    until = Lease.keep(review, reviewer)
    assert Lease.objects.get().expires_at == until > timezone.now() + timedelta(seconds=500)
    review_pass.refresh_from_db()
    assert 40 <= review_pass.active_seconds <= 60
    assert _actions(review) == ["opened", "taken"]


def test_a_long_pause_is_not_active_time(review: HallucinationReview, reviewer: User) -> None:
    review_pass = Lease.take(review, reviewer)
    ReviewPass.objects.filter(pk=review_pass.pk).update(last_active_at=timezone.now() - timedelta(minutes=9))
    Lease.keep(review, reviewer)
    review_pass.refresh_from_db()
    assert review_pass.active_seconds == 0


def test_a_heartbeat_does_not_undo_a_seniors_release(
    review: HallucinationReview, reviewer: User, senior: User
) -> None:
    Lease.take(review, reviewer)
    Lease.release(review, senior, reason="needed elsewhere")
    with pytest.raises(Conflict, match="sofia ended the hold"):
        Lease.keep(review, reviewer)
    assert not Lease.objects.exists()


def test_the_sweeper_ends_expired_leases_only(
    make_review: Callable[..., HallucinationReview], reviewer: User, colleague: User
) -> None:
    stale, fresh = make_review(), make_review()
    Lease.take(stale, reviewer)
    Lease.take(fresh, colleague)
    _expire(stale)
    assert Lease.expire() == 1
    stale.refresh_from_db()
    fresh.refresh_from_db()
    assert (stale.state, fresh.state) == ("open", "in_review")
    assert _actions(stale)[-1] == "lease_expired"
    assert Lease.expire() == 0


def test_a_verdict_after_expiry_is_accepted_when_nobody_else_holds_it(
    review: HallucinationReview, reviewer: User
) -> None:
    Lease.take(review, reviewer)
    version = review.version
    _expire(review)
    Lease.expire()
    ReviewPass.decide(review, reviewer, version, review.run.claims.get(text=NOI), "supported")
    assert (review.state, review.holder) == ("in_review", reviewer)


def test_a_verdict_after_expiry_is_refused_when_another_holds_it(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, reviewer)
    _expire(review)
    Lease.take(review, colleague)
    with pytest.raises(Conflict, match="erez is reviewing this"):
        ReviewPass.decide(review, reviewer, review.version, review.run.claims.get(text=NOI), "supported")
    assert review.passes.get(reviewer=reviewer).decided().count() == 0


def test_signing_out_gives_back_all_that_i_hold_and_nothing_else(
    make_review: Callable[..., HallucinationReview], reviewer: User, colleague: User
) -> None:
    mine, also_mine, theirs, free = (make_review() for _ in range(4))
    for review, user in ((mine, reviewer), (also_mine, reviewer), (theirs, colleague)):
        Lease.take(review, user)
    ReviewPass.decide(mine, reviewer, 1, mine.run.claims.get(text=NOI), "supported")
    assert Lease.release_all(reviewer) == 2
    assert Lease.objects.get().user == colleague
    for review in (mine, also_mine):
        review.refresh_from_db()
        assert (review.state, review.events.get(action="released").actor) == ("open", reviewer)
    draft = mine.pass_of(reviewer)
    assert draft is not None
    assert draft.decided().count() == 1
    assert not free.events.filter(action="released").exists()
    assert Lease.release_all(reviewer) == 0
