"""A newer answer or run takes the place of what was judged (F25): what was said is carried as suggestions."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from detection.models import Answer, Claim, DetectionRun
from reviews.models import (
    ClaimVerdict,
    Conflict,
    HallucinationReview,
    KeyReused,
    Lease,
    NotAllowed,
    ReviewPass,
    adopt_run,
    newer_run,
    open_review,
    replacement_of,
    send_to_review,
    undo_step,
    undoable,
)
from tests.conftest import NOI, OCCUPANCY, QUARTER, TEXT

pytestmark = pytest.mark.django_db
Review = HallucinationReview
CHANGED = "$1,234,567"
NEWER = TEXT.replace(NOI, CHANGED)
Open = Callable[..., HallucinationReview]


def _judge(review: HallucinationReview, user: User, **given: str) -> None:
    """Verdicts by the text of the claims."""
    for text, verdict in given.items():
        claim = review.run.claims.get(text={"noi": NOI, "occupancy": OCCUPANCY, "quarter": QUARTER}[text])
        ReviewPass.decide(review, user, review.version, claim, verdict, note=f"{text} by {user.username}")


@pytest.fixture
def newer(make_review: Open, make_answer: Callable[..., Answer]) -> Callable[..., HallucinationReview]:
    """``newer(review)``: the review of a newer answer to the same question, with one changed number."""

    def make(review: HallucinationReview, text: str = NEWER, **more: Any) -> HallucinationReview:
        flagged = more.pop("flagged", {CHANGED: True, OCCUPANCY: True, QUARTER: False})
        return make_review(make_answer(text, supersedes=review.answer), flagged=flagged, **more)

    return make


def _suggested(review: HallucinationReview, user: User) -> dict[str, str]:
    mine = review.pass_of(user)
    return {v.claim.text: v.verdict for v in mine.suggestions()} if mine else {}


@pytest.mark.requirement("APP-03")
def test_the_unchanged_claim_keeps_its_verdict_as_a_suggestion_and_the_changed_one_has_none(
    review: HallucinationReview, newer: Open, reviewer: User
) -> None:
    _judge(review, reviewer, noi="rejected", occupancy="supported")
    after = newer(review)
    review.refresh_from_db()
    assert (review.state, review.void_cause, review.replaced_by) == ("void", "superseded", after.answer)
    assert (review.replaced_by, replacement_of(review)) == (after.answer, after)
    assert (after.state, after.holder) == ("open", None)
    mine = after.pass_of(reviewer)
    assert mine is not None
    carried = mine.verdicts.get()
    assert (carried.claim.text, carried.verdict, carried.note) == (
        OCCUPANCY,
        "supported",
        "occupancy by dana",
    )
    assert (carried.decided_at, carried.examined) == (None, False)
    assert carried.carried_from == ClaimVerdict.objects.get(review_pass__review=review, claim__text=OCCUPANCY)
    assert [claim.text for claim in after.undecided(reviewer)] == [CHANGED, OCCUPANCY]
    event = after.events.get(action="carried")
    assert (event.actor, event.before["review"]) == (None, review.pk)
    assert event.after == {"reviewer": reviewer.pk, "claims": [1]}


def test_a_suggestion_counts_once_its_reviewer_confirms_or_changes_it(
    review: HallucinationReview, newer: Open, reviewer: User
) -> None:
    _judge(review, reviewer, occupancy="supported", quarter="cannot_tell")
    after = newer(review)
    occupancy = after.run.claims.get(text=OCCUPANCY)
    mine = after.pass_of(reviewer)
    assert mine
    assert mine.outcome() == "approved"
    ReviewPass.decide(after, reviewer, 1, occupancy, "supported")
    assert [claim.text for claim in after.undecided(reviewer)] == [CHANGED]
    given = ClaimVerdict.objects.get(review_pass__review=after, claim=occupancy)
    assert (given.carried_from is not None, given.decided_at is not None) == (True, True)
    event = after.events.get(action="decided")
    assert (event.before["verdict"], event.before["decided_at"]) == ("supported", None)
    assert _suggested(after, reviewer) == {QUARTER: "cannot_tell"}


def test_everybody_gets_their_own_suggestions(
    review: HallucinationReview, newer: Open, reviewer: User, colleague: User
) -> None:
    _judge(review, reviewer, occupancy="supported")
    Lease.release(review, reviewer)
    _judge(review, colleague, occupancy="rejected", noi="rejected")
    after = newer(review)
    assert _suggested(after, reviewer) == {OCCUPANCY: "supported"}
    assert _suggested(after, colleague) == {OCCUPANCY: "rejected"}
    assert Lease.take(after, reviewer) == after.pass_of(reviewer)


def test_nothing_is_begun_for_whoever_has_nothing_to_carry(
    review: HallucinationReview, newer: Open, reviewer: User, colleague: User
) -> None:
    _judge(review, reviewer, noi="rejected")
    Lease.release(review, reviewer)
    Lease.take(review, colleague)
    after = newer(review)
    assert not ReviewPass.objects.filter(review=after).exists()
    assert not after.events.filter(action="carried").exists()


def test_suggestions_go_on_to_the_version_after_the_next(
    review: HallucinationReview, newer: Open, reviewer: User
) -> None:
    _judge(review, reviewer, occupancy="rejected")
    second = newer(review)
    third = newer(second)
    assert _suggested(third, reviewer) == {OCCUPANCY: "rejected"}
    carried = ClaimVerdict.objects.get(review_pass__review=third)
    assert carried.carried_from == ClaimVerdict.objects.get(review_pass__review=review)


def test_they_wait_while_a_version_between_needs_no_review(
    review: HallucinationReview,
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    newer: Open,
    reviewer: User,
) -> None:
    _judge(review, reviewer, occupancy="rejected")
    clean = make_run(make_answer(supersedes=review.answer), needs_review=False)
    assert open_review(clean) is None
    review.refresh_from_db()
    assert (review.state, replacement_of(review)) == ("void", None)
    sent = send_to_review(clean.answer, clean, reviewer, "look all the same")
    assert _suggested(sent, reviewer) == {OCCUPANCY: "rejected"}


TWICE = "Rent rose 5% in Q1 and 5% in Q2. Costs: 7%."


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("Rent rose 5% in Q1 and 5% in Q2. Costs: 8%.", {0: "supported", 1: "rejected"}),
        ("Costs: 7%. Lately rent rose 5% in Q1 and 5% in Q2. Costs fell.", {0: "supported", 1: "rejected"}),
        ("Rent rose 5% in Q1 and 4% in Q2. Costs: 7%.", {0: "supported"}),
        ("Rent rose 4% in Q1 and 5% in Q2. Costs: 7%.", {0: "rejected"}),
        ("Rent rose 5% in Q1, rent rose 5% in Q1 and 5% in Q2.", {1: "supported"}),
        ("Lately rent went up by 5% in one and by 5% in another quarter.", {}),
    ],
)
def test_equal_quotes_are_told_apart_by_their_surroundings(
    make_review: Open,
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    reviewer: User,
    text: str,
    carried: dict[int, str],
) -> None:
    review = make_review(make_answer(TWICE), flagged={})
    first, second = _every_five(review.run, TWICE)
    ReviewPass.decide(review, reviewer, 1, first, "supported")
    ReviewPass.decide(review, reviewer, 2, second, "rejected")
    run = make_run(make_answer(text, supersedes=review.answer), flagged={})
    _every_five(run, text)
    after = open_review(run)
    assert after is not None
    mine = after.pass_of(reviewer)
    assert {v.claim.index: v.verdict for v in (mine.suggestions() if mine else [])} == carried


def _every_five(run: DetectionRun, text: str) -> list[Claim]:
    """A claim for each "5%" in the text."""
    starts = [at for at in range(len(text)) if text.startswith("5%", at)]
    return [
        Claim.objects.create(run=run, index=n, kind="percentage", text="5%", start=at, end=at + 2, sentence=0)
        for n, at in enumerate(starts)
    ]


def test_a_claim_that_the_reviewer_added_is_added_again_where_it_still_stands(
    review: HallucinationReview, newer: Open, reviewer: User
) -> None:
    ReviewPass.add_claim(review, reviewer, 1, quote="[S0]", kind="number", verdict="rejected")
    ReviewPass.add_claim(review, reviewer, 2, quote=f"was {NOI}", kind="statement", verdict="rejected")
    after = newer(review)
    mine = after.pass_of(reviewer)
    assert mine is not None
    again = mine.suggestions().get().claim
    assert (again.run, again.origin, again.index, again.text) == (after.run, "reviewer", 3, "[S0]")
    assert NEWER[again.start : again.end] == "[S0]"
    assert again in after.claims_in(mine)
    assert again not in after.claims_in(None)
    assert again not in after.to_decide()


def test_what_was_undone_is_not_carried(review: HallucinationReview, newer: Open, reviewer: User) -> None:
    _judge(review, reviewer, occupancy="rejected", quarter="supported")
    undo_step(review, reviewer)
    assert _suggested(newer(review), reviewer) == {OCCUPANCY: "rejected"}


@pytest.fixture
def offered(review: HallucinationReview, make_run: Callable[..., DetectionRun]) -> DetectionRun:
    """A newer run of the review's answer, which flags the quarter and finds no occupancy."""
    run = make_run(
        review.answer, purpose="rescreen", flagged={NOI: True, QUARTER: True}, risk_level="low", adjusted_confidence=0.5
    )  # fmt: skip
    open_review(run)
    return run


