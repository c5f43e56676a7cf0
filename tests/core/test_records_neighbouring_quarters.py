"""Two quarters that stand side by side are two periods, however words join them, and each end of a stretch is itself."""

import pytest

from tests.core.record_cases import case, findings, of
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")


@each_case(
    ("answer", "number", "right"),
    [
        ("The increase in NOI amounted to $61,067 (5.2%) from Q2 2024 to Q3 2024.", "$61,067", True),
        ("The increase in NOI amounted to $61,067 (5.2%) from Q2 2024 to Q3 2024.", "5.2%", True),
        ("The increase in NOI amounted to $71,067 (6.1%) from Q2 2024 to Q3 2024.", "$71,067", False),
        ("From Q1 2024 to Q2 2024, NOI rose by $73,500.", "$73,500", True),
        ("From Q1 2024 to Q2 2024, NOI fell by $73,500.", "$73,500", False),
        ("NOI of $1,234,567 was about 12% higher than the $1,100,000 earned in Q1 2024.", "$1,234,567", True),
        ("NOI was $1,234,567 in Q3 2024, above the prior-period figure of $1,173,500.", "$1,173,500", True),
        ("NOI was $1,234,567 in Q3 2024, above the prior-period figure of $1,100,000.", "$1,100,000", False),
        ("NOI was $1,173,500 in Q2 2024, then $1,234,567 in Q3 2024.", "$1,234,567", True),
        ("NOI was $1,234,567 in Q2 2024, then $1,173,500 in Q3 2024.", "$1,173,500", False),
        ("NOI was $1,234,567 in Q3 2024. Expenses of the same year came to $3,391,933.", "$3,391,933", True),
        ("NOI was $1,234,567 in Q3 2024. Expenses of the same year came to $3,151,933.", "$3,151,933", False),
    ],
)
def test_two_quarters_side_by_side_are_two_periods(answer: str, number: str, right: bool) -> None:
    assert (of(answer, number).status == "supported") is right


def test_each_end_of_a_stretch_is_said_to_be_itself() -> None:
    found = findings(case("From Q2 2024 to Q3 2024, NOI rose by $61,067."))
    assert [found[date].reason for date in ("Q2 2024", "Q3 2024")] == [
        f"The database says {date}, as the answer does." for date in ("Q2 2024", "Q3 2024")
    ]
