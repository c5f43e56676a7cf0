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
