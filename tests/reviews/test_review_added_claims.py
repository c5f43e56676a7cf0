"""What the detectors did not ask about: a claim they missed (F26), and the rest looked at all the same (V)."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from detection.models import Answer, Claim
from detection.observing import totals
from detection.runs import claim_rows
from reviews.models import (
    ClaimVerdict,
    Conflict,
    HallucinationReview,
    KeyReused,
    Lease,
    NotAllowed,
    ReviewPass,
    undo_step,
)
from tests.conftest import NOI, OCCUPANCY, QUARTER, TEXT

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


def _add(
    review: HallucinationReview, user: User, quote: str, kind: str = "number", **more: str
) -> ClaimVerdict:
    given = {"verdict": "rejected", **more}
    return ReviewPass.add_claim(review, user, review.version, quote=quote, kind=kind, **given)


@pytest.mark.requirement("APP-03")
def test_a_missed_claim_comes_with_its_verdict(review: HallucinationReview, reviewer: User) -> None:
    saved = _add(review, reviewer, "[S0]", "number", reason_code="citation_wrong_source", note="another one")
    claim = saved.claim
    assert (claim.run, claim.index, claim.origin, claim.kind) == (review.run, 3, "reviewer", "number")
    assert TEXT[claim.start : claim.end] == claim.text == "[S0]"
    assert (claim.status, claim.flagged, claim.sentence) == ("", False, 0)
    assert (saved.verdict, saved.reason_code, saved.note) == (
        "rejected",
        "citation_wrong_source",
        "another one",
    )
    assert saved.decided_at is not None
    assert (review.version, review.holder) == (2, reviewer)
    event = review.events.get(action="claim_added")
    assert (event.actor, event.after["claim"], event.after["text"]) == (reviewer, 3, "[S0]")
    assert (event.after["start"], event.after["verdict"]) == (claim.start, "rejected")


def test_it_is_anchored_in_code_points_after_an_emoji_and_in_its_sentence(
    make_review: MakeReview, make_answer: Callable[..., Answer], reviewer: User
) -> None:
    text = "📈 NOI rose. 🏢\r\nOccupancy was 85.5% then, and 85.5% later."
    review = make_review(make_answer(text), flagged={"NOI rose": True})
    saved = ReviewPass.add_claim(review,
        reviewer, 1, quote="85.5%", prefix="later? and ", suffix=" later", kind="percentage",
        verdict="corrected", corrected_value="83.5%",
    )  # fmt: skip
    claim = saved.claim
    assert text[claim.start : claim.end] == "85.5%"
    assert claim.start == text.rindex("85.5%")
    assert claim.sentence == 2 or text[: claim.start].count("🏢") == 1
    assert review.corrected_text() == text[: claim.start] + "83.5%" + text[claim.end :]


def test_a_number_belongs_to_the_statement_around_it(
    make_review: MakeReview, make_answer: Callable[..., Answer], reviewer: User
) -> None:
    review = make_review(make_answer("NOI was 5 and 6 [S0]."), flagged={"NOI was 5 and 6 [S0].": True})
    Claim.objects.update(citations=["S0"])
    number, whole = _add(review, reviewer, "6").claim, _add(review, reviewer, "NOI was 5", "statement").claim
    assert (number.statement, number.citations, number.index) == (0, ["S0"], 1)
    assert (whole.statement, whole.index) == (None, 2)


def test_its_verdict_counts_in_the_outcome_and_it_is_nobodys_duty(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    _add(review, reviewer, "[S0]")
    ReviewPass.decide(review, reviewer, 2, review.run.claims.get(text=NOI), "supported")
    ReviewPass.decide(review, reviewer, 3, review.run.claims.get(text=OCCUPANCY), "supported")
    assert review.undecided(reviewer) == []
    mine = review.current_pass()
    assert mine
    assert mine.outcome() == "rejected"
    assert review.proposed_confidence() == 0.9
    assert [claim.text for claim in review.undecided(colleague)] == [NOI, OCCUPANCY]
    Review.objects.update(selection_reason="audit_random")
    review.refresh_from_db()
    assert [claim.text for claim in review.to_decide()] == [NOI, OCCUPANCY, QUARTER]
    ReviewPass.decide(review, reviewer, 4, review.run.claims.get(text=QUARTER), "supported")
    review.resolve(reviewer, 5, final_confidence=0.2)
    assert review.events.get(action="resolved").after["verdicts"]["3"] == "rejected"


def test_a_colleague_neither_sees_nor_decides_what_i_added_in_my_draft(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    mine = _add(review, reviewer, "[S0]").claim
    Lease.release(review, reviewer)
    Lease.take(review, colleague)
    assert mine in review.claims_in(review.pass_of(reviewer))
    assert mine not in review.claims_in(review.pass_of(colleague))
    assert mine not in review.claims_in(None)
    with pytest.raises(ValidationError, match="not in this review"):
        ReviewPass.decide(review, colleague, 2, mine, "supported")
    theirs = _add(review, colleague, "[S0]").claim
    assert (theirs.index, theirs.start) == (4, mine.start)


def test_its_own_reviewer_changes_the_verdict_on_it(review: HallucinationReview, reviewer: User) -> None:
    claim = _add(review, reviewer, "[S0]").claim
    ReviewPass.decide(review, reviewer, 2, claim, "not_a_claim")
    assert ClaimVerdict.objects.get().verdict == "not_a_claim"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"quote": "DSCR"}, "quote"),
        ({"quote": ""}, "quote"),
        ({"quote": "<script>alert(1)</script>"}, "quote"),
        ({"quote": "was"}, "quote"),
        ({"quote": NOI, "kind": "currency"}, "quote"),
        ({"kind": "rumour"}, "kind"),
        ({"verdict": "fine"}, "verdict"),
        ({"verdict": "corrected"}, "corrected_value"),
        ({"reason_code": "other"}, "note"),
    ],
)
def test_what_is_wrong_with_it_is_named_and_nothing_is_stored(
    review: HallucinationReview, reviewer: User, given: dict[str, str], field: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        _add(review, reviewer, **{"quote": "[S0]", **given})
    assert field in refused.value.message_dict
    assert (review.run.claims.count(), ClaimVerdict.objects.count()) == (3, 0)
    review.refresh_from_db()
    assert (review.version, review.state) == (1, "open")


def test_who_may_not_decide_may_not_add(
    review: HallucinationReview, reviewer: User, colleague: User, viewer: User
) -> None:
    Lease.take(review, colleague)
    with pytest.raises(Conflict):
        _add(review, reviewer, "[S0]")
    with pytest.raises(NotAllowed):
        _add(review, viewer, "[S0]")
    with pytest.raises(Conflict):
        ReviewPass.add_claim(review, colleague, 9, quote="[S0]", kind="number", verdict="rejected")
    assert review.run.claims.count() == 3


def test_the_same_key_adds_one_claim(review: HallucinationReview, reviewer: User) -> None:
    first = _add(review, reviewer, "[S0]", idempotency_key="k")
    assert ReviewPass.add_claim(review,
        reviewer, 1, quote="[S0]", kind="number", verdict="rejected", idempotency_key="k"
    ) == first  # fmt: skip
    assert review.run.claims.count() == 4
    with pytest.raises(KeyReused):
        _add(review, reviewer, "NOI", idempotency_key="k")


def test_the_run_stays_as_it_was_delivered(review: HallucinationReview, reviewer: User) -> None:
    counted, result = totals.totals(), dict(review.run.result or {})
    _add(review, reviewer, "[S0]")
    review.run.refresh_from_db()
    assert review.run.result == result
    assert totals.totals() == counted
    assert review.run.claims.filter(origin="detector").count() == 3
    Claim.objects.filter(origin="detector").delete()
    assert claim_rows.claims_of(review.run) == ()


def test_the_database_knows_that_no_detector_judged_it(review: HallucinationReview, reviewer: User) -> None:
    claim = _add(review, reviewer, "[S0]").claim
    for change in ({"flagged": True}, {"status": "supported"}, {"finding": "exact"}, {"origin": "oracle"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Claim.objects.filter(pk=claim.pk).update(**change)


def test_examining_the_rest_marks_what_nobody_asked_about(
    review: HallucinationReview, reviewer: User
) -> None:
    assert ReviewPass.examine_rest(review, reviewer, 1) == 1
    given = ClaimVerdict.objects.get()
    assert (given.claim.text, given.verdict, given.examined) == (QUARTER, "supported", True)
    assert given.decided_at is not None
    assert [claim.text for claim in review.undecided(reviewer)] == [NOI, OCCUPANCY]
    event = review.events.get(action="rest_examined")
    assert (event.after["claims"], event.after["verdict"], event.before) == (
        [2],
        "supported",
        {"suggested": []},
    )
    assert review.version == 2


def test_it_leaves_alone_what_has_a_verdict_and_is_nothing_the_second_time(
    review: HallucinationReview, reviewer: User
) -> None:
    ReviewPass.decide(review, reviewer, 1, review.run.claims.get(text=QUARTER), "rejected")
    assert ReviewPass.examine_rest(review, reviewer, 2) == 0
    assert ClaimVerdict.objects.get().verdict == "rejected"
    assert (review.version, review.events.filter(action="rest_examined").count()) == (2, 0)


def test_a_suggestion_of_support_is_confirmed_and_another_one_waits(
    make_review: MakeReview, reviewer: User
) -> None:
    review = make_review(flagged={NOI: False, OCCUPANCY: False, QUARTER: True})
    mine = Lease.take(review, reviewer)
    older = ReviewPass.objects.create(review=review, reviewer=reviewer, pass_no=1, state="withdrawn")
    for text, verdict in ((NOI, "supported"), (OCCUPANCY, "rejected")):
        claim = review.run.claims.get(text=text)
        source = ClaimVerdict.objects.create(
            review_pass=older, claim=claim, verdict=verdict, decided_at=timezone.now()
        )
        ClaimVerdict.objects.create(
            review_pass=mine, claim=claim, verdict=verdict, carried_from=source, examined=False
        )
    assert ReviewPass.examine_rest(review, reviewer, 1) == 1
    assert mine.decided().get().claim.text == NOI
    assert mine.suggestions().get().claim.text == OCCUPANCY
    undo_step(review, reviewer)
    assert mine.suggestions().count() == 2


def test_in_a_blind_review_every_claim_needs_a_verdict_of_its_own(
    review: HallucinationReview, reviewer: User
) -> None:
    Review.objects.update(selection_reason="audit_random")
    review.refresh_from_db()
    with pytest.raises(NotAllowed, match="blind"):
        ReviewPass.examine_rest(review, reviewer, 1)
    assert not ClaimVerdict.objects.exists()


def test_examining_is_guarded_like_a_verdict(
    review: HallucinationReview, reviewer: User, colleague: User, viewer: User
) -> None:
    Lease.take(review, colleague)
    for user, version, error in ((reviewer, 1, Conflict), (colleague, 2, Conflict), (viewer, 1, NotAllowed)):
        with pytest.raises(error):
            ReviewPass.examine_rest(review, user, version)
    assert ReviewPass.examine_rest(review, colleague, 1, idempotency_key="k") == 1
    assert ReviewPass.examine_rest(review, colleague, 1, idempotency_key="k") == 1
