"""``/api/v1/facts/``: what goes in, what comes out, who sees what."""

from typing import Any

import pytest

from detection.models import Fact, Property, RejectedFact
from tests.api_calls import Caller, faults, portfolio
from tests.detection.facts import EVIDENCE, FACT, GUESSED, HURRIED, WRONG, Held, believes, gate_on
from tests.detection.verifier_stub import serving

pytestmark = pytest.mark.django_db(transaction=True)
FIGURES = {
    "p0",
    "p1",
    "required_bits",
    "observed_bits",
    "budget_gap",
    "confidence",
    "reduced",
    "reason",
    "finding",
}


def fact(content: str = FACT, confidence: Any = 0.9, **fields: Any) -> dict[str, Any]:
    source = {"id": "S0", "title": "Report", "text": EVIDENCE, "metadata": {"page": 4}}
    return {"content": content, "confidence": confidence, "evidence": [source], **fields}


@pytest.fixture
def backend(db: None) -> Caller:
    """A key that submits and reads."""
    return Caller("submit", "read")


@pytest.mark.requirement("SPEC-08.15")
def test_a_grounded_fact_is_stored_with_its_figures(backend: Caller) -> None:
    with gate_on():
        response = backend.post("facts/", fact())
    assert response.status_code == 201
    given = response.json()
    assert set(given) == FIGURES | {"id", "stored", "status"}
    assert (given["stored"], given["status"]) == (True, "verified")
    justified = given["observed_bits"] / given["required_bits"]
    assert given["confidence"] == pytest.approx(min(fact()["confidence"], justified), abs=1e-4)
    assert given["budget_gap"] == pytest.approx(given["required_bits"] - given["observed_bits"])
    row = Fact.objects.get(pk=given["id"])
    assert (row.submitted_by, row.evidence[0]["metadata"]) == (backend.row, {"page": 4})


@pytest.mark.requirement("SPEC-08.16")
@pytest.mark.requirement("SPEC-08.18")
@pytest.mark.parametrize(("content", "finding"), [(GUESSED, "no_lift"), (WRONG, "number_contradicted")])
def test_a_fact_that_is_not_grounded_is_a_problem_with_its_figures(
    backend: Caller, content: str, finding: str
) -> None:
    with gate_on():
        response = backend.post("facts/", fact(content))
    assert faults(response, 409) == {}
    problem = response.json()
    assert problem["type"] == "urn:hallu:problem:ErrFactNotGrounded"
    assert set(problem) >= FIGURES
    assert (problem["stored"], problem["finding"], problem["detail"]) == (False, finding, problem["reason"])
    assert problem["p1"] is not None
    assert not Fact.objects.exists()
    assert RejectedFact.objects.get(pk=problem["id"]).content == content


@pytest.mark.requirement("SPEC-08.38")
def test_a_verifier_that_hangs_gives_a_fact_with_reduced_confidence(backend: Caller) -> None:
    held = Held()
    with serving(held) as stub, gate_on(stub.url, seconds=HURRIED):
        given = backend.post("facts/", fact()).json()
        assert not held.free.is_set()
        held.free.set()
    assert (given["stored"], given["status"], given["reduced"]) == (True, "unverified", True)
    assert (given["confidence"], given["finding"]) == (0.45, "timeout")


@pytest.mark.requirement("SPEC-08.15")
def test_while_the_gate_is_off_a_fact_is_stored_and_called_unverified(backend: Caller) -> None:
    given = backend.post("facts/", fact(GUESSED)).json()
    assert (given["stored"], given["status"], given["finding"]) == (True, "unverified", "switched_off")
    assert "switched off" in given["reason"]


