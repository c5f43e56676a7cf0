"""What a Result says of one number, for every status: expected, deviation, tolerance, arithmetic, what else."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from detection import toolkit
from detection.core.types import (
    Alias,
    Candidate,
    Case,
    Claim,
    Finding,
    NumberMeasured,
    NumericClaim,
    Slip,
    Status,
)
from detection.models import FinancialMetrics, FinancialPeriod
from detection.runs import result_numbers

pytestmark = pytest.mark.requirement("NUM-09")
NUMBER = NumericClaim("currency", "$1,173,500", 8, 18, Decimal(1173500), "USD", precision=Decimal("0.5"))
CLAIM = Claim(
    1, "currency", "$1,173,500", 8, 18, 0, number=NUMBER, metric="net_operating_income", period="2024-Q3"
)
RECORD = Candidate(
    "database", "1234567.89", "USD", Decimal("1234567.89"), record="FinancialMetrics", id=7,
    field="net_operating_income", period="Q3 2024", property="OAK",
)  # fmt: skip
SPAN = Candidate("document", "1,200,000", "USD", Decimal(1200000), source="S0", start=4, end=13)
EARLIER = replace(RECORD, id=6, text="1173500", value=Decimal(1173500), period="Q2 2024", same=False)
GROWTH = Candidate(
    "derived", "5.2 %", "%", Decimal("5.2"), field="net_operating_income", period="Q3 2024", property="OAK",
    arithmetic="(1,234,567.89 − 1,173,500) / 1,173,500 = 5.2 %",
)  # fmt: skip
MEASURED = NumberMeasured("currency", Decimal(1173500), "USD", Decimal("0.5"))


def shown(finding: Finding, measured: NumberMeasured | None, claim: Claim = CLAIM) -> dict[str, Any]:
    return result_numbers.numeric_section(claim, finding, measured, "OAK", {"4000": "Rental income"})


def found(status: Status, code: str, matched: Candidate | None = None) -> Finding:
    return Finding("numeric", 1, status, code, "", matched=matched, tolerance=Decimal("0.05"))


def test_a_slip_shows_what_was_expected_and_whose_value_it_is() -> None:
    measured = replace(
        MEASURED, candidates=(RECORD, SPAN), slips=(Slip("period", "equals Q2 2024 NOI", EARLIER),)
    )
    told = shown(found("contradicted", "off_period", RECORD), measured)
    numeric = told["numeric"]
    assert (numeric["expected"], numeric["matched"], numeric["deviation"]) == (
        "1234567.89",
        "database",
        "-0.049465",
    )
    assert (numeric["tolerance"], numeric["precision"], numeric["held_by"]) == ("0.05", "0.5", None)
    slip, span = told["looked_at"]
    assert (slip["slip"], slip["says"], slip["slot"]) == (
        "period",
        "equals Q2 2024 NOI",
        "net operating income · Q2 2024 · OAK",
    )
    assert (slip["own"], slip["deviation"], slip["value"]) == (False, "0", "1173500")
    assert (span["origin"], span["source"], span["start"], span["end"], span["value"], span["text"]) == (
        "document", "S0", 4, 13, "1200000", "1,200,000",
    )  # fmt: skip
    assert (span["own"], span["deviation"]) == (True, "-0.022083")
    assert {"slip", "says", "slot", "days", "arithmetic"}.isdisjoint(span)


def test_a_value_known_from_another_slot_alone_is_not_what_was_expected() -> None:
    measured = replace(
        MEASURED, candidates=(EARLIER,), slips=(Slip("period", "equals Q2 2024 NOI", EARLIER),)
    )
    told = shown(found("contradicted", "off_period", EARLIER), measured)
    numeric = told["numeric"]
    assert (numeric["expected"], numeric["deviation"], numeric["matched"]) == (None, None, "none")
    assert [look["says"] for look in told["looked_at"]] == ["equals Q2 2024 NOI"]


@pytest.mark.parametrize(
    ("code", "held_by"),
    [
        ("exact", "rounding"),
        ("bound_ok", "rounding"),
        ("inexact", "tolerance"),
        ("approximate", "approximation"),
    ],
)
def test_a_supported_number_says_what_held(code: str, held_by: str) -> None:
    told = shown(found("supported", code, RECORD), replace(MEASURED, candidates=(RECORD, SPAN)))
    assert told["numeric"]["held_by"] == held_by
    assert [look["value"] for look in told["looked_at"]] == ["1200000"]


def test_a_derived_number_shows_its_arithmetic() -> None:
    told = shown(found("supported", "derived", GROWTH), replace(MEASURED, candidates=(GROWTH,)))
    assert told["numeric"]["arithmetic"] == "(1,234,567.89 − 1,173,500) / 1,173,500 = 5.2 %"
    assert (told["numeric"]["held_by"], told["numeric"]["matched"]) == ("rounding", "derived")
    assert told["looked_at"] == []


def test_a_number_that_nothing_says_shows_what_it_was_compared_with() -> None:
    told = shown(found("unsupported", "not_found"), replace(MEASURED, candidates=(EARLIER, SPAN)))
    assert (told["numeric"]["expected"], told["numeric"]["matched"]) == (None, "none")
    assert [look.get("slot") for look in told["looked_at"]] == ["net operating income · Q2 2024 · OAK", None]


def test_a_number_that_was_not_measured_has_no_evidence() -> None:
    told = shown(found("unverified", "not_measured"), None)
    assert (told["evidence"], told["looked_at"], told["searched"]) == ([], [], None)


def test_accounts_and_properties_go_by_what_people_call_them() -> None:
    case = Case("", aliases=(Alias("4000", "", "Rental income"), Alias("noi", "en", "NOI")))
    assert result_numbers.names_of(case) == {"4000": "Rental income"}
    line = replace(RECORD, field="4000")
    told = shown(
        found("contradicted", "contradicted", RECORD),
        replace(MEASURED, candidates=(RECORD, line)),
        replace(CLAIM, metric="4000", property="MILL"),
    )
    assert (told["numeric"]["metric_name"], told["numeric"]["property"]) == ("Rental income", "MILL")
    assert told["looked_at"][0]["slot"] == "Rental income · Q3 2024 · OAK"
    assert shown(found("unsupported", "not_found"), MEASURED)["numeric"]["property"] == "OAK"


@pytest.mark.django_db
def test_a_judged_answer_carries_it_all(make_period: Callable[..., FinancialPeriod]) -> None:
    quarter = make_period("OAK", "Q3 2024")
    quarter.refresh_from_db()
    before = FinancialPeriod.objects.create(
        property=quarter.property, label="Q2 2024", start="2024-04-01", end="2024-06-30"
    )
    FinancialMetrics.objects.create(period=quarter, net_operating_income=Decimal("1234567.89"))
    FinancialMetrics.objects.create(period=before, net_operating_income=Decimal(1103500))
    result = toolkit.judge("NOI was $1,103,500 in Q3 2024.", about=quarter.property, period=quarter)
    claim = next(claim for claim in result["claims"] if claim["kind"] == "currency")
    numeric = claim["numeric"]
    assert (claim["finding"], numeric["expected"], numeric["property"]) == ("off_period", "1234567.89", "OAK")
    assert numeric["deviation"] == "-0.106165"
    (slip,) = (look for look in claim["looked_at"] if look.get("slip") and look["origin"] == "database")
    assert (slip["slip"], slip["slot"]) == ("period", "net operating income · Q2 2024 · OAK")
