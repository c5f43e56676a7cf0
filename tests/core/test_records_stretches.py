"""Periods that are not named beside the number: later than the one before, the ends of a range, the highest of a stretch."""

from dataclasses import replace

import pytest

from tests.core.record_cases import FIGURES, PERIODS, case, figure, findings, told
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
        ("In the last quarter of 2024 occupancy was {}.", ("96.1%", "94.7%")),
        ("Occupancy was 94.2% in Q2 2024 and had climbed to {} one quarter on.", ("95.4%", "96.1%")),
        ("Debt service was $700,000 in Q1 2024, and {} from Q2 2024 onwards.", ("$705,000", "$702,000")),
        ("Between the third and fourth quarters of 2024 NOI rose by {}.", ("5.3%", "6.9%")),
        ("NOI for the four quarters of 2024 totals {}, well above 2023.", ("$4,808,067", "$4,708,067")),
        ("NOI moved from Q2 2024 to Q3 2024: $1,173,500, then {}.", ("$1,234,567", "$1,243,567")),
        ("NOI has not dropped below {} in any period.", ("$990,000", "$1,010,000")),
        ("At no point did occupancy fall below {}.", ("90%", "92%")),
        ("Occupancy was always above {}.", ("90%", "92%")),
        ("No: every quarter of 2024 cleared {} of NOI.", ("$1,050,000", "$1,150,000")),
        ("Operating expenses of $865,433 on revenue of $2,100,000 are {} in each dollar.", ("41.2 cents", "44.2 cents")),
        ("In Q3 2024 revenue was more than twice the operating expenses of {}.", ("$865,433", "$900,000")),
    ],
)  # fmt: skip
def test_the_figure_is_that_of_the_stretch(answer: str, wrong: tuple[str, str]) -> None:
    right, other = wrong
    assert failing(answer.format(right)) == []
    assert failing(answer.format(other)) == [other]


@each_case(
    ("right", "wrong"),
    [
        ("Debt service was $700,000 in three of six quarters.", "Debt service was $700,000 in two of six quarters."),
        ("NOI averaged $1,202,017 a quarter in 2024.", "NOI averaged $4,808,067 in 2024."),
        ("NOI was $1,234,567 a quarter in Q3 2024.", "NOI was $1,234,567 a year in Q3 2024."),
    ],
)  # fmt: skip
def test_it_is_so_often_and_by_so_long_as_is_said(right: str, wrong: str) -> None:
    assert failing(right) == []
    assert findings(case(wrong))[next(iter(findings(case(wrong))))].code not in ("exact", "derived")


def test_a_ratio_is_no_percentage() -> None:
    figures = (*FIGURES, figure("dscr", "1.74", PERIODS[4], "ratio", "x"))
    assert findings(case("DSCR was 1.74x in Q3 2024.", figures=figures))["1.74x"].code == "exact"
    assert findings(case("DSCR was 1.74% in Q3 2024.", figures=figures))["1.74%"].code != "exact"


@each_case(
    ("answer", "word", "code"),
    [
        ("NOI did not fall in Q3 2024.", "fall", "holds"),
        ("NOI did not rise in Q3 2024.", "rise", "contradicted"),
        ("NOI was not much higher in Q3 2024.", "higher", "not_compared"),
    ],
)
def test_a_not_turns_what_is_said_and_a_degree_leaves_it_open(answer: str, word: str, code: str) -> None:
    assert told(case(answer))[word] == code


def test_a_place_among_lines_is_one_among_the_accounts_of_the_section() -> None:
    costs = {"X10": "Payroll", "X20": "Cleaning", "X30": "Security"}
    figures = [
        replace(figure(code, value, within), name=costs[code])
        for within, values in (
            (PERIODS[3], ("50000", "40000", "30000")),
            (PERIODS[4], ("60000", "39000", "31000")),
        )
        for code, value in zip(costs, values, strict=True)
    ]
    given = {"figures": figures, "aliases": ()}
    assert (
        told(case("Cleaning came second among the expense lines in Q3 2024.", **given))["came second"]
        == "holds"
    )
    wrong = case("Security came second among the expense lines in Q3 2024.", **given)
    assert told(wrong)["came second"] == "contradicted"


def test_a_move_without_a_base_is_from_the_period_before() -> None:
    values = ("8.1", "15.3", "12.9")
    figures = [
        figure("vacancy_rate", value, within, "percentage", "%")
        for value, within in zip(values, (PERIODS[1], PERIODS[4], PERIODS[5]), strict=True)
    ]
    given = {"figures": figures, "period": PERIODS[5]}
    assert told(case("Vacancy fell in Q4 2024.", **given))["fell"] == "holds"
    assert told(case("Vacancy grew in Q4 2024.", **given))["grew"] == "contradicted"
    assert told(case("Vacancy grew in Q4 2024 from a year earlier.", **given))["grew"] == "holds"


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


LOSSES = tuple(
    figure("net_income", value, within)
    for value, within in zip(("-9000", "-4000", "2500", "-1200"), PERIODS[2:], strict=True)
)


@each_case(
    ("answer", "code"),
    [
        ("All four ended in a loss.", "contradicted"),
        ("Three of the four ended in a loss.", "holds"),
        ("Two of the four ended in a loss.", "contradicted"),
        ("All four quarters ended in a loss.", "contradicted"),
    ],
)
def test_what_is_counted_without_its_name_are_the_pieces_of_the_year(answer: str, code: str) -> None:
    asked = case(answer, figures=LOSSES, question="How many quarters of 2024 were loss-making?")
    assert list(told(asked).values()) == [code]


@each_case(
    ("answer", "right", "wrong"),
    [
        ("Across the four quarters of 2024, NOI averaged {}.", "$1,202,017", "$4,808,067"),
        ("Over the whole year 2024, debt service averaged {}.", "$707,500", "$2,830,000"),
    ],
)
def test_an_average_of_all_pieces_is_not_what_they_add_up_to(answer: str, right: str, wrong: str) -> None:
    assert findings(case(answer.format(right)))[right].status == "supported"
    assert findings(case(answer.format(wrong)))[wrong].status == "contradicted"


@each_case(
    ("answer", "right", "wrong"),
    [
        ("It was no match for the best of the six quarters on file. NOI was {}.", "$1,234,567", "$1,173,500"),
        ("Revenue of about {} million was the second highest of the six quarters.", "$2.1", "$2.2"),
    ],
)
def test_how_many_periods_there_are_names_none_for_what_is_said_beside(
    answer: str, right: str, wrong: str
) -> None:
    asked = {"question": "How did OAK do in Q3 2024?"}
    for value, is_so in ((right, True), (wrong, False)):
        found = findings(case(answer.format(value), **asked))
        number = next(one for text, one in found.items() if text.startswith(value))
        assert (number.status == "supported") is is_so, value
