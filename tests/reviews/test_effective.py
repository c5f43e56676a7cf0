"""The verdict that counts now stands in every Result and list row, whoever gave it; the detectors' own stays beside it."""

import re
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from detection.models import Answer, DetectionRun
from reviews.models import HallucinationReview, send_to_review, undo_step
from tests.api_calls import TRUE, WRONG, Caller, body, drain, resolved, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04"), pytest.mark.requirement("APP-03")]

MACHINE = {"by": "machine", "who": None, "outcome": None, "superseded_by": None}
"""What is so of every verdict of the detectors."""


def result(caller: Caller, pk: str) -> Any:
    return caller.get(f"answers/{pk}/").json()


def test_until_somebody_decides_the_detectors_verdict_counts(backend: Caller, dana: Caller) -> None:
    pk = submitted(backend)
    shown, run = result(backend, pk), DetectionRun.objects.get()
    told = {name: shown["verdict"][name] for name in ("has_hallucinations", "answer_status", "risk_level")}
    assert told["has_hallucinations"] is True
    assert run.finished_at is not None
    assert shown["effective"] == {**MACHINE, **told, "at": run.finished_at.isoformat()}


def test_an_unfinished_answer_has_none(backend: Caller) -> None:
    pk = backend.post("answers/", body(WRONG)).json()["id"]
    assert result(backend, pk)["effective"] is None
    DetectionRun.objects.update(failed_reason="worker_crashed(5)")
    assert result(backend, pk)["effective"] is None
    (row,) = backend.get("answers/").json()["results"]
    assert row["effective"] is None


@pytest.mark.parametrize(
    ("outcome", "wrong", "status"),
    [
        ("approved", False, "success"),
        ("corrected", True, "hallucination_detected"),
        ("rejected", True, "hallucination_detected"),
        ("no_decision", None, None),
    ],
)
def test_what_a_person_decided_counts_and_the_detectors_stays_as_it_was_delivered(
    backend: Caller, dana: Caller, outcome: str, wrong: bool | None, status: str | None
) -> None:
    pk = submitted(backend)
    delivered = result(backend, pk)
    review = resolved(dana, pk, outcome)
    assert review.resolved_at is not None
    shown = result(backend, pk)
    assert shown["effective"] == {
        "by": "person",
        "who": "Dana Levi",
        "at": review.resolved_at.isoformat(),
        "has_hallucinations": wrong,
        "answer_status": status,
        "risk_level": None,
        "outcome": outcome,
        "superseded_by": None,
    }
    changed = {name for name in delivered if delivered[name] != shown[name]}
    assert changed == {"effective", "review", "claims"}
    for before, after in zip(delivered["claims"], shown["claims"], strict=True):
        assert {name for name in before if before[name] != after[name]} <= {"effective"}


def test_all_rows_say_the_same(backend: Caller, dana: Caller) -> None:
    machine, approved = submitted(backend), submitted(backend)
    older = submitted(backend, external_id="q")
    newer = submitted(backend, TRUE, external_id="q")
    resolved(dana, approved, "approved")
    told = {pk: result(backend, pk)["effective"] for pk in (machine, approved, older, newer)}
    assert [one["by"] for one in told.values()] == ["machine", "person", "supersession", "machine"]
    assert {row["id"]: row["effective"] for row in backend.get("answers/").json()["results"]} == told
    rows = dana.get("reviews/").json()["results"]
    assert {row["answer"]: row["effective"] for row in rows} == {
        pk: told[pk] for pk in (machine, approved, older)
    }
    for row in rows:
        assert dana.get(f"reviews/{row['id']}/").json()["effective"] == row["effective"]


def test_an_outcome_against_the_verdicts_counts_as_it_was_given(backend: Caller, dana: Caller) -> None:
    pk = submitted(backend)
    resolved(dana, pk, "rejected", outcome="approved", reason="The source was scanned badly.")
    told = result(backend, pk)["effective"]
    assert (told["outcome"], told["has_hallucinations"]) == ("approved", False)


def test_what_is_undone_or_reopened_counts_no_more(backend: Caller, dana: Caller, reviewer: User) -> None:
    pk = submitted(backend)
    machine = result(backend, pk)["effective"]
    review = resolved(dana, pk, "approved")
    undo_step(review, reviewer)
    assert result(backend, pk)["effective"] == machine
    review = resolved(dana, pk, "approved")
    assert result(backend, pk)["effective"]["by"] == "person"
    assert dana.post(f"reviews/{review.pk}/reopen/", {"reason": "New figures."}).status_code == 200
    assert result(backend, pk)["effective"] == machine
    resolved(dana, pk, "rejected")
    assert result(backend, pk)["effective"]["outcome"] == "rejected"


@pytest.mark.parametrize("judged", [True, False])
def test_a_newer_answer_takes_the_place_of_whatever_was_said(
    backend: Caller, dana: Caller, judged: bool
) -> None:
    older = submitted(backend, external_id="q")
    if judged:
        resolved(dana, older, "approved")
    newer = backend.post("answers/", body(TRUE, external_id="q")).json()["id"]
    superseded = {
        "by": "supersession",
        "who": None,
        "at": Answer.objects.get(pk=newer).created_at.isoformat(),
        "has_hallucinations": None,
        "answer_status": None,
        "risk_level": None,
        "outcome": None,
        "superseded_by": newer,
    }
    assert result(backend, older)["effective"] == superseded
    drain()
    assert result(backend, older)["effective"] == superseded
    told = result(backend, newer)["effective"]
    assert (told["by"], told["has_hallucinations"]) == ("machine", False)


