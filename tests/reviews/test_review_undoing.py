"""Undo (F07, T14): every step is taken back exactly, by one more event, while what it left still stands."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detection.models import Answer, Claim, DetectionRun
from reviews.models import (
    ClaimVerdict,
    Conflict,
    HallucinationReview,
    Lease,
    NotAllowed,
    ReviewEvent,
    ReviewPass,
    Skip,
    send_to_review,
    undo_step,
    undoable,
    undoing,
)
from reviews.models.errors import ReviewError
from reviews.queue.next_review import next_for
from tests.conftest import NOI, OCCUPANCY, QUARTER

pytestmark = pytest.mark.django_db
Review = HallucinationReview
MakeReview = Callable[..., HallucinationReview]


def _claim(review: HallucinationReview, text: str) -> Claim:
    return review.run.claims.get(text=text)


def _decide(review: HallucinationReview, user: User, text: str, verdict: str, **more: str) -> ClaimVerdict:
    return ReviewPass.decide(review, user, review.version, _claim(review, text), verdict, **more)


def _resolved(review: HallucinationReview, user: User) -> HallucinationReview:
    _decide(review, user, NOI, "corrected", corrected_value="$1,234,567")
    _decide(review, user, OCCUPANCY, "supported")
    return review.resolve(user, review.version, final_confidence=0.6, reason="checked")


def _later(seconds: float) -> None:
    """Let the resolution be so old."""
    Review.objects.update(resolved_at=timezone.now() - timedelta(seconds=seconds))


def _state(review: HallucinationReview) -> dict[str, Any]:
    """Everything of a review that is not its version, its history or a sign of life."""
    hidden = ("version", "created_at")
    row = Review.objects.filter(pk=review.pk).values().get()
    verdicts = ClaimVerdict.objects.filter(review_pass__review=review).order_by("claim__index")
    columns = ("review_pass", "claim__index", "verdict", "reason_code", "corrected_value", "note")
    times = ("examined", "decided_at", "carried_from", "detector_visible")
    return {
        **{name: value for name, value in row.items() if name not in hidden},
        "verdicts": list(verdicts.values_list(*columns, *times)),
        "claims": list(review.run.claims.values_list("index", "text", "origin")),
        "passes": list(
            ReviewPass.objects.filter(review=review).values_list("reviewer", "state", "submitted_at")
        ),
        "lease": list(Lease.objects.filter(review=review).values_list("user", "pass_no")),
        "skips": list(Skip.objects.filter(review=review).values_list("user", "reason")),
    }


@pytest.mark.requirement("APP-03")
def test_undoing_a_resolution_puts_the_review_back_with_its_verdicts(
    review: HallucinationReview, reviewer: User
) -> None:
    _decide(review, reviewer, NOI, "corrected", corrected_value="$1,234,567")
    _decide(review, reviewer, OCCUPANCY, "supported")
    before = _state(review)
    review.resolve(reviewer, 3, final_confidence=0.6)
    undone = undo_step(review, reviewer)
    assert undone.action == "resolved"
    assert _state(review) == before
    assert (review.state, review.holder, review.version) == ("in_review", reviewer, 5)
    events = [event.action for event in review.events.order_by("seq")]
    assert events[-2:] == ["resolved", "undone"]
    event = review.events.get(action="undone")
    resolved = review.events.get(action="resolved")
    assert (event.actor, event.after) == (reviewer, {"undoes": resolved.seq, "action": "resolved"})
    assert ReviewEvent.broken_at(review) is None


def test_a_resolution_can_be_undone_for_15_seconds(review: HallucinationReview, reviewer: User) -> None:
    _resolved(review, reviewer)
    offered = undoable(review, reviewer)
    assert offered is not None
    assert review.resolved_at is not None
    assert (offered.action, offered.until) == ("resolved", review.resolved_at + timedelta(seconds=15))
    _later(15.5)
    review.refresh_from_db()
    assert undoable(review, reviewer) is None
    with pytest.raises(NotAllowed, match="15 seconds"):
        undo_step(review, reviewer)
    _later(14)
    assert undo_step(review, reviewer).action == "resolved"


def test_nobody_else_undoes_what_i_did(
    review: HallucinationReview, reviewer: User, colleague: User, senior: User, viewer: User
) -> None:
    _resolved(review, reviewer)
    for person in (colleague, senior, viewer):
        assert undoable(review, person) is None
        with pytest.raises(NotAllowed):
            undo_step(review, person)
    assert review.state == "resolved"


def test_a_resolution_stands_once_anything_has_happened_since(
    make_review: MakeReview,
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    reviewer: User,
    senior: User,
) -> None:
    reopened, superseded, sent = (_resolved(make_review(), reviewer) for _ in range(3))
    reopened.reopen(senior, "wrong period")
    make_answer(supersedes=superseded.answer)
    send_to_review(sent.answer, make_run(sent.answer, purpose="rescreen"), senior, "look again")
    for review in (reopened, superseded, sent):
        review.refresh_from_db()
        assert undoable(review, reviewer) is None
        with pytest.raises(NotAllowed):
            undo_step(review, reviewer)


def test_undoing_a_verdict_puts_back_the_one_before_and_then_none(
    review: HallucinationReview, reviewer: User
) -> None:
    _decide(review, reviewer, NOI, "rejected", reason_code="other", note="see page 4")
    first = ClaimVerdict.objects.get()
    _decide(review, reviewer, NOI, "supported")
    undone = undo_step(review, reviewer)
    again = ClaimVerdict.objects.get()
    assert (undone.action, undone.claim) == ("decided", 1)
    assert "claim 1" in undone.text
    assert (again.content(), again.decided_at) == (first.content(), first.decided_at)
    undo_step(review, reviewer)
    assert not ClaimVerdict.objects.exists()
    assert [claim.text for claim in review.undecided(reviewer)] == [NOI, OCCUPANCY]
    assert undoable(review, reviewer) is None
    assert review.events.filter(action="decided").count() == 2


def test_undone_twice_takes_back_two_steps_and_what_is_done_anew_can_be_undone_again(
    review: HallucinationReview, reviewer: User
) -> None:
    _decide(review, reviewer, NOI, "supported")
    _decide(review, reviewer, OCCUPANCY, "rejected")
    assert undo_step(review, reviewer).claim == 2
    assert undo_step(review, reviewer).claim == 1
    _decide(review, reviewer, OCCUPANCY, "supported")
    assert undo_step(review, reviewer).claim == 2
    with pytest.raises(NotAllowed):
        undo_step(review, reviewer)


def test_a_confirmed_suggestion_becomes_one_again(review: HallucinationReview, reviewer: User) -> None:
    older = ReviewPass.objects.create(review=review, reviewer=reviewer, pass_no=1, state="withdrawn")
    source = ClaimVerdict.objects.create(
        review_pass=older, claim=_claim(review, NOI), verdict="rejected", decided_at=timezone.now()
    )
    mine = Lease.take(review, reviewer)
    ClaimVerdict.objects.create(
        review_pass=mine, claim=_claim(review, NOI), verdict="rejected", carried_from=source, examined=False
    )
    before = _state(review)
    _decide(review, reviewer, NOI, "supported")
    assert [claim.text for claim in review.undecided(reviewer)] == [OCCUPANCY]
    undo_step(review, reviewer)
    assert _state(review) == before
    assert [claim.text for claim in review.undecided(reviewer)] == [NOI, OCCUPANCY]


def test_a_verdict_is_undone_after_the_lease_ran_out_while_nobody_has_the_review(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    _decide(review, reviewer, NOI, "supported")
    Lease.release(review, reviewer)
    Lease.take(review, colleague)
    assert undoable(review, reviewer) is None
    with pytest.raises(NotAllowed):
        undo_step(review, reviewer)
    Lease.release(review, colleague)
    undo_step(review, reviewer)
    assert review.holder == reviewer
    assert not ClaimVerdict.objects.exists()


def test_my_step_is_undone_and_a_colleagues_stays(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    _decide(review, reviewer, NOI, "supported")
    Lease.release(review, reviewer)
    _decide(review, colleague, NOI, "rejected")
    Lease.release(review, colleague)
    undo_step(review, reviewer)
    assert ClaimVerdict.objects.get().review_pass.reviewer == colleague


def test_verdicts_of_a_pass_that_a_reopening_withdrew_stay(
    review: HallucinationReview, reviewer: User
) -> None:
    _resolved(review, reviewer)
    review.reopen(reviewer, "a typing error")
    with pytest.raises(NotAllowed):
        undo_step(review, reviewer)
    assert ClaimVerdict.objects.count() == 2


def test_undoing_a_snooze_brings_the_review_and_my_hold_back(
    review: HallucinationReview, reviewer: User
) -> None:
    Lease.take(review, reviewer)
    before = _state(review)
    review.snooze(reviewer, 1, timezone.now() + timedelta(days=2), on_evidence=True)
    assert undo_step(review, reviewer).action == "snoozed"
    assert _state(review) == before
    assert review.events.filter(action="taken").count() == 1


def test_undoing_a_second_snooze_keeps_its_place_at_the_top(
    review: HallucinationReview, reviewer: User
) -> None:
    review.snooze(reviewer, 1, timezone.now() + timedelta(days=2))
    review.wake(reviewer)
    returned = review.returned_at
    review.snooze(reviewer, 3, timezone.now() + timedelta(days=2))
    undo_step(review, reviewer)
    assert (review.returned_at, review.state, review.holder) == (returned, "open", None)


def test_a_snooze_that_is_over_is_not_undone(review: HallucinationReview, reviewer: User) -> None:
    review.snooze(reviewer, 1, timezone.now() + timedelta(days=2))
    review.wake(None, "due")
    with pytest.raises(NotAllowed):
        undo_step(review, reviewer)
    assert review.returned_at is not None


def test_undoing_an_assignment_puts_back_who_had_it(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, reviewer)
    review.assign(reviewer, 1, reviewer)
    before = _state(review)
    review.assign(reviewer, 2, colleague)
    assert review.holder is None
    undo_step(review, reviewer)
    assert _state(review) == before
    undo_step(review, reviewer)
    assert review.assignee is None


def test_an_assignment_stands_once_it_was_changed_or_taken_up(
    make_review: MakeReview, reviewer: User, colleague: User
) -> None:
    changed, taken = make_review(), make_review()
    changed.assign(reviewer, 1, colleague)
    changed.assign(colleague, 2, None)
    taken.assign(reviewer, 1, colleague)
    Lease.take(taken, colleague)
    for review in (changed, taken):
        with pytest.raises(NotAllowed):
            undo_step(review, reviewer)


def test_undoing_a_skip_puts_the_review_back_into_my_queue_and_hands(
    review: HallucinationReview, reviewer: User
) -> None:
    Lease.take(review, reviewer)
    Skip.leave(review, reviewer, "later")
    assert next_for(reviewer) is None
    undo_step(review, reviewer)
    assert review.holder == reviewer
    assert next_for(reviewer) == review
    assert review.version == 1


def test_undoing_a_skip_takes_nothing_from_a_colleague(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    Lease.take(review, reviewer)
    Skip.leave(review, reviewer, "later")
    Lease.take(review, colleague)
    undo_step(review, reviewer)
    assert (review.holder, Skip.objects.count()) == (colleague, 0)


def test_undoing_a_second_skip_puts_back_the_first_reason(
    review: HallucinationReview, reviewer: User
) -> None:
    Skip.leave(review, reviewer, "later")
    Skip.leave(review, reviewer, "unclear")
    undo_step(review, reviewer)
    assert Skip.objects.get().reason == "later"


def test_skips_that_came_back_are_not_undone(review: HallucinationReview, reviewer: User) -> None:
    Skip.leave(review, reviewer, "later")
    Skip.requeue(reviewer)
    assert undoable(review, reviewer) is None


def test_undoing_an_added_claim_takes_the_claim_away_with_its_verdict(
    review: HallucinationReview, reviewer: User
) -> None:
    Lease.take(review, reviewer)
    before = _state(review)
    ReviewPass.add_claim(review, reviewer, 1, quote="NOI was", kind="statement", verdict="rejected")
    assert undo_step(review, reviewer).claim == 4
    assert _state(review) == before
    assert review.events.get(action="claim_added").after["text"] == "NOI was"


def test_undoing_the_rest_leaves_what_was_decided_by_itself(
    review: HallucinationReview, reviewer: User
) -> None:
    _decide(review, reviewer, NOI, "supported")
    before = _state(review)
    assert ReviewPass.examine_rest(review, reviewer, 2) == 1
    assert undo_step(review, reviewer).action == "rest_examined"
    assert _state(review) == before


def test_the_step_that_was_offered_is_taken_back_once_and_no_other_in_its_stead(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    _decide(review, reviewer, NOI, "supported")
    older = undoable(review, reviewer)
    _decide(review, reviewer, OCCUPANCY, "supported")
    offered = undoable(review, reviewer)
    assert offered is not None
    assert older is not None
    with pytest.raises(NotAllowed, match="Something else has happened"):
        undo_step(review, reviewer, step=older.step)
    first = undo_step(review, reviewer, step=offered.step)
    assert undo_step(review, reviewer, step=offered.step) == first
    assert ClaimVerdict.objects.get().claim.text == NOI
    assert review.events.filter(action="undone").count() == 1
    for user, step in ((colleague, offered.step), (reviewer, 1), (reviewer, 99)):
        with pytest.raises(NotAllowed):
            undo_step(review, user, step=step)
    assert undo_step(review, reviewer, step=older.step).claim == 1


def test_what_can_be_undone_is_told_in_words(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    assert undoable(review, reviewer) is None
    _decide(review, reviewer, NOI, "cannot_tell")
    told = undoable(review, reviewer)
    assert told is not None
    assert (told.text, told.until, told.claim) == ("Claim 1: Cannot tell.", None, 1)
    assert undoable(review, colleague) is None


def test_what_was_taken_back_is_not_given_again_by_the_same_request(
    review: HallucinationReview, reviewer: User
) -> None:
    seen = review.version
    added = {
        "quote": "occupancy was",
        "kind": "statement",
        "verdict": "supported",
        "idempotency_key": "added",
    }
    repeats: list[Callable[[], Any]] = [
        lambda: ReviewPass.decide(
            review, reviewer, seen, _claim(review, NOI), "supported", idempotency_key="given"
        ),
        lambda: ReviewPass.add_claim(review, reviewer, review.version, **added),
    ]
    for repeat in repeats:
        repeat()
        assert repeat() == repeat()
        undo_step(review, reviewer)
        with pytest.raises(Conflict, match="undid the last step"):
            repeat()


def test_a_conflict_names_who_changed_the_review_and_not_who_skipped_it(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    seen = review.version
    _decide(review, reviewer, NOI, "supported")
    Skip.leave(review, colleague, "later")
    with pytest.raises(Conflict, match="decided a claim") as refused:
        ReviewPass.decide(review, reviewer, seen, _claim(review, NOI), "rejected")
    assert refused.value.who == "dana"


def test_a_stale_page_cannot_write_over_an_undo(review: HallucinationReview, reviewer: User) -> None:
    _decide(review, reviewer, NOI, "supported")
    undo_step(review, reviewer)
    with pytest.raises(Conflict, match="undid the last step"):
        ReviewPass.decide(review, reviewer, 2, _claim(review, OCCUPANCY), "supported")


QUOTES = ("NOI was", "occupancy", "in Q3")
STEP = st.one_of(
    st.tuples(st.just("decide"), st.sampled_from([NOI, OCCUPANCY, QUARTER]), st.sampled_from(
        ["supported", "rejected", "cannot_tell", "not_a_claim"])),
    st.tuples(st.just("add"), st.sampled_from(QUOTES), st.sampled_from(["statement", "number"])),
    st.tuples(st.sampled_from(["rest", "resolve", "snooze", "undo"])),
    st.tuples(st.just("skip"), st.sampled_from(["later", "other"])),
    st.tuples(st.just("assign"), st.sampled_from(["me", "colleague", "nobody"])),
)  # fmt: skip


@contextmanager
def _forgotten() -> Iterator[None]:
    """What happens inside has not happened afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _do(review: HallucinationReview, user: User, colleague: User, step: Sequence[str]) -> None:
    name, *rest = step
    version = review.version
    people = {"me": user, "colleague": colleague, "nobody": None}
    actions: dict[str, Callable[..., Any]] = {
        "decide": lambda text, verdict: _decide(review, user, text, verdict),
        "add": lambda quote, kind: ReviewPass.add_claim(
            review, user, version, quote=quote, kind=kind, verdict="supported"
        ),
        "rest": lambda: ReviewPass.examine_rest(review, user, version),
        "resolve": lambda: review.resolve(user, version, final_confidence=0.5),
        "snooze": lambda: review.snooze(user, version, timezone.now() + timedelta(days=1)),
        "undo": lambda: undo_step(review, user),
        "skip": lambda reason: Skip.leave(review, user, reason),
        "assign": lambda whom: review.assign(user, version, people[whom]),
    }
    actions[name](*rest)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEP, max_size=12))
def test_whatever_was_done_undoing_all_of_it_gives_the_state_before(
    review: HallucinationReview, reviewer: User, colleague: User, steps: list[tuple[str, ...]]
) -> None:
    with _forgotten(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(undoing, "WINDOW", timedelta(hours=1))
        mine = Review.objects.get(pk=review.pk)
        Lease.take(mine, reviewer)
        before = _state(mine)
        history: list[str] = []
        for step in steps:
            with suppress(ReviewError, ValidationError):
                _do(mine, reviewer, colleague, step)
            mine.refresh_from_db()
            seen = list(mine.events.order_by("seq").values_list("hash", flat=True))
            assert seen[: len(history)] == history
            history = seen
        done = mine.events.filter(action__in=undoing.INVERSE).count()
        while undoable(mine, reviewer):
            undo_step(mine, reviewer)
        assert _state(mine) == before
        assert mine.events.filter(action="undone").count() == done
        assert ReviewEvent.broken_at(mine) is None
