"""What all properties come to, one of them on average, and which share of that some of them are: of a portfolio nothing on record
states it."""

from typing import Any

import pytest

from detection.core.types import Finding, Named
from tests.core.record_cases import FIGURES, PERIODS, case, figure, of, period, told
from tests.tables import each_case

NESS = period("Q3 2024", "NESS", 31)
HALL = period("Q3 2024", "HALL", 41)
ALL: dict[str, Any] = {
    "figures": (
        *FIGURES,
        figure("net_operating_income", "500000", NESS),
        figure("net_operating_income", "130866", HALL),
        figure("occupancy_rate", "70.6", NESS, "percentage", "%"),
        figure("occupancy_rate", "82.0", HALL, "percentage", "%"),
    ),
    "properties": (*(Named(code, name) for code, name in (("OAK", "Oak Tower"), ("MAPLE", "Maple Court"), ("NESS", "Ness Yard"), ("HALL", "Hall Green"))),),
    "property": None, "period": None, "periods": PERIODS,
}  # fmt: skip
pytestmark = pytest.mark.requirement("NUM-05")


def said(answer: str, number: str, **given: Any) -> Finding:
    return of(answer, number, **{**ALL, **given})


@each_case(
    ("answer", "number", "right"),
    [
        ("Across all four properties, NOI averaged $750,000 in Q3 2024.", "$750,000", True),
        ("Across all four properties, NOI averaged $810,000 in Q3 2024.", "$810,000", False),
        ("The portfolio generated NOI of $3,000,000 in Q3 2024.", "$3,000,000", True),
        ("The portfolio generated NOI of $2,600,000 in Q3 2024.", "$2,600,000", False),
        ("Average occupancy across the portfolio was 84.0% in Q3 2024.", "84.0%", True),
        ("Average occupancy across the portfolio was 87.0% in Q3 2024.", "87.0%", False),
        ("Oak Tower and Maple Court earned $2,369,134 of NOI in Q3 2024, 79.0% of the portfolio total.", "79.0%", True),
        ("Oak Tower and Maple Court earned $2,369,134 of NOI in Q3 2024, 64.0% of the portfolio total.", "64.0%", False),
        ("Oak Tower and Maple Court earned $2,369,134 of NOI in Q3 2024, or 79% of the portfolio's $3,000,000.", "$3,000,000", True),
        ("Oak Tower and Maple Court earned $2,369,134 of NOI in Q3 2024, or 79% of the portfolio's $3,600,000.", "$3,600,000", False),
        ("NOI at Oak Tower averaged $1,143,011 over the periods covered.", "$1,143,011", True),
        ("NOI at Oak Tower averaged $1,213,011 over the periods covered.", "$1,213,011", False),
    ],
)  # fmt: skip
def test_what_all_come_to_is_reckoned(answer: str, number: str, right: bool) -> None:
    assert (said(answer, number).status == "supported") is right


def test_a_property_that_is_named_is_not_all() -> None:
    assert said("NOI of Ness Yard totalled $3,000,000 in Q3 2024.", "$3,000,000").status != "supported"


@each_case(
    ("answer", "number", "right"),
    [
        ("With NOI of $500,000, Ness Yard was third in Q3 2024.", "$500,000", True),
        ("With NOI of $500,000, Maple Court was second in Q3 2024.", "$500,000", False),
        ("Maple Court (88.0%) was above Ness Yard (70.6%) on occupancy in Q3 2024.", "88.0%", True),
        ("Maple Court (88.0%) was above Ness Yard (70.6%) on occupancy in Q2 2024.", "88.0%", False),
    ],
)
def test_words_behind_a_number_say_whose_and_of_when_it_is(answer: str, number: str, right: bool) -> None:
    assert (said(answer, number).status == "supported") is right


def test_a_heading_that_names_another_property_is_of_that() -> None:
    answer = "NOI at {}:\n- Q3 2024: $1,234,567"
    about_oak = {**ALL, "property": "OAK", "period": PERIODS[4]}
    right, wrong = (
        of(answer.format(name), "$1,234,567", **about_oak) for name in ("Oak Tower", "Maple Court")
    )
    assert (right.status, wrong.status) == ("supported", "contradicted")


def test_the_lowest_of_three_that_are_named_need_not_be_the_lowest_of_all() -> None:
    answer = "Ness Yard recorded the lowest NOI of the three in Q3 2024: Maple Court and Oak Tower both lay above its $500,000."
    assert "contradicted" not in told(case(answer, **ALL)).values()
