"""What a verifier could not do is owed: told as not verified, no flag, and judged again by itself, once, when it is well."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone

from detection.models import (
    Answer,
    DetectionRun,
    OwedVerification,
    ThresholdProfile,
    VerifierEndpoint,
    VerifierSpending,
)
from detection.models import owed as owed_rows
from detection.operations import overload, verifying
from detection.operations.verifier_stores import written
from reviews import tasks
from reviews.lifecycle import intake, owing
from reviews.lifecycle.results import result_of
from reviews.management.commands.sweep import sweep
from reviews.models import HallucinationReview, Lease, send_to_review
from tests.detection.fault_server import Does, faulty
from tests.detection.verifier_stub import Endpoint, Stub, completion
from tests.faults import broker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.requirement("REL-25")]
ROOF, LIFT = "The roof was replaced after the storm", "The elevator has been out of order since May"
AWAY = Does("{}", 500)
LIMITED = Does('{"error": {"message": "slow down"}}', 429, {"Retry-After": "120"})
SILENT = Does(completion({"YES": -0.01}, logprobs=None))
"""No log-probabilities, from one that has given them."""
FAULTS = {
    "outage": (AWAY, "outage"),
    "wrong key": (Does("{}", 401), "outage"),
    "rate limit": (LIMITED, "rate_limit"),
    "no log-probabilities": (SILENT, "degraded"),
}


class Verifier:
    """An endpoint that is well until it is told to ``fall``; what fails is every question, or those with ``about`` in their claim."""

    def __init__(self, stub: Stub, script: dict[str, list[Does]]) -> None:
        self.stub, self.script = stub, script

    def fall(self, does: Does, about: str = "") -> None:
        self.script[about] = [does]
        self._forget()

    def rise(self) -> None:
        """Well again."""
        self.script.clear()
        self._forget()

    def _forget(self) -> None:
        """No estimate is kept, and the pauses that processes share are over."""
        cache.clear()
        verifying.forget()


@pytest.fixture
def verifier(settings: Any) -> Iterator[Verifier]:
    """The verifier of answers, which has been seen well."""
    script: dict[str, list[Does]] = {}
    broker.empty()
    with faulty(script) as stub:
        used = {"backend": "external", "base_url": stub.url, "model": "m", "timeout": 60.0, "samples": 2}
        settings.VERIFIER = {**settings.VERIFIER, **used}
        verifying.forget()
        endpoint = Verifier(stub, script)
        judged(submitted())
        written()
        endpoint.rise()
        yield endpoint
        written()
    verifying.forget()


def submitted(*sentences: str, **more: Any) -> DetectionRun:
    """An answer of these sentences, each of which its source says word for word."""
    said = sentences or (ROOF,)
    return intake.submit(
        intake.Submission(
            answer=" ".join(f"{each} [S0]." for each in said),
            sources=[{"id": "S0", "text": " ".join(f"{each}." for each in (ROOF, LIFT))}],
            **more,
        )
    )


def judged(run: DetectionRun) -> DetectionRun:
    """The run, once all that waits is done."""
    broker.deliver()
    return DetectionRun.objects.get(pk=run.pk)


def told(run: DetectionRun) -> dict[str, Any]:
    return dict(json.loads(result_of(Answer.objects.get(pk=run.answer_id))))


def newest(run: DetectionRun) -> DetectionRun:
    return DetectionRun.objects.filter(answer=run.answer_id).latest("id")


def later(minutes: float = 30) -> datetime:
    return timezone.now() + timedelta(minutes=minutes)


@pytest.mark.parametrize(("does", "reason"), FAULTS.values(), ids=FAULTS)
def test_an_answer_is_not_verified_while_its_verifier_is_not_well_and_is_judged_once_after(
    verifier: Verifier, does: Does, reason: str
) -> None:
    verifier.fall(does)
    run = judged(submitted(ROOF, LIFT))
    assert (run.state, run.answer_status) == ("completed", "not_verified")
    assert (run.has_hallucinations, run.needs_review) == (False, False)
    assert not HallucinationReview.objects.filter(answer=run.answer_id).exists()
    owed = told(run)["verification_owed"]
    assert (owed["reason"], owed["tries"], owed["since"]) == (
        reason,
        0,
        run.finished_at and run.finished_at.isoformat(),
    )
    for _ in range(3):
        sweep(later())
    assert newest(run) == run, "nobody is judged again by a verifier that is not well"
    verifier.rise()
    assert sweep(later(60)) >= 0
    broker.deliver()
    again = newest(run)
    assert (again.purpose, again.answer_status) == ("rescreen", "success")
    sweep(later(90))
    broker.deliver()
    assert run.answer.runs.count() == 2
    result = told(run)
    assert result["verification_owed"] is None
    (history,) = result["verification_history"]
    assert (history["run"], history["ending"]) == (run.pk, "judged_again")
    assert OwedVerification.objects.get(run=run).again == again


def test_one_statement_of_many_that_failed_is_owed(verifier: Verifier) -> None:
    verifier.fall(Does(cut=5), about=LIFT)
    run = judged(submitted(*[ROOF] * 9, LIFT))
    assert (run.answer_status, OwedVerification.open().get().reason) == ("not_verified", "outage")


def test_what_a_verifier_that_works_says_of_a_question_is_not_owed(verifier: Verifier) -> None:
    verifier.fall(Does('{"error": {"message": "maximum context length is 8192 tokens"}}', 400), about=LIFT)
    run = judged(submitted(LIFT))
    assert run.result is not None
    assert run.result["claims"][0]["finding"] == "verifier_context_too_long"
    assert (run.answer_status, OwedVerification.objects.exists()) == ("not_verified", False)


def test_a_judge_whose_model_is_away_is_owed_and_asks_for_no_review(
    verifier: Verifier, settings: Any
) -> None:
    honest = verifier.stub.answer

    def answer(endpoint: Endpoint, body: dict[str, Any]) -> None:
        return endpoint.reply(500, "{}") if body["model"] == "j" else honest(endpoint, body)

    verifier.stub.answer = answer
    tree = settings.HALLUCINATION
    settings.HALLUCINATION = {**tree, "judge": {**tree["judge"], "enabled": True, "model": "j"}}
    run = judged(submitted())
    assert run.result is not None
    assert (run.result["claims"][0]["status"], run.result["checks"]["judge"]["status"]) == (
        "supported",
        "away",
    )
    assert (run.answer_status, run.needs_review) == ("not_verified", False)
    settings.HALLUCINATION = tree
    sweep(later())
    broker.deliver()
    assert newest(run).answer_status == "success"


def test_spent_money_is_owed_until_the_day_is_over(verifier: Verifier, settings: Any) -> None:
    settings.VERIFIER = {**settings.VERIFIER, "daily_usd": "1"}
    VerifierSpending.add(timezone.now().date(), "external", "m", usd=2)
    verifying.forget()
    run = judged(submitted())
    owed = OwedVerification.open().get(run=run)
    assert (run.answer_status, owed.reason) == ("not_verified", "budget")
    day = owed.noted_at.date() + timedelta(days=1)
    assert owed.due_at == datetime(day.year, day.month, day.day, tzinfo=UTC)


@pytest.mark.parametrize(("asked", "waits"), [(0, 30), (120, 120), (86400, 900)])
def test_a_rate_limit_is_waited_for_as_long_as_it_asks_within_bounds(
    asked: int, waits: int, make_run: Callable[..., DetectionRun]
) -> None:
    run, now = make_run(), timezone.now()
    owed = OwedVerification.note(run, "rate_limit", float(asked), now)
    assert owed.due_at - now == timedelta(seconds=waits)


# --- once -----------------------------------------------------------------------------------------------------------
@pytest.mark.postgres
def test_two_sweepers_a_lost_message_and_one_that_comes_twice_judge_it_again_once(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    run = judged(submitted())
    verifier.rise()
    assert (owing.pay(later()), owing.pay(later())) == (1, 0)
    broker.empty()  # the message is lost, and so is whoever would have sent it
    sweep(later(60))
    broker.deliver()
    again = newest(run)
    tasks.verify(again.pk)
    tasks.screen(run.pk)
    sweep(later(90))
    broker.deliver()
    assert list(run.answer.runs.values_list("pk", flat=True)) == [again.pk, run.pk]
    assert again.answer_status == "success"


def test_what_a_person_has_judged_again_is_not_owed_any_more(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    run = judged(submitted())
    verifier.rise()
    judged(intake.rescreen(run.answer))
    sweep(later())
    assert (run.answer.runs.count(), OwedVerification.open().exists()) == (2, False)


@pytest.mark.parametrize("ending", ["superseded", "settled"])
def test_what_nobody_waits_for_any_more_is_forgiven_while_the_verifier_is_away(
    verifier: Verifier, ending: str, reviewer: User
) -> None:
    verifier.fall(AWAY)
    run = judged(submitted())
    if ending == "superseded":
        Answer.objects.create(query=run.answer.query, text="Newer.", supersedes=run.answer)
    else:
        decided = {"state": "resolved", "outcome": "approved", "resolved_at": timezone.now()}
        HallucinationReview.objects.filter(pk=send_to_review(run.answer, run, reviewer, "Odd.").pk).update(
            **decided
        )
    sweep(later())
    owed = OwedVerification.objects.get(run=run)
    assert (owed.ending, owed.again, run.answer.runs.count()) == (ending, None, 1)


def test_a_statement_that_always_fails_is_tried_less_and_less_often_and_then_given_up(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owed_rows, "MOST_TRIES", 5)
    verifier.fall(AWAY, about=LIFT)
    run = judged(submitted(LIFT))
    waits = []
    for days in range(1, 8):
        verifier.stub.asked.clear()
        cache.clear()
        verifying.forget()
        sweep(later(days * 24 * 60))
        broker.deliver()
        if left := OwedVerification.open().first():
            waits.append((left.due_at - left.noted_at).total_seconds() / 60)
    assert waits == [1, 2, 4, 8, 16]
    assert run.answer.runs.count() == 1 + 5
    assert OwedVerification.objects.latest("id").ending == "given_up"
    assert newest(run).answer_status == "not_verified"


# --- paced ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at first."""
    monkeypatch.setattr(overload, "FEWEST_AT_ONCE", 2)


