"""What a table is said to hold throughout: in every period, for each of those named, up to its limit (NUM-05, NUM-06)."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

pytestmark = [pytest.mark.requirement("NUM-05"), pytest.mark.requirement("NUM-06")]

LIBRARY = (
    "Visits at the May count\n\n| Branch | 2021 | 2022 | 2023 | 2024 |\n|---|---:|---:|---:|---:|\n"
    "| Quayside | 512 | 530 | 561 | 588 |\n| Harbour | 430 | 441 | 419 | 447 |\n| Station | 288 | 301 | 296 | 312 |"
)
OUTPUT = (
    "Output by kiln, thousand tonnes\n\n| Kiln | Q1 2024 | Q2 2024 | Q3 2024 | Q4 2024 |\n|---|---|---|---|---|\n"
    "| East kiln | 41.2 | 42.0 | 42.9 | 44.1 |\n| West kiln | 33.8 | 32.9 | 33.1 | 34.0 |"
)
LOANS = (
    "| Borrower | Interest cover | Cap (max. leverage) | Leverage |\n|---|---|---|---|\n"
    "| Tannery | 5.4x | 3.5x | 2.9x |\n| Brewery | 3.6x | 3.5x | 3.7x |\n| Foundry | 6.1x | 3.0x | 2.2x |"
)
FERRIES = (
    "Passengers by route, thousands\n\n| Route | 2022 | 2023 | 2024 | Change 23/24 |\n|---|---|---|---|---|\n"
    "| North line | 412 | 455 | 498 | +9.5% |\n| Island line | 288 | 279 | 301 | +7.9% |"
)
RATES = (
    "| Shop | Q1 | Q2 | Q3 | Q4 |\n|---|---|---|---|---|\n| Press | 1.9% | 1.8% | 1.8% | 1.7% |\n| Varnish | 3.6% | 3.1% | 2.7% | 2.2% |\n\nScrap by shop in 2024."
)  # fmt: skip


@each_case(
    ("text", "answer", "number", "status"),
    [
        (LIBRARY, "Quayside had 512 visits in 2021 and 588 in 2024.", "512", "supported"),
        (LIBRARY, "Quayside had 530 visits in 2021 and 588 in 2024.", "530", "contradicted"),
        (LIBRARY, "Quayside grew at every count.", "grew", "supported"),
        (LIBRARY, "Harbour grew at every count.", "grew", "contradicted"),
        (LIBRARY, "Station grew every year.", "grew", "contradicted"),
        (LIBRARY, "All three branches grew between 2021 and 2022.", "grew", "supported"),
        (LIBRARY, "All three branches grew between 2022 and 2023.", "grew", "contradicted"),
        (OUTPUT, "East kiln grew in every quarter of 2024.", "grew", "supported"),
        (OUTPUT, "West kiln grew in every quarter of 2024.", "grew", "contradicted"),
        (OUTPUT, "East kiln stayed above 41 thousand tonnes in every quarter.", "41 thousand", "supported"),
        (OUTPUT, "West kiln stayed above 33 thousand tonnes in every quarter.", "33 thousand", "contradicted"),
        (FERRIES, "North line grew in every year.", "grew", "supported"),
        (FERRIES, "Island line grew in every year.", "grew", "contradicted"),
        (LOANS, "Tannery and Foundry each had interest cover above 5x.", "5x", "supported"),
        (LOANS, "Tannery and Brewery each had interest cover above 5x.", "5x", "contradicted"),
        (LOANS, "Brewery is in breach of its leverage cap, at 3.7x.", "3.7x", "supported"),
        (LOANS, "Foundry has 2.2x, against a maximum leverage of 3.0x.", "3.0x", "supported"),
        (LOANS, "Foundry has 2.2x, against a maximum leverage of 3.5x.", "3.5x", "contradicted"),
        (RATES, "Varnish scrap fell by 1.4 percentage points between the first and the last quarter of 2024.", "1.4 percentage points", "supported"),
        (RATES, "Varnish scrap fell by 0.5 percentage points between the first and the last quarter of 2024.", "0.5 percentage points", "contradicted"),
    ],
)  # fmt: skip
def test_what_is_said_of_all_is_held_against_each(text: str, answer: str, number: str, status: str) -> None:
    assert judged(answer, text, number=number).status == status
