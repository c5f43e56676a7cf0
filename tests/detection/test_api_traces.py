"""``/api/v1/traces/``: audits in, audits out, who sees them, what is refused."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import Error, transaction
from django.test import override_settings

from detection.models import Property, Trace, TraceStep
from detection.serializers.traces import EXAMPLE
from tests.api_calls import Caller, faults

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("SPEC-08.23")]
CONTEXT = [
    {"id": "S0", "text": "Rental income of Oak Tower was $1,500,000 and operating expenses were $600,000."},
    {"id": "S1", "text": "The anchor tenant renewed its lease for ten years.", "metadata": {"page": 4}},
]
STEPS = [
    {"text": "Operating expenses were $600,000.", "citations": ["S0"], "confidence": 0.9},
    {"text": "The roof garden was opened by the mayor in spring.", "citations": ["S1"]},
    {"text": "What was the rental income?"},
]


@pytest.fixture(autouse=True)
def switched_on() -> Iterator[None]:
    tree = settings.HALLUCINATION
    with override_settings(
        HALLUCINATION={**tree, "trace_auditing": {**tree["trace_auditing"], "enabled": True}}
    ):
        yield


@pytest.fixture
def oak(db: None) -> Property:
    return Property.objects.create(code="OAK", name="Oak Tower")


def body(**fields: Any) -> dict[str, Any]:
    return {
        "question": "What were the expenses?",
        "context": CONTEXT,
        "steps": STEPS,
        "answer": "Operating expenses were $600,000.",
        **fields,
    }


def submitted(caller: Caller | None = None, **fields: Any) -> dict[str, Any]:
    response = (caller or Caller("submit")).post("traces/", body(**fields))
    assert response.status_code == 201, response.content
    assert response["Location"] == f"/api/v1/traces/{response.json()['id']}/"
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.requirement("SPEC-08.24")
def test_every_step_comes_back_with_its_status_and_its_budget() -> None:
    found = submitted()
    assert [step["status"] for step in found["steps"]] == ["ENTAILED", "NOT_IN_CONTEXT", "UNVERIFIABLE"]
    first = found["steps"][0]
    assert first["p1"] > first["p0"]
    assert first["budget_gap"] == pytest.approx(first["required_bits"] - first["observed_bits"], abs=1e-5)
    assert first["strawberry"]["intervals"]["p1"][0] == pytest.approx(first["p1"], abs=1e-6)
    assert (first["citations"], first["confidence"]) == (["S0"], 0.9)
    assert found["steps"][2]["p1"] is None
    assert found["worst"] == "NOT_IN_CONTEXT"


@pytest.mark.requirement("SPEC-08.25")
def test_the_answer_is_tested_against_the_steps() -> None:
    assert submitted()["post_hoc"] | {"reason": ""} == {
        "derivable": True,
        "executor_answer": None,
        "method": "entailment",
        "reason": "",
    }
    foreign = submitted(answer="The anchor tenant renewed its lease for ten years.")
    assert foreign["post_hoc"]["derivable"] is False


def test_what_is_stored_reads_back_the_same_and_whole() -> None:
    found = submitted()
    read = Caller("read").get(f"traces/{found['id']}/").json()
    assert read == found
    assert read["context"][1]["metadata"] == {"page": 4}
    assert read["profile"]["scoring"] == "information_budget"


def test_an_audit_never_changes() -> None:
    row = Trace.objects.get(pk=submitted()["id"])
    for table in (Trace, TraceStep):
        with pytest.raises(Error, match="append-only"), transaction.atomic():
            table.objects.update(reason="better")
    with pytest.raises(ValueError, match="stored already"):
        row.record([])


def test_the_list_is_filtered_and_paged_by_cursor(oak: Property) -> None:
    caller = Caller("submit", "read")
    good = submitted(caller, steps=STEPS[:1], property="OAK")
    bad = submitted(caller)
    rows = caller.get("traces/").json()["results"]
    assert [row["id"] for row in rows] == [bad["id"], good["id"]]
    assert "steps" not in rows[0]
    for query, wanted in [
        ("worst=ENTAILED", [good]),
        ("derivable=true", [bad, good]),
        ("derivable=unknown", []),
        ("property=OAK", [good]),
        ("language=he", []),
        ("created_after=2100-01-01T00:00:00Z", []),
    ]:
        found = caller.get(f"traces/?{query}").json()["results"]
        assert [row["id"] for row in found] == [one["id"] for one in wanted], query
    first = caller.get("traces/?page_size=1").json()
    assert [row["id"] for row in first["results"]] == [bad["id"]]
    assert first["next"]
    faults(caller.get("traces/?worst=FINE"))


def test_a_key_bound_to_properties_sees_its_own_only(oak: Property) -> None:
    elm = Property.objects.create(code="ELM", name="Elm Court")
    bound = Caller("submit", "read").bound_to(elm)
    free = Caller("submit")
    about_oak, unbound, about_elm = (submitted(free, property=code) for code in ("OAK", None, "ELM"))
    own = submitted(bound)
    seen = {row["id"] for row in bound.get("traces/").json()["results"]}
    assert seen == {about_elm["id"], own["id"]}
    for hidden in (about_oak, unbound):
        faults(bound.get(f"traces/{hidden['id']}/"), 404)
    assert list(faults(bound.post("traces/", body(property="OAK")))) == ["property"]


def test_scopes_are_held() -> None:
    faults(Caller("read").post("traces/", body()), 403)
    faults(Caller("submit").get("traces/"), 403)
    faults(Caller(key=None).get("traces/"), 401)
    faults(Caller("admin").call("DELETE", f"traces/{submitted()['id']}/"), 405)


@pytest.mark.requirement("SPEC-08.02")
def test_switched_off_it_says_which_variable_switches_it_on() -> None:
    tree = settings.HALLUCINATION
    with override_settings(
        HALLUCINATION={**tree, "trace_auditing": {**tree["trace_auditing"], "enabled": False}}
    ):
        response = Caller("submit").post("traces/", body())
    faults(response, 409)
    assert response.json()["variable"] == "HALLU_TRACE_AUDITING"
    assert "HALLU_TRACE_AUDITING=true" in response.json()["detail"]
    assert not Trace.objects.exists()


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"steps": []}, "steps"),
        ({"steps": None}, "steps"),
        ({"steps": [{"text": "A step."}] * 201}, "steps"),
        ({"steps": [{"text": "A step."}, {"text": "  "}]}, "steps[1].text"),
        ({"steps": [{"text": 5}]}, "steps[0].text"),
        ({"steps": [{"text": "A step.", "citations": "S0"}]}, "steps[0].citations"),
        ({"steps": [{"text": "A step.", "confidence": 1.2}]}, "steps[0].confidence"),
        ({"context": [{"id": "S0", "text": "a"}, {"id": "S0", "text": "b"}]}, "context[1].id"),
        ({"context": [{"id": "Step 1", "text": "a"}]}, "context[0].id"),
        ({"context": [{"text": "a"}]}, "context[0].id"),
        ({"language": "english language"}, "language"),
        ({"property": "NOPE"}, "property"),
        ({"answer": 5}, "answer"),
    ],
)
def test_each_invalid_field_is_named(fields: dict[str, Any], named: str) -> None:
    assert list(faults(Caller("submit").post("traces/", body(**fields)))) == [named]
    assert not Trace.objects.exists()


def test_two_hundred_steps_are_taken() -> None:
    steps = [{"text": f"Unit {n} of the building is let."} for n in range(200)]
    assert len(submitted(steps=steps, context=[], answer="")["steps"]) == 200


def test_the_documented_example_works() -> None:
    found = submitted(**EXAMPLE)
    assert [step["status"] for step in found["steps"][:2]] == ["ENTAILED", "ENTAILED"]
    assert found["steps"][2]["citations"] == ["step 1", "step 2"]
