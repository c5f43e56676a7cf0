"""The sweep erases what is older than it is kept, and nothing that other rows still need."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection.models import (
    Answer,
    DetectionRun,
    ErasedRows,
    Fact,
    RejectedFact,
    StrictAnswer,
    ThresholdProfile,
    Trace,
    TraceStep,
)
from detection.runs import steps
from hallu_site import production
from reviews.erasing import orders, retention
from reviews.models import HallucinationReview, IdempotencyRecord, ReviewEvent, open_review
from tests.api_calls import Caller
from tests.reviews.attacks import ran
from tests.reviews.erased import WORD, said, saying, settled

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("SEC-19")]
NOW = datetime(2030, 1, 1, tzinfo=UTC)
FOREVER = dict.fromkeys(retention.KINDS)


@pytest.fixture(autouse=True)
def awake() -> Iterator[None]:
    """No kind rests."""
    retention.wake()
    yield
    retention.wake()


@pytest.fixture
def keep(settings: Any) -> Callable[..., dict[str, int]]:
    """``keep(answers=30)``: what a sweep erases that keeps these kinds so many days, and all others for ever."""

    def sweep(now: datetime = NOW, **days: int) -> dict[str, int]:
        retention.wake()
        settings.KEEP = {**FOREVER, **days}
        return retention.sweep(now)

    return sweep


def test_nothing_of_what_was_said_is_erased_by_itself(backend: Caller) -> None:
    said(backend)
    before = saying()
    found = retention.sweep(NOW)
    assert set(found) <= {"idempotency", "sessions", "log_ins"}
    assert saying() == {column for column in before if not column.startswith("reviews_idempotencyrecord.")}


def test_an_answer_goes_by_its_age_and_is_told_so(
    backend: Caller, dana: Caller, keep: Callable[..., dict[str, int]], client: Any, reviewer: User
) -> None:
    answer = said(backend)
    settled(answer, dana)
    assert keep(now=answer.created_at + timedelta(days=30), answers=30) == {}
    assert keep(now=answer.created_at + timedelta(days=30, seconds=1), answers=30) == {"answers": 1}
    assert saying() == set()
    reply = backend.get(f"answers/{answer.pk}/")
    assert (reply.status_code, "reached the age" in reply.json()["detail"]) == (410, True)
    assert keep(answers=30) == {}
    assert ErasedRows.counts()["answer"] == 1


def test_what_is_owed_a_verdict_or_a_decision_waits(
    make_answer: Callable[..., Answer],
    make_run: Callable[..., DetectionRun],
    review: HallucinationReview,
    keep: Callable[..., dict[str, int]],
) -> None:
    """A live review, a run that is not finished, a newer answer that is not judged yet."""
    pending = make_answer()
    steps.start(pending)
    old = make_run(needs_review=False).answer
    newer = make_answer(supersedes=old)
    unjudged = steps.start(newer)
    free = make_run(needs_review=False).answer
    assert keep(answers=1) == {"answers": 1}
    assert list(Answer.objects.exclude(erasure=None)) == [free]
    unjudged.fail("gone")
    review.void("duplicate")
    assert keep(answers=1) == {"answers": 3}
    assert list(Answer.with_words()) == [pending]


def test_a_sweep_takes_a_bounded_number_and_the_next_goes_on(
    make_run: Callable[..., DetectionRun],
    keep: Callable[..., dict[str, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(orders, "AT_ONCE", 2)
    monkeypatch.setattr(retention, "BATCHES", 2)
    for _ in range(7):
        make_run(needs_review=False)
    assert [keep(answers=1) for _ in range(3)] == [{"answers": 4}, {"answers": 3}, {}]


def test_a_kind_of_which_nothing_is_left_rests(settings: Any) -> None:
    settings.KEEP = {**FOREVER, "answers": 30, "histories": 30}

    def asked(now: datetime) -> bool:
        with CaptureQueriesContext(connection) as queries:
            retention.sweep(now)
        return any("detection_answer" in one["sql"] for one in queries.captured_queries)

    times = (timedelta(), timedelta(minutes=59), timedelta(minutes=60))
    assert [asked(NOW + since) for since in times] == [True, False, True]


def test_the_queries_do_not_grow_with_the_answers(
    make_run: Callable[..., DetectionRun], keep: Callable[..., dict[str, int]]
) -> None:
    def asked(answers: int) -> int:
        for _ in range(answers):
            run = make_run(needs_review=True)
            review = open_review(run)
            assert review is not None
            review.void("duplicate")
        with CaptureQueriesContext(connection) as queries:
            assert keep(answers=1) == {"answers": answers}
        return len([one for one in queries.captured_queries if "_groups" not in one["sql"]])

    few, many = asked(2), asked(10)
    assert many <= few


def test_what_histories_tell_goes_by_itself(
    backend: Caller, dana: Caller, keep: Callable[..., dict[str, int]]
) -> None:
    review = settled(said(backend), dana)
    live = HallucinationReview.objects.get(answer=said(backend, external_id="other"))
    assert review.resolved_at is not None
    assert keep(now=review.resolved_at + timedelta(days=6), histories=7) == {}
    assert keep(histories=7) == {"histories": 1}
    actions = ReviewEvent.objects.filter(subject=review).values_list("action", "body__reason")
    assert [action for action, reason in actions if reason is None] == [
        "opened",
        "released",
        "decided",
        "resolved",
    ]
    assert ReviewEvent.objects.get(subject=live, action="opened").after != {}
    assert keep(histories=7) == {}
    said_by_it, _ = ran()
    assert f"review {review.pk}: 4 bodies erased by event 7" in said_by_it
    assert "review: 8 events in 2 chains, whole" in said_by_it
    assert "erasure: 1 events in 1 chains, whole" in said_by_it


def gated(model: Any, **fields: Any) -> Any:
    return model.objects.create(
        content=f"NOI of {WORD}", evidence=[{"id": "S0", "text": WORD}], stated_confidence=0.9, confidence=0.5,
        finding="x", reason=WORD, profile=ThresholdProfile.active(), **fields,
    )  # fmt: skip


def test_facts_go_once_they_are_no_longer_remembered(keep: Callable[..., dict[str, int]]) -> None:
    held = Fact.store(
        content="Rent is due.", stated_confidence=0.9, confidence=0.5, finding="x", status="verified",
        profile=ThresholdProfile.active(),
    )  # fmt: skip
    fact = gated(Fact, status="verified")
    fact._log("stored", after=fact._standing())
    fact.withdraw(reason=f"wrong about {WORD}")
    gated(RejectedFact)
    gated(RejectedFact, fact=fact)
    assert keep(facts=30) == {"facts": 3}
    assert saying() == set()
    assert list(Fact.with_words()) == [held]
    assert Fact.objects.get(pk=fact.pk).status == "withdrawn"
    assert (Fact.objects.count(), RejectedFact.objects.count()) == (2, 2)
    assert ran()[1], ran()[0]


def test_traces_and_strict_answers_go(keep: Callable[..., dict[str, int]]) -> None:
    trace = Trace(question=WORD, context=[{"id": "S0", "text": WORD}], answer=WORD, worst="ENTAILED", reason=WORD,
                  profile=ThresholdProfile.active(), executor_answer=WORD, measurement={"said": WORD})  # fmt: skip
    trace.record([TraceStep(trace=trace, index=0, text=WORD, citations=[WORD], status="ENTAILED", conclusion="supported",
                            finding="x", reason=WORD, strawberry={"a": WORD}, measurement={"b": WORD})])  # fmt: skip
    StrictAnswer.objects.create(
        question=WORD, sources=[{"id": "S0", "text": WORD}], preset="standard", status="error", reason=WORD,
        finished_at=timezone.now(), answer=WORD, raw=WORD, audience=WORD, layers=[{"name": "model", "reason": WORD}],
    )  # fmt: skip
    assert keep(traces=30, strict=30) == {"traces": 1, "strict": 1}
    assert saying() == set()
    assert (Trace.objects.get().worst, TraceStep.objects.get().conclusion) == ("ENTAILED", "supported")
    assert StrictAnswer.objects.get().layers == [{"name": "model", "reason": "erased"}]
    assert ran()[1], ran()[0]


def test_what_has_no_further_use_is_deleted(
    keep: Callable[..., dict[str, int]], reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Session.objects.create(session_key="over", session_data="", expire_date=NOW - timedelta(days=2))
    Session.objects.create(session_key="goes on", session_data="", expire_date=NOW)
    for days in (8, 6):
        IdempotencyRecord.objects.create(user=reviewer, key=str(days), body_hash="x")
        IdempotencyRecord.objects.filter(key=str(days)).update(created_at=NOW - timedelta(days=days))
    AccessAttempt.objects.create(username="dana", failures_since_start=1, get_data="", post_data="")
    monkeypatch.setattr(retention, "AT_ONCE", 1)
    assert keep(sessions=1, idempotency=7, log_ins=30) == {"sessions": 1, "idempotency": 1, "log_ins": 1}
    assert Session.objects.get().session_key == "goes on"
    assert IdempotencyRecord.objects.get().key == "6"
    assert ErasedRows.counts() == {"idempotency": 1, "log_in": 1, "session": 1}


@pytest.mark.parametrize("given", ["", "0", "-1", "1.5", "ever", "100000"])
def test_a_slip_of_the_pen_stops_the_start(given: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"HALLU_KEEP_ANSWERS: .* give forever, or days"):
        production.days("HALLU_KEEP_ANSWERS", given)
    assert (production.days("X", "forever"), production.days("X", "30")) == (None, 30)
