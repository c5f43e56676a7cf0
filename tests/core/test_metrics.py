"""Which metric and which period a number belongs to."""

import pytest

from detection.core.metrics import bind, bind_periods, phrases_of
from detection.core.numbers import extract
from detection.core.types import Alias

CASES = [
    (
        "NOI rose from $1.1M to $1.2M while occupancy fell to 91 %",
        ["net_operating_income", "net_operating_income", "occupancy_rate"],
    ),
    ("NOI and debt service were $1.2M and $0.9M, respectively.", ["net_operating_income", "debt_service"]),
    ("The property had 91% occupancy and a DSCR of 1.25.", ["occupancy_rate", "dscr"]),
    (
        "Total revenue was $5M, operating expenses were $3M and NOI was $2M.",
        ["total_revenue", "operating_expenses", "net_operating_income"],
    ),
    ('ה-NOI עמד על 1.2 מיליון ש"ח והתפוסה על 91%', ["net_operating_income", "occupancy_rate"]),
    ("净营业收入为120万元，出租率为91%。", ["net_operating_income", "occupancy_rate"]),
    ("NOI grew 5 %.", ["net_operating_income"]),
    ("NOI was 5 %.", [None]),
    ("Occupancy was $5.", [None]),
    ("The fee was $5.", [None]),
]


@pytest.mark.parametrize(("text", "metrics"), CASES)
def test_a_number_belongs_to_the_nearest_fitting_metric_of_its_clause(
    text: str, metrics: list[str | None]
) -> None:
    assert bind(text, 0, len(text), extract(text)) == metrics


def test_aliases_are_added_to_the_built_in_ones() -> None:
    text = "Parking fees were $5."
    assert bind(text, 0, len(text), extract(text), phrases_of([Alias("4300", "en", "Parking fees")])) == [
        "4300"
    ]


def test_a_number_belongs_to_the_date_beside_it() -> None:
    read = extract("NOI was $1.2M in Q3 2024 and $1.1M in Q2 2024.")
    assert bind_periods(read) == ["2024-Q3", None, "2024-Q2", None]


def test_a_leading_date_holds_for_the_sentence_and_no_date_means_none() -> None:
    assert bind_periods(extract("In Q3 2024 NOI was $1.2M and revenue $3M.")) == [None, "2024-Q3", "2024-Q3"]
    assert bind_periods(extract("NOI was $1.2M.")) == [None]
