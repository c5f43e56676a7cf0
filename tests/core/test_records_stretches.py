"""Periods that are not named beside the number: later than the one before, the ends of a range, the highest of a stretch."""

import pytest

from tests.core.record_cases import case, findings
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")
FAILED = {"contradicted", "not_found", "off_period", "off_metric", "sign", "off_role"}


def failing(answer: str) -> list[str]:
    """The texts of an answer about OAK in Q3 2024 that are refused."""
    return [text for text, found in findings(case(answer)).items() if found.code in FAILED]


@each_case(
    ("answer", "wrong"),
    [
        ("Occupancy was 93.0% in Q1 2024. After that it stood at {} and 95.4%.", ("94.2%", "92.5%")),
        ("NOI was $1,100,000 in Q1 2024, and then {} in the following quarter.", ("$1,173,500", "$1,050,000")),
        ("Occupancy ranged between {} and 96.1%.", ("91.0%", "91.8%")),
        ("Occupancy was {} or better in each quarter of 2024.", ("93.0%", "95.0%")),
        ("Over 2024 NOI stayed below {}.", ("$1,310,000", "$1,290,000")),
        ("In 2024 NOI came to $4,808,067, an average of just over {} a quarter.", ("$1,200,000", "$1,300,000")),
        ("NOI was $1,134,567 in Q3 2024 at MAPLE and $1,234,567 at OAK, so OAK earned {} more.", ("$100,000", "$110,000")),
        ("Over 2024 occupancy peaked at {}.", ("96.1%", "95.4%")),
        ("Operating expenses were $865,433. NOI was $1,234,567, a margin of {}.", ("58.8%", "41.2%")),
        ("Occupancy was {}, slightly below the 96.1% of Q4 2024.", ("95.4%", "95.9%")),
        ("Adding up the four quarters, including the first-quarter loss, NOI for 2024 was {}.", ("$4,808,067", "$4,708,067")),
    ],
)  # fmt: skip
def test_the_figure_is_that_of_the_stretch(answer: str, wrong: tuple[str, str]) -> None:
    right, other = wrong
    assert failing(answer.format(right)) == []
    assert failing(answer.format(other)) == [other]


def test_one_quarter_is_no_figure() -> None:
    assert failing("NOI was $1,234,567; it was below $1,050,000 in only one quarter.") == []


def test_what_a_sum_was_passed_in_is_when_it_was_passed() -> None:
    assert (
        failing("NOI exceeded $1,200,000 in two quarters of 2024, Q3 ($1,234,567) and Q4 ($1,300,000).") == []
    )


def test_an_average_by_the_quarter_is_none_by_the_month() -> None:
    answer = "NOI for 2024 was $4,808,067, an average of $1,202,017 a {}."
    assert failing(answer.format("quarter")) == []
    assert failing(answer.format("month")) == ["$1,202,017"]
