"""``manage.py rescreen`` judges anew what an older engine judged: a few at a time, each answer once, nothing that a person settled."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from detection.core.pipeline import ENGINE
from detection.models import Answer, DetectionRun, Property
from reviews.lifecycle import intake
from reviews.lifecycle.results import result_of
from reviews.management.commands import rescreen
from reviews.models import HallucinationReview
from tests.api_calls import TRUE, WRONG, Caller, body, drain, resolved

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-06")]


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the command waits, the workers work."""
    waiting(monkeypatch, drain)


def waiting(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], None]) -> None:
    monkeypatch.setattr(rescreen.Command, "wait", lambda _command: meanwhile())


def judged_before(backend: Caller, *texts: str, **fields: Any) -> list[UUID]:
    """The ids of answers that an older engine judged."""
    made = [UUID(backend.post("answers/", body(text, **fields)).json()["id"]) for text in texts]
    drain()
    DetectionRun.objects.filter(answer__in=made).update(engine=ENGINE - 1)
    return made


def rescreened(**options: Any) -> str:
    out = StringIO()
    call_command("rescreen", stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def judged_again() -> set[UUID]:
    return set(DetectionRun.objects.filter(purpose="rescreen").values_list("answer", flat=True))


def test_a_run_says_which_engine_concluded_it(backend: Caller) -> None:
    backend.post("answers/", body(TRUE))
    assert DetectionRun.objects.get().engine == 0
    drain()
    assert DetectionRun.objects.get().engine == ENGINE
    assert f"engine {ENGINE}: 0." in rescreened(), "what this engine judged is not judged anew"


def test_what_an_older_engine_judged_is_judged_anew_and_its_verdict_stays_in_the_history(
    backend: Caller,
) -> None:
    wrong, right = judged_before(backend, WRONG, TRUE)
    before = DetectionRun.objects.get(answer=wrong)
    DetectionRun.objects.filter(pk=before.pk).update(answer_status="success")
    told = rescreened()
    assert judged_again() == {wrong, right}
    assert "Judged anew: 2. Their verdict changed: 1." in told
    assert "success → hallucination_detected: 1" in told
    first, again = DetectionRun.objects.filter(answer=wrong).order_by("pk")
    assert (first.pk, first.result, first.engine) == (before.pk, before.result, ENGINE - 1)
    assert (again.answer_status, again.engine) == ("hallucination_detected", ENGINE)


def test_the_second_time_nothing_is_left(backend: Caller) -> None:
    judged_before(backend, WRONG, TRUE)
    rescreened()
    assert f"engine {ENGINE}: 0." in rescreened()
    assert DetectionRun.objects.count() == 4


def test_a_dry_run_says_how_many_and_starts_none(backend: Caller) -> None:
    judged_before(backend, WRONG, TRUE, TRUE)
    assert f"engine {ENGINE}: 3." in rescreened(dry_run=True)
    told = rescreened(dry_run=True, limit=2)
    assert f"engine {ENGINE}: 2." in told
    assert "1 over the limit" in told
    assert not judged_again()


def test_what_a_person_settled_and_what_was_replaced_is_left(backend: Caller, reviewer: User) -> None:
    settled, _ = judged_before(backend, WRONG, TRUE)
    resolved(Caller("review", user=reviewer), str(settled), "approved")
    (older,) = judged_before(backend, WRONG, external_id="q")
    (newer,) = judged_before(backend, TRUE, external_id="q")
    told = rescreened()
    assert "1 settled by a person, 1 replaced by a newer answer" in told
    assert newer in judged_again()
    assert judged_again().isdisjoint({settled, older})
    counts = json.loads(result_of(Answer.objects.get(pk=settled)))["effective"]
    assert (counts["by"], counts["outcome"]) == ("person", "approved")


def test_a_review_in_work_keeps_the_run_that_it_judges(backend: Caller) -> None:
    (wrong,) = judged_before(backend, WRONG)
    review = HallucinationReview.objects.get(answer=wrong)
    rescreened()
    assert wrong in judged_again()
    assert HallucinationReview.objects.get().run_id == review.run_id


def test_an_answer_is_chosen_by_property_day_and_engine(backend: Caller) -> None:
    elm = Property.objects.create(code="ELM", name="Elm")
    (oak,) = judged_before(backend, WRONG)
    (of_elm, old) = judged_before(backend, WRONG, TRUE, property=elm.code, period=None)
    Answer.objects.filter(pk=old).update(created_at=timezone.now() - timedelta(days=9))
    day = (timezone.now() - timedelta(days=5)).date().isoformat()
    assert f"engine {ENGINE}: 2." in rescreened(property=["ELM"], dry_run=True)
    assert f"engine {ENGINE}: 2." in rescreened(since=day, dry_run=True)
    assert f"engine {ENGINE}: 1." in rescreened(until=day, dry_run=True)
    assert f"engine {ENGINE}: 0." in rescreened(older_than=ENGINE - 1, dry_run=True)
    rescreened(property=["ELM"], since=day)
    assert judged_again() == {of_elm}
    assert oak not in judged_again()


def test_the_newest_are_judged_first_up_to_the_limit(backend: Caller) -> None:
    made = judged_before(backend, TRUE, TRUE, TRUE)
    rescreened(limit=2)
    assert judged_again() == set(made[1:])
    rescreened(limit=2)
    assert judged_again() == set(made)


def test_new_answers_never_wait_for_more_than_a_few(backend: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    judged_before(backend, *[TRUE] * 5)
    unfinished = []

    def look() -> None:
        unfinished.append(DetectionRun.unfinished().count())
        drain()

    waiting(monkeypatch, look)
    rescreened(at_once=2)
    assert unfinished == [2, 2, 1]


def test_while_new_answers_fill_the_workers_none_is_started(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_before(backend, TRUE)
    for _ in range(2):
        backend.post("answers/", body(TRUE))
    seen = []

    def look() -> None:
        seen.append(len(judged_again()))
        drain()

    waiting(monkeypatch, look)
    assert "Judged anew: 1" in rescreened(at_once=2)
    assert seen == [0, 1]


def test_interrupted_it_says_what_was_done_and_goes_on_the_next_time(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = judged_before(backend, *[TRUE] * 3)

    def stop() -> None:
        if judged_again() == {made[2]}:
            drain()
        else:
            raise KeyboardInterrupt

    waiting(monkeypatch, stop)
    out = StringIO()
    with pytest.raises(CommandError, match="need no command for it: 1") as ended:
        call_command("rescreen", at_once=1, stdout=out, stderr=StringIO())
    assert ended.value.returncode == 130
    assert "Judged anew: 1." in out.getvalue()
    waiting(monkeypatch, drain)
    drain()
    assert f"engine {ENGINE}: 1." in rescreened()
    assert DetectionRun.objects.filter(purpose="rescreen").count() == 3, "each of them once"


def test_a_run_that_fails_is_named_and_not_waited_for(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_before(backend, TRUE)
    waiting(monkeypatch, _fail)
    with pytest.raises(CommandError, match="need attention: 1"):
        rescreened()


def _fail() -> None:
    DetectionRun.unfinished().update(failed_reason="worker_crashed(5)")


def test_what_somebody_settled_meanwhile_is_not_judged_anew(backend: Caller, reviewer: User) -> None:
    (wrong,) = judged_before(backend, WRONG)
    run = DetectionRun.objects.get()
    resolved(Caller("review", user=reviewer), str(wrong), "approved")
    assert intake.renew(run) is None
    assert not judged_again()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"older_than": ENGINE + 1}, f"this version has engine {ENGINE}"),
        ({"limit": 0}, "--limit 0: give 1 or more"),
        ({"at_once": 0}, "--at-once 0: give 1 or more"),
        ({"since": "yesterday"}, "--since yesterday: give a day as YYYY-MM-DD"),
        ({"since": "2026-03-02", "until": "2026-03-02"}, "is not after --since 2026-03-02"),
        ({"property": ["OAKK"]}, "There is no property “OAKK”.*OAK"),
    ],
)
def test_wrong_input_says_what_to_do(backend: Caller, options: dict[str, Any], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        rescreened(**options)


def test_elsewhere_than_on_a_terminal_progress_is_a_line_a_tenth(backend: Caller) -> None:
    judged_before(backend, TRUE, TRUE)
    err = StringIO()
    call_command("rescreen", at_once=1, stdout=StringIO(), stderr=err)
    assert re.findall(r"(\d) of 2 answers", err.getvalue()) == ["1", "2"]
