"""What a column says by its heading: how far another moved, in which unit, of which season; and what it is not called."""

from decimal import Decimal

import pytest

from detection.core.types import Case, Source
from tests.core import record_cases
from tests.core.document_cases import judged
from tests.core.table_cases import found

pytestmark = pytest.mark.requirement("NUM-06")


def told(table: str, answer: str) -> dict[str, str]:
    """The code of each claim of an answer over a table, by its text."""
    return record_cases.told(Case(answer, sources=(Source("S0", table),)))


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


SEASONS = """Halls, seasons 2022/23 and 2023/24

| Hall | Tickets 22/23 | Tickets 23/24 | Seats filled 23/24 (%) |
|---|---|---|---|
| Round Room | 41,200 | 44,950 | 78 |
| Cellar | 9,630 | 8,815 | 81 |
"""


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("In 2023/24 the Cellar filled 81% of its seats.", "supported"),
        ("In 2023/24 the Cellar filled 78% of its seats.", "contradicted"),
        ("The Round Room sold 44,950 tickets in 2023/24.", "supported"),
        ("The Round Room sold 41,200 tickets in 2023/24.", "contradicted"),
    ],
)
def test_a_heading_names_its_season_by_short_years(answer: str, status: str) -> None:
    assert judged(answer, SEASONS).status == status


def test_what_a_column_is_called_is_no_direction() -> None:
    trades = "| Trade | Liftings 2023 | Liftings 2024 |\n|---|---|---|\n| North | 166 | 158 |\n| South | 412 | 438 |"
    assert told(trades, "North lifted fewer boxes in 2024.")["lifted"] == "not_compared"
    assert told(trades, "Liftings rose on the North trade in 2024.")["rose"] == "contradicted"


def test_a_heading_that_is_a_unit_beside_its_period_names_nothing() -> None:
    mills = "Steel by mill\n\n| Mill | Q1 2025 (kt) | Q2 2025 (kt) | Utilisation Q2 (%) |\n|---|---|---|---|\n| Ost | 702 | 655 | 76.2 |\n| Vik | 398 | 427 | 88.9 |"
    assert judged("Ost made 655 kt in Q2 2025; utilisation was 76.2%.", mills).status == "supported"
