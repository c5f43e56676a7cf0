"""A column that says how far another one moved: it is called as that one, in its own unit, and of the table's period."""

from decimal import Decimal

import pytest

from tests.core.document_cases import judged
from tests.core.table_cases import found

pytestmark = pytest.mark.requirement("NUM-06")

FERRIES = """Ferry lines, year to 31 March 2025

| Line | Sailings | On schedule (%) | Change in sailings on 2023/24 (%) | On schedule: change on the year before (points) |
|---|---:|---:|---:|---:|
| Skerry | 4,210 | 93.4 | 2.6 | (1.7) |
| Outer Holm | 1,865 | 88.9 | (5.3) | 0.8 |
| Bay Shuttle | 9,640 | 96.2 | 11.4 | 1.1 |
"""


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Outer Holm made 1,865 sailings; they were down 5.3% on the year before.", "supported"),
        ("Sailings at Bay Shuttle grew 11.4%.", "supported"),
        ("Sailings at Bay Shuttle grew 2.6%.", "contradicted"),
        ("Skerry ran 93.4% on schedule.", "supported"),
        ("Skerry ran 88.9% on schedule.", "contradicted"),
        ("The share of Skerry's sailings on schedule fell by 1.7 points.", "supported"),
    ],
)
def test_what_moved_is_told_apart_from_how_far(answer: str, status: str) -> None:
    assert judged(answer, FERRIES).status == status


@pytest.mark.parametrize("heading", ["Change (pp)", "Change, percentage points", "Margin change (points)"])
def test_points_are_no_plain_numbers(heading: str) -> None:
    place = found(
        f"| Shop | Margin (%) | {heading} |\n|---|---|---|\n| Ash | 31.5 | 0.8 |\n| Elm | 28.0 | (2.1) |",
        "0.8",
    )
    assert (place.unit, place.value) == ("pp", Decimal("0.8"))


def test_points_of_a_score_are_no_share() -> None:
    place = found(
        "| Shop | Sales | Score (points) |\n|---|---|---|\n| Ash | 315 | 81.5 |\n| Elm | 280 | 77.0 |", "81.5"
    )
    assert place.unit == ""


LEASES = "Sites, Q4 2024 (power in MW)\n\nSite\tBuilt power\tLeased\tRent ($)\nOak\t24.0\t22.8\t138\nElm\t36.0\t30.6\t144\nAsh\t48.0\t31.2\t152\nTotal\t108.0\t{}\t–"


@pytest.mark.parametrize(("last", "unit"), [("84.6", ""), ("78.3", "%")])
def test_what_adds_up_is_no_rate(last: str, unit: str) -> None:
    assert found(LEASES.format(last), "31.2").unit == unit
