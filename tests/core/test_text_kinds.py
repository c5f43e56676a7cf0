"""Questions, instructions and hedges: sentences that assert nothing (SPEC-08.09)."""

import pytest

from detection.core.text import is_hedge, is_instruction, is_question
from tests.tables import each_case

ASSERTIONS = [
    "NOI was $1,234,567.89 in Q3 2024 [S0].",
    "NOI was about 5 % higher in May 2024.",
    "May 2024 was a weak month.",
    "Note that NOI fell by 3 %.",
    "See-through walls were installed.",
    "Review costs rose by 5 %.",
    "The target may not be exceeded.",
    "The tenant may sublet with consent.",
    "The unlikely tenant paid.",
    "The lender argues that rents may fall [S0].",
    "The units, which could be let, cost $5M.",
    "המדרגות עשויות מבטון.",
    "ההכנסה עלתה ב-5% [S0].",
    "כ-5% מההכנסה הגיעו מחניה.",
    "收入增长了5%。",
    "这是不可能的。",
    "大概5%的收入来自停车。",
    "请求数量增长了5%。",
]


@pytest.mark.requirement("SPEC-08.09")
@each_case(
    "sentence",
    [
        "Is the DSCR above 1.25x?", "Is it so? [S0]", '"Is it so?"', "**Really?**", "What was NOI?!"[:-1],
        "האם ההכנסה עלתה", "מה היתה ההכנסה?", "入住率是多少？", "收入增长了吗", "收入增长了吗。", "هل ارتفع الدخل؟",
    ],
)  # fmt: skip
def test_questions_are_recognised(sentence: str) -> None:
    assert is_question(sentence)


@pytest.mark.requirement("SPEC-08.09")
@each_case(
    "sentence",
    [
        "Please contact the property manager.", "See note 5 for details.", "Refer to the rent roll [S0].",
        "- Check the lease.", "1. Review the budget.", "Let me know if you need more.", "Contact your broker.",
        "אנא פנו למנהל הנכס.", "ראו ביאור 5.", "יש לבדוק את החוזה.", "请参见第5页。", "如需更多信息，请联系我们。", "詳見附註五。",
    ],
)  # fmt: skip
def test_instructions_are_recognised(sentence: str) -> None:
    assert is_instruction(sentence)


@pytest.mark.requirement("SPEC-08.09")
@each_case(
    "sentence",
    [
        "NOI may have been $5M.", "It could rise further.", "Perhaps NOI rose.", "NOI appears to have fallen.",
        "It is unclear whether NOI rose.", "Rents are likely to rise.", "I think NOI rose.", "It seems that NOI rose.", "In 2024, rents may have risen.", "I'm not sure.",
        "ייתכן שההכנסה עלתה.", "ההכנסה עשויה לעלות.", "ככל הנראה השווי ירד.", "נראה כי התפוסה ירדה.", "אולי היא ירדה.",
        "收入可能增长了。", "收入似乎下降了。", "我认为收入增长了。", "尚不清楚是否增长。",
    ],
)  # fmt: skip
def test_hedges_are_recognised(sentence: str) -> None:
    assert is_hedge(sentence)


@pytest.mark.requirement("SPEC-08.09")
@each_case("sentence", ASSERTIONS)
def test_assertions_are_none_of_them(sentence: str) -> None:
    assert not is_question(sentence)
    assert not is_instruction(sentence)
    assert not is_hedge(sentence)
