"""Erasing while somebody else judges, decides, reads or erases: what was erased comes back by no way."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from detection import runs
from detection.core.evidence import remembered
from detection.models import Answer, ChunkFrames, DetectionRun, Erasure
from detection.runs.frames import FrameRows
from reviews import tasks
from reviews.erasing import orders
from reviews.lifecycle import intake
from reviews.models import HallucinationReview, NotAllowed, ReviewEvent, open_review, send_to_review
from tests.api_calls import Caller, body
from tests.reviews.erased import ANSWER, erased, said, saying, settled

pytestmark = [pytest.mark.postgres, pytest.mark.requirement("SEC-19")]


def submitted(backend: Caller) -> Answer:
    remembered.clear()
    reply = backend.post("answers/", body(ANSWER, sources=[{"id": "S0", "text": ANSWER}]))
    return Answer.objects.get(pk=reply.json()["id"])


@pytest.mark.django_db
@pytest.mark.parametrize("loaded", [False, True])
def test_a_worker_that_has_the_answer_in_hand_stores_nothing_more(
    backend: Caller, monkeypatch: pytest.MonkeyPatch, loaded: bool
) -> None:
    """Erased before the worker has loaded what it measures, and behind it."""
    answer = submitted(backend)
    read = runs.read

    def meanwhile(run: DetectionRun) -> Any:
        context = read(run)
        erased(answer)
        return context if loaded else None

    monkeypatch.setattr(runs, "read", meanwhile)
    tasks.step(answer.runs.get().pk, tasks.EVERY)
    assert saying() == set()
    run = DetectionRun.objects.get()
    assert (run.failed_reason, run.result, run.finished_at) == ("erased", None, None)
    assert not run.reports.exists()


@pytest.mark.django_db
def test_whoever_was_about_to_read_its_claims_reads_none(backend: Caller) -> None:
    answer = submitted(backend)
    run = DetectionRun.take(answer.runs.get().pk, seconds=30, limit=5)
    assert run is not None
    assert run.answer.text == ANSWER
    erased(answer)
    runs.read(run)
    assert saying() == set()
    tasks.step(run.pk, ("numeric",))
    assert DetectionRun.objects.get(pk=run.pk).failed_reason == "erased"


@pytest.mark.django_db
def test_what_is_read_of_its_chunks_too_late_is_not_kept(backend: Caller) -> None:
    answer = submitted(backend)
    erased(answer)
    FrameRows(answer.pk).keep({"a" * 64: b"read before it was erased"})
    assert not ChunkFrames.objects.exists()


@pytest.mark.django_db
def test_it_is_neither_judged_nor_reviewed_again(backend: Caller, dana: Caller, reviewer: Any) -> None:
    answer = said(backend)
    review = settled(answer, dana)
    run = answer.runs.get()
    erased(answer)
    answer.refresh_from_db()
    run.refresh_from_db()
    with pytest.raises(intake.Gone):
        intake.rescreen(answer)
    assert intake.renew(run) is None
    assert not DetectionRun.outdated(10_000).exists()
    assert open_review(run) is None
    with pytest.raises(NotAllowed, match="erased"):
        send_to_review(answer, run, reviewer, "again")
    with pytest.raises(NotAllowed, match="erased"):
        review.reopen(reviewer, "again")
    assert DetectionRun.pending(timezone.now()).count() == 0


def together(*actions: Callable[[], Any]) -> list[Any]:
    """All at once, each on a connection of its own."""
    start = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(run, actions))


@pytest.mark.django_db(transaction=True)
def test_of_two_orders_at_once_each_answer_is_erased_by_one(backend: Caller) -> None:
    keys = [said(backend, external_id=str(n)).pk for n in range(3)]
    given = [Erasure(cause="order", reason=str(n)) for n in range(2)]
    counts = together(*(lambda order=order: sum(orders.carry_out(order, keys)) for order in given))
    assert sorted(counts) == [0, 3]
    assert saying() == set()
    assert Erasure.objects.count() == 1
    assert ReviewEvent.objects.filter(action="erased").count() == 3


def judged(pending: list[int]) -> None:
    """What workers do with these runs."""
    for pk in pending:
        tasks.step(pk, tasks.EVERY)


@pytest.mark.django_db(transaction=True)
def test_judged_and_erased_at_once_nothing_is_left(backend: Caller) -> None:
    """Whoever is first: the answer is erased with its verdict and review, or nobody judges it any more."""
    answers = [submitted(backend) for _ in range(3)]
    pending = list(DetectionRun.objects.values_list("pk", flat=True))
    together(
        lambda: judged(pending),
        lambda: erased(*answers),
    )
    assert saying() == set()
    assert not HallucinationReview.objects.exclude(state="void").exists()
    assert {one.failed_reason or one.result == {} for one in DetectionRun.objects.all()} <= {"erased", True}
