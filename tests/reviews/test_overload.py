"""Under load answers go without the verifier: shown as skipped, never clear, and judged again later (SPEC-08.39)."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from detection import runs
from detection.models import Answer, DetectionRun, OwedVerification
from detection.operations import overload, verifying
from reviews import tasks
from reviews.lifecycle import intake, owing
from reviews.lifecycle.results import result_of
from reviews.management.commands import sweep
from reviews.models import HallucinationReview
from tests.faults import broker
from tests.faults.answers import pending_runs

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.requirement("SPEC-08.39"),
]
CLEAR = "Occupancy was 95.2% at the end of the quarter [S0]."


@pytest.fixture(autouse=True)
def _empty_broker(db: None) -> None:
    broker.empty()


@pytest.fixture
def limited(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``limited(2)``: skip while more than two runs wait for the verifier, which they do as if it were behind a network."""
    monkeypatch.setattr(verifying, "asks_a_network", lambda _due: True)

    def limit(skip_above: int, **changes: Any) -> None:
        tree = settings.HALLUCINATION
        output = {**tree["output_verification"], "skip_above": skip_above, **changes}
        settings.HALLUCINATION = {**tree, "output_verification": output}

    return limit


def waiting(count: int) -> list[DetectionRun]:
    """Runs that the fast lane is done with."""
    made = pending_runs(count)
    for run in made:
        tasks.screen(run.pk)
    broker.empty()
    return made


def finished(run: DetectionRun) -> dict[str, Any]:
    return dict(json.loads(result_of(Answer.objects.get(pk=run.answer_id))))


def later() -> Any:
    return timezone.now() + timedelta(minutes=1)


def test_the_verifier_is_asked_while_few_enough_wait(limited: Any) -> None:
    limited(2)
    first, *_ = waiting(3)
    tasks.verify(first.pk)  # the run itself is held, two more wait
    assert finished(first)["checks"]["strawberry"]["status"] == "ok"


def test_above_the_limit_the_statements_are_skipped_and_the_numbers_are_not(limited: Any) -> None:
    limited(2)
    first, *_ = waiting(4)
    tasks.verify(first.pk)
    result = finished(first)
    assert result["status"] == "completed"
    assert result["checks"]["strawberry"]["status"] == "skipped"
    statements = [
        c for c in result["claims"] if c["kind"] == "statement" and c["finding"] != "number_contradicted"
    ]
    assert {(c["status"], c["finding"]) for c in statements} == {("not_checked", "overload")}
    assert all(c["status"] != "not_checked" for c in result["claims"] if c["kind"] != "statement")
    assert result["verdict"]["coverage"]["not_checked"] == len(statements)
    assert "overload" in {reason["code"] for reason in result["verdict"]["reasons"]}
    assert not result["hallucination_check"]["overall_grounded"]


def test_an_answer_that_went_without_the_verifier_is_never_clear(limited: Any, monkeypatch: Any) -> None:
    limited(1)
    submitted = intake.Submission(answer=CLEAR, sources=[{"id": "S0", "text": CLEAR}])
    before, after = intake.submit(submitted), intake.submit(submitted)
    broker.deliver()
    assert finished(before)["verdict"]["risk_level"] == "low"
    monkeypatch.setattr(overload, "leaves_out", lambda _run: True)
    again = intake.rescreen(after.answer)
    broker.deliver()
    verdict = finished(again)["verdict"]
    assert (verdict["risk_level"], verdict["has_hallucinations"], verdict["needs_review"]) == (
        "moderate",
        False,
        False,
    )
    assert finished(again)["warning"]


def test_zero_never_skips(limited: Any) -> None:
    limited(0)
    first, *_ = waiting(4)
    tasks.verify(first.pk)
    assert finished(first)["checks"]["strawberry"]["status"] == "ok"


def test_what_waits_for_the_fast_lane_is_no_load_of_the_verifier(limited: Any) -> None:
    limited(1)
    (first,) = waiting(1)
    pending_runs(3)
    assert not overload.leaves_out(first)


def test_a_shadow_run_waits_its_turn(limited: Any) -> None:
    limited(1)
    first, *_ = waiting(4)
    assert overload.leaves_out(first)
    first.purpose = DetectionRun.Purpose.SHADOW
    assert not overload.leaves_out(first)


def test_when_the_load_is_gone_the_sweep_has_it_judged_again(limited: Any) -> None:
    limited(2)
    skipped, *others = waiting(4)
    tasks.verify(skipped.pk)
    sweep.sweep(later())
    assert skipped.answer.runs.count() == 1  # three still wait
    broker.empty()
    for run in others:
        tasks.verify(run.pk)
    sweep.sweep(later())
    broker.deliver()
    assert skipped.answer.runs.count() == 2
    assert finished(skipped)["checks"]["strawberry"]["status"] == "ok"
    sweep.sweep(later())
    assert skipped.answer.runs.count() == 2


def test_no_more_is_judged_again_than_half_of_what_the_verifier_bears(limited: Any) -> None:
    limited(4)
    for run in waiting(9):
        tasks.verify(run.pk)
    assert OwedVerification.open().count() == 4
    assert owing.pay(later()) == 2
    assert (owing.pay(later()), OwedVerification.open().count()) == (0, 2)


@pytest.mark.parametrize("reason", ["newer run", "newer answer", "settled", "switched off"])
def test_what_nobody_waits_for_any_more_is_not_judged_again(limited: Any, reason: str) -> None:
    limited(1)
    skipped, *others = waiting(3)
    tasks.verify(skipped.pk)
    for run in others:
        tasks.verify(run.pk)
    answer = skipped.answer
    if reason == "newer run":
        runs.start(answer)
    elif reason == "newer answer":
        Answer.objects.create(query=answer.query, text="Newer.", supersedes=answer)
    elif reason == "settled":
        HallucinationReview.objects.filter(answer=answer).update(
            state="resolved", outcome="approved", resolved_at=timezone.now()
        )
    else:
        limited(1, enabled=False)
    known = answer.runs.count()
    assert owing.pay(later()) == 0
    assert answer.runs.count() == known


def test_the_page_says_that_it_was_skipped(limited: Any, client: Client, reviewer: Any) -> None:
    limited(1)
    first, *_ = waiting(3)
    tasks.verify(first.pk)
    client.force_login(reviewer)
    review = HallucinationReview.objects.get(answer=first.answer)
    html = client.get(reverse("review", args=[review.pk])).content.decode()
    assert "skipped under load" in html
    assert "too many answers waited for the verifier" in html


@pytest.mark.requirement("SPEC-08.02")
@pytest.mark.requirement("SPEC-08.19")
def test_output_verification_is_switched_by_itself(limited: Any, make_answer: Callable[..., Answer]) -> None:
    assert "strawberry" in runs.start(make_answer()).due
    limited(1000, enabled=False)
    run = runs.start(make_answer())
    tasks.screen(run.pk)
    tasks.verify(run.pk)
    assert finished(run)["checks"]["strawberry"] == {
        "status": "skipped",
        "reason": "no verifier is switched on.",
    }
    assert not OwedVerification.open().exists(), "nobody is owed what nobody wants"
