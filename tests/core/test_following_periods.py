"""A period that is told by its distance to one before it, "a quarter later", is of the last one that is named."""

import pytest

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
