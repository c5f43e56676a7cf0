"""A sentence of a source that states several metrics: each number is its own metric's and nobody else's."""

from itertools import permutations

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

SENTENCES = [
    ("en", "Revenue was $1,500,000 and operating expenses were $600,000 in Q3 2024.",
     {"Revenue was {} in Q3 2024.": "$1,500,000", "Operating expenses were {} in Q3 2024.": "$600,000"}),
    ("en", "In Q3 2024, revenue was $1,500,000, operating expenses were $600,000 and NOI was $900,000.",
     {"Revenue in Q3 2024 was {}.": "$1,500,000", "Operating expenses were {} in Q3 2024.": "$600,000", "NOI was {} in Q3 2024.": "$900,000"}),
    ("en", "Occupancy was 94.2% at the end of Q3 2024, up from 92.1% a year earlier, while the expense ratio was 38.5%.",
     {"Occupancy was {} in Q3 2024.": "94.2%", "The expense ratio was {} in Q3 2024.": "38.5%"}),
    ("en", "Net operating income of $2.4 million and debt service of $1.9 million gave a DSCR of 1.26x.",
     {"NOI was {}.": "$2.4 million", "Debt service was {}.": "$1.9 million"}),
    ("en", "Oak Plaza reported NOI of $1,234,567 in Q3 2024. Operating expenses came to $845,210.",
     {"NOI of Oak Plaza was {} in Q3 2024.": "$1,234,567", "Operating expenses were {}.": "$845,210"}),
    ("en", "Debt service was $410,000 for the quarter; NOI covered it 1.32 times, at $541,200.",
     {"Debt service was {}.": "$410,000", "NOI was {}.": "$541,200"}),
    ("zh", "2024年第三季度营业收入为500万元，运营费用为200万元。",
     {"2024年第三季度营业收入为{}。": "500万元", "2024年第三季度运营费用为{}。": "200万元"}),
]  # fmt: skip
TRUE = [
    (language, text, form.format(value))
    for language, text, asked in SENTENCES
    for form, value in asked.items()
]
SWAPPED = [
    (language, text, form.format(value))
    for language, text, asked in SENTENCES
    for (form, _), (_, value) in permutations(asked.items(), 2)
]


@pytest.mark.requirement("NUM-06")
@each_case(("language", "text", "answer"), TRUE)
def test_its_own_number_supports_a_metric(language: str, text: str, answer: str) -> None:
    assert judged(answer, text, language=language).status == "supported"


@pytest.mark.requirement("NUM-06")
@each_case(("language", "text", "answer"), SWAPPED)
def test_the_number_of_its_neighbour_supports_nothing(language: str, text: str, answer: str) -> None:
    assert judged(answer, text, language=language).status in ("contradicted", "unsupported")
