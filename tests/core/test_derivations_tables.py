"""A number that follows from the cells its sentence names is supported, in three languages, with its equation."""

import pytest

from detection.core.types import Span
from tests.core.derivation_tables import CHINESE, ENGLISH, HEBREW, TABLES, follows, judged
from tests.tables import each_case

FOLLOWS = [
    ("en", "Rental income grew by 5.64% from 2023 to 2024.", "5.64%", "(4,120 − 3,900) / 3,900 = 5.64 %"),
    ("en", "Rental income rose 5.6% in 2024.", "5.6%", "(4,120 − 3,900) / 3,900 = 5.64 %"),
    ("en", "Parking income increased by $30 thousand between 2023 and 2024.", "$30 thousand",
     "380 − 350 = 30 thousand USD"),
    ("en", "The sum of rental income and parking income in 2022 was $3,830 thousand.", "$3,830 thousand",
     "3,500 + 330 = 3,830 thousand USD"),
    ("en", "Repairs and maintenance and property taxes in 2024 were $930 thousand together.", "$930 thousand",
     "410 + 520 = 930 thousand USD"),
    ("en", "Average rental income for 2023 and 2024 was $4,010 thousand.", "$4,010 thousand",
     "(4,120 + 3,900) / 2 = 4,010 thousand USD"),
    ("en", "Average rental income from 2022 to 2024 was $3,840 thousand.", "$3,840 thousand",
     "(4,120 + 3,900 + 3,500) / 3 = 3,840 thousand USD"),
    ("en", "Total rental income for 2022, 2023 and 2024 was $11,520 thousand.", "$11,520 thousand",
     "4,120 + 3,900 + 3,500 = 11,520 thousand USD"),
    ("en", "Parking income accounted for 8.44% of total revenue in 2024.", "8.44%", "380 / 4,500 = 8.44 %"),
    ("en", "Parking income as a percentage of total revenue was 8.24% in 2023.", "8.24%", "350 / 4,250 = 8.24 %"),
    ("en", "The ratio of rental income to parking income in 2024 was 10.84.", "10.84", "4,120 / 380 = 10.84"),
    ("en", "Rental income in 2024 was 10.84 times parking income.", "10.84 times", "4,120 / 380 = 10.84x"),
    ("en", "Total revenue excluding rental income was $380 thousand in 2024.", "$380 thousand",
     "4,500 − 4,120 = 380 thousand USD"),
    ("en", "The NOI margin in 2023 was 58.82%.", "58.82%", "2,500 / 4,250 = 58.82 %"),
    ("he", "ההכנסות משכירות גדלו ב-5.64% משנת 2023 לשנת 2024.", "5.64%", "(4,120 − 3,900) / 3,900 = 5.64 %"),
    ("he", 'השינוי בהכנסות מחניה בין 2023 ל-2024 היה 30 אלף ש"ח.', '30 אלף ש"ח', "380 − 350 = 30 thousand ILS"),
    ("he", 'סכום ההכנסות משכירות וההכנסות מחניה בשנת 2022 היה 3,830 אלף ש"ח.', '3,830 אלף ש"ח',
     "3,500 + 330 = 3,830 thousand ILS"),
    ("he", 'הממוצע של ההכנסות משכירות בשנים 2023 ו-2024 היה 4,010 אלף ש"ח.', '4,010 אלף ש"ח',
     "(4,120 + 3,900) / 2 = 4,010 thousand ILS"),
    ("he", "ההכנסות מחניה היוו 8.44% מסך ההכנסות בשנת 2024.", "8.44%", "380 / 4,500 = 8.44 %"),
    ("he", "היחס בין ההכנסות משכירות להכנסות מחניה בשנת 2024 היה 10.84.", "10.84", "4,120 / 380 = 10.84"),
    ("zh", "2024年租金收入同比增长5.64%。", "5.64%", "(4,120 − 3,900) / 3,900 = 5.64 %"),
    ("zh", "2023年至2024年停车收入增加了30千元。", "30千元", "380 − 350 = 30 thousand CNY"),
    ("zh", "2022年净营业收入和停车收入合计2,530千元。", "2,530千元", "2,200 + 330 = 2,530 thousand CNY"),
    ("zh", "2023年和2024年租金收入平均为4,010千元。", "4,010千元", "(4,120 + 3,900) / 2 = 4,010 thousand CNY"),
    ("zh", "2024年停车收入占收入合计的8.44%。", "8.44%", "380 / 4,500 = 8.44 %"),
    ("zh", "2024年租金收入与停车收入的比率为10.84。", "10.84", "4,120 / 380 = 10.84x"),
]  # fmt: skip


@each_case(("language", "answer", "claimed", "shown"), FOLLOWS)
@pytest.mark.requirement("NUM-06")
def test_what_follows_from_the_cells_a_sentence_names_is_supported_with_its_equation(
    language: str, answer: str, claimed: str, shown: str
) -> None:
    assert follows(judged(answer, TABLES[language], language=language)[claimed], shown)


