"""How far a row of a table lies from its plan is compared with what words say of it: whose, how far, on which side."""

import pytest

from detection.core import claims
from detection.core.types import Case
from tests.core.document_cases import judged

pytestmark = pytest.mark.requirement("NUM-06")

BOOKS = """($ million)

| Book | Budgeted impairment | Actual impairment | Balance Dec 2023 |
|---|---:|---:|---:|
| Credit cards | 46.0 | 52.7 | 905 |
| Auto loans | 31.5 | 27.9 | 1,260 |
| Small business | 18.0 | 24.4 | 734 |
| Total | 95.5 | 105.0 | 2,899 |
"""
HEBREW = """הוצאות (אלפי ש"ח)

| סעיף | תקציב 2023 | ביצוע 2023 | ביצוע 2022 |
|---|---:|---:|---:|
| חינוך | 84,500 | 86,120 | 81,300 |
| רווחה | 31,200 | 30,450 | 29,870 |
| סה"כ | 115,700 | 116,570 | 111,170 |
"""
CHINESE = """车间,计划产量（吨）,实际产量（吨）,停机时间（小时）
一车间,4800,4650,62
二车间,5200,5390,35
合计,10000,10040,97
"""


QUARTERS = "period,rent_budget,rent_collected,fee_budget,fee_actual\n2023-Q1,4150,4088,610,598\n2023-Q2,4150,3962,610,641\n2023-Q3,4225,4031,625,689\n"
SITES = "site,staff_plan,staff_actual,agency_plan,agency_actual\nNorthmere,18400,18115,920,1485\nLakeside,9760,9832,410,396\nHolt,6225,6104,275,418\nGroup,34385,34051,1605,2299\n"
SOURCES = "($ thousand)\n\n| Source | Forecast | Collected |\n|---|---:|---:|\n| Parking | 8,250 | 7,310 |\n| Permits | 5,600 | 6,480 |\n"


@pytest.mark.parametrize(
    ("language", "table", "answer"),
    [
        ("en", QUARTERS, "In Q3 2023 collected rent fell 194 short of budget."),
        ("en", QUARTERS, "In Q2 2023 actual fees were 31 over budget."),
        ("en", SITES, "Agency cover cost 694 more than planned across the group."),
        ("en", SOURCES, "Permits brought in $880 thousand more than expected."),
        ("en", BOOKS, "Credit cards contributed an overrun of $6.7 million."),
        ("en", BOOKS, "Auto loans undershot their allowance by $3.6 million."),
        ("en", BOOKS, "The book as a whole ended $9.5 million over."),
        ("he", HEBREW, 'החינוך חרג מהתקציב ב-1,620 אלף ש"ח.'),
        ("he", HEBREW, 'סך ההוצאות של העירייה חרג מהתקציב ב-870 אלף ש"ח.'),
        ("zh", CHINESE, "二车间超产190吨。"),
    ],
)
def test_the_margin_of_a_row_is_found(language: str, table: str, answer: str) -> None:
    assert judged(answer, table, language=language).status == "supported"


@pytest.mark.parametrize(
    "answer",
    [
        "Credit cards contributed an overrun of $6.4 million.",  # that of small business
        "Auto loans contributed an overrun of $6.7 million.",  # that of credit cards
        "Credit cards contributed an overrun of $9.5 million.",  # that of all
        "Auto loans overshot their allowance by $3.6 million.",  # they stayed under it
        "Credit cards contributed an underspend of $6.7 million.",
    ],
)
def test_the_margin_of_another_row_or_on_the_other_side_is_none(answer: str) -> None:
    assert judged(answer, BOOKS).status in ("contradicted", "unsupported")


def test_the_margin_of_another_period_is_none() -> None:
    assert judged("In Q2 2023 collected rent fell 194 short of budget.", QUARTERS).status != "supported"


@pytest.mark.parametrize(
    ("bound", "status"), [("more than $6 million", "supported"), ("less than $6 million", "unsupported")]
)
def test_a_bounded_margin_keeps_its_bound(bound: str, status: str) -> None:
    assert judged(f"Credit cards contributed an overrun of {bound}.", BOOKS).status == status


def test_a_plan_alone_names_no_figure() -> None:
    prose = "Payroll cost $3.3 million in 2024 against a budget of $3.1 million. Travel was budgeted at $2.4 million."
    assert judged("Payroll had a budget of $3.1 million in 2024.", prose).status == "supported"
    assert judged("Payroll had a budget of $2.4 million in 2024.", prose).status in (
        "contradicted",
        "unsupported",
    )


def test_a_bound_beside_a_number_is_no_side_of_a_plan() -> None:
    prose = "Sales were $5.44 million in 2024. The plan was $5.5 million."
    found = judged("Sales missed the plan by $60,000, a little over 1 %.", prose)
    assert found.status == "supported"


def test_what_is_held_against_is_of_the_plan_that_was_named() -> None:
    table = "$ million\n\n| Quarter | Planned revenue | Actual revenue |\n|---|---|---|\n| Q1 2023 | 61.0 | 58.4 |\n| Q2 2023 | 64.5 | 66.1 |\n"
    answer = "Revenue was $58.4 million in Q1 2023 against a plan of $61.0 million, $66.1 million in Q2 2023 against $64.5 million."
    assert judged(answer, table).status == "supported"


@pytest.mark.requirement("NUM-01")
def test_a_million_with_its_hebrew_one_is_a_million() -> None:
    assert (
        judged("העירייה הוציאה מיליון אחד יותר.", "העירייה הוציאה 1,000,000 יותר.", language="he").status
        == "supported"
    )


@pytest.mark.parametrize("answer", ["一月净利润为-1,846万元。", "一月净利润为负,为-1,846万元。"])
def test_the_name_of_a_profit_below_zero_claims_none(answer: str) -> None:
    table = "(万元)\n\n| 项目 | 一月 |\n|---|---:|\n| 净利润 | (1,846) |\n| 收入 | 12,200 |\n"
    assert judged(answer, table, language="zh").status == "supported"
    case = Case(answer=answer, language="zh")
    assert not [one for one in claims.read(case) if one.number and str(one.number.value) == "polarity:profit"]
