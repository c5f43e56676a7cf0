"""T6: what a resolution needs, what it stores, and what it proposes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from detection.models import Answer
from reviews.models import (
    Conflict,
    HallucinationReview,
    Lease,
    NotAllowed,
    ReviewEvent,
    ReviewPass,
    Undecided,
)
from tests.conftest import NOI, OCCUPANCY, TEXT

pytestmark = pytest.mark.django_db
Review = HallucinationReview


def _decide(review: HallucinationReview, user: User, **verdicts: str) -> None:
    """``noi="corrected:$1"``: verdicts on NOI and occupancy, a corrected value after the colon."""
    for name, given in verdicts.items():
        verdict, _, value = given.partition(":")
        claim = review.run.claims.get(text={"noi": NOI, "occupancy": OCCUPANCY}[name])
        ReviewPass.decide(review, user, review.version, claim, verdict, corrected_value=value)


@pytest.mark.requirement("APP-03")
def test_resolving_stores_confidence_text_and_outcome(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, noi="corrected:$1,234,567.89", occupancy="supported")
    review.resolve(reviewer, review.version, final_confidence=0.55)
    corrected = TEXT.replace(NOI, "$1,234,567.89")
    assert (review.state, review.outcome, review.corrected_answer) == ("resolved", "corrected", corrected)
    assert (review.original_confidence, review.automatic_confidence, review.final_confidence) == (
        0.9,
        0.7,
        0.55,
    )
    assert (review.resolved_by, review.version) == (reviewer, 4)
    assert review.resolved_at is not None
    assert not Lease.objects.exists()
    done = review.passes.get()
    assert (done.state, done.submitted_at) == ("submitted", review.resolved_at)


def test_the_resolution_is_in_the_history(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, noi="rejected", occupancy="supported")
    review.resolve(reviewer, review.version, final_confidence=0.4, reason="checked")
    event = review.events.get(action="resolved")
    assert (event.actor, event.reason, event.profile) == (reviewer, "checked", review.profile)
    assert event.after["verdicts"] == {"0": "rejected", "1": "supported"}
    assert (event.after["outcome"], event.after["final_confidence"]) == ("rejected", 0.4)
    assert ReviewEvent.broken_at(review) is None


def test_undecided_claims_are_named_and_nothing_is_written(
    review: HallucinationReview, reviewer: User
) -> None:
    _decide(review, reviewer, noi="supported")
    with pytest.raises(Undecided, match=r"1 claim undecided: 2 “85\.5%”") as refused:
        review.resolve(reviewer, review.version, final_confidence=0.9)
    assert [claim.text for claim in refused.value.claims] == [OCCUPANCY]
    review.refresh_from_db()
    assert (review.state, review.version) == ("in_review", 2)
    assert not review.events.filter(action="resolved").exists()


def test_the_verdicts_of_another_do_not_decide_for_me(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    _decide(review, reviewer, noi="supported", occupancy="supported")
    Lease.release(review, reviewer)
    Lease.take(review, colleague)
    with pytest.raises(Undecided, match="2 claims"):
        review.resolve(colleague, review.version, final_confidence=0.9)


def test_without_flagged_claims_a_review_resolves_at_once(
    make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    review = make_review(flagged={NOI: False})
    review.resolve(reviewer, 1, final_confidence=0.9)
    assert (review.state, review.outcome, review.corrected_answer) == ("resolved", "approved", "")


@pytest.mark.parametrize(
    ("noi", "occupancy", "outcome"),
    [
        ("supported", "supported", "approved"),
        ("supported", "not_a_claim", "approved"),
        ("corrected:$5", "rejected", "corrected"),
        ("corrected:$5", "cannot_tell", "corrected"),
        ("rejected", "supported", "rejected"),
        ("rejected", "cannot_tell", "rejected"),
        ("cannot_tell", "cannot_tell", "no_decision"),
        ("cannot_tell", "supported", "no_decision"),
    ],
)
def test_the_outcome_follows_from_the_verdicts(
    review: HallucinationReview, reviewer: User, noi: str, occupancy: str, outcome: str
) -> None:
    _decide(review, reviewer, noi=noi, occupancy=occupancy)
    mine = review.current_pass()
    assert mine
    assert mine.outcome() == outcome
    review.resolve(reviewer, review.version, final_confidence=0.5)
    assert review.outcome == outcome


def test_an_edited_answer_is_a_correction(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, noi="rejected", occupancy="supported")
    review.resolve(reviewer, review.version, final_confidence=0.5, corrected_answer="Occupancy was 85.5%.")
    assert (review.outcome, review.corrected_answer) == ("corrected", "Occupancy was 85.5%.")


def test_an_unchanged_answer_is_no_correction(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, noi="supported", occupancy="supported")
    review.resolve(reviewer, review.version, final_confidence=0.5, corrected_answer=TEXT)
    assert (review.outcome, review.corrected_answer) == ("approved", "")


def test_another_outcome_needs_a_reason(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, noi="rejected", occupancy="supported")
    with pytest.raises(ValidationError) as refused:
        review.resolve(reviewer, review.version, final_confidence=0.5, outcome="approved")
    assert "reason" in refused.value.message_dict
    review.resolve(
        reviewer, review.version, final_confidence=0.5, outcome="approved", reason="Rounded in the lease."
    )
    assert review.outcome == "approved"
    assert review.events.get(action="resolved").after["derived_outcome"] == "rejected"


@pytest.mark.parametrize("wrong", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_confidence_outside_0_and_1_is_refused(
    review: HallucinationReview, reviewer: User, wrong: float
) -> None:
    _decide(review, reviewer, noi="supported", occupancy="supported")
    with pytest.raises(ValidationError) as refused:
        review.resolve(reviewer, review.version, final_confidence=wrong)
    assert "final_confidence" in refused.value.message_dict


@pytest.mark.parametrize("confidence", [0.0, -0.0, 1.0, 1, 1e-20, None])
def test_every_confidence_within_keeps_the_chain_whole(
    review: HallucinationReview, reviewer: User, confidence: float | None
) -> None:
    _decide(review, reviewer, noi="supported", occupancy="supported")
    review.resolve(reviewer, review.version, final_confidence=confidence)
    assert review.final_confidence == confidence
    assert ReviewEvent.broken_at(review) is None


def test_an_unknown_outcome_is_refused(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, noi="supported", occupancy="supported")
    with pytest.raises(ValidationError, match="approved, corrected, rejected, no_decision"):
        review.resolve(reviewer, review.version, final_confidence=0.5, outcome="great", reason="why not")


def test_a_stale_version_a_holder_and_a_viewer_are_refused(
    review: HallucinationReview, reviewer: User, colleague: User, viewer: User
) -> None:
    _decide(review, reviewer, noi="supported", occupancy="supported")
    with pytest.raises(Conflict, match="decided"):
        review.resolve(reviewer, 1, final_confidence=0.5)
    with pytest.raises(Conflict, match="dana is reviewing"):
        review.resolve(colleague, review.version, final_confidence=0.5)
    with pytest.raises(NotAllowed):
        review.resolve(viewer, review.version, final_confidence=0.5)
    assert Review.objects.get().state == "in_review"


def test_resolving_twice_is_a_conflict_and_with_the_same_key_a_repetition(
    make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    review = make_review(flagged={})
    arguments: dict[str, Any] = {"final_confidence": 0.5, "idempotency_key": "k"}
    review.resolve(reviewer, 1, **arguments)
    assert review.resolve(reviewer, 1, **arguments).version == 2
    with pytest.raises(Conflict, match="dana resolved this review"):
        review.resolve(reviewer, 2, final_confidence=0.5)
    assert review.events.filter(action="resolved").count() == 1


@pytest.mark.parametrize(
    ("noi", "occupancy", "proposed"),
    [
        ("supported", "supported", 0.9),
        ("supported", "not_a_claim", 0.9),
        ("supported", "rejected", 0.8),
        ("corrected:$5", "supported", 0.8),
        ("rejected", "rejected", 0.7),
        ("cannot_tell", "cannot_tell", 0.7),
    ],
)
def test_false_alarms_give_the_deduction_back(
    review: HallucinationReview, reviewer: User, noi: str, occupancy: str, proposed: float
) -> None:
    assert review.proposed_confidence() == 0.7
    _decide(review, reviewer, noi=noi, occupancy=occupancy)
    assert review.proposed_confidence() == pytest.approx(proposed)


@pytest.mark.parametrize(
    ("original", "automatic", "proposed"), [(None, 0.4, 0.4), (0.8, None, 0.8), (None, None, None)]
)
def test_an_unstated_confidence_is_not_made_up(
    review: HallucinationReview, original: float | None, automatic: float | None, proposed: float | None
) -> None:
    Review.objects.filter(pk=review.pk).update(original_confidence=original, automatic_confidence=automatic)
    review.refresh_from_db()
    assert review.proposed_confidence() == proposed


def test_corrections_replace_claim_spans_only(review: HallucinationReview, reviewer: User) -> None:
    assert review.corrected_text() == TEXT
    _decide(review, reviewer, noi="corrected:$2", occupancy="corrected:90%")
    assert review.corrected_text() == "NOI was $2 [S0] and occupancy was 90% in Q3 2024."


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("😀 NOI was $5 🏢", "$5", "$6"),
        ("ההכנסה הייתה ‎$5‎ ברבעון 3", "$5", "$6"),
        ("净收入为 85.5％。", "85.5％", "90％"),
    ],
)
def test_offsets_are_code_points_in_every_language(
    make_review: Callable[..., HallucinationReview],
    make_answer: Callable[..., Answer],
    reviewer: User,
    text: str,
    old: str,
    new: str,
) -> None:
    review = make_review(make_answer(text), flagged={old: True})
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(), "corrected", corrected_value=new)
    assert review.corrected_text() == text.replace(old, new)


def test_a_corrected_statement_replaces_the_numbers_inside_it(
    make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    review = make_review(flagged={NOI: True, "NOI was $1,612,000": True, OCCUPANCY: True})
    for text, value in ((NOI, "$9"), ("NOI was $1,612,000", "NOI was $7"), (OCCUPANCY, "90%")):
        claim = review.run.claims.get(text=text)
        ReviewPass.decide(review, reviewer, review.version, claim, "corrected", corrected_value=value)
    assert review.corrected_text() == "NOI was $7 [S0] and occupancy was 90% in Q3 2024."
