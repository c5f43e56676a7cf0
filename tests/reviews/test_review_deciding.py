"""Verdicts on claims: saved at once, guarded by version, repeated safely."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from detection.models import Claim
from reviews.models import (
    ClaimVerdict,
    Conflict,
    HallucinationReview,
    IdempotencyRecord,
    KeyReused,
    Lease,
    NotAllowed,
    ReviewPass,
)
from tests.conftest import NOI, OCCUPANCY, QUARTER

pytestmark = pytest.mark.django_db
Review = HallucinationReview


@pytest.fixture
def noi(review: HallucinationReview) -> Claim:
    """The first flagged claim."""
    return review.run.claims.get(text=NOI)


@pytest.mark.requirement("APP-03")
def test_a_verdict_is_saved_at_once_with_all_it_says(
    review: HallucinationReview, noi: Claim, reviewer: User
) -> None:
    Lease.take(review, reviewer)
    saved = ReviewPass.decide(
        review,
        reviewer,
        1,
        noi,
        "corrected",
        reason_code="wrong_value",
        corrected_value="$1,234,567.89",
        note="rent roll, page 4",
    )
    stored = ClaimVerdict.objects.get(review_pass__review=review)
    assert stored == saved
    assert (stored.verdict, stored.reason_code, stored.note) == (
        "corrected",
        "wrong_value",
        "rent roll, page 4",
    )
    assert (stored.corrected_value, stored.examined, stored.detector_visible) == ("$1,234,567.89", True, True)
    assert stored.decided_at is not None
    assert review.version == 2
    event = review.events.get(action="decided")
    assert (event.before, event.after["claim"], event.after["verdict"]) == ({}, 0, "corrected")


def test_deciding_takes_the_review_when_nobody_has_it(
    review: HallucinationReview, noi: Claim, reviewer: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported")
    assert (review.state, review.holder) == ("in_review", reviewer)


def test_a_changed_verdict_leaves_two_events_and_one_row(
    review: HallucinationReview, noi: Claim, reviewer: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported")
    ReviewPass.decide(review, reviewer, 2, noi, "rejected", reason_code="wrong_period")
    assert ClaimVerdict.objects.get().verdict == "rejected"
    first, second = review.events.filter(action="decided").order_by("seq")
    assert second.before["verdict"] == first.after["verdict"] == "supported"
    assert (second.after["verdict"], second.after["reason_code"]) == ("rejected", "wrong_period")


def test_a_stale_version_writes_nothing_and_names_who_was_first(
    review: HallucinationReview, noi: Claim, reviewer: User, colleague: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported")
    Lease.release(review, reviewer)
    with pytest.raises(Conflict, match="released") as refused:
        ReviewPass.decide(review, colleague, 1, noi, "rejected")
    assert refused.value.who == "dana"
    assert refused.value.when is not None
    assert ClaimVerdict.objects.get().verdict == "supported"
    assert review.events.filter(action="decided").count() == 1
    assert not ReviewPass.objects.filter(reviewer=colleague).exists()


def test_a_version_of_the_future_is_stale_too(
    review: HallucinationReview, noi: Claim, reviewer: User
) -> None:
    with pytest.raises(Conflict):
        ReviewPass.decide(review, reviewer, 2, noi, "supported")


def test_drafts_of_two_people_stand_side_by_side(
    review: HallucinationReview, noi: Claim, reviewer: User, colleague: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported")
    Lease.release(review, reviewer)
    ReviewPass.decide(review, colleague, 2, noi, "rejected")
    assert {v.review_pass.reviewer: v.verdict for v in ClaimVerdict.objects.all()} == {
        reviewer: "supported",
        colleague: "rejected",
    }
    assert [claim.text for claim in review.undecided(reviewer)] == [OCCUPANCY]


@pytest.mark.parametrize(
    ("verdict", "more", "field"),
    [
        ("fine", {}, "verdict"),
        ("", {}, "verdict"),
        ("corrected", {}, "corrected_value"),
        ("corrected", {"corrected_value": "  "}, "corrected_value"),
        ("rejected", {"reason_code": "because"}, "reason_code"),
        ("rejected", {"reason_code": "other"}, "note"),
    ],
)
def test_what_a_verdict_lacks_is_named(
    review: HallucinationReview, noi: Claim, reviewer: User, verdict: str, more: dict[str, str], field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        ReviewPass.decide(review, reviewer, 1, noi, verdict, **more)
    assert field in refused.value.message_dict
    review.refresh_from_db()
    assert (review.version, review.state) == (1, "open")
    assert not ClaimVerdict.objects.exists()


def test_a_claim_of_another_run_is_refused(
    review: HallucinationReview, make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    foreign = make_review().run.claims.get(text=NOI)
    with pytest.raises(ValidationError, match="not in this review"):
        ReviewPass.decide(review, reviewer, 1, foreign, "supported")


def test_viewers_decide_nothing(review: HallucinationReview, noi: Claim, viewer: User) -> None:
    with pytest.raises(NotAllowed):
        ReviewPass.decide(review, viewer, 1, noi, "supported")


def test_the_same_key_answers_the_same_and_writes_once(
    review: HallucinationReview, noi: Claim, reviewer: User
) -> None:
    first = ReviewPass.decide(review, reviewer, 1, noi, "supported", idempotency_key="k1")
    again = ReviewPass.decide(review, reviewer, 1, noi, "supported", idempotency_key="k1")
    assert again == first
    assert review.version == 2
    assert review.events.filter(action="decided").count() == 1
    assert IdempotencyRecord.objects.get().response == {"verdict": first.pk, "version": 2}


def test_a_key_with_another_body_is_refused(review: HallucinationReview, noi: Claim, reviewer: User) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported", idempotency_key="k1")
    with pytest.raises(KeyReused, match="k1"):
        ReviewPass.decide(review, reviewer, 2, noi, "rejected", idempotency_key="k1")
    assert ClaimVerdict.objects.get().verdict == "supported"


def test_keys_of_two_people_do_not_meet(
    review: HallucinationReview, noi: Claim, reviewer: User, colleague: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported", idempotency_key="k1")
    Lease.release(review, reviewer)
    ReviewPass.decide(review, colleague, 2, noi, "rejected", idempotency_key="k1")
    assert ClaimVerdict.objects.count() == 2


def test_a_refused_verdict_leaves_its_key_unused(
    review: HallucinationReview, noi: Claim, reviewer: User
) -> None:
    with pytest.raises(Conflict):
        ReviewPass.decide(review, reviewer, 9, noi, "supported", idempotency_key="k1")
    ReviewPass.decide(review, reviewer, 1, noi, "supported", idempotency_key="k1")
    assert ClaimVerdict.objects.count() == 1


def test_flagged_claims_await_a_verdict_and_others_do_not(
    review: HallucinationReview, reviewer: User
) -> None:
    assert [claim.text for claim in review.undecided()] == [NOI, OCCUPANCY]
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(text=OCCUPANCY), "cannot_tell")
    assert [claim.text for claim in review.undecided()] == [NOI]
    ReviewPass.decide(review, reviewer, 2, review.run.claims.get(text=QUARTER), "supported")
    assert [claim.text for claim in review.undecided()] == [NOI]


def test_an_audit_awaits_a_verdict_on_every_claim(review: HallucinationReview) -> None:
    Review.objects.filter(pk=review.pk).update(selection_reason="audit_random")
    review.refresh_from_db()
    assert len(review.undecided()) == 3


@pytest.mark.postgres
def test_a_carried_verdict_decides_nothing(review: HallucinationReview, noi: Claim, reviewer: User) -> None:
    older = ReviewPass.decide(review, reviewer, 1, noi, "supported")
    newer = ReviewPass.objects.create(review=review, reviewer=reviewer, pass_no=2, state="withdrawn")
    ClaimVerdict.objects.create(review_pass=newer, claim=noi, verdict="supported", carried_from=older)
    assert newer.decided().count() == 0
    with pytest.raises(IntegrityError), transaction.atomic():
        ClaimVerdict.objects.filter(pk=older.pk).update(decided_at=None)


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (ClaimVerdict, {"verdict": "fine"}),
        (ClaimVerdict, {"verdict": "corrected", "corrected_value": ""}),
        (ReviewPass, {"state": "lost"}),
        (ReviewPass, {"state": "submitted", "submitted_at": None}),
        (ReviewPass, {"pass_no": 0}),
    ],
)
def test_the_database_refuses_impossible_passes_and_verdicts(
    review: HallucinationReview, noi: Claim, reviewer: User, model: Any, changes: dict[str, Any]
) -> None:
    ReviewPass.decide(review, reviewer, 1, noi, "supported")
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.update(**changes)


@pytest.mark.postgres
def test_the_database_holds_one_pass_per_person_and_one_verdict_per_claim(
    review: HallucinationReview, noi: Claim, reviewer: User, colleague: User
) -> None:
    saved = ReviewPass.decide(review, reviewer, 1, noi, "supported")
    now = timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        ReviewPass.objects.create(review=review, reviewer=reviewer, pass_no=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        ClaimVerdict.objects.create(
            review_pass=saved.review_pass, claim=noi, verdict="rejected", decided_at=now
        )
    for person in (reviewer, colleague):
        ReviewPass.objects.get_or_create(review=review, reviewer=person, defaults={"pass_no": 1})
    with pytest.raises(IntegrityError), transaction.atomic():
        ReviewPass.objects.update(state="submitted", submitted_at=now)


@pytest.mark.postgres
def test_an_idempotency_record_has_exactly_one_caller(reviewer: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        IdempotencyRecord.objects.create(key="k", body_hash="h")
    IdempotencyRecord.objects.create(key="k", body_hash="h", user=reviewer)
    with pytest.raises(IntegrityError), transaction.atomic():
        IdempotencyRecord.objects.create(key="k", body_hash="h", user=reviewer)
