"""Periods that point back ("in that quarter", "the later year"), clauses that begin right behind a period, years of two digits
apart from their quarter, and an earlier period that lies ahead of a later one."""

from datetime import date

import pytest

from detection.core import periods
from detection.core.numbers import extract
from tests.core.document_cases import judged
from tests.core.test_prose_told import change
from tests.tables import each_case

FERRY = "| Ferry | Q1 2024 | Q2 2024 |\n|---|---:|---:|\n| Tickets | 5,200 | 6,500 |\n| Cars | 910 | 700 |"
SHORT = "| Ferry | Q1 24 | Q2 24 |\n|---|---:|---:|\n| Tickets | 5,200 | 6,500 |\n| Cars | 910 | 700 |"
FIRST = (date(2024, 1, 1), date(2024, 3, 31))
SECOND = (date(2024, 4, 1), date(2024, 6, 30))


@each_case(
    ("text", "phrase", "span"),
    [
        ("Q1 2024 was weak; in that quarter 5 were sold.", "that quarter", FIRST),
        ("Of 9 in Q1 2024 and Q2 2024, 4 fell in the earlier period and 5 in the later one.", "the earlier period", FIRST),
        ("Of 9 in Q1 2024 and Q2 2024, 4 fell in the earlier period and 5 in the later one.", "the later one", SECOND),
        ("Sales in Q2 24 rose.", "Q2 24", SECOND),
        ("Sales in 2Q 24, as before, rose.", "2Q 24", SECOND),
    ],
)  # fmt: skip
def test_a_period_is_the_one_that_words_point_at(text: str, phrase: str, span: tuple[date, date]) -> None:
    assert {text[one.start : one.end]: one.span for one in periods.find(text, "en")}[phrase] == span


@each_case(
    ("text", "phrases"),
    [
        ("In that quarter 5 were sold.", []),  # of which one, nothing says
        ("2023 was weak; the later year was not.", ["2023"]),
        ("In Q1 2024 it fell; that year-end was dear.", ["Q1 2024"]),
        ("Q1 24% of them left.", ["Q1"]),
    ],
)
def test_words_point_at_no_period_that_is_not_named(text: str, phrases: list[str]) -> None:
    found = [text[one.start : one.end] for one in periods.find(text, "en")]
    assert [
        one for one in found if one.startswith(("Q1", "2023", "In that", "that quarter", "the later"))
    ] == phrases


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "number", "right"),
    [
        ("Compared with Q1 2024, when tickets came to 5,200, Q2 2024 brought 6,500.", FERRY, "5,200", True),
        ("Compared with Q1 2024, when tickets came to 6,500, Q2 2024 was strong.", FERRY, "6,500", False),
        ("Tickets in Q2 2024 were above Q1 2024, which recorded 5,200.", FERRY, "5,200", True),
        ("Tickets for Q1 2024 and Q2 2024 came to 11,700, of which 5,200 fell in the earlier period.", FERRY, "5,200", True),
        ("Tickets for Q1 2024 and Q2 2024 came to 11,700, of which 6,500 fell in the earlier period.", FERRY, "6,500", False),
        ("Cars in Q1 2024 were 30% higher than in Q2 2024.", FERRY, "30%", True),
        ("Cars in Q1 2024 were 30% lower than in Q2 2024.", FERRY, "30%", False),
        ("Tickets reached 6,500 in Q2 24.", SHORT, "6,500", True),
        ("Tickets reached 6,500 in Q1 24.", SHORT, "6,500", False),
    ],
)  # fmt: skip
def test_a_figure_is_of_the_period_that_words_point_at(
    answer: str, source: str, number: str, right: bool
) -> None:
    assert (judged(answer, source, number=number).status == "supported") is right


@pytest.mark.requirement("NUM-01")
def test_a_quarter_with_its_year_apart_is_a_date_and_no_number() -> None:
    found = [(one.kind, one.text) for one in extract("Sales of 5 in Q4 24 and 6 in H1 24, 24% more than 4.")]
    assert [one for one in found if "24" in one[1]] == [
        ("date", "Q4 24"),
        ("date", "H1 24"),
        ("percentage", "24%"),
    ]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "code"),
    [
        ("Cars in Q1 2024 were higher than in Q2 2024.", "holds"),
        ("Cars in Q1 2024 were lower than in Q2 2024.", "contradicted"),
        ("Tickets in Q2 2024 were higher than in Q1 2024.", "holds"),
        ("Tickets in Q2 2024 were lower than in Q1 2024.", "contradicted"),
    ],
)
def test_whichever_period_comes_first_is_compared_with_the_other(answer: str, code: str) -> None:
    assert list(change(answer, FERRY).values()) == [code]
