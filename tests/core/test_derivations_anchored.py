"""A number that nothing states, and whose own words lead nowhere, may follow from a figure that the answer states beside
it: from what stands with that figure in its table, or from the limit that is spoken of."""

import pytest

from tests.core.derivation_tables import judged

MILLS = (
    "(EUR thousand) | 2024 | 2023\nSawmill, north | 7,315 | 6,890\nSawmill, south | 4,127 | 4,402\n"
    "Pellet plant | 2,960 | 2,511\nTotal | 14,402 | 13,803"
)
BALANCE = (
    "(CHF million) | 2024 | 2023\nCurrent assets | 196.3 | 181.7\nTotal assets | 671.2 | 655.9\n"
    "Current liabilities | 91.3 | 98.2\nTotal liabilities | 366.8 | 381.1\nEquity | 304.4 | 274.8"
)
RESERVE = "The reserve must be at least $4.0 million. The reserve was $5.4 million at the year's end."
LOAN = (
    "Under the covenants the loan to value ratio must not exceed 57.5%.\n"
    "At the test of 30 June 2024 the loan to value ratio was 49.3%."
)


@pytest.mark.parametrize(
    ("answer", "claimed", "table"),
    [
        ("The pellet plant leads (€2,960 thousand, +17.9%).", "+17.9%", MILLS),
        ("The southern mill took €4,127 thousand. That is 6.2% less than a year ago.", "6.2%", MILLS),
        ("The pellet plant took €2,960 thousand, 20.6% of the whole.", "20.6%", MILLS),
        ("LTV stood at 49.3% on 30 June 2024, 8.2 percentage points below the limit.", "8.2 percentage points", LOAN),
        ("The reserve held $5.4 million, which is $1.4 million more than the floor.", "$1.4 million", RESERVE),
        ("The pellet plant took €2,960 thousand, 449 thousand more than in 2023.", "449 thousand", MILLS),
    ],
)  # fmt: skip
def test_what_follows_from_a_figure_beside_it_is_supported(answer: str, claimed: str, table: str) -> None:
    assert judged(answer, table)[claimed].code == "derived"


@pytest.mark.parametrize(
    ("answer", "claimed", "table"),
    [
        ("The pellet plant leads (€2,960 thousand, −17.9%).", "−17.9%", MILLS),
        ("The pellet plant took €2,960 thousand, 21.4% of the whole.", "21.4%", MILLS),
        ("Equity came to CHF 304.4 million, 45.4% of current assets.", "45.4%", BALANCE),
        ("LTV stood at 49.3% on 30 June 2024, 8.2 percentage points above the limit.", "8.2 percentage points", LOAN),
        ("LTV stood at 49.3% on 30 June 2024, 7.2 percentage points below the limit.", "7.2 percentage points", LOAN),
    ],
)  # fmt: skip
def test_what_does_not_follow_from_it_is_not(answer: str, claimed: str, table: str) -> None:
    assert judged(answer, table)[claimed].code != "derived"


def test_of_two_ratios_the_one_compared_with_is_the_earlier() -> None:
    table = "千元 | 2024年 | 2023年\n营业收入 | 9,200 | 8,700\n毛利 | 2,576 | 2,262"
    answer = "2024年毛利率28.0%，比2023年的26.0%提高2.0个百分点。"
    assert judged(answer, table, language="zh")["2.0个百分点"].code == "derived"
    assert judged(answer.replace("提高", "下降"), table, language="zh")["2.0个百分点"].code != "derived"


@pytest.mark.parametrize(("year", "is_so"), [(2023, True), (2022, False)])
def test_a_share_is_told_again_of_another_period(year: int, is_so: bool) -> None:
    table = "(EUR thousand) | 2024 | 2023 | 2022\nPellets | 2,960 | 2,511 | 2,107\nTotal | 14,402 | 13,803 | 12,950"
    found = judged(f"Pellets made 20.6% of the total in 2024, against 18.2% in {year}.", table)
    assert found["20.6%"].code == "derived"
    assert (found["18.2%"].code == "derived") == is_so


def test_two_figures_beside_it_may_leave_it() -> None:
    table = "(EUR thousand) | 2024\nNew loans | 4,310\nRepayments | 1,975"
    answer = "New loans of €4,310 thousand were set against repayments of €1,975 thousand, so €2,335 thousand stayed."
    assert judged(answer, table)["€2,335 thousand"].code == "derived"
    assert judged(answer.replace("2,335", "2,353"), table)["€2,353 thousand"].code != "derived"


def test_a_day_is_the_base_of_a_change_in_the_year_that_it_lies_in() -> None:
    table = (
        "Annual report 2023/24, CHF million\n | 2024 | 2023\nCash | 61.7 | 48.3\nInventories | 22.9 | 20.4"
    )
    answer = "Cash was CHF 61.7 million on 30 June 2024, CHF 13.4 million more than a year earlier."
    assert judged(answer, table)["CHF 13.4 million"].code == "derived"
