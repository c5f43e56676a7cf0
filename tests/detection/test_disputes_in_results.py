"""What sources disagree about stands in the Result of the API: a reason of the answer, both sides at the claim."""

from typing import Any

import pytest
from django.test import Client

from detection import toolkit
from detection.serializers.results import DisputeSerializer
from tests.api_calls import SOURCE, Caller, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]

SAID = "Net operating income was $4.2 million in Q3 2024."
SOURCES = [{"id": "S0", "text": SAID}, {"id": "S1", "text": SAID.replace("4.2", "4.5")}]


def amount(result: dict[str, Any]) -> dict[str, Any]:
    """The claim that is an amount."""
    return next(claim for claim in result["claims"] if claim["kind"] == "currency")


def test_both_sides_stand_at_the_claim_with_their_places() -> None:
    result = toolkit.judge(SAID, sources=SOURCES, detectors=["numeric"])
    (one,) = amount(result)["disputed"]
    start = SAID.index("$4.2")
    assert one == {
        "carried": {"source": "S0", "text": "$4.2 million", "start": start, "end": start + 12},
        "against": {"source": "S1", "text": "$4.5 million", "start": start, "end": start + 12},
    }
    assert amount(result)["conclusion"]["word"] == "supported"
    assert amount(result)["flagged"] is False


def test_an_answer_without_a_dispute_has_an_empty_list() -> None:
    result = toolkit.judge(SAID, sources=SOURCES[:1], detectors=["numeric"])
    assert [claim["disputed"] for claim in result["claims"]] == [[]] * len(result["claims"])


def test_the_api_tells_it_in_the_verdict_and_the_claim() -> None:
    portfolio()
    body = {"answer": SAID, "sources": SOURCES, "detectors": ["numeric"]}
    result = Caller("submit", "read").post("answers:detect", body).json()
    (told,) = [reason for reason in result["verdict"]["reasons"] if reason["code"] == "sources_disagree"]
    assert told["claim"] == amount(result)["index"]
    assert "S0" in told["text"]
    assert "S1" in told["text"]
    assert (result["verdict"]["has_hallucinations"], result["verdict"]["risk_level"]) == (False, "moderate")
    (one,) = amount(result)["disputed"]
    assert set(one) == set(DisputeSerializer().fields)


def test_a_source_against_a_figure_of_record_names_the_record() -> None:
    portfolio()
    wrong = SOURCE["text"].replace("1,234,567.89", "1,324,567.89")  # type: ignore[attr-defined]  # a text
    body = {
        "answer": "NOI was $1,234,567.89 in Q3 2024.",
        "property": "OAK",
        "period": "Q3 2024",
        "sources": [{**SOURCE, "text": wrong}],
        "detectors": ["numeric"],
    }
    result = Caller("submit", "read").post("answers:detect", body).json()
    (one,) = amount(result)["disputed"]
    assert one["carried"] == {
        "source": "record: OAK, Q3 2024",
        "text": "1,234,567.89 USD",
        "start": None,
        "end": None,
    }
    assert one["against"]["source"] == "S0"


def test_the_schema_describes_both_sides() -> None:
    schema = Client().get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"}).json()
    parts = schema["components"]["schemas"]
    assert set(parts["Dispute"]["properties"]) == {"carried", "against"}
    assert set(parts["Voice"]["properties"]) == {"source", "text", "start", "end"}
    assert parts["Claim"]["properties"]["disputed"]["items"]["$ref"].endswith("/Dispute")
