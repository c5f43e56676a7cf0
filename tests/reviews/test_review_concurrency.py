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

from detection.models import DetectionRun
from reviews.models import (
    ClaimVerdict,
    Conflict,
    HallucinationReview,
    IdempotencyRecord,
    Lease,
    ReviewEvent,
)
from tests.conftest import NOI

pytestmark = pytest.mark.django_db(transaction=True)
Review = HallucinationReview


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
        lambda: _copy(review).take(reviewer),
        lambda: _copy(review).take(colleague),
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    loser = next(result for result in results if isinstance(result, Conflict))
    assert loser.who == Lease.objects.get().user.username
    assert _actions(review) == {"opened": 1, "taken": 1}


@pytest.mark.requirement("APP-03")
def test_of_two_resolvers_one_wins(
    make_review: Callable[..., HallucinationReview], reviewer: User, colleague: User
) -> None:
    review = make_review(flagged={})
    results = _together(
        lambda: _copy(review).resolve(reviewer, 1, final_confidence=0.1),
        lambda: _copy(review).resolve(colleague, 1, final_confidence=0.2),
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    done = _copy(review)
    assert done.final_confidence == (0.1 if done.resolved_by == reviewer else 0.2)
    assert _actions(review)["resolved"] == 1
    assert ReviewEvent.broken_at(review) is None


def test_of_one_persons_two_tabs_one_resolves(
    make_review: Callable[..., HallucinationReview], reviewer: User
) -> None:
    review = make_review(flagged={})
    review.take(reviewer)
    results = _together(*(lambda: _copy(review).resolve(reviewer, 1, final_confidence=0.5) for _ in range(4)))
    assert _kinds(results) == {"done": 1, "conflict": 3}
    assert _actions(review)["resolved"] == 1


def test_a_double_click_writes_one_verdict_and_answers_twice(
    review: HallucinationReview, reviewer: User
) -> None:
    claim = review.run.claims.get(text=NOI)
    results = _together(
        *(
            lambda: _copy(review).decide(reviewer, 1, claim, "supported", idempotency_key="k")
            for _ in range(4)
        )
    )
    assert {result.pk for result in results} == {ClaimVerdict.objects.get().pk}
    assert _actions(review)["decided"] == 1
    assert IdempotencyRecord.objects.count() == 1
    assert _copy(review).version == 2


def test_of_two_verdicts_on_one_version_one_is_kept(review: HallucinationReview, reviewer: User) -> None:
    claim = review.run.claims.get(text=NOI)
    review.take(reviewer)
    results = _together(
        *(lambda v=v: _copy(review).decide(reviewer, 1, claim, v) for v in ("supported", "rejected"))
    )
    assert _kinds(results) == {"done": 1, "conflict": 1}
    kept = next(result for result in results if isinstance(result, ClaimVerdict))
    assert ClaimVerdict.objects.get().verdict == kept.verdict
    assert _actions(review)["decided"] == 1


def test_runs_that_finish_together_open_one_review(make_run: Callable[..., DetectionRun]) -> None:
    run = make_run()
    other = make_run(run.answer, purpose="rescreen")
    results = _together(*(lambda one=one: Review.open_for(one) for one in (run, other, run, other)))
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
    review.take(reviewer)
    Lease.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert sum(_together(*(Review.expire_leases for _ in range(3)))) == 1
    assert _actions(review)["lease_expired"] == 1


def test_many_writers_make_one_unbroken_chain(
    review: HallucinationReview, make_user: Callable[..., User]
) -> None:
    people = [make_user(f"person{number}", "reviewer") for number in range(6)]

    def visit(user: User) -> None:
        mine = _copy(review)
        mine.take(user)
        mine.release(user)

    _together(*(lambda user=user: visit(user) for user in people))
    sequence = list(ReviewEvent.objects.filter(subject=review).order_by("seq").values_list("seq", flat=True))
    assert sequence == list(range(1, len(sequence) + 1))
    assert _actions(review)["taken"] == _actions(review)["released"] >= 1
    assert ReviewEvent.broken_at(review) is None
    assert _copy(review).state == "open"