def test_a_newer_run_is_offered_and_moves_nothing_by_itself(
    review: HallucinationReview, offered: DetectionRun, make_run: Callable[..., DetectionRun], reviewer: User
) -> None:
    run = review.run
    review.refresh_from_db()
    assert (review.run, newer_run(review)) == (run, offered)
    make_run(review.answer, purpose="shadow")
    make_run(review.answer, purpose="rescreen", finished_at=None, result=None)
    assert newer_run(review) == offered
    review.void("duplicate")
    assert newer_run(review) is None


def test_adopting_it_carries_what_stands_in_the_same_place(
    review: HallucinationReview, offered: DetectionRun, reviewer: User, colleague: User
) -> None:
    _judge(review, reviewer, noi="rejected", occupancy="supported")
    Lease.release(review, reviewer)
    _judge(review, colleague, quarter="supported")
    ReviewPass.add_claim(review, colleague, review.version, quote="[S0]", kind="number", verdict="rejected")
    version = review.version
    adopt_run(review, colleague, version)
    assert (review.run, review.version, review.holder) == (offered, version + 1, colleague)
    assert (review.automatic_confidence, review.priority) == (0.5, Review.Priority.LOW)
    assert newer_run(review) is None
    assert _suggested(review, reviewer) == {NOI: "rejected"}
    assert _suggested(review, colleague) == {QUARTER: "supported", "[S0]": "rejected"}
    assert [claim.text for claim in review.undecided(colleague)] == [NOI, QUARTER]
    states = ReviewPass.objects.filter(review=review).values_list("reviewer", "state").order_by("pk")
    assert sorted(states) == sorted(
        (person.pk, state) for person in (reviewer, colleague) for state in ("withdrawn", "draft")
    )
    event = review.events.get(action="run_adopted")
    assert (event.actor, event.profile, event.after["run"]) == (colleague, offered.profile, offered.pk)
    ReviewPass.decide(review, colleague, review.version, offered.claims.get(text=NOI), "supported")
    ReviewPass.decide(review, colleague, review.version, offered.claims.get(text=QUARTER), "supported")
    assert review.resolve(colleague, review.version, final_confidence=0.5).outcome == "approved"