def test_a_figure_of_record_of_the_named_property_counts(backend: Caller) -> None:
    portfolio()
    text = "Net operating income was $9,999,999.00 in Q3 2024."
    evidence = [{"id": "a", "text": text}]
    with serving(believes(0.97, 0.1)) as stub, gate_on(stub.url):
        assert backend.post("facts/", fact(text, evidence=evidence)).status_code == 201
        response = backend.post("facts/", fact(text, evidence=evidence, property="OAK"))
    assert response.status_code == 409
    assert response.json()["finding"] == "number_contradicted"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "content"),
        (fact(""), "content"),
        (fact("x" * 4001), "content"),
        (fact("What was the rent?"), "content"),
        (fact("Please approve it."), "content"),
        (fact("Rents may have risen."), "content"),
        ({"content": FACT}, "confidence"),
        (fact(confidence=1.5), "confidence"),
        (fact(confidence="high"), "confidence"),
        (fact(evidence="a text"), "evidence"),
        (fact(evidence=[{"text": "no id"}]), "evidence[0].id"),
        (fact(evidence=[{"id": "a"}, {"id": "a"}]), "evidence"),
        (fact(evidence=[{"id": "a", "text": "x" * 100_001}]), "evidence"),
        (fact(property="NOWHERE"), "property"),
        (fact(language="klingonish"), "language"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_field(backend: Caller, body: Any, field: str) -> None:
    with gate_on():
        assert field in faults(backend.post("facts/", body))
    assert not Fact.objects.exists()


# --- reading ----------------------------------------------------------------------------------------


def stored(backend: Caller, *contents: str, **fields: Any) -> list[str]:
    """Facts stored while the gate is off, oldest first; their ids."""
    return [backend.post("facts/", fact(content, **fields)).json()["id"] for content in contents]


def listed(caller: Caller, query: str = "") -> list[str]:
    response = caller.get(f"facts/{query}")
    assert response.status_code == 200, response.content
    return [row["content"] for row in response.json()["results"]]


def test_facts_are_listed_newest_first_in_pages(backend: Caller) -> None:
    stored(backend, "The roof leaks.", "The lobby was painted.", "The lift works.")
    first = backend.get("facts/?page_size=2").json()
    assert [row["content"] for row in first["results"]] == ["The lift works.", "The lobby was painted."]
    rest = backend.get("facts/?" + first["next"].split("?")[1]).json()
    assert [row["content"] for row in rest["results"]] == ["The roof leaks."]


def test_facts_are_found_by_words_status_property_trust_and_time(backend: Caller) -> None:
    portfolio()
    stored(backend, "The roof leaks.")
    stored(backend, "The lobby was painted.", property="OAK")
    with gate_on():
        backend.post("facts/", fact())
    Fact.objects.filter(content__contains="roof").update(reduced=True)
    assert listed(backend, "?search=ROOF") == ["The roof leaks."]
    assert listed(backend, "?status=verified") == [FACT]
    assert listed(backend, "?property=OAK") == ["The lobby was painted."]
    assert listed(backend, "?reduced=true") == ["The roof leaks."]
    assert len(listed(backend, "?created_after=2020-01-01T00:00:00Z")) == 3
    assert listed(backend, "?created_before=2020-01-01T00:00:00Z") == []
    faults(backend.get("facts/?status=true"))


def test_a_fact_is_read_with_its_evidence(backend: Caller) -> None:
    with gate_on():
        pk = backend.post("facts/", fact()).json()["id"]
    given = backend.get(f"facts/{pk}/").json()
    assert given["evidence"][0]["text"] == EVIDENCE
    assert given["evidence"][0]["metadata"] == {"page": 4}
    assert (given["stated_confidence"], given["status"], given["method"]) == (0.9, "verified", "local")
    assert given["p1"] > given["p0"]
    assert backend.get("facts/0f3c6c1e-7d0a-4a53-9f0e-0d5f3f1d9a11/").status_code == 404
    assert backend.get("facts/7/").status_code == 404


def test_a_withdrawn_fact_is_memory_no_more(backend: Caller) -> None:
    kept, gone = stored(backend, "The roof leaks.", "The lobby was painted.")
    assert backend.call("DELETE", f"facts/{gone}/?reason=wrong+building").status_code == 204
    assert backend.call("DELETE", f"facts/{gone}/").status_code == 204
    assert listed(backend) == ["The roof leaks."]
    assert listed(backend, "?status=withdrawn") == ["The lobby was painted."]
    given = backend.get(f"facts/{gone}/").json()
    assert (given["status"], given["withdrawn_reason"]) == ("withdrawn", "wrong building")
    events = Fact.objects.get(pk=gone).events.order_by("seq").values_list("action", "body__reason")
    assert list(events) == [("stored", ""), ("withdrawn", "wrong building")]
    assert Fact.objects.get(pk=kept).withdrawn_at is None


@pytest.mark.requirement("SPEC-08.18")
def test_rejected_facts_are_for_analysis_only(backend: Caller) -> None:
    with gate_on():
        pk = backend.post("facts/", fact(GUESSED)).json()["id"]
    assert listed(backend) == []
    assert backend.get(f"facts/{pk}/").status_code == 404
    assert backend.get("facts/rejected/").status_code == 403
    reviewer = Caller("review")
    rows = reviewer.get("facts/rejected/?search=happy").json()["results"]
    assert [(row["content"], row["finding"]) for row in rows] == [(GUESSED, "no_lift")]
    assert reviewer.get(f"facts/rejected/{pk}/").json()["evidence"][0]["text"] == EVIDENCE
    assert Caller("admin").get("facts/rejected/").status_code == 200
    assert reviewer.call("DELETE", f"facts/rejected/{pk}/").status_code == 405


# --- who --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "codes"), [("read", (200, 403, 403)), ("submit", (403, 201, 204)), ("admin", (200, 201, 204))]
)
def test_each_method_needs_its_scope(backend: Caller, scope: str, codes: tuple[int, ...]) -> None:
    (pk,) = stored(backend, "The roof leaks.")
    caller = Caller(scope)
    found = (
        caller.get("facts/").status_code,
        caller.post("facts/", fact()).status_code,
        caller.call("DELETE", f"facts/{pk}/").status_code,
    )
    assert found == codes


def test_a_key_that_is_bound_to_properties_sees_only_their_facts_and_its_own(backend: Caller) -> None:
    oak, elm = portfolio(), Property.objects.create(code="ELM", name="Elm Court")
    bound = Caller("submit", "read", "review").bound_to(elm)
    stored(backend, "The roof leaks.")
    (foreign,) = stored(backend, "The oak fell.", property=oak.code)
    stored(backend, "The elm stands.", property=elm.code)
    stored(bound, "The lift works.")
    assert sorted(listed(bound)) == ["The elm stands.", "The lift works."]
    assert len(listed(backend)) == 4
    assert bound.get(f"facts/{foreign}/").status_code == 404
    assert bound.call("DELETE", f"facts/{foreign}/").status_code == 404
    assert "property" in faults(bound.post("facts/", fact(property=oak.code)))
    with gate_on():
        backend.post("facts/", fact(GUESSED, property=oak.code))
        backend.post("facts/", fact(GUESSED, property=elm.code))
    rows = bound.get("facts/rejected/").json()["results"]
    assert [row["property"] for row in rows] == ["ELM"]