@pytest.mark.parametrize(
    ("answer", "claimed", "shown"),
    [
        ("The average annual growth of rental income from 2022 to 2024 was 8.53%.", "8.53%",
         "(((4,120 − 3,900) / 3,900) + ((3,900 − 3,500) / 3,500)) / 2 = 8.53 %"),
        ("The share of parking income in total revenue rose by 0.21 percentage points from 2023 to 2024.",
         "0.21 percentage points", "(380 / 4,500) − (350 / 4,250) = 0.209 percentage points"),
        ("Rental income as a percentage of rental income and parking income was 91.56% in 2024.", "91.56%",
         "4,120 / (4,120 + 380) = 91.56 %"),
        ("Repairs and maintenance and property taxes as a percentage of total revenue were 20.67% in 2024.", "20.67%",
         "(410 + 520) / 4,500 = 20.67 %"),
        ("The change in average parking income between 2022-2023 and 2023-2024 was $25 thousand.", "$25 thousand",
         "((350 + 380) / 2) − ((330 + 350) / 2) = 25 thousand USD"),
        ("The ratio of rental income in 2024 to 2022 is 1.177.", "1.177", "4,120 / 3,500 = 1.18"),
    ],
)  # fmt: skip
@pytest.mark.requirement("NUM-06")
def test_a_chain_of_operations_is_followed(answer: str, claimed: str, shown: str) -> None:
    assert follows(judged(answer, ENGLISH)[claimed], shown)


@each_case(
    ("answer", "claimed"),
    [
        ("Rental income grew by 6.64% from 2023 to 2024.", "6.64%"),
        ("Parking income grew by 5.64% from 2023 to 2024.", "5.64%"),
        ("Rental income grew by 5.64% from 2022 to 2023.", "5.64%"),
        ("Rental income was 5.64% in 2024.", "5.64%"),
        ("The sum of rental income and property taxes in 2024 was $4,500 thousand.", "$4,500 thousand"),
        ("Average rental income from 2022 to 2024 was $4,010 thousand.", "$4,010 thousand"),
        ("Parking income accounted for 8.44% of rental income in 2024.", "8.44%"),
        ("The ratio of parking income to rental income in 2024 was 10.84.", "10.84"),
        ("Parking income increased by €30 thousand between 2023 and 2024.", "€30 thousand"),
        ("Parking income increased by 30% between 2023 and 2024.", "30%"),
    ],
)
@pytest.mark.requirement("NUM-06")
def test_another_row_year_operation_or_unit_does_not_support(answer: str, claimed: str) -> None:
    table = ENGLISH.replace("(in thousands)", "($ in thousands)")
    assert judged(answer, table)[claimed].status != "supported"


@pytest.mark.parametrize(
    ("answer", "language"),
    [
        ("Parking income increased by $30 million between 2023 and 2024.", "en"),
        ("Parking income increased by $30 between 2023 and 2024.", "en"),
        ('השינוי בהכנסות מחניה בין 2023 ל-2024 היה 30 מיליון ש"ח.', "he"),
        ("2023年至2024年停车收入增加了30百万元。", "zh"),
    ],
)
def test_a_result_at_another_scale_than_the_tables_is_not_supported(answer: str, language: str) -> None:
    found = judged(answer, TABLES[language], language=language)
    assert {finding.code for text, finding in found.items() if "30" in text}.isdisjoint({"derived", "exact"})


def test_a_table_without_a_scale_means_what_it_says() -> None:
    plain = ENGLISH.replace("(in thousands)", "")
    assert judged("Parking income increased by $30 from 2023 to 2024.", plain)["$30"].code == "derived"
    scaled = judged("Parking income increased by $30 million from 2023 to 2024.", plain)
    assert scaled["$30 million"].status != "supported"


@pytest.mark.parametrize("table", [ENGLISH, HEBREW, CHINESE])
@pytest.mark.requirement("NUM-06")
def test_the_operands_are_kept_with_their_places(table: str) -> None:
    language = next(name for name, known in TABLES.items() if known == table)
    answer, claimed, _ = next(row[1:] for row in FOLLOWS if row[0] == language)
    finding = judged(answer, table, language=language)[claimed]
    assert finding.matched is not None
    assert [span.text for span in finding.matched.operands] == ["4,120", "3,900"]
    for span in finding.matched.operands:
        assert isinstance(span, Span)
        assert table[span.start : span.end] == span.text


def test_years_at_the_left_are_years_too() -> None:
    table = "Year | Rental income | Parking income\n2024 | 4,120 | 380\n2023 | 3,900 | 350"
    found = judged("Rental income grew by 5.64% from 2023 to 2024.", table)
    assert follows(found["5.64%"], "(4,120 − 3,900) / 3,900 = 5.64 %")


def test_a_row_without_a_label_is_the_total() -> None:
    table = " | 2024 | 2023\nRent | 4,120 | 3,900\nParking | 380 | 350\n | 4,500 | 4,250"
    found = judged("The total grew by 5.88% from 2023 to 2024.", table)
    assert follows(found["5.88%"], "(4,500 − 4,250) / 4,250 = 5.88 %")


def test_numbers_of_one_sentence_of_text_are_operands_too() -> None:
    text = "Rental income was $4,120 in 2024 and $3,900 in 2023."
    found = judged("Rental income grew by 5.64% from 2023 to 2024.", text)
    assert follows(found["5.64%"], "($4,120 − $3,900) / $3,900 = 5.64 %")
