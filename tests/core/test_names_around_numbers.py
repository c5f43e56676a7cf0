"""A number inside the name of a row is no figure; a number between two commas belongs to the clause around it; "mm" behind a
length is millimetres."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

SIZES = "| Accounts | Q1 2024 | Q2 2024 |\n|---|---:|---:|\n| Clients above $100k | 41 | 47 |\n| Clients in arrears | 6 | 5 |"
RAIN = "| Station | Rainfall (mm) | Frost days |\n|---|---:|---:|\n| Glen Arrow | 1,842 | 74 |\n| Port Sable | 1,015 | 18 |\n| Eastmere | 592 | 46 |"
READ = "| Mast | Wind (m/s) |\n|---|---:|\n| Norrby | 6.1 |\n| Lund | 7.8 |\n| Sand | 5.2 |"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "number", "status"),
    [
        ("Clients above $100k rose to 47 in Q2 2024.", SIZES, "$100k", "not_checked"),
        ("Clients above $100k rose to 47 in Q2 2024.", SIZES, "47", "supported"),
        ("Clients above $100k rose to 41 in Q2 2024.", SIZES, "41", "contradicted"),
        ("Rainfall at Port Sable was 1,015 mm.", RAIN, "1,015", "supported"),
        ("Rainfall at Port Sable was 592 mm.", RAIN, "592", "contradicted"),
        ("The lowest wind, 5.2 m/s, was met at Sand, and the highest, 7.8 m/s, at Lund.", READ, "7.8", "supported"),
        ("The lowest wind, 5.2 m/s, was met at Sand, and the highest, 6.1 m/s, at Lund.", READ, "6.1", "unsupported"),
    ],
)  # fmt: skip
def test_names_tell_whose_a_number_is(answer: str, source: str, number: str, status: str) -> None:
    assert judged(answer, source, number=number).status == status


@pytest.mark.requirement("NUM-05")
def test_a_verb_behind_a_number_is_nothing_that_it_counts() -> None:
    source = "| USD m | Premium |\n|---|---:|\n| Casualty | 846.2 |\n| Specialty | 529.4 |\n| Life | 340.8 |"
    answer = "Premium at Casualty of 846.2 exceeds the 529.4 shown for Specialty."
    assert judged(answer, source, number="529.4").status == "supported"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("number", "right"),
    [("410", True), ("250", False)],
)
def test_what_a_figure_lies_ahead_of_is_not_whose_it_is(number: str, right: bool) -> None:
    source = "| Harbour | Catch |\n|---|---:|\n| Grimsay | 410 |\n| Hallin | 250 |\n| Ness | 190 |"
    answer = f"The first is Grimsay. Its catch of {number} put it ahead of Hallin in every month."
    assert (judged(answer, source, number=number).status == "supported") is right