def test_what_was_done_before_it_cannot_be_undone_any_more(
    review: HallucinationReview, offered: DetectionRun, reviewer: User
) -> None:
    _judge(review, reviewer, noi="rejected")
    adopt_run(review, reviewer, 2)
    assert undoable(review, reviewer) is None
    ReviewPass.decide(review, reviewer, 3, offered.claims.get(text=NOI), "supported")
    undo_step(review, reviewer)
    assert _suggested(review, reviewer) == {NOI: "rejected"}


def test_adopting_is_guarded_like_a_verdict(
    review: HallucinationReview,
    make_run: Callable[..., DetectionRun],
    reviewer: User,
    colleague: User,
    viewer: User,
) -> None:
    with pytest.raises(NotAllowed, match="no newer detection"):
        adopt_run(review, reviewer, 1)
    make_run(review.answer, purpose="rescreen")
    with pytest.raises(NotAllowed):
        adopt_run(review, viewer, 1)
    Lease.take(review, colleague)
    with pytest.raises(Conflict):
        adopt_run(review, reviewer, 1)
    with pytest.raises(Conflict):
        adopt_run(review, colleague, 7)
    adopt_run(review, colleague, 1, idempotency_key="k")
    adopt_run(review, colleague, 1, idempotency_key="k")
    assert review.events.filter(action="run_adopted").count() == 1
    with pytest.raises(KeyReused):
        ReviewPass.examine_rest(review, colleague, 2, idempotency_key="k")


def test_a_run_that_somebody_has_judged_is_judged_to_the_end(
    review: HallucinationReview, offered: DetectionRun, reviewer: User, colleague: User
) -> None:
    Review.objects.update(state="second_review")
    ReviewPass.objects.create(
        review=review, reviewer=colleague, pass_no=1, state="submitted", submitted_at=review.created_at
    )
    with pytest.raises(NotAllowed, match="judged this detection already"):
        adopt_run(review, reviewer, 1)
