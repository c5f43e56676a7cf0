"""A metric has many names: the sources may call it by another, also in another language."""

import pytest

from tests.core.document_cases import CHINESE, ENGLISH, HEBREW, judged


@pytest.mark.requirement("NUM-06")
@pytest.mark.parametrize(
    ("language", "answer", "table", "code"),
    [
        ("he", "ההכנסה התפעולית נטו בשנת 2023 הייתה 3,481 אלף דולר.", ENGLISH, "exact"),
        ("he", "ההכנסה התפעולית נטו בשנת 2023 הייתה 3,113 אלף דולר.", ENGLISH, "off_period"),
        ("he", "ההכנסה התפעולית נטו בשנת 2023 הייתה 4,812 אלף דולר.", ENGLISH, "off_metric"),
        ("zh", "2023年净营业收入为3,481千美元。", ENGLISH, "exact"),
        ("zh", "2023年净营业收入为3,113千美元。", ENGLISH, "off_period"),
        ("en", "Net operating income in 2023 was NIS 3,481 thousand.", HEBREW, "exact"),
        ("en", "Net operating income in 2023 was NIS 3,113 thousand.", HEBREW, "off_period"),
        ("en", "NOI in 2023 was CNY 3,481 thousand.", CHINESE, "exact"),
        ("en", "NOI in 2023 was CNY 4,812 thousand.", CHINESE, "off_metric"),
    ],
)
def test_a_metric_is_found_under_its_name_in_another_language(
    language: str, answer: str, table: str, code: str
) -> None:
    assert judged(answer, table, language=language).code == code
