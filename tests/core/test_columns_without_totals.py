"""A column whose total nothing states: shares of it, its mean, and the mean of a line over all periods of a table."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

CATCH = (
    "| Harbour | Catch (t) | Boats |\n|---|---:|---:|\n| Grimsay | 410 | 12 |\n| Hallin | 250 | 9 |\n"
    "| Ness | 190 | 7 |\n| Stroma | 150 | 4 |"
)
HELD = (
    "| Harbour | Catch (t) | Boats |\n|---|---:|---:|\n| Grimsay | 410 | 12 |\n| Hallin | 250 | 9 |\n"
    "| Ness | 190 | 7 |\n| Coast | 850 | 28 |"
)
LINES = "| $ thousand | 2021 | 2022 | 2023 |\n|---|---:|---:|---:|\n| Landing fees | 310 | 330 | 380 |\n| Fuel | 120 | 150 | 90 |"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "number", "right"),
    [
        ("Grimsay landed a catch of 410 t, equal to 41% of the total.", "41%", True),
        ("Grimsay landed a catch of 410 t, equal to 43% of the total.", "43%", False),
        ("Hallin and Ness hold 440 t of the catch between them – 44% of the whole.", "44%", True),
        ("Hallin and Ness hold 440 t of the catch between them – 46% of the whole.", "46%", False),
        ("Grimsay, Hallin and Ness landed 850 t of the catch; Grimsay alone makes up 41% of that total.", "41%", True),
    ],
)  # fmt: skip
def test_a_share_is_of_all_rows_where_nothing_states_their_total(
    answer: str, number: str, right: bool
) -> None:
    assert (judged(answer, CATCH, number=number).status == "supported") is right


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "number", "right"),
    [
        ("The average catch is 250 t.", CATCH, "250", True),
        ("The average catch is 262 t.", CATCH, "262", False),
        ("Grimsay's catch of 410 t compares with a column average of 250 t.", CATCH, "250", True),
        ("The average number of boats is 9.3.", HELD, "9.3", True),  # the last row is the sum of the others
        ("Landing fees came to $380 thousand in 2023, and the mean over all periods is $340 thousand.", LINES, "$340 thousand", True),
        ("Landing fees came to $380 thousand in 2023, and the mean over all periods is $356 thousand.", LINES, "$356 thousand", False),
    ],
)  # fmt: skip
def test_an_average_is_of_all_rows_or_of_all_periods(
    answer: str, source: str, number: str, right: bool
) -> None:
    assert (judged(answer, source, number=number).status == "supported") is right
