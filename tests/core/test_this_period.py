"""Which period "this quarter" and "for the period" mean: the one that is spoken of, else any that may be."""

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Source

FEES = {
    "en": "Quarter,Visitors,Fees (USD)\nQ1 2023,5100,8300\nQ2 2023,6400,9700\nQ3 2023,7000,9900",
    "zh": "季度,游客,门票（元）\n2023年一季度,5100,8300\n2023年二季度,6400,9700\n2023年三季度,7000,9900",
}


def status(answer: str, question: str, language: str = "en") -> str:
    case = Case(answer=answer, question=question, language=language, sources=(Source("S0", FEES[language]),))
    context = Context(case, claims.read(case), DEFAULTS)
    return numeric.decide(numeric.measure(context), context).findings[-1].status


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("This quarter fees came to $9,700.", "What were the fees in the second quarter?", "supported"),
        ("This quarter fees came to $8,300.", "What were the fees in the second quarter?", "contradicted"),
        ("In the quarter fees came to $8,300.", "What were the fees in Q1 2023?", "supported"),
        ("Fees for the period came to $9,900.", "What were the fees in the first quarter?", "contradicted"),
        ("This quarter fees came to $8,300.", "", "supported"),
        ("Fees for the period came to $9,700.", "", "supported"),
        ("Fees for the period came to $7,900.", "", "contradicted"),
    ],
)
def test_the_period_spoken_of_is_the_one_that_the_question_names(
    answer: str, question: str, expected: str
) -> None:
    assert status(answer, question) == expected


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(("fees", "expected"), [("8,300元", "supported"), ("9,700元", "contradicted")])
def test_chinese_says_the_same(fees: str, expected: str) -> None:
    assert status(f"本季门票收入为{fees}。", "一季度的门票收入是多少？", "zh") == expected
