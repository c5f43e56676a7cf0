"""The records of several properties say nothing of an answer that names none of them: some figure is always near."""

from typing import Any

import pytest

from detection.core.types import Finding, Named, Source
from tests.core.record_cases import FIGURES, PERIODS, case, figure, findings, of, period, told

NOWHERE: dict[str, Any] = {"property": None, "period": None}
SAYS = (Source("S0", "Net operating income for Q3 2024 was $1,489,567.89."),)
pytestmark = pytest.mark.requirement("NUM-12")


def said(answer: str, number: str, **given: Any) -> Finding:
    return of(answer, number, **{**NOWHERE, "question": "What was NOI in Q3 2024?", **given})


def test_a_figure_of_another_property_supports_no_number_that_the_source_denies() -> None:
    for answer, number in (
        ("NOI was $1.13 million [S0].", "$1.13 million"),
        ("NOI was $1.2 million [S0].", "$1.2 million"),
    ):
        found = said(answer, number, sources=SAYS)
        assert found.status == "contradicted", answer
        assert "Source S0" in found.reason


def test_what_the_source_says_is_told_and_no_figure_near_it() -> None:
    found = said("NOI was $1.5 million [S0].", "$1.5 million", sources=SAYS)
    assert found.status == "supported"
    assert "Source S0" in found.reason


def test_without_a_source_nothing_says_whose_figure_it_is() -> None:
    assert said("NOI was $1.13 million.", "$1.13 million").code == "not_found"


def test_a_name_in_the_question_or_the_answer_says_who_is_meant() -> None:
    assert said("NOI of Maple Court was $1.13 million.", "$1.13 million").status == "supported"
    asked = "What was NOI of Maple Court in Q3 2024?"
    assert said("NOI was $1.13 million.", "$1.13 million", question=asked).status == "supported"
    assert (
        said("NOI was $1.23 million.", "$1.23 million", property="OAK", period=PERIODS[4]).status
        == "supported"
    )


def test_a_total_over_all_properties_needs_no_name() -> None:
    asked = "What was total NOI of all properties in Q3 2024?"
    assert said("Total NOI was $2,369,134.", "$2,369,134", question=asked).status == "supported"


def test_however_well_they_name_the_figure_a_source_explains_it_instead() -> None:
    table = (
        "Quarter ended September 30\n\n| | 2025 | 2024 |\n|---|---|---|\n| Total revenue | $142.8 | $136.0 |"
    )
    sources = (
        Source("S0", table),
        Source("S1", table.replace("142.8", "418.3").replace("Quarter", "Nine months")),
    )
    answer = "Total revenue for the nine months ended September 30, 2025 was $142.8."
    assert said(answer, "$142.8", sources=sources, question="").code == "off_period"


ELM, LAT = period("Q3 2024", "ELM", 31), period("Q3 2024", "LAT-7", 32)
BOTH = (
    *FIGURES,
    figure("net_operating_income", "1050000", period("Q3 2023", "MAPLE", 22)),
    figure("net_operating_income", "9000000", ELM, unit="ILS"),
    figure("occupancy_rate", "97.5", ELM, "percentage", "%"),
    figure("occupancy_rate", "80.0", period("Q2 2024", "MAPLE", 23), "percentage", "%"),
)
RANKED: dict[str, Any] = {
    **NOWHERE, "figures": BOTH, "question": "Which property stood where in Q3 2024?",
    "properties": (Named("OAK", "Oak Hall"), Named("MAPLE", "Maple Court"), Named("ELM", "Elm Rise")),
}  # fmt: skip


def test_of_a_portfolio_the_properties_are_ranked_not_the_periods_of_one() -> None:
    for answer, word, code in (
        ("Maple Court has the lowest occupancy, 88.0%.", "lowest", "holds"),
        ("Oak Hall has the lowest occupancy, 95.4%.", "lowest", "contradicted"),
        ("Oak Hall has the highest occupancy, 95.4%.", "highest", "contradicted"),
        ("Elm Rise has the highest occupancy, 97.5%.", "highest", "holds"),
        ("Maple Court has the highest occupancy, 88.0%.", "highest", "contradicted"),
        ("Maple Court has the highest occupancy of the two, 88.0%.", "highest", "holds"),
        ("Oak Hall had the largest NOI, $1,234,567.", "largest", "holds"),
        ("Maple Court had the largest NOI, $1,134,567.", "largest", "contradicted"),
    ):
        assert told(case(answer, **RANKED))[word] == code, answer


def test_a_change_is_that_of_the_property_next_to_it() -> None:
    asked = {**RANKED, "question": "How did NOI at Oak Hall and Maple Court move in Q3 2024?"}
    for answer, first, second, status in (
        ("Against Q3 2023, NOI grew {} at Oak Hall and {} at Maple Court.", "23.5%", "8.1%", "supported"),
        ("Against Q3 2023, NOI grew {} at Oak Hall and {} at Maple Court.", "8.1%", "23.5%", "contradicted"),
    ):
        found = findings(case(answer.format(first, second), **asked))
        assert [found[first].status, found[second].status] == [status, status], answer


def test_letters_of_a_code_name_no_property() -> None:
    figures = (*FIGURES, figure("occupancy_rate", "70.0", LAT, "percentage", "%"))
    asked: dict[str, Any] = {
        "figures": figures,
        "properties": (Named("OAK", "Oak Hall"), Named("LAT-7", "Dune")),
    }
    assert of("Late in the day, occupancy was 95.4%.", "95.4%", **asked).code == "exact"
    assert of("Occupancy at LAT-7 was 70.0%.", "70.0%", **asked).code == "exact"
    assert of("Occupancy at LAT-7 was 95.4%.", "95.4%", **asked).status == "contradicted"
