"""The same key and body give the same answer once, however often and however many at a time (APP-04)."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from detection.models import Answer, DetectionRun
from reviews.models import IdempotencyRecord
from tests.api_calls import WRONG, Caller, body, drain, faults

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("APP-04"),
]
TOGETHER = 12


@pytest.fixture(autouse=True)
def _quiet_doorbell(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker listens here; what is pending stays in the database."""
    monkeypatch.setattr("reviews.lifecycle.publishing.publish", lambda *_: None)


def at_once(call: Callable[[int], Any]) -> list[Any]:
    """The replies to calls that start together, each in a thread with a connection of its own."""
    replies: list[Any] = []
    gate = threading.Barrier(TOGETHER)

    def one(number: int) -> None:
        gate.wait()
        try:
            replies.append(call(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(n,)) for n in range(TOGETHER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return replies


def test_the_same_key_and_body_give_the_same_answer(backend: Caller) -> None:
    first = backend.post("answers/", body(), idempotency_key="k-1")
    again = backend.post("answers/", body(), idempotency_key="k-1")
    assert (first.status_code, again.status_code) == (202, 202)
    assert (again.json(), again["Location"]) == (first.json(), first["Location"])
    assert again["Idempotency-Replayed"] == "true"
    assert (Answer.objects.count(), DetectionRun.objects.count()) == (1, 1)


def test_the_order_of_a_bodys_keys_makes_no_difference(backend: Caller) -> None:
    backend.post("answers/", body(), idempotency_key="k-1")
    reordered = dict(reversed(body().items()))
    assert backend.post("answers/", reordered, idempotency_key="k-1").status_code == 202
    assert Answer.objects.count() == 1


def test_a_repetition_that_waits_gets_the_result(backend: Caller) -> None:
    backend.post("answers/", body(WRONG), idempotency_key="k-1")
    drain()
    again = backend.post("answers/", body(WRONG), idempotency_key="k-1", prefer="wait=1")
    assert (again.status_code, again.json()["status"]) == (200, "completed")
    assert DetectionRun.objects.count() == 1


def test_the_same_key_with_another_body_is_refused(backend: Caller) -> None:
    backend.post("answers/", body(), idempotency_key="k-1")
    assert list(faults(backend.post("answers/", body(WRONG), idempotency_key="k-1"))) == ["Idempotency-Key"]
    assert Answer.objects.count() == 1


def test_a_key_belongs_to_its_caller(backend: Caller) -> None:
    backend.post("answers/", body(), idempotency_key="k-1")
    assert "Idempotency-Replayed" not in Caller("submit").post("answers/", body(), idempotency_key="k-1")
    assert Answer.objects.count() == 2


def test_a_refused_body_does_not_use_up_its_key(backend: Caller) -> None:
    faults(backend.post("answers/", body(5), idempotency_key="k-1"))
    assert backend.post("answers/", body(), idempotency_key="k-1").status_code == 202


@pytest.mark.parametrize("key", ["x" * 201, "a\tb", "a\x7fb"])
def test_a_key_that_cannot_be_kept_is_refused(backend: Caller, key: str) -> None:
    assert list(faults(backend.post("answers/", body(), idempotency_key=key))) == ["Idempotency-Key"]


def test_without_a_key_every_submission_is_its_own(backend: Caller) -> None:
    ids = {backend.post("answers/", body(external_id="q")).json()["id"] for _ in range(2)}
    assert len(ids) == 2


def test_many_at_once_with_one_key_store_one_answer(backend: Caller) -> None:
    replies = at_once(lambda _n: backend_of(backend).post("answers/", body(), idempotency_key="k-1"))
    assert Counter(reply.status_code for reply in replies) == {202: TOGETHER}
    assert len({reply.json()["id"] for reply in replies}) == 1
    assert (Answer.objects.count(), DetectionRun.objects.count(), IdempotencyRecord.objects.count()) == (
        1,
        1,
        1,
    )


def test_many_at_once_with_one_key_and_two_bodies_store_one_answer(backend: Caller) -> None:
    texts = ("NOI rose.", WRONG)
    replies = at_once(
        lambda n: backend_of(backend).post("answers/", body(texts[n % 2]), idempotency_key="k-1")
    )
    assert Counter(reply.status_code for reply in replies) == {202: TOGETHER // 2, 422: TOGETHER // 2}
    assert (Answer.objects.count(), IdempotencyRecord.objects.count()) == (1, 1)


def test_many_answers_at_once_to_one_query_make_one_line_of_versions(backend: Caller) -> None:
    replies = at_once(lambda n: backend_of(backend).post("answers/", body(f"Version {n}.", external_id="q")))
    assert Counter(reply.status_code for reply in replies) == {202: TOGETHER}
    superseded = list(Answer.objects.values_list("supersedes", flat=True))
    assert superseded.count(None) == 1
    assert len(set(superseded)) == TOGETHER


def backend_of(backend: Caller) -> Caller:
    """The same key with a client of its own, for one thread."""
    return Caller(key=backend.key)
