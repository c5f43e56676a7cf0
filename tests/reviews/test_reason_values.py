"""A caller gets what the sentence of a reason names, by name, and may say it in its own words; old results lack it."""

from typing import Any

import pytest
from django.test import Client

from tests.api_calls import WRONG, Caller, body, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]


def reasons(answer: str, **fields: Any) -> dict[str, dict[str, str]]:
    """The values of an answer's reasons, by code."""
    result = Caller("submit").post("answers:detect", body(answer, **fields)).json()
    return {reason["code"]: reason["values"] for reason in result["verdict"]["reasons"]}


@pytest.mark.parametrize("language", ["en", "he", "zh"])
def test_a_wrong_number_comes_with_both_figures_and_where_the_right_one_stands(language: str) -> None:
    portfolio()
    told = reasons(WRONG, language=language)["number_contradicted"]
    known = {"claimed": "1324567.89", "claimed_unit": "USD", "value": "1234567.89", "unit": "USD"}
    assert known.items() <= told.items()
    assert (told["slip"], told["slip_value"]) == ("transposed", "1234567.89")
    assert (told["origin"], told["metric"]) == ("database", "net_operating_income")
    assert (told["property"], told["period"]) == ("OAK", "Q3 2024")


def test_a_citation_that_is_not_there_comes_with_its_mark() -> None:
    portfolio()
    assert reasons("NOI was $1,234,567.89 [S9].")["invalid_citation"] == {"ref": "S9"}


def test_the_schema_says_that_old_results_lack_them() -> None:
    accept = {"accept": "application/vnd.oai.openapi+json"}
    shown = Client().get("/api/v1/schema/", headers=accept).json()["components"]["schemas"]["Reason"]
    assert shown["properties"]["values"]["additionalProperties"] == {"type": "string"}
    assert "values" not in shown["required"]
