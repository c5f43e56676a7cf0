"""The words of a sentence name the operation and divide it into the phrases of its operands, in three languages."""

import pytest

from detection.core.derivations import is_range, joined, operations, parts, speaks_of_fall
from tests.tables import each_case


@each_case(
    ("sentence", "kind", "unit", "named"),
    [
        ("revenue grew by   in 2024", "percentage", "%", ["growth", "difference"]),
        ("the percentage change in revenue was  ", "percentage", "%", ["growth", "difference"]),
        ("rent as a percentage of revenue was  ", "percentage", "%", ["share"]),
        ("the share of rent in revenue rose by  ", "percentage", "pp", ["difference", "points"]),
        ("the average margin was  ", "percentage", "%", ["average"]),
        ("revenue increased by   in 2024", "currency", "USD", ["difference"]),
        ("the sum of rent and parking was  ", "currency", "USD", ["sum"]),
        ("the average rent was  ", "currency", "USD", ["average"]),
        ("the ratio of rent to parking was  ", "number", "", ["ratio"]),
        ("dscr was  ", "ratio", "x", ["ratio"]),
        ("revenue was   in 2024", "currency", "USD", []),
        ("ההכנסות גדלו ב-  בשנת 2024", "percentage", "%", ["growth", "difference"]),
        ("סכום ההכנסות היה  ", "currency", "ILS", ["sum"]),
        ("הממוצע של ההכנסות היה  ", "currency", "ILS", ["average"]),
        ("היחס בין ההכנסות להוצאות היה  ", "number", "", ["ratio"]),
        ("2024年收入同比增长 ", "percentage", "%", ["growth", "difference"]),
        ("租金和停车收入合计 ", "currency", "CNY", ["sum"]),
        ("平均租金为 ", "currency", "CNY", ["average"]),
        ("租金占收入的 ", "percentage", "%", ["share"]),
    ],
)
def test_the_words_name_the_operations(sentence: str, kind: str, unit: str, named: list[str]) -> None:
    assert operations(sentence, kind, unit) == named


@each_case(
    ("sentence", "operation", "phrases"),
    [
        ("rent as a percentage of revenue was", "share", ("rent", "revenue was")),
        ("the percentage of rent out of revenue was", "share", ("rent", "revenue was")),
        ("parking accounted for   of revenue", "share", ("parking", "of revenue")),
        ("the ratio of rent to parking was", "ratio", ("rent", "parking was")),
        ("the difference between rent and parking was", "difference", ("rent", "parking was")),
        ("revenue excluding rent was", "difference", ("revenue", "rent was")),
        ("the change from the first to the second quarter was", "difference",
         ("the second quarter was", "the change from the first")),
        ("rent and parking combined were", "sum", ("rent", "parking combined were")),
        ("rent, parking and fees in total were", "sum", ("rent", "parking", "fees in total were")),
        ("the current ratio was", "ratio", ("current assets 流动资产", "current liabilities 流动负债")),
        ("חניה היוו מסך ההכנסות", "share", ("חניה", "מסך ההכנסות")),
        ("ההפרש בין שכירות לבין חניה היה", "difference", ("שכירות", "חניה היה")),
        ("停车收入占收入合计的", "share", ("停车收入", "收入合计的")),
        ("租金与停车收入的差额为", "difference", ("租金", "停车收入的差额为")),
        ("租金和停车收入合计", "sum", ("租金", "停车收入合计")),
    ],
)  # fmt: skip
def test_a_sentence_is_divided_into_the_phrases_of_its_operands(
    sentence: str, operation: str, phrases: tuple[str, ...]
) -> None:
    found = [tuple(part.strip() for part in division) for division in parts(sentence, operation)]
    assert phrases in found


def test_a_date_with_a_comma_is_not_divided() -> None:
    found = parts("the sum on december 31, 2024 of rent, parking and fees was", "sum")
    assert all("december 31, 2024" in " ".join(division) for division in found if len(division) == 3)


@pytest.mark.parametrize("operation", ["share", "ratio", "difference", "growth", "sum", "average"])
def test_however_long_a_sentence_few_divisions_are_tried(operation: str) -> None:
    assert len(parts("rent and parking to fees of the ratio over costs, " * 20_000, operation)) <= 6
    assert len(joined("rent and " * 50_000)) <= 2


@pytest.mark.parametrize(
    ("sentence", "falls"),
    [
        ("revenue fell by", True),
        ("the decrease in revenue was", True),
        ("the increase / (decrease) in revenue was", False),
        ("the change in revenue was", False),
        ("ההכנסות ירדו ב-", True),
        ("השינוי בהכנסות היה", False),
        ("收入下降", True),
        ("收入增加", False),
    ],
)
def test_a_decrease_is_told_from_a_change(sentence: str, falls: bool) -> None:
    assert speaks_of_fall(sentence) is falls


@pytest.mark.parametrize(
    ("sentence", "ranged"),
    [
        ("the average from 2020 to 2024", True),
        ("the average for 2020-2024", True),
        ("the average of 2020 and 2024", False),
        ("2020年至2024年平均", True),
    ],
)
def test_the_ends_of_a_range_are_told_from_two_years(sentence: str, ranged: bool) -> None:
    assert is_range(sentence) is ranged
