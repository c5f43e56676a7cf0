"""What was erased is said nowhere any more; what was decided stays, and the histories are whole."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import Error, transaction

from detection import search
from detection.models import (
    Answer,
    Claim,
    DetectionRun,
    ErasedRows,
    EventBody,
    MonitoredRun,
    PersonEvent,
    Source,
)
from detection.models.standing import standing
from detection.verifiers.slot_reading import SHARED
from reviews.erasing import orders
from reviews.models import HallucinationReview, Lease, ReviewEvent, ReviewPass
from tests.api_calls import Caller
from tests.reviews.attacks import behind_its_back, found, ran
from tests.reviews.erased import WORD, erased, said, saying, settled

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db,
    pytest.mark.requirement("SEC-19"),
]


@pytest.fixture(autouse=True)
def added(reviewer: User) -> None:
    """The reviewer was added as ever."""
    PersonEvent.append(reviewer, "added", after=standing(reviewer))


@pytest.fixture
def answer(backend: Caller, dana: Caller) -> Answer:
    """An answer that was judged twice and settled."""
    answer = said(backend)
    settled(answer, dana)
    return answer


def test_no_word_of_it_is_left_in_any_column_of_any_table(answer: Answer) -> None:
    assert {"detection_answer.text", "detection_source.title", "detection_claim.text", "reviews_claimverdict.note",
            "detection_eventbody.after", "detection_query.asked_by", "detection_chunkframes.frames"} <= saying()  # fmt: skip
    assert Answer.objects.filter(search.may_contain(WORD)).exists()
    cache.set(f"{SHARED}of-a-chunk", [{"metric": WORD}])
    cache.set("another", 1)
    erased(answer)
    assert saying() == set()
    assert (cache.get(f"{SHARED}of-a-chunk"), cache.get("another")) == (None, 1)
    assert not Answer.objects.filter(search.may_contain(WORD)).exists()


def test_the_rows_stay_with_all_that_was_decided(answer: Answer, reviewer: User) -> None:
    review = HallucinationReview.objects.get(answer=answer)
    claims = list(Claim.objects.order_by("pk").values_list("pk", "kind", "status", "finding", "flagged"))
    verdicts = list(review.passes.get().verdicts.values_list("claim", "verdict", "reason_code"))
    verdict = DetectionRun.objects.values(
        "risk_level", "risk_score", "has_hallucinations", "needs_review"
    ).get()
    order = erased(answer)
    review.refresh_from_db()
    assert (review.state, review.outcome, review.resolved_by, review.user) == (
        "resolved",
        "corrected",
        reviewer,
        None,
    )
    assert (
        list(Claim.objects.order_by("pk").values_list("pk", "kind", "status", "finding", "flagged")) == claims
    )
    assert list(review.passes.get().verdicts.values_list("claim", "verdict", "reason_code")) == verdicts
    run = DetectionRun.objects.values(
        "risk_level", "risk_score", "has_hallucinations", "needs_review", "result"
    ).get()
    assert run == verdict | {"result": {}}
    assert not Source.objects.exists()
    assert MonitoredRun.objects.count() == 1
    assert ErasedRows.counts()["answer"] == 1
    told = order.events.get()
    assert list(told.after["rows"]["answer"]) == [str(answer.pk)]
    assert len(told.after["rows"]["answer"][str(answer.pk)]) == 64


def test_the_counters_of_the_metrics_do_not_fall(answer: Answer, client: Any) -> None:
    def counters() -> dict[str, float]:
        lines = client.get("/metrics").content.decode().splitlines()
        named = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {
            name: float(value)
            for name, value in named
            if "_total" in name or "_count" in name or "_bucket" in name
        }

    before = counters()
    assert before['hallu_runs_total{risk_level="high"}'] == 1
    erased(answer)
    after = counters()
    assert {name: value for name, value in before.items() if after[name] < value} == {}
    assert after['hallu_erased_rows_total{kind="answer"}'] == 1


def test_the_histories_are_whole_and_tell_what_was_erased(answer: Answer) -> None:
    review = HallucinationReview.objects.get(answer=answer)
    erased(answer)
    said_by_it, well = ran()
    assert well, said_by_it
    last = ReviewEvent.objects.filter(subject=review).latest("seq")
    bodies = len(last.after["bodies"])
    assert bodies == 4
    assert f"review {review.pk}: {bodies} bodies erased by event {last.seq}" in said_by_it
    kept = ReviewEvent.objects.filter(subject=review).filter(body__salt__isnull=False)
    assert set(kept.values_list("action", flat=True)) == {"taken", "erased"}


def test_nothing_is_erased_twice(answer: Answer) -> None:
    erased(answer)
    events, bodies = ReviewEvent.objects.count(), EventBody.objects.count()
    assert erased().pk is None
    assert orders.still_there(Answer.objects.all()) == []
    assert (ReviewEvent.objects.count(), EventBody.objects.count()) == (events, bodies)


def test_a_live_review_ends_with_its_answer(backend: Caller, reviewer: User) -> None:
    answer = said(backend)
    review = HallucinationReview.objects.get(answer=answer)
    Lease.take(review, reviewer)
    erased(answer)
    review.refresh_from_db()
    assert (review.state, review.void_cause, review.holder) == ("void", "erased", None)
    assert ReviewPass.objects.get().state == "draft"
    assert ran()[1]


@pytest.mark.parametrize(
    ("statement", "table", "what"),
    [
        ("DELETE FROM TABLE WHERE id IN (SELECT body_id FROM reviews_reviewevent WHERE action = 'erased')",
         "detection_eventbody", "its body is gone, and no event tells that it was erased"),
        ("UPDATE TABLE SET erasure_id = NULL", "detection_answer", "answer is [], by its history"),
        ("UPDATE TABLE SET actor_id = NULL WHERE action = 'resolved'", "reviews_reviewevent", "its content is not what was written"),
        ("UPDATE TABLE SET outcome = 'approved'", "reviews_hallucinationreview", "outcome is 'approved', by its history 'corrected'"),
        ("UPDATE TABLE SET reason = 'another'", "detection_erasure", "why is 'another', by its history 'asked for'"),
    ],
)  # fmt: skip
def test_what_was_done_behind_its_back_is_named(
    answer: Answer, statement: str, table: str, what: str
) -> None:
    erased(answer)
    behind_its_back(statement, table=table)
    assert any(what in line for line in found()), found()


def test_a_body_of_before_bodies_stood_apart_is_sealed_when_it_goes(answer: Answer) -> None:
    review = HallucinationReview.objects.get(answer=answer)
    of_before(review)
    erased(answer)
    assert ran()[1], ran()[0]
    behind_its_back("UPDATE TABLE SET actor_id = NULL WHERE action = 'resolved'")
    (line,) = found()
    assert line.endswith("its content is not what was written")


def test_what_was_forged_before_it_was_erased_stays_forged(answer: Answer) -> None:
    review = HallucinationReview.objects.get(answer=answer)
    of_before(review)
    behind_its_back("UPDATE TABLE SET actor_id = NULL WHERE action = 'resolved'")
    erased(answer)
    assert any(line.endswith("its content is not what was written") for line in found())


def of_before(review: HallucinationReview) -> None:
    """Let the history of a review be one of before bodies stood apart, signed with the key."""
    previous = ""
    for event in ReviewEvent.objects.filter(subject=review).order_by("seq"):
        event.body_hash, event.prev_hash = "", previous
        event.hash = previous = event.digest()
        behind_its_back(
            "UPDATE TABLE SET body_hash = '', prev_hash = %s, hash = %s WHERE id = %s",
            *(event.prev_hash, event.hash, event.pk),
        )
        behind_its_back(
            "UPDATE TABLE SET salt = '' WHERE id = %s", event.body_id, table="detection_eventbody"
        )


def test_whoever_asks_for_it_is_told_that_it_was_erased(
    answer: Answer, backend: Caller, dana: Caller, client: Any, reviewer: User
) -> None:
    review = HallucinationReview.objects.get(answer=answer)
    order = erased(answer)
    for reply in (
        backend.get(f"answers/{answer.pk}/"),
        backend.post(f"answers/{answer.pk}/rescreen/"),
        dana.get(f"reviews/{review.pk}/"),
        dana.post(f"reviews/{review.pk}/reopen/", {"reason": "again"}),
    ):
        assert reply.status_code == 410, reply.content
        assert reply.json()["type"] == "urn:hallu:problem:erased"
        assert "by order of whoever runs this machine" in reply.json()["detail"]
        assert reply.json()["erased_at"] == order.created_at.isoformat()
    (row,) = backend.get("answers/").json()["results"]
    assert (row["question"], row["excerpt"], row["external_id"]) == ("", "", None)
    assert row["erased_at"] is not None
    assert row["verdict"]["risk_level"] == "high"
    client.force_login(reviewer)
    for path in (f"/answers/{answer.pk}/", f"/reviews/{review.pk}/", f"/answers/{answer.pk}/text/"):
        page = client.get(path)
        assert page.status_code == 410, path
        assert "by order of whoever runs this machine" in page.content.decode()
        assert "asked for" in page.content.decode()
    assert client.get(f"/reviews/{review.pk}/history/").status_code == 200
    assert client.get("/answers/").status_code == 200
    assert "(erased)" in client.get("/queue/?state=resolved").content.decode()


def test_a_triggered_row_loses_its_words_only_by_an_order(answer: Answer) -> None:
    for changes in ({"text": ""}, {"text": "", "question": "", "language": "xx"}, {"question": "another"}):
        with pytest.raises(Error, match="must not change"), transaction.atomic():
            Answer.objects.filter(pk=answer.pk).update(**changes)
    with pytest.raises(Error, match="must not change"), transaction.atomic():
        DetectionRun.objects.update(result={})
    order = erased(answer)
    back: list[dict[str, Any]] = [{"text": "back"}, {"erasure": None}]
    for changed in back:
        with pytest.raises(Error, match="must not change"), transaction.atomic():
            Answer.objects.filter(pk=answer.pk).update(**changed)
    assert order.pk
