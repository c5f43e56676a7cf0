"""The records of several properties say nothing of an answer that names none of them: some figure is always near."""

from typing import Any

import pytest

from detection.core.types import Finding, Source
from tests.core.record_cases import PERIODS, of

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
