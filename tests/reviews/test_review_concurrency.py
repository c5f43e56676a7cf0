"""Several people at once, in real threads on real connections: one wins, nothing is lost or doubled."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from detection.models import Answer, DetectionRun
from reviews.models import (
    ClaimVerdict,
    Conflict,
    HallucinationReview,
    IdempotencyRecord,
    Lease,
    NotAllowed,
    ReviewEvent,
    ReviewPass,
    open_review,
    send_to_review,
    undo_step,
    undoable,
)
from tests.conftest import NOI
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
Review = HallucinationReview
RACES = 200 if connection.vendor == "postgresql" else 30
"""SQLite has one write lock, before which whoever comes second sleeps: it has less to race for and takes three times as long."""


def _together(*actions: Callable[[], Any]) -> list[Any]:
    """Start all actions at the same moment, each on a connection of its own; results or conflicts."""
    start = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return action()
        except Conflict as conflict:
            return conflict
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(run, actions))


def _copy(review: HallucinationReview) -> HallucinationReview:
    """The review as another request loads it."""
    return Review.objects.get(pk=review.pk)


def _kinds(results: list[Any]) -> Counter[str]:
    return Counter("conflict" if isinstance(result, Conflict) else "done" for result in results)


def _actions(review: HallucinationReview) -> Counter[str]:
    return Counter(ReviewEvent.objects.filter(subject=review).values_list("action", flat=True))


@pytest.mark.requirement("APP-03")
def test_of_two_takers_one_gets_the_review(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    results = _together(
        lambda: Lease.take(_copy(review), reviewer),
        lambda: Lease.take(_copy(review), colleague),
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    loser = next(result for result in results if isinstance(result, Conflict))
    assert loser.who == Lease.objects.get().user.username
    assert _actions(review) == {"opened": 1, "taken": 1}


@pytest.mark.budget(20)  # on PostgreSQL
@pytest.mark.requirement("APP-03")
def test_of_two_resolvers_one_wins(
    make_review: Callable[..., HallucinationReview], reviewer: User, colleague: User
) -> None:
    """R8: each race on connections of their own, from the same moment; the other learns who it was and when."""
    reviews = [make_review(flagged={}) for _ in range(RACES)]
    start = Barrier(2)

    def races(user: User, confidence: float) -> list[Conflict | None]:
        lost: list[Conflict | None] = []
        for review in reviews:
            mine = _copy(review)
            start.wait(GIVEN_UP_AFTER)
            try:
                mine.resolve(user, 1, final_confidence=confidence)
                lost.append(None)
            except Conflict as conflict:
                lost.append(conflict)
        return lost

    by_reviewer, by_colleague = _together(lambda: races(reviewer, 0.1), lambda: races(colleague, 0.2))
    for review, *lost in zip(reviews, by_reviewer, by_colleague, strict=True):
        (conflict,) = [found for found in lost if found]
        done = _copy(review)
        winner, confidence = (reviewer, 0.1) if lost[0] is None else (colleague, 0.2)
        assert (done.resolved_by, done.final_confidence) == (winner, confidence)
        assert (conflict.who, conflict.when) == (winner.username, done.resolved_at)
    assert ReviewEvent.objects.filter(action="resolved").count() == RACES
    assert ReviewEvent.broken_at(reviews[-1]) is None


def test_of_one_persons_two_tabs_one_resolves(
    make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    review = make_review(flagged={})
    Lease.take(review, reviewer)
    results = _together(*(lambda: _copy(review).resolve(reviewer, 1, final_confidence=0.5) for _ in range(4)))
    assert _kinds(results) == {"done": 1, "conflict": 3}
    assert _actions(review)["resolved"] == 1


def test_a_double_click_writes_one_verdict_and_answers_twice(
    review: HallucinationReview, reviewer: User
) -> None:
    claim = review.run.claims.get(text=NOI)
    results = _together(
        *(
            lambda: ReviewPass.decide(_copy(review), reviewer, 1, claim, "supported", idempotency_key="k")
            for _ in range(4)
        )
    )
    assert {result.pk for result in results} == {ClaimVerdict.objects.get().pk}
    assert _actions(review)["decided"] == 1
    assert IdempotencyRecord.objects.count() == 1
    assert _copy(review).version == 2


def test_of_two_verdicts_on_one_version_one_is_kept(review: HallucinationReview, reviewer: User) -> None:
    claim = review.run.claims.get(text=NOI)
    Lease.take(review, reviewer)
    results = _together(
        *(
            lambda v=v: ReviewPass.decide(_copy(review), reviewer, 1, claim, v)
            for v in ("supported", "rejected")
        )
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    kept = next(result for result in results if isinstance(result, ClaimVerdict))
    assert ClaimVerdict.objects.get().verdict == kept.verdict
    assert _actions(review)["decided"] == 1


def test_runs_that_finish_together_open_one_review(make_run: Callable[..., DetectionRun]) -> None:
    run = make_run()
    other = make_run(run.answer, purpose="rescreen")
    results = _together(*(lambda one=one: open_review(one) for one in (run, other, run, other)))
    assert len({result.pk for result in results}) == 1
    assert Review.objects.count() == ReviewEvent.objects.count() == 1


def test_voiding_and_resolving_at_once_leaves_one_end(
    make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    review = make_review(flagged={})
    results = _together(
        lambda: _copy(review).resolve(reviewer, 1, final_confidence=0.5),
        lambda: _copy(review).void("duplicate"),
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    assert _actions(review)["resolved"] + _actions(review)["voided"] == 1
    assert ReviewEvent.broken_at(review) is None


def test_two_sweepers_end_a_lease_once(review: HallucinationReview, reviewer: User) -> None:
    Lease.take(review, reviewer)
    Lease.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert sum(_together(*(Lease.expire for _ in range(3)))) == 1
    assert _actions(review)["lease_expired"] == 1


def test_many_writers_make_one_unbroken_chain(
    review: HallucinationReview, make_user: Callable[..., User]
) -> None:
    people = [make_user(f"person{number}", "reviewer") for number in range(6)]

    def visit(user: User) -> None:
        mine = _copy(review)
        Lease.take(mine, user)
        Lease.release(mine, user)

    _together(*(lambda user=user: visit(user) for user in people))
    sequence = list(ReviewEvent.objects.filter(subject=review).order_by("seq").values_list("seq", flat=True))
    assert sequence == list(range(1, len(sequence) + 1))
    assert _actions(review)["taken"] == _actions(review)["released"] >= 1
    assert ReviewEvent.broken_at(review) is None
    assert _copy(review).state == "open"


def test_of_two_who_assign_one_wins(review: HallucinationReview, reviewer: User, colleague: User) -> None:
    results = _together(
        *(lambda user=user: _copy(review).assign(user, 1, user) for user in (reviewer, colleague))
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    assert _copy(review).version == 2
    assert _actions(review)["assigned"] == 1


def test_of_taking_and_snoozing_at_once_one_wins(
    review: HallucinationReview, reviewer: User, colleague: User
) -> None:
    until = timezone.now() + timedelta(days=1)

    def take() -> Any:
        try:
            return Lease.take(_copy(review), colleague)
        except NotAllowed as snoozed:
            return snoozed

    taken, snoozed = _together(take, lambda: _copy(review).snooze(reviewer, 1, until))
    after = _copy(review)
    if isinstance(taken, NotAllowed):
        assert (snoozed, after.state, after.holder) == (None, "snoozed", None)
    else:
        assert isinstance(snoozed, Conflict)
        assert (after.state, after.holder) == ("in_review", colleague)


def test_sweepers_and_a_person_wake_a_review_once(review: HallucinationReview, reviewer: User) -> None:
    review.snooze(reviewer, 1, timezone.now() + timedelta(days=1))
    due = timezone.now() + timedelta(days=1)
    results = _together(
        *(lambda: Review.wake_due(due) for _ in range(3)), lambda: _copy(review).wake(reviewer)
    )
    person = results.pop()
    assert sum(results) == (1 if isinstance(person, Conflict) else 0)
    assert _actions(review)["woken"] == 1
    assert _copy(review).state == "open"


@pytest.mark.parametrize("named", [False, True])
def test_undoing_twice_at_once_takes_back_two_steps_and_one_if_it_is_named(
    review: HallucinationReview, reviewer: User, named: bool
) -> None:
    for version, claim in enumerate(review.run.claims.order_by("index"), start=1):
        ReviewPass.decide(review, reviewer, version, claim, "supported")
    offered = undoable(review, reviewer)
    step = offered.step if offered and named else None
    results = _together(*(lambda: undo_step(_copy(review), reviewer, step=step) for _ in range(2)))
    assert _kinds(results) == {"done": 2}
    assert ClaimVerdict.objects.count() == (2 if named else 1)
    assert _actions(review)["undone"] == (1 if named else 2)
    assert ReviewEvent.broken_at(review) is None


def test_of_undoing_and_reopening_at_once_one_wins(
    make_review: Callable[..., HallucinationReview], reviewer: User, senior: User
) -> None:
    review = make_review(flagged={})
    review.resolve(reviewer, 1, final_confidence=0.5)

    def undo() -> Any:
        try:
            return undo_step(_copy(review), reviewer)
        except NotAllowed as refused:
            return refused

    undone, reopened = _together(undo, lambda: _copy(review).reopen(senior, "look again"))
    assert isinstance(undone, NotAllowed) != isinstance(reopened, Conflict)
    assert _actions(review)["undone"] + _actions(review)["reopened"] == 1
    assert _copy(review).resolved_at is None


def test_claims_added_at_once_get_numbers_of_their_own(
    make_review: Callable[..., HallucinationReview], reviewer: User, colleague: User
) -> None:
    first = make_review()
    first.void("duplicate")
    gold = Review.objects.create(
        **{name: getattr(first, name) for name in ("answer", "run", "profile", "priority", "due_at")},
        selection_reason="gold",
    )
    second = send_to_review(first.answer, first.run, colleague, "again")
    results = _together(
        lambda: ReviewPass.add_claim(
            _copy(gold), reviewer, 1, quote="[S0]", kind="number", verdict="rejected"
        ),
        lambda: ReviewPass.add_claim(
            _copy(second), colleague, 1, quote="[S0]", kind="number", verdict="rejected"
        ),
    )
    assert sorted(result.claim.index for result in results) == [3, 4]


def test_a_double_click_adds_one_claim(review: HallucinationReview, reviewer: User) -> None:
    add = {"quote": "[S0]", "kind": "number", "verdict": "rejected", "idempotency_key": "k"}
    results = _together(*(lambda: ReviewPass.add_claim(_copy(review), reviewer, 1, **add) for _ in range(3)))
    assert len({result.pk for result in results}) == 1
    assert review.run.claims.count() == 4


def test_a_newer_answer_during_a_verdict_loses_nothing(
    review: HallucinationReview,
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    reviewer: User,
) -> None:
    Lease.take(review, reviewer)
    claim = review.run.claims.get(text=NOI)
    newer = make_run(make_answer(supersedes=review.answer))
    saved, opened = _together(
        lambda: ReviewPass.decide(_copy(review), reviewer, 1, claim, "rejected"),
        lambda: open_review(newer),
    )
    assert _copy(review).state == "void"
    carried = ClaimVerdict.objects.filter(review_pass__review=opened, decided_at=None)
    assert carried.count() == (0 if isinstance(saved, Conflict) else 1)
