"""Answers are submitted, read, listed and judged again over HTTP (APP-04)."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from detection import runs
from detection.api import waiting
from detection.models import Answer, DetectionRun, Source
from reviews.models import HallucinationReview, Lease, ReviewPass
from tests.api_calls import WRONG, Caller, body, drain, faults

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]


def submitted(backend: Caller, *args: Any, **fields: Any) -> str:
    response = backend.post("answers/", body(*args, **fields))
    assert response.status_code == 202, response.content
    return str(response.json()["id"])


def test_a_submission_is_stored_whole_and_owed(backend: Caller) -> None:
    sent = body(
        external_id="nlq-1", asked_by="a@b.example", language="en", iteration=1, max_iterations=3,
        question_type="metric", detectors=["numeric"], callback_url=None, model="m-1",
        sources=[{"id": "S0", "parent_id": "doc", "text": "x", "title": "t", "score": 0.5, "quality": 0.9, "metadata": {"page": 4}}],
    )  # fmt: skip
    response = backend.post("answers/", sent)
    assert response.status_code == 202
    told = response.json()
    assert (told["status"], told["external_id"]) == ("queued", "nlq-1")
    assert response["Location"] == f"/api/v1/answers/{told['id']}/"
    answer = Answer.objects.get(pk=told["id"])
    assert (answer.text, answer.language, answer.iteration, answer.max_iterations) == (
        sent["answer"],
        "en",
        1,
        3,
    )
    assert (answer.question_type, answer.requested_detectors, answer.model) == ("metric", ["numeric"], "m-1")
    assert (answer.question, answer.query.asked_by) == (sent["question"], "a@b.example")
    assert answer.period is not None
    assert (answer.property, answer.period.label) == (answer.period.property, "Q3 2024")
    (source,) = Source.objects.filter(answer=answer)
    assert (source.ref, source.parent_ref, source.text, source.title) == ("S0", "doc", "x", "t")
    assert (source.score, source.quality, source.metadata) == (0.5, 0.9, {"page": 4})
    assert DetectionRun.objects.filter(answer=answer, finished_at=None).count() == 1


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, 8),
        ({"sources": [{"id": f"S{n}", "text": "NOI rose."} for n in range(100)]}, 8),
        ({"external_id": "nlq-7"}, 11),  # looked for first, and stored so that another may be first
    ],
)
def test_taking_an_answer_in_costs_few_statements_however_large_it_is(
    backend: Caller, given: dict[str, Any], asked: int
) -> None:
    """The key, the begin of a transaction, query, answer, sources, profile, run, and its end."""
    sent = {"answer": WRONG, "sources": [{"id": "S0", "text": "NOI rose."}], **given}
    backend.post("answers/", {"answer": WRONG})  # the key notes once a minute that it was used
    with CaptureQueriesContext(connection) as queries:
        assert backend.post("answers/", sent).status_code == 202
    assert len(queries) == asked, "\n".join(query["sql"][:100] for query in queries)


def test_a_finished_answer_shows_its_result(backend: Caller) -> None:
    pk = submitted(backend, WRONG, external_id="nlq-2")
    drain()
    result = backend.get(f"answers/{pk}/").json()
    assert (result["id"], result["external_id"], result["status"]) == (pk, "nlq-2", "completed")
    assert result["verdict"]["has_hallucinations"] is True
    claim = next(c for c in result["claims"] if c["kind"] == "currency")
    assert (claim["status"], claim["numeric"]["expected"]) == ("contradicted", "1234567.89")
    assert result["review"] == {"id": HallucinationReview.objects.get().pk, "status": "open"}


def test_an_unfinished_answer_has_no_verdict_yet(backend: Caller) -> None:
    pk = submitted(backend)
    waiting = backend.get(f"answers/{pk}/").json()
    assert (waiting["status"], waiting["verdict"], waiting["review"]) == ("queued", None, None)
    run = DetectionRun.objects.get()
    runs.read(run)
    runs.screen(run, ["numeric"])
    half = backend.get(f"answers/{pk}/").json()
    assert half["verdict"] is None
    found = {c["kind"]: c["finding"] for c in half["claims"]}
    assert found["statement"] == "pending"
    assert found["currency"] != "pending"


@pytest.mark.parametrize("state", ["queued", "running", "needs_attention", "completed"])
def test_answers_are_found_by_their_state(backend: Caller, state: str) -> None:
    pk = submitted(backend)
    later = timezone.now() + timedelta(minutes=1)
    changes: dict[str, dict[str, Any]] = {
        "queued": {},
        "running": {"lease_until": later},
        "needs_attention": {"failed_reason": "worker_crashed(5)"},
        "completed": {"finished_at": timezone.now(), "result": {}},
    }
    DetectionRun.objects.update(**changes[state])
    assert backend.get(f"answers/{pk}/").json()["status"] == state
    for other in changes:
        rows = backend.get(f"answers/?status={other}").json()["results"]
        assert [row["status"] for row in rows] == ([state] if other == state else [])


def test_a_failed_answer_says_why(backend: Caller) -> None:
    pk = submitted(backend)
    DetectionRun.objects.update(failed_reason="worker_crashed(5)")
    assert backend.get(f"answers/{pk}/").json()["failed_reason"] == "worker_crashed(5)"


def test_the_resolution_is_read_back(backend: Caller, reviewer: User) -> None:
    pk = submitted(backend, WRONG)
    drain()
    review = HallucinationReview.objects.get()
    Lease.take(review, reviewer)
    for claim in review.to_decide():
        review.refresh_from_db()
        ReviewPass.decide(
            review, reviewer, review.version, claim, "corrected", corrected_value="$1,234,567.89"
        )
    review.refresh_from_db()
    review.resolve(reviewer, review.version, final_confidence=0.9)
    shown = backend.get(f"answers/{pk}/").json()["review"]
    assert (shown["status"], shown["outcome"], shown["final_confidence"]) == ("resolved", "corrected", 0.9)
    assert "$1,234,567.89" in shown["corrected_answer"]
    assert shown["resolved_at"]
    assert ReviewPass.objects.filter(state="submitted").count() == 1


def test_rescreening_makes_a_new_run_and_the_newest_speaks(backend: Caller) -> None:
    pk = submitted(backend)
    drain()
    response = backend.post(f"answers/{pk}/rescreen/")
    assert (response.status_code, response.json()["status"]) == (202, "queued")
    assert backend.get(f"answers/{pk}/").json()["status"] == "queued"
    assert backend.post(f"answers/{pk}/rescreen/").status_code == 202
    assert DetectionRun.objects.count() == 2
    drain()
    assert backend.get(f"answers/{pk}/").json()["status"] == "completed"


def test_a_shadow_run_never_speaks_for_its_answer(backend: Caller) -> None:
    pk = submitted(backend)
    drain()
    runs.start(Answer.objects.get(pk=pk), purpose="shadow")
    assert backend.get(f"answers/{pk}/").json()["status"] == "completed"
    assert [row["status"] for row in backend.get("answers/").json()["results"]] == ["completed"]


@pytest.mark.requirement("NUM-12")
@pytest.mark.parametrize("empty", ["", None, "   \n\t "])
def test_an_empty_answer_has_no_claims_and_is_no_error(backend: Caller, empty: str | None) -> None:
    pk = submitted(backend, empty)
    drain()
    result = backend.get(f"answers/{pk}/").json()
    assert (result["status"], result["claims"], result["review"]) == ("completed", [], None)
    assert Answer.objects.get(pk=pk).text == (empty or "")


def test_only_the_answer_is_required(backend: Caller) -> None:
    assert backend.post("answers/", {"answer": "NOI rose."}).status_code == 202
    assert faults(backend.post("answers/", {})) == {"answer": "This field is required."}


@pytest.mark.parametrize("named", ["Q3 2024", {"start": "2024-07-01", "end": "2024-09-30"}, "id"])
def test_a_period_goes_by_label_dates_or_id(backend: Caller, named: Any) -> None:
    first = Answer.objects.get(pk=submitted(backend))
    assert first.period is not None
    pk = submitted(backend, property=first.property_id, period=first.period_id if named == "id" else named)
    assert Answer.objects.get(pk=pk).period == first.period


def test_a_period_by_id_brings_its_property(backend: Caller) -> None:
    first = Answer.objects.get(pk=submitted(backend))
    pk = submitted(backend, property=None, period=first.period_id)
    assert Answer.objects.get(pk=pk).property == first.property


def test_a_misspelt_field_is_told_and_ignored(backend: Caller) -> None:
    assert backend.post("answers/", body(souces=[])).json()["ignored_fields"] == ["souces"]


def test_pages_lead_through_all_answers_once(backend: Caller) -> None:
    sent = [submitted(backend, f"Answer {n}.") for n in range(7)]
    seen, path = [], "answers/?page_size=3"
    while path:
        page = backend.get(path).json()
        seen += [row["id"] for row in page["results"]]
        path = page["next"].split("/api/v1/")[1] if page["next"] else ""
    assert seen == sent[::-1]


def test_a_page_has_at_most_200_rows(backend: Caller) -> None:
    query = Answer.objects.get(pk=submitted(backend)).query
    Answer.objects.bulk_create(Answer(query=query, text="x") for _ in range(250))
    assert len(backend.get("answers/?page_size=1000000000").json()["results"]) == 200


def queries_of_a_list(backend: Caller) -> int:
    """How many queries the list of answers takes; what a key or a cache asks for once a minute is not its cost."""
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            backend.get("answers/")
        counts.append(len(asked))
    return min(counts)


def test_a_list_costs_the_same_however_long_it_is(backend: Caller) -> None:
    submitted(backend, WRONG)
    drain()
    one = queries_of_a_list(backend)
    for n in range(8):
        submitted(backend, f"{WRONG} {n}")
    drain()
    assert len(backend.get("answers/").json()["results"]) == 9
    assert queries_of_a_list(backend) == one


def test_a_row_is_light(backend: Caller) -> None:
    submitted(backend, "NOI rose. " * 200)
    (row,) = backend.get("answers/").json()["results"]
    assert len(row["excerpt"]) == 240
    assert {"sources", "claims", "text"}.isdisjoint(row)


def test_answers_are_found_by_what_they_are_about(backend: Caller) -> None:
    pk = submitted(backend, WRONG, external_id="nlq-9")
    submitted(backend, "Rent rose.", property=None, period=None, language="he")
    drain()
    about = Answer.objects.get(pk=pk).property_id
    for query in (
        "property=OAK",
        f"property={about}",
        "period=Q3%202024",
        "external_id=nlq-9",
        "risk_level=high",
        "language=en",
    ):
        assert [row["id"] for row in backend.get(f"answers/?{query}").json()["results"]] == [pk], query
    assert backend.get("answers/?created_after=2999-01-01").json()["results"] == []
    assert len(backend.get("answers/?created_before=2999-01-01").json()["results"]) == 2


@pytest.mark.parametrize(
    "query", ["status=done", "created_after=yesterday", "risk_level=%00", "external_id=%00"]
)
def test_a_filter_that_cannot_be_read_is_named(backend: Caller, query: str) -> None:
    assert list(faults(backend.get(f"answers/?{query}"))) == [query.split("=")[0]]


@pytest.mark.parametrize(
    "path",
    [
        "answers/00000000-0000-4000-8000-000000000000/",
        "answers/17/",
        "answers/x/",
        "nowhere",
    ],
)
def test_what_is_not_there_is_a_404_problem(backend: Caller, path: str) -> None:
    faults(backend.get(path), 404)


def test_detect_gives_the_same_result_and_stores_nothing(backend: Caller) -> None:
    response = backend.post("answers:detect", body(WRONG, external_id="nlq-3"))
    assert response.status_code == 200
    assert Answer.objects.count() == 0
    pk = submitted(backend, WRONG, external_id="nlq-3")
    drain()
    unstored, stored = response.json(), backend.get(f"answers/{pk}/").json()
    assert (unstored["id"], unstored["external_id"], unstored["review"]) == (None, "nlq-3", None)
    for claim in stored["claims"]:
        claim["effective"]["at"] = None
    for name in ("verdict", "claims", "citations", "grounding", "hallucination_check", "profile"):
        assert unstored[name] == stored[name], name


@pytest.mark.parametrize(
    ("asked", "kept"),
    [(("a@b.example", "c@d.example"), "a@b.example"), ((None, "c@d.example"), "c@d.example")],
)
def test_a_query_keeps_who_asked_it_first(backend: Caller, asked: tuple[str | None, str], kept: str) -> None:
    for one in asked:
        pk = submitted(backend, external_id="q", asked_by=one)
    assert Answer.objects.get(pk=pk).query.asked_by == kept


def test_a_newer_answer_to_the_same_query_supersedes(backend: Caller) -> None:
    first = submitted(backend, WRONG, external_id="q")
    second = submitted(backend, external_id="q")
    newer = Answer.objects.get(pk=second)
    assert (str(newer.supersedes_id), newer.query.answers.count()) == (first, 2)


def test_a_newer_answer_leaves_the_older_one_what_it_was_about(backend: Caller, viewer: User) -> None:
    first = submitted(backend, WRONG, external_id="q", question="NOI of Oak?")
    submitted(backend, external_id="q", question="And elsewhere?", property=None, period=None)
    drain()
    older = Answer.objects.get(pk=first)
    assert (older.question, older.period and older.period.label) == ("NOI of Oak?", "Q3 2024")
    rows = {row["id"]: row for row in backend.get("answers/").json()["results"]}
    assert (rows[first]["question"], rows[first]["property"], rows[first]["period"]) == (
        "NOI of Oak?",
        "OAK",
        "Q3 2024",
    )
    assert {rows[pk]["property"] for pk in rows if pk != first} == {None}
    browser = Client()
    browser.force_login(viewer)
    page = browser.get(f"/answers/{first}/").content.decode()
    assert "NOI of Oak?" in page
    assert "Oak Tower · Q3 2024" in page


def test_waiting_gives_the_result_when_it_is_there_in_time(
    backend: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done(*_asked: Any, **_named: Any) -> waiting.Ended:
        drain()
        return waiting.Ended.DONE

    monkeypatch.setattr(waiting, "until", done)
    response = backend.post("answers/", body(WRONG), prefer="wait=2")
    assert response.status_code == 200
    assert response["Preference-Applied"] == "wait=2"
    assert response["Location"].endswith(f"{response.json()['id']}/")
    assert response.json()["verdict"]["risk_level"] == "high"


def test_waiting_in_vain_gives_the_202(backend: Caller) -> None:
    response = backend.post("answers/", body(), prefer="respond-async, wait=1")
    assert (response.status_code, response.json()["status"]) == (202, "queued")
    assert "Preference-Applied" not in response


@pytest.mark.parametrize("prefer", ["wait=-1", "wait=soon", "wait", "", "handling=strict"])
def test_a_preference_that_says_nothing_is_not_waited_for(backend: Caller, prefer: str) -> None:
    assert backend.post("answers/", body(), prefer=prefer).status_code == 202


def test_a_broken_submission_leaves_nothing_behind(backend: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer and what belongs to it are one transaction."""

    def broken(_run: DetectionRun) -> None:
        raise RuntimeError("half way")

    monkeypatch.setattr("reviews.lifecycle.publishing.publish", broken)
    faults(backend.post("answers/", body()), 500)
    assert Answer.objects.count() == 0
