"""``/api/v1/strict-answers/``: what a reader gets, what is kept from them, who sees what, and what workers do."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as project
from django.test import override_settings
from django.utils import timezone

from detection.core.generation import FALLBACKS, PRESETS
from detection.core.ports import Text, VerifierTimeout
from detection.models import Answer, DetectionRun, Property, StrictAnswer, ThresholdProfile
from detection.operations import verifying
from reviews.api.strict_serializers import EXAMPLE
from reviews.lifecycle import strict
from reviews.management.commands import sweep
from reviews.models import HallucinationReview
from tests.api_calls import Caller, drain, faults
from tests.core.judges import Scripted
from tests.detection.verifier_stub import Endpoint, hanging, serving
from tests.faults import broker
from tests.waiting import GIVEN_UP_AFTER

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("RAG-09")]
SOURCES = [
    {"id": "S0", "text": "Net operating income of Oak Plaza was $1,234,567 in the third quarter of 2024.",
     "title": "Statement", "score": 0.9, "metadata": {"page": 4}},
    {"id": "S1", "text": "The anchor tenant renewed its lease for ten years in August 2024.", "score": 0.8},
]  # fmt: skip
GOOD = "Net operating income of Oak Plaza was $1,234,567 in the third quarter of 2024 [S0]."
LEANING = f"As we know, {GOOD}"
KEYS = {
    "id", "answer", "status", "confidence", "is_safe", "hallucination_reason", "sources", "language", "layers",
}  # fmt: skip


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``says(text)``: what the configured model will write; returns the model."""

    def configured(*answers: Any) -> Scripted:
        model = Scripted("writer", *answers)
        monkeypatch.setattr(verifying, "strict_model", lambda: model)
        return model

    return configured


def body(**fields: Any) -> dict[str, Any]:
    return {"question": "What was the net operating income of Oak Plaza?", "sources": SOURCES, **fields}


def asked(caller: Caller | None = None, **fields: Any) -> dict[str, Any]:
    response = (caller or Caller("submit")).post("strict-answers/", body(**fields))
    assert response.status_code == 201, response.content
    assert response["Location"] == f"/api/v1/strict-answers/{response.json()['id']}/"
    found: dict[str, Any] = response.json()
    return found


def whole(given: dict[str, Any], *scopes: str) -> dict[str, Any]:
    response = Caller(*(scopes or ("read",))).get(f"strict-answers/{given['id']}/")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.requirement("RAG-10")
def test_a_safe_answer_comes_back_with_its_sources(says: Any) -> None:
    says(GOOD)
    found = asked()
    assert set(found) >= KEYS
    assert (found["status"], found["is_safe"], found["hallucination_reason"]) == ("success", True, None)
    assert found["confidence"] == pytest.approx(0.85)
    assert found["answer"] == f"{GOOD}\n\n**Sources:**\n- [S0] Statement, page 4"
    assert found["sources"] == [{"id": "S0", "title": "Statement", "metadata": {"page": 4}}]
    assert [layer["reason"] for layer in found["layers"]] == [None] * 6
    assert whole(found) == found