def test_judged_again_an_answer_keeps_what_a_person_said_until_that_is_in_doubt(
    backend: Caller, dana: Caller
) -> None:
    pk = submitted(backend)
    resolved(dana, pk, "approved")
    person = result(backend, pk)["effective"]
    backend.post(f"answers/{pk}/rescreen/")
    waiting = result(backend, pk)
    assert (waiting["verdict"], waiting["effective"]) == (None, person)
    drain()
    second = HallucinationReview.objects.get(answer=UUID(pk), resolved_at=None)
    again = result(backend, pk)["effective"]
    assert (again["by"], again["has_hallucinations"]) == ("machine", True)
    second.void("duplicate")
    assert result(backend, pk)["effective"] == person


def test_a_review_by_hand_puts_a_clear_answer_in_a_persons_hand(
    backend: Caller, dana: Caller, reviewer: User
) -> None:
    pk = submitted(backend, TRUE)
    assert result(backend, pk)["effective"]["has_hallucinations"] is False
    answer = Answer.objects.get(pk=pk)
    send_to_review(answer, answer.runs.get(), reviewer, "A tenant complained.")
    resolved(dana, pk, "rejected", outcome="rejected", reason="Wrong quarter.")
    told = result(backend, pk)["effective"]
    assert (told["by"], told["has_hallucinations"]) == ("person", True)


def test_gold_says_nothing_of_its_answer(backend: Caller, dana: Caller) -> None:
    pk = submitted(backend)
    machine = result(backend, pk)["effective"]
    resolved(dana, pk, "approved")
    HallucinationReview.objects.update(selection_reason="gold")
    assert result(backend, pk)["effective"] == machine


def test_whoever_may_have_to_judge_blind_is_told_in_no_row(
    backend: Caller, dana: Caller, reviewer: User
) -> None:
    pk, told = submitted(backend), Caller("read", "review")
    HallucinationReview.objects.update(blind=True)
    blind = Caller("read", "review", user=reviewer)
    review = HallucinationReview.objects.get().pk
    for caller, known in ((blind, False), (told, True)):
        shown = [
            result(caller, pk),
            *caller.get("answers/").json()["results"],
            *caller.get("reviews/").json()["results"],
            caller.get(f"reviews/{review}/").json(),
        ]
        assert [bool(one["effective"]) for one in shown] == [known] * 4
    resolved(dana, pk, "approved")
    assert result(blind, pk)["effective"]["by"] == "person"


def marked(user: User, path: str) -> list[str]:
    """What a page says of who decided an answer."""
    browser = Client()
    browser.force_login(user)
    html = browser.get(path).content.decode()
    found = re.findall(r'<(p|span)[^>]*data-testid="decided"[^>]*>(.*?)</\1>', html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", "", text).split()) for _tag, text in found]


def test_the_screens_say_who_decided_and_what_the_detectors_had_said(
    backend: Caller, dana: Caller, reviewer: User
) -> None:
    pk = submitted(backend)
    for path in ("/answers/", f"/answers/{pk}/"):
        assert marked(reviewer, path) == []
    review = resolved(dana, pk, "approved")
    assert marked(reviewer, "/answers/") == ["Approved by Dana Levi"]
    (line,) = marked(reviewer, f"/answers/{pk}/")
    assert line.startswith("Approved by Dana Levi · ")
    assert line.endswith("UTC · the detectors had found something wrong")
    backend.post(f"answers/{pk}/rescreen/")
    (line,) = marked(reviewer, f"/answers/{pk}/")
    assert line.endswith("UTC")
    drain()
    assert marked(reviewer, f"/answers/{pk}/") == []
    assert HallucinationReview.objects.exclude(pk=review.pk).get().is_live


@pytest.mark.parametrize("path", ["answers/", "reviews/"])
def test_lists_cost_the_same_however_long_they_are(backend: Caller, dana: Caller, path: str) -> None:
    caller = Caller("read", "review", user=dana.row.user)

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert caller.get(path).json()["results"]
        return len(queries)

    def more(name: str) -> None:
        resolved(dana, submitted(backend, external_id=name), "approved")
        submitted(backend, f"{WRONG} {name}")
        submitted(backend, external_id=name)

    more("one")
    cost()
    before = cost()
    for name in ("two", "three", "four"):
        more(name)
    assert cost() == before


def test_judged_without_storing_there_is_no_time_and_nobody(backend: Caller) -> None:
    shown = backend.post("answers:detect", body(WRONG)).json()
    told = {name: shown["verdict"][name] for name in ("has_hallucinations", "answer_status", "risk_level")}
    assert shown["effective"] == {**MACHINE, **told, "at": None}


def test_the_schema_says_what_may_be_null() -> None:
    accept = {"accept": "application/vnd.oai.openapi+json"}
    schemas = Client().get("/api/v1/schema/", headers=accept).json()["components"]["schemas"]
    for name in ("Result", "AnswerRow", "ReviewRow", "Review"):
        assert schemas[name]["properties"]["effective"]["oneOf"] == [
            {"$ref": "#/components/schemas/Effective"},
            {"type": "null"},
        ], name
        assert "effective" in schemas[name]["required"], name
    fields = schemas["Effective"]["properties"]
    nullable = {name for name, field in fields.items() if "null" in str(field).lower() and name != "by"}
    assert nullable == set(fields) - {"by"} == set(MACHINE) - {"by"} | {
        "at", "has_hallucinations", "answer_status", "risk_level",
    }  # fmt: skip
    assert all("null" in fields[name]["description"].lower() for name in nullable)
