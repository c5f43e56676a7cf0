"""A period that is told by its distance to one before it, "a quarter later", is of the last one that is named."""

import pytest

from detection.core import periods
from tests.core.document_cases import judged
from tests.tables import each_case

MILL = (
    "| | Q1 2024 | Q2 2024 | Q3 2024 | Q4 2024 |\n|---|---|---|---|---|\n"
    "| Yield per vat, kg | 412 | 396 | 371 | 405 |\n| Costs, $ | 81,200 | 83,900 | 79,400 | 80,700 |"
)


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "language", "code"),
    [
        (
            "In the third quarter of 2024 costs fell to $79,400; a quarter later they were $80,700.",
            "en",
            "exact",
        ),
        (
            "In the second quarter of 2024 costs were $83,900; a quarter later they were $80,700.",
            "en",
            "off_period",
        ),
        (
            "In the third quarter of 2024 costs were $79,400. The quarter after that they were $80,700.",
            "en",
            "exact",
        ),
        ("Costs were $83,900 in Q2 2024 and $80,700 in the following quarter.", "en", "off_period"),
        ("ברבעון השלישי של 2024 היו Costs 79,400 $ ורבעון לאחר מכן 80,700 $.", "he", "exact"),
        ("2024年第三季度Costs为79,400美元，一个季度后为80,700美元。", "zh", "exact"),
        ("2024年第二季度Costs为83,900美元，次季为80,700美元。", "zh", "off_period"),
    ],
)
def test_a_period_that_follows_is_that_behind_the_last_one_named(
    answer: str, language: str, code: str
) -> None:
    assert judged(answer, MILL, language=language).code == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "language", "code"),
    [
        ("Costs fell from $81,200 in the first quarter of 2024 to $79,400 in the third.", "en", "exact"),
        (
            "Costs went from $81,200 in the first quarter of 2024 to $79,400 in the fourth.",
            "en",
            "off_period",
        ),
        ("The dearest quarter of 2024 was the second, with costs of $83,900.", "en", "exact"),
        ("The dearest quarter of 2024 was the first, with costs of $83,900.", "en", "off_period"),
        ("Costs ירדו מ-81,200 $ ברבעון הראשון של 2024 ל-79,400 $ בשלישי.", "he", "exact"),
        ("Costs ירדו מ-81,200 $ ברבעון הראשון של 2024 ל-79,400 $ ברביעי.", "he", "off_period"),
        ("הרבעון היקר ב-2024 היה השני, עם Costs של 83,900 $.", "he", "exact"),
        ("הרבעון היקר ב-2024 היה הראשון, עם Costs של 83,900 $.", "he", "off_period"),
        ("2024年Costs从第一个季度的81,200美元降至第三个的79,400美元。", "zh", "exact"),
        ("2024年Costs从第一个季度的81,200美元降至第四个的79,400美元。", "zh", "off_period"),
    ],
)
def test_an_ordinal_without_its_noun_is_a_quarter_of_those_spoken_of(
    answer: str, language: str, code: str
) -> None:
    assert judged(answer, MILL, language=language).code == code


@pytest.mark.parametrize(
    "text",
    [
        "In the third quarter rent was $4m in the first building and $2m in the second.",
        "The loss in Q3 was the first in five years.",
        "All quarters but the first were profitable.",
        "In Q2 the second highest cost was rent, a third of the total.",
        "During the quarter, first, the kiln was moved from the second to the third floor.",
        "In the second quarter, three vats leaked, the first in April.",
        "ברבעון השני עמדו ההכנסות על 4 בבניין הראשון ועל 5 בשני.",
        "第三季度中第一个项目已完工。",
    ],
)
def test_an_ordinal_that_counts_another_thing_names_no_period(text: str) -> None:
    found = [text[one.start : one.end] for one in periods.find(text, "en")]
    assert all(any(noun in one for noun in ("uarter", "Q", "April", "רבעון", "季度")) for one in found), found


HOTEL = "In May 2024 the average rate came to $190, some $12 above the previous May, and RevPAR was $151, against $144."
OFFICES = "Rent by quarter in $ thousand: Q4 2023 410, Q3 2024 395, Q4 2024 430."


@pytest.mark.requirement("NUM-06")
@each_case(
    ("answer", "source", "phrase", "code"),
    [
        ("RevPAR was $151 in May 2024.", HOTEL, "$151", "exact"),
        ("RevPAR was $151 in May 2023.", HOTEL, "$151", "off_period"),
        ("Rent slipped to $395 thousand in Q3 2024; in Q4 2024 it was $430 thousand, 4.9% above Q4 2023.", OFFICES, "4.9%", "derived"),
        ("Rent slipped to $395 thousand in Q3 2024; in Q4 2024 it was $430 thousand, 4.9% below Q4 2023.", OFFICES, "4.9%", "not_found"),
    ],
)  # fmt: skip
def test_a_period_that_something_lies_above_is_what_it_is_compared_with(
    answer: str, source: str, phrase: str, code: str
) -> None:
    assert judged(answer, source, number=phrase).code == code