@pytest.mark.requirement("RAG-10")
def test_citations_may_stand_at_the_end(says: Any) -> None:
    says(GOOD)
    text, sources = asked(citation_style="end")["answer"].split("\n\n")
    assert "[" not in text
    assert sources == "**Sources:**\n- [S0] Statement, page 4"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        pytest.param(GOOD.replace(" [S0]", ""), "cites no source", marks=pytest.mark.requirement("RAG-04")),
        pytest.param(LEANING, "as we know", marks=pytest.mark.requirement("RAG-05")),
        pytest.param(GOOD.replace("S0", "S7"), "[S7]", marks=pytest.mark.requirement("RAG-06")),
        pytest.param(f"{GOOD} " * 8, "much longer", marks=pytest.mark.requirement("RAG-07")),
        pytest.param("The roof leaks and mould is growing [S0].", "0 of its 1", marks=pytest.mark.requirement("RAG-08")),
    ],
)  # fmt: skip
def test_a_refused_text_is_judged_and_reviewed_and_kept_from_readers(
    says: Any, written: str, why: str
) -> None:
    says(written)
    caller = Caller("submit", "read")
    found = asked(caller)
    assert (found["status"], found["is_safe"], found["answer"]) == (
        "hallucination_detected", False, FALLBACKS["en"],
    )  # fmt: skip
    assert why in found["hallucination_reason"].casefold() or why in found["hallucination_reason"]
    assert not {"raw", "judged_as"} & set(found)
    drain()
    review = HallucinationReview.objects.get()
    assert (review.state, review.answer.text) == ("open", written)
    kept = whole(found, "read", "review")
    assert (kept["raw"], kept["judged_as"]) == (written, str(review.answer_id))
    assert whole(found, "read", "admin")["raw"] == written


def test_a_refused_text_is_nowhere_for_a_key_that_does_not_review(says: Any) -> None:
    says(LEANING)
    caller = Caller("submit", "read")
    given = asked(caller)
    drain()
    judged, review = Answer.objects.get(), HallucinationReview.objects.get()
    for path in (f"answers/{judged.pk}/", f"reviews/{review.pk}/"):
        faults(caller.get(path), 404)
    for path in ("answers/", "reviews/", "strict-answers/", f"strict-answers/{given['id']}/"):
        response = caller.get(path)
        assert response.status_code == 200
        assert "$1,234,567 in the third quarter" not in response.content.decode(), path
    analyst = Caller("read", "review")
    assert LEANING in analyst.get(f"reviews/{review.pk}/").json()["text"]
    result = analyst.get(f"answers/{judged.pk}/").json()
    assert result["verdict"]["answer_status"] == "hallucination_detected"
    assert result["verdict"]["reasons"][0]["code"] == "strict_refused"


def test_a_shown_answer_is_judged_like_any_other(says: Any) -> None:
    says(GOOD)
    found = asked()
    drain()
    judged = Answer.objects.get()
    assert (judged.text, judged.model, judged.strict.pk) == (GOOD, "writer", StrictAnswer.objects.get().pk)
    assert [source.ref for source in judged.sources.all()] == ["S0", "S1"]
    assert DetectionRun.objects.get().state == "completed"
    assert not HallucinationReview.objects.exists()
    assert Caller("read").get(f"answers/{judged.pk}/").status_code == 200
    assert whole(found)["answer"].startswith(GOOD)


