"""A ratio that has a name, and that nothing states, follows from the figures that it is made of."""

import pytest

from tests.core.derivation_tables import judged

BALANCE = (
    "(CHF million) | 2024 | 2023\nCurrent assets | 196.3 | 181.7\nTotal assets | 671.2 | 655.9\n"
    "Current liabilities | 91.3 | 98.2\nTotal liabilities | 366.8 | 381.1\nEquity | 304.4 | 274.8"
)


@pytest.mark.parametrize(
    ("answer", "claimed", "code"),
    [
        ("Equity came to CHF 304.4 million, an equity ratio of 45.4%.", "45.4%", "derived"),
        ("The ratio of debt to assets was 54.6% in 2024.", "54.6%", "derived"),
        ("The current ratio was 2.15 at the end of 2024.", "2.15", "derived"),
        ("Equity came to CHF 304.4 million, an equity ratio of 47.1%.", "47.1%", "not_found"),
        ("The current ratio was 2.51 at the end of 2024.", "2.51", "not_found"),
    ],
)
def test_a_named_ratio_is_reckoned_from_a_balance_sheet(answer: str, claimed: str, code: str) -> None:
    assert judged(answer, BALANCE)[claimed].code == code


def test_a_gross_margin_is_what_the_cost_of_sales_leaves() -> None:
    table = "(TWD million) | 2024\nRevenue | 1,840\nCost of sales | 1,251"
    assert judged("The gross margin was 32.0% in 2024.", table)["32.0%"].code == "derived"
    stated = f"{table}\nGross profit | 575"
    assert judged("The gross margin was 32.0% in 2024.", stated)["32.0%"].code != "derived"


def test_an_amount_by_area_is_by_the_unit_of_its_area() -> None:
    table = "Hall | Area m² | Takings 2024 (CHF)\nEast | 3,200 | 2,240,000\nWest | 2,500 | 1,125,000"
    said = "East took CHF 700 per square {} in 2024 (CHF 2.24m on 3,200 m²)."
    assert judged(said.format("metre"), table)["CHF 700"].code == "derived"
    assert judged(said.format("foot"), table)["CHF 700"].code != "derived"


def test_a_column_of_limits_is_named_by_its_metric_and_by_words_for_a_limit() -> None:
    table = (
        "Borrower | Interest cover | Interest cover covenant (minimum)\nFerry Nord | 3.1x | 2.9x\n"
        "Ferry Sund | 2.6x | 2.7x\n"
    )
    found = judged("Ferry Nord's interest cover of 3.1x is above the required 2.9x.", table)
    assert [found[one].code for one in ("3.1x", "2.9x")] == ["exact", "exact"]


@pytest.mark.parametrize(("said", "code"), [("nearly 77%", "approximate"), ("nearly 79%", "contradicted")])
def test_what_is_nearly_a_number_lies_within_two_units_of_its_last_digit(said: str, code: str) -> None:
    table = "Ferry | Occupancy of berths\nNord | 76.4%\nSund | 81.2%"
    found = judged(f"The occupancy of berths of Nord is {said}.", table)
    assert [one.code for one in found.values()] == [code]
