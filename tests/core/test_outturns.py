"""Of an amount that lies so far from its plan, the plan is what the distance is measured from, and the amount no plan."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

PLANNED = (
    "| Quarter | Sales plan, $ | Sales, $ |\n|---|---|---|\n"
    "| Q3 2024 | 5,250,000 | 5,390,000 |\n| Q4 2024 | 5,800,000 | 5,510,000 |"
)
TOLD = "Sales in Q4 2024 were 5 % under plan at $5.51 million; the plan was $5.80 million."
HAN = "| 季度 | 计划销售额（元） | 实际销售额（元） |\n|---|---|---|\n| 2024年第四季度 | 5,800,000 | 5,510,000 |"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "code"),
    [
        ("In Q4 2024 sales stayed 5 % under plan at $5.51 million.", PLANNED, "exact"),
        ("In Q4 2024 sales stayed 5 % under plan at $5.80 million.", PLANNED, "off_role"),
        ("In Q3 2024 sales were 2.7 % ahead of plan, at $5.39 million.", PLANNED, "exact"),
        ("In Q3 2024 sales were 2.7 % ahead of plan, at $5.25 million.", PLANNED, "off_role"),
        ("In Q4 2024 sales came in $290,000 short of plan at $5.51 million.", PLANNED, "exact"),
        ("In Q4 2024 sales came in $290,000 short of plan at $5.80 million.", PLANNED, "off_role"),
        ("In Q4 2024 sales missed the plan by 5 % at $5.80 million.", PLANNED, "off_role"),
        ("The plan for Q4 2024 sales stood at $5.80 million.", PLANNED, "exact"),
        ("In Q4 2024 sales were 5 % below their plan of $5.80 million.", PLANNED, "exact"),
        ("2024年第四季度销售额比计划低5%，为551万元。", HAN, "exact"),
        ("2024年第四季度销售额比计划低5%，为580万元。", HAN, "off_role"),
        ("Q4 2024 sales were $5.51 million.", TOLD, "exact"),
        ("The Q4 2024 sales plan was $5.80 million.", TOLD, "exact"),
        ("The Q4 2024 sales plan was $5.51 million.", TOLD, "off_role"),
    ],
)
def test_an_amount_so_far_from_its_plan_is_what_came_about(answer: str, source: str, code: str) -> None:
    assert judged(answer, source).code == code


HEADED = "Budget for the year to 31 December 2024: sales $8.0 million; wages $2.9 million; net income $5.1 million."
APPROVED = "The board approved a 2024 budget with sales of $8.0 million and wages of $2.9 million. Rent is $0.4 million."
CAME = "The 2024 budget had sales of $8.0 million, and sales came to $7.7 million."
HAN_HEADED = "2024年预算：销售额800万元，工资290万元。"


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "source", "code"),
    [
        ("Wages were budgeted at $2.9 million for 2024.", HEADED, "exact"),
        ("The 2024 budget for net income is $5.1 million.", HEADED, "exact"),
        ("The 2024 budget for net income is $2.9 million.", HEADED, "off_metric"),
        ("Actual wages in 2024 were $2.9 million.", HEADED, "off_role"),
        ("Wages of $2.9 million were budgeted for 2024.", APPROVED, "exact"),
        ("Rent is $0.4 million.", APPROVED, "exact"),
        ("Sales in 2024 were $7.7 million.", CAME, "exact"),
        ("Sales in 2024 were budgeted at $7.7 million.", CAME, "off_role"),
        ("2024年工资预算为290万元。", HAN_HEADED, "exact"),
    ],
)
def test_what_heads_a_list_of_prose_is_said_of_all_its_items(answer: str, source: str, code: str) -> None:
    assert judged(answer, source).code == code


@pytest.mark.requirement("NUM-05")
def test_a_number_before_of_a_plan_is_what_came_about() -> None:
    source = "By the end of May 148 of a planned 160 nurses had been hired."
    assert judged("By May it had hired 148 nurses.", source).code == "exact"


@pytest.mark.requirement("NUM-05")
def test_a_column_of_overruns_states_an_overrun_over_the_budget() -> None:
    books = 'ספרי העירייה 2023 (באלפי ש"ח)\n\n| סעיף | תקציב | ביצוע | עודף/(חריגה) |\n|---|---|---|---|\n| גינון | 8,350 | 9,110 | (760) |\n| ניקיון | 6,420 | 6,180 | 240 |'
    said = 'בשנת 2023 חרג הגינון ב-760 אלף ש"ח מהתקציב.'
    assert judged(said, books, language="he").status == "supported"