def test_the_same_idempotency_key_asks_the_model_once(says: Any) -> None:
    model, caller = says(GOOD), Caller("submit")
    first, again = (caller.post("strict-answers/", body(), Idempotency_Key="k1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"
    assert len(model.asked) == 1
    other = caller.post("strict-answers/", body(question="And in 2023?"), Idempotency_Key="k1")
    assert list(faults(other)) == ["Idempotency-Key"]
    same = {**body(), "answer": GOOD}
    assert caller.post("answers/", same, Idempotency_Key="k2").status_code == 202
    assert list(faults(caller.post("strict-answers/", same, Idempotency_Key="k2"))) == ["Idempotency-Key"]
    assert StrictAnswer.objects.count() == 1


@pytest.mark.requirement("RAG-01")
def test_without_sources_nothing_is_asked_and_nothing_is_judged(says: Any) -> None:
    model = says(GOOD)
    found = asked(sources=[])
    assert (found["status"], found["answer"]) == ("insufficient_context", FALLBACKS["en"])
    assert model.asked == []
    assert not Answer.objects.exists()


@pytest.mark.requirement("RAG-02")
def test_weak_sources_are_not_asked_about(says: Any) -> None:
    model = says(GOOD)
    weak = [{**SOURCES[0], "score": 0.65}]
    assert asked(sources=[SOURCES[0], {"id": "S1", "text": "x"}])["status"] == "low_confidence"
    assert asked(sources=weak, preset="maximum_safety")["status"] == "low_confidence"
    assert model.asked == []
    assert asked(sources=weak)["status"] == "success"


@pytest.mark.requirement("RAG-03")
def test_the_model_is_given_the_rules_the_audience_and_the_language(says: Any) -> None:
    model = says(GOOD)
    asked(audience="a ten-year-old", language="en")
    ((rules, prompt),) = model.asked
    assert "nothing else" in rules
    assert "a ten-year-old" in rules
    assert "English" in rules
    assert all(source["text"] in prompt for source in SOURCES)


@pytest.mark.requirement("RAG-03")
def test_a_model_that_does_not_know_is_believed_and_not_judged(says: Any) -> None:
    says(FALLBACKS["en"])
    assert asked()["status"] == "insufficient_context"
    assert not Answer.objects.exists()


@pytest.mark.requirement("RAG-11")
def test_a_layer_switched_off_is_kept_and_never_safe(says: Any) -> None:
    says(LEANING)
    found = asked(strictness={"hallucination_detection": False})
    assert (found["status"], found["is_safe"]) == ("success", False)
    assert found["strictness"]["hallucination_detection"] is False
    assert found["strictness"]["temperature"] == PRESETS["standard"].temperature
    assert asked(preset="faster_testing")["strictness"]["answer_verification"] is False


@pytest.mark.requirement("RAG-11")
def test_the_multilingual_preset_holds_the_answer_to_the_question(says: Any) -> None:
    says(GOOD)
    found = asked(question="מה היה הרווח התפעולי הנקי?", preset="multilingual")
    assert (found["status"], found["language"]) == ("hallucination_detected", "he")
    assert found["answer"] == FALLBACKS["he"]


@pytest.mark.requirement("RAG-12")
def test_the_fallback_is_a_setting(says: Any) -> None:
    says(LEANING)
    tree = project.HALLUCINATION
    own = {**tree["strict_generation"], "fallback": "Ask your analyst."}
    with override_settings(HALLUCINATION={**tree, "strict_generation": own}):
        assert asked()["answer"] == "Ask your analyst."


def test_without_a_model_the_answer_names_the_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "strict_model", lambda: None)
    found = asked()
    assert (found["status"], found["answer"], found["is_safe"]) == ("error", FALLBACKS["en"], False)
    assert "HALLU_VERIFIER_BASE_URL" in found["hallucination_reason"]
    assert "HALLU_STRICT_MODEL" in found["layers"][0]["reason"]


@pytest.mark.requirement("RAG-03")
def test_the_endpoint_and_the_model_of_the_settings_write_the_answer(settings: Any) -> None:
    def writes(endpoint: Endpoint, asked_for: dict[str, Any]) -> None:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": GOOD}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": asked_for["model"]}
        endpoint.reply(200, json.dumps(whole | {"choices": [choice], "usage": usage}))

    verifying.forget()
    with serving(writes) as stub:
        settings.VERIFIER = {**settings.VERIFIER, "base_url": stub.url, "model": "other"}
        own = {"model": "strict-writer", "fallback": "", "backend": ""}
        settings.HALLUCINATION = {**settings.HALLUCINATION, "strict_generation": own}
        found = asked()
    verifying.forget()
    assert (found["status"], found["model"]) == ("success", "strict-writer")
    assert found["cost"]["tokens"] == 110
    (request,) = [one for one in stub.asked if not one.get("logprobs")]
    assert (request["model"], request["temperature"]) == ("strict-writer", 0.1)


def test_a_failing_model_gives_the_fallback(says: Any) -> None:
    says(VerifierTimeout("too late"))
    found = asked()
    assert (found["status"], found["answer"]) == ("error", FALLBACKS["en"])
    assert "too late" in found["hallucination_reason"]