@pytest.mark.postgres
@pytest.mark.usefixtures("slowly")
def test_few_are_judged_again_at_first_and_the_more_the_better_it_goes(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    runs = [submitted() for _ in range(9)]
    broker.deliver()
    verifier.rise()
    rounds = []
    for minutes in (30, 31, 32):
        rounds.append(owing.pay(later(minutes)))
        assert owing.pay(later(minutes)) == 0, "before those are done no further ones begin"
        broker.deliver()
    assert rounds == [2, 4, 3]
    assert {newest(run).answer_status for run in runs} == {"success"}


@pytest.mark.usefixtures("slowly")
def test_one_that_was_in_vain_sets_the_pace_back(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    for _ in range(7):
        submitted()
    broker.deliver()
    verifier.rise()
    assert owing.pay(later()) == 2
    broker.deliver()
    assert owing.pay(later()) == 4
    verifier.fall(AWAY)
    broker.deliver()
    verifier.rise()
    sweep(later(60))
    assert DetectionRun.unfinished().count() == 2


# --- reviews --------------------------------------------------------------------------------------------------------
@pytest.fixture
def cautious(db: None) -> None:
    """A profile that opens a review for what could not be verified."""
    ThresholdProfile.draft({"base": {"review_not_verified": True}}).activate()


def review_of(run: DetectionRun) -> HallucinationReview:
    return HallucinationReview.objects.get(answer=run.answer_id)


@pytest.mark.postgres
@pytest.mark.usefixtures("cautious")
def test_a_review_that_nobody_touched_is_withdrawn_with_its_history(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    run = judged(submitted())
    assert (run.answer_status, review_of(run).state) == ("not_verified", "open")
    verifier.rise()
    sweep(later())
    broker.deliver()
    review = review_of(run)
    assert (review.state, review.void_cause) == ("void", "verified")
    event = review.events.latest("seq")
    assert (event.action, event.actor, event.after) == ("voided", None, {"cause": "verified"})
    assert told(run)["effective"]["answer_status"] == "success"


@pytest.mark.usefixtures("cautious")
@pytest.mark.parametrize("touched", ["taken", "given back", "assigned"])
def test_a_review_that_somebody_touched_stays(verifier: Verifier, reviewer: User, touched: str) -> None:
    verifier.fall(AWAY)
    run = judged(submitted())
    review = review_of(run)
    if touched == "assigned":
        review.assign(reviewer, review.version, reviewer)
    else:
        Lease.take(review, reviewer)
    if touched == "given back":
        Lease.release(review, reviewer)
    verifier.rise()
    sweep(later())
    broker.deliver()
    assert newest(run).answer_status == "success"
    assert review_of(run).state in ("open", "in_review")


@pytest.mark.usefixtures("cautious")
def test_a_review_of_what_is_wrong_all_the_same_stays(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    run = judged(submitted(ROOF, "The tenant left without paying a cent of it"))
    verifier.rise()
    sweep(later())
    broker.deliver()
    assert (newest(run).needs_review, review_of(run).state) == (True, "open")


@pytest.mark.usefixtures("cautious")
def test_judged_again_in_vain_withdraws_nothing(verifier: Verifier) -> None:
    verifier.fall(AWAY, about=ROOF)
    run = judged(submitted())
    cache.clear()
    sweep(later())
    broker.deliver()
    assert (run.answer.runs.count(), review_of(run).state) == (2, "open")


# --- what an endpoint can do is health --------------------------------------------------------------------------------
@pytest.mark.requirement("REL-28")
def test_an_endpoint_that_falls_is_down_with_its_reason_until_it_answers_a_probe(
    verifier: Verifier, caplog: pytest.LogCaptureFixture
) -> None:
    verifier.fall(SILENT)
    judged(submitted())
    sweep(later())
    row = VerifierEndpoint.objects.get(model="m")
    assert (row.down_reason, row.answered_at, bool(row.capability and row.capability.has_fallen)) == (
        "verifier_no_logprobs",
        None,
        True,
    )
    assert "verifier_down model=m" in caplog.text
    verifier.rise()
    sweep(later(60))
    row.refresh_from_db()
    assert (row.down_since, row.down_reason, row.probes) == (None, "", 0)
    assert "verifier_back model=m" in caplog.text


@pytest.mark.requirement("REL-28")
def test_a_verifier_that_fails_is_probed_within_minutes_and_less_and_less_often(verifier: Verifier) -> None:
    verifier.fall(AWAY)
    judged(submitted())
    now, pauses = later(), []
    for _ in range(8):
        cache.clear()
        sweep(now)
        row = VerifierEndpoint.objects.get(model="m")
        assert row.probe_after is not None
        asked = len(verifier.stub.asked)
        sweep(row.probe_after - timedelta(seconds=1))
        assert len(verifier.stub.asked) == asked
        pauses.append((row.probe_after - now).total_seconds())
        now = row.probe_after
    assert pauses == [10, 20, 40, 80, 160, 300, 300, 300]


@pytest.mark.requirement("REL-28")
def test_nobody_is_probed_while_nothing_is_owed(verifier: Verifier) -> None:
    asked = len(verifier.stub.asked)
    sweep(later())
    assert len(verifier.stub.asked) == asked
