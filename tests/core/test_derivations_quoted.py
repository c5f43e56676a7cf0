"""What numbers come to that an answer quotes from figures of record: reckoned as the record has them, not as they are
rounded, with a plan of a document, and never in circles."""

from detection.core.types import Source
from tests.core.record_cases import case as about_oak
from tests.core.record_cases import findings, of
from tests.tables import each_case

PLAN = Source(
    "S0", "| Line (USD) | Q2 2024 | Q3 2024 |\n|---|---:|---:|\n| Total revenue | 1,990,000 | 2,060,000 |\n"
    "| Net operating income | 1,180,000 | 1,225,000 |\n| Operating expenses | 810,000 | 835,000 |",
    title="Oak – budget by quarter",
)  # fmt: skip


@each_case(
    "left, status", [("$524,000", "supported"), ("$424,000", "contradicted"), ("$516,000", "contradicted")]
)
def test_what_is_left_of_a_rounded_whole_is_reckoned_from_the_figure_itself(left: str, status: str) -> None:
    answer = f"NOI came to $1.23 million. After debt service of $710,000, just over {left} was left."
    assert of(answer, left).status == status


@each_case("share, status", [("4 %", "supported"), ("5 %", "contradicted"), ("3 %", "contradicted")])
def test_a_share_of_quoted_numbers_may_be_nearly_so_large(share: str, status: str) -> None:
    answer = f"Of every kind: $80,000 of insurance out of $2.10 million in revenue, a bit under {share}."
    assert of(answer, share).status == status


@each_case(
    "answer, number, status",
    [
        ("NOI came out at $1,234,567, some $9,600 better than planned.", "$9,600", "supported"),
        ("NOI came out at $1,234,567, some $9,600 worse than planned.", "$9,600", "contradicted"),
        ("NOI came out at $1,234,567, some $19,600 better than planned.", "$19,600", "contradicted"),
        ("Operating expenses ran to $865,433, or $30,433 over budget.", "$30,433", "supported"),
        ("Operating expenses ran to $865,433, or $30,433 better than budget.", "$30,433", "contradicted"),
        ("Total revenue of $2,100,000 was 1.9 % above the plan.", "1.9 %", "supported"),
        ("Total revenue of $2,100,000 was 1.9 % below the plan.", "1.9 %", "contradicted"),
        ("NOI beat the budget by $9,567.", "$9,567", "supported"),
        ("NOI missed the budget by $9,567.", "$9,567", "contradicted"),
    ],
)  # fmt: skip
def test_a_figure_of_record_lies_on_one_side_of_the_plan_of_a_document(
    answer: str, number: str, status: str
) -> None:
    assert of(answer, number, sources=(PLAN,)).status == status


def test_a_difference_does_not_explain_one_of_the_values_that_it_is_of() -> None:
    answer = "{} was ahead, with NOI of $1.23 million against $1.13 million for {}. The gap was $100,000."
    right = findings(about_oak(answer.format("OAK", "Maple Court"), property=None))
    wrong = findings(about_oak(answer.format("Maple Court", "OAK"), property=None))
    assert {one.status for one in right.values()} == {"supported"}
    assert wrong["$1.23 million"].status != "supported"


@each_case(
    "answer, number, status",
    [
        ("Operating expenses were $865,000.", "$865,000", "supported"),
        ("Operating expenses were $866,000.", "$866,000", "contradicted"),
        ("Operating expenses were exactly $865,000.", "$865,000", "contradicted"),
        ("Operating expenses were $870,000.", "$870,000", "contradicted"),
    ],
)
def test_an_amount_in_whole_thousands_may_be_rounded_to_them(answer: str, number: str, status: str) -> None:
    assert of(answer, number).status == status