def test_a_model_that_hangs_is_cut_off_by_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripted with an event that nobody sets: only the deadline can end the call."""

    class Hanging(Scripted):
        def complete(self, system: str, prompt: str, **_more: Any) -> Text:
            threading.Event().wait(GIVEN_UP_AFTER)
            return super().complete(system, prompt)

    monkeypatch.setattr(verifying, "strict_model", lambda: Hanging("hanging", GOOD))
    with override_settings(HALLUCINATION={**project.HALLUCINATION, "timeout": 0.05}):
        found = asked()
    assert (found["status"], found["answer"]) == ("error", FALLBACKS["en"])


def test_a_verifier_that_hangs_costs_the_answer_and_no_more_than_its_time(
    says: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(GOOD)
    settings.VERIFIER = {**settings.VERIFIER, "backend": "external"}
    patient = {"base": {"verifier_deadline_ms": 600_000}}
    ThresholdProfile.objects.filter(state="active").update(state="retired")
    ThresholdProfile.objects.create(version=2, state="active", values=patient)
    monkeypatch.setattr(strict, "LONGEST", 0.3)
    with hanging() as verifier:
        monkeypatch.setattr(verifying, "verifier_for", lambda _operation: verifier)
        found = asked()
    assert (found["status"], found["is_safe"], found["answer"]) == ("not_verified", False, FALLBACKS["en"])


def test_who_writes_keeps_it_until_somebody_else_took_it_or_it_is_finished(says: Any) -> None:
    says(GOOD)
    given = deferred()
    first = StrictAnswer.take(given["id"], seconds=0)
    assert first is not None
    assert first.prolong(seconds=60) is True
    assert StrictAnswer.take(given["id"], seconds=60) is None
    StrictAnswer.objects.update(lease_until=None)
    second = StrictAnswer.take(given["id"], seconds=60)
    assert second is not None
    assert first.prolong(seconds=60) is False
    assert second.finish(status="error", answer="first") is True
    assert second.prolong(seconds=60) is False


def test_every_invalid_field_is_named(says: Any) -> None:
    says(GOOD)
    caller = Caller("submit")
    named = faults(
        caller.post(
            "strict-answers/",
            {
                "question": " ",
                "sources": [SOURCES[0], {**SOURCES[1], "id": "S0"}],
                "preset": "lax",
                "strictness": {"temperature": 3, "citations_required": "perhaps"},
                "citation_style": "footnote",
                "language": "not a language",
                "audience": "x" * 201,
                "property": "NOWHERE",
            },
        )
    )
    assert set(named) == {
        "question", "sources[1].id", "preset", "strictness.temperature", "strictness.citations_required",
        "citation_style", "language", "audience", "property",
    }  # fmt: skip
    coerced = {"enforce_language": 0, "answer_verification": "true", "maximum_tokens": "9"}
    named = faults(caller.post("strict-answers/", body(strictness=coerced)))
    assert set(named) == {f"strictness.{name}" for name in coerced}
    misspelt = faults(caller.post("strict-answers/", body(strictness={"citation_required": False})))
    assert "citations_required" in misspelt["strictness.citation_required"]
    assert list(faults(caller.post("strict-answers/", {"sources": SOURCES}))) == ["question"]
    assert not StrictAnswer.objects.exists()


def test_the_documented_example_is_accepted(says: Any) -> None:
    says(GOOD)
    assert Caller("submit").post("strict-answers/", EXAMPLE).status_code == 201


def test_scopes_are_held(says: Any) -> None:
    says(GOOD)
    given = asked()
    faults(Caller("read").post("strict-answers/", body()), 403)
    faults(Caller("submit").get("strict-answers/"), 403)
    faults(Caller("review").get(f"strict-answers/{given['id']}/"), 403)
    faults(Caller("admin").call("DELETE", f"strict-answers/{given['id']}/"), 405)


def test_a_key_bound_to_properties_sees_its_own_only(says: Any) -> None:
    says(GOOD)
    oak, elm = (Property.objects.create(code=code, name=code) for code in ("OAK", "ELM"))
    bound = Caller("submit", "read", "review").bound_to(elm)
    about_oak, about_none, about_elm = (asked(property=code) for code in ("OAK", None, "ELM"))
    own = asked(bound)
    seen = {row["id"] for row in bound.get("strict-answers/").json()["results"]}
    assert seen == {about_elm["id"], own["id"]}
    for hidden in (about_oak, about_none):
        faults(bound.get(f"strict-answers/{hidden['id']}/"), 404)
    assert list(faults(bound.post("strict-answers/", body(property=oak.code)))) == ["property"]
    assert elm.strict_answers.count() == 1


def test_the_list_is_filtered_and_paged(says: Any) -> None:
    says(GOOD, LEANING)
    good, bad = asked(language="en"), asked()
    caller = Caller("read")
    for query, wanted in [
        ("", [bad, good]),
        ("status=success", [good]),
        ("status=unfinished", []),
        ("is_safe=false", [bad]),
        ("preset=standard", [bad, good]),
        ("language=he", []),
        ("property=OAK", []),
        ("created_after=2100-01-01T00:00:00Z", []),
    ]:
        rows = caller.get(f"strict-answers/?{query}").json()["results"]
        assert [row["id"] for row in rows] == [one["id"] for one in wanted], query
    first = caller.get("strict-answers/?page_size=1").json()
    assert (len(first["results"]), bool(first["next"])) == (1, True)
    assert "answer" not in first["results"][0]


@pytest.fixture
def _empty_broker(transactional_db: None) -> Iterator[None]:
    broker.empty()
    yield
    broker.empty()


def deferred() -> dict[str, Any]:
    response = Caller("submit").post("strict-answers/", body(), Prefer="respond-async")
    assert response.status_code == 202
    assert response["Preference-Applied"] == "respond-async"
    found: dict[str, Any] = response.json()
    assert response["Location"] == f"/api/v1/strict-answers/{found['id']}/"
    assert (found["status"], found["answer"], found["is_safe"]) == ("queued", "", False)
    return found


@pytest.mark.usefixtures("_empty_broker")
@pytest.mark.requirement("APP-02")
@pytest.mark.django_db(transaction=True)
def test_an_answer_left_to_a_worker_is_announced_and_done(says: Any) -> None:
    model = says(GOOD)
    given = deferred()
    assert model.asked == []
    assert broker.depth("verify") == 1
    assert "reviews.answer_strictly" in broker.deliver()
    assert whole(given)["answer"].startswith(GOOD)
    assert Answer.objects.count() == 1


@pytest.mark.usefixtures("_empty_broker")
@pytest.mark.requirement("APP-02")
@pytest.mark.django_db(transaction=True)
def test_a_lost_message_is_made_up_for_by_the_sweep(says: Any) -> None:
    says(GOOD)
    given = deferred()
    broker.empty()
    later = timezone.now() + timedelta(seconds=60)
    assert sweep.sweep(later) == 1
    assert broker.depth("verify") == 1
    assert sweep.sweep(later) == 0, "its message is waiting already"
    broker.deliver()
    assert whole(given)["status"] == "success"


def test_only_one_worker_answers_and_only_once(says: Any) -> None:
    model = says(GOOD)
    given = deferred()
    held = StrictAnswer.take(given["id"], seconds=60)
    assert held is not None
    assert whole(given)["status"] == "running"
    strict.work(given["id"])
    assert model.asked == []
    assert held.finish(status="error", answer="first") is True
    assert held.finish(status="success", answer="second") is False
    strict.work(given["id"])
    assert (whole(given)["status"], whole(given)["answer"]) == ("error", "first")


def test_one_whose_workers_die_is_given_up_with_the_fallback(says: Any) -> None:
    model = says(GOOD)
    given = deferred()
    StrictAnswer.objects.update(attempts=project.RUN_ATTEMPTS)
    strict.work(given["id"])
    found = whole(given)
    assert (found["status"], found["answer"], model.asked) == ("error", FALLBACKS["en"], [])
