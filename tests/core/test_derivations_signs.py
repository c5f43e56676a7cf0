"""The words of a sentence say which way round a change goes; brackets in a table are no direction."""

import pytest

from tests.core import document_cases
from tests.core.derivation_tables import ENGLISH, TABLES, follows, judged
from tests.tables import each_case


@each_case(
    ("language", "answer", "claimed", "follows"),
    [
        ("en", "The change in parking income from 2023 to 2024 was $30 thousand.", "$30 thousand", True),
        ("en", "The change in parking income from 2023 to 2024 was -$30 thousand.", "-$30 thousand", False),
        ("en", "The percentage change in rental income from 2023 to 2024 was 5.64%.", "5.64%", True),
        ("en", "The percentage change in rental income from 2023 to 2024 was -5.64%.", "-5.64%", False),
        ("en", "Rental income fell by 5.64% from 2023 to 2024.", "5.64%", False),
        ("en", "The decrease in rental income from 2023 to 2024 was 5.64%.", "5.64%", False),
        ("he", "ההכנסות מחניה ירדו ב-8.57% בין 2023 ל-2024.", "8.57%", False),
        ("he", "ההכנסות מחניה עלו ב-8.57% בין 2023 ל-2024.", "8.57%", True),
        ("zh", "2024年停车收入同比下降8.57%。", "8.57%", False),
        ("zh", "2024年停车收入同比增长8.57%。", "8.57%", True),
    ],
)
@pytest.mark.requirement("NUM-06")
def test_a_change_has_the_sign_of_later_less_earlier(
    language: str, answer: str, claimed: str, follows: bool
) -> None:
    assert (judged(answer, TABLES[language], language=language)[claimed].code == "derived") is follows


FALLEN = "(in thousands) | 2024 | 2023\nParking income | 350 | 380\nNet result | (40) | 60"


@pytest.mark.parametrize(
    ("answer", "claimed", "shown"),
    [
        ("Parking income fell by 7.89% from 2023 to 2024.", "7.89%", "(380 − 350) / 380 = 7.89 %"),
        ("The decrease in parking income from 2023 to 2024 was $30 thousand.", "$30 thousand",
         "380 − 350 = 30 thousand USD"),
        ("The change in parking income from 2023 to 2024 was -$30 thousand.", "-$30 thousand",
         "350 − 380 = −30 thousand USD"),
        ("The percentage change in the net result from 2023 to 2024 was -166.67%.", "-166.67%",
         "((40) − 60) / 60 = −166.67 %"),
    ],
)  # fmt: skip
def test_a_decrease_is_stated_positive_and_a_change_with_its_sign(
    answer: str, claimed: str, shown: str
) -> None:
    assert follows(judged(answer, FALLEN)[claimed], shown)


@pytest.mark.parametrize(
    ("answer", "claimed", "shown"),
    [
        ("Repairs and maintenance increased by 17.1% from 2023 to 2024.", "17.1%", "(410 − 350) / 350 = 17.14 %"),
        ("Repairs and maintenance increased by $60 thousand in 2024.", "$60 thousand", "410 − 350 = 60 thousand USD"),
        ("Average property taxes for 2023 and 2024 were $510 thousand.", "$510 thousand",
         "(520 + 500) / 2 = 510 thousand USD"),
        ("Property taxes as a percentage of total revenue were 11.56% in 2024.", "11.56%", "520 / 4,500 = 11.56 %"),
    ],
)  # fmt: skip
def test_an_expense_in_brackets_counts_by_its_size(answer: str, claimed: str, shown: str) -> None:
    assert follows(judged(answer, ENGLISH)[claimed], shown)


@pytest.mark.parametrize("first", ["property taxes", "repairs and maintenance"])
def test_a_difference_between_two_things_may_be_either_way_round(first: str) -> None:
    second = "repairs and maintenance" if first == "property taxes" else "property taxes"
    found = judged(f"The difference between {first} and {second} in 2024 was $110 thousand.", ENGLISH)
    assert found["$110 thousand"].code == "derived"


def test_what_is_said_to_be_higher_must_be() -> None:
    right = judged("Rental income was $3,740 thousand higher than parking income in 2024.", ENGLISH)
    wrong = judged("Parking income was $3,740 thousand higher than rental income in 2024.", ENGLISH)
    assert right["$3,740 thousand"].code == "derived"
    assert wrong["$3,740 thousand"].status != "supported"


def test_a_label_that_may_be_either_keeps_its_sign() -> None:
    table = "(in thousands) | 2024 | 2023\nIncome tax expense (benefit) | (37) | (241)"
    answer = "The change in income tax expense (benefit) from 2023 to 2024 was {} thousand."
    assert judged(answer.format("$204"), table)["$204 thousand"].code == "derived"
    assert judged(answer.format("-$204"), table)["-$204 thousand"].status != "supported"


VARIANCES = (
    "Line | Actual | Budget | Variance\nRepairs | $33,915 | $27,500 | ($6,415)\nNOI | $210,300 | $225,900 | ($15,600)\n"
    "Capitalized (b) | $288,000 | $301,000 | ($13,000)"
)
SEGMENTS = "Segment | Operating profit (loss)\nMarine | (3.5)\nFreight | 7.9"


@pytest.mark.requirement("NUM-07")
@pytest.mark.parametrize(
    ("answer", "text", "code"),
    [
        ("Repairs ran $6,415 over budget.", VARIANCES, "exact"),
        ("NOI was $15,600 short of budget.", VARIANCES, "exact"),
        ("NOI was $15,600 (6.9%) below the budget.", VARIANCES, "exact"),
        ("Marine made an operating loss of 3.5.", SEGMENTS, "exact"),
        ("Marine made an operating profit of 3.5.", SEGMENTS, "sign"),
    ],
)
def test_words_say_on_which_side_a_variance_lies_and_what_is_a_loss(
    answer: str, text: str, code: str
) -> None:
    number = "3.5" if "3.5" in answer else next(word for word in answer.split() if "$" in word)
    assert document_cases.judged(answer, text, number=number).code == code


@pytest.mark.requirement("NUM-06")
def test_a_figure_whose_label_names_its_opposite_has_the_sign_that_is_said() -> None:
    table = "($ thousand) | 2023 | 2022\nPremiums | 4,310 | 4,122\nGains (losses) on disposals | (318) | 96"
    answer = "Disposals brought a {} of $318 thousand in 2023."
    assert document_cases.judged(answer.format("loss"), table, number="$318 thousand").code == "exact"
    assert (
        document_cases.judged(answer.format("gain"), table, number="$318 thousand").status == "contradicted"
    )
