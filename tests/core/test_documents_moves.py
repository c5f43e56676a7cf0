"""Prose that says where a figure came from tells in which direction it went (NUM-05)."""

import pytest

from detection.core.types import Case, Source
from tests.core.document_cases import judged
from tests.core.record_cases import told
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")

SAID = [
    ("en", "Total revenue was $2,410,000 in 2023, up from $2,100,000 a year earlier.", "Revenue {} $2.4 million in 2023.", "rose to", "fell to"),
    ("en", "Occupancy declined to 93.1% at year end from 95.0%.", "Occupancy {} 93.1%.", "slipped to", "improved to"),
    ("en", "The expense ratio came to 38.2%, against 40.5% in 2022.", "The expense ratio {} 38.2%.", "fell to", "climbed to"),
    ("en", "Net income for the quarter was $1.2 million, down 14% on the year.", "Net income {} $1.2 million.", "fell to", "rose to"),
    ("en", "Rental income grew to $8.8 million in 2023.", "Rental income {} $8.8 million.", "increased to", "decreased to"),
    ("he", 'דמי השכירות בשנת 2023 היו 2.4 מיליון ש"ח, לעומת 2.1 מיליון ש"ח בשנת 2022.', 'דמי השכירות {}-2.4 מיליון ש"ח.', "עלו ל", "ירדו ל"),
    ("zh", "2023年租金收入为240万元，高于2022年的210万元。", "租金收入{}240万元。", "上升至", "下降至"),
]  # fmt: skip


def code(text: str, answer: str, language: str = "en") -> dict[str, str]:
    return told(Case(answer, language=language, sources=(Source("S0", text),)))


@each_case(("language", "text", "form", "right", "wrong"), SAID)
def test_a_direction_is_held_against_what_the_source_says(
    language: str, text: str, form: str, right: str, wrong: str
) -> None:
    for word, expected in ((right, "holds"), (wrong, "contradicted")):
        assert expected in code(text, form.format(word), language).values()


@pytest.mark.parametrize("verb", ["rose", "fell"])
@pytest.mark.parametrize(
    "text",
    [
        "NOI was $3.0 million versus a budget of $3.4 million.",
        "NOI was $3.0 million and operating expenses $3.4 million.",
        "NOI was $3.0 million, against $3.4 million at Maple Court.",
    ],
)
def test_what_is_no_earlier_figure_tells_no_direction(text: str, verb: str) -> None:
    assert code(text, f"NOI {verb} to $3.0 million.")[verb] == "not_compared"


@pytest.mark.parametrize(("verb", "expected"), [("grew", "holds"), ("declined", "contradicted")])
def test_a_direction_without_a_number_is_that_of_the_figure_it_names(verb: str, expected: str) -> None:
    text = "Rental income grew to $8.8 million in 2023. Other income was $0.4 million."
    assert code(text, f"Rental income {verb} in 2023.")[verb] == expected


BEDS = "Bed occupancy was 81.2 % in Q3 2024, up 2.4 percentage points year over year."
LOANS = "The NPL ratio was 1.37 % at the end of September 2024, down 0.08 percentage points since the start of the year."
SALES = "Net sales grew 5 % to 105 million euros in 2024."
CHINESE_LOANS = "2024年6月末，不良贷款率1.37%，较年初下降0.08个百分点。净息差1.60%。"
HEBREW_SALES = 'ההכנסות גדלו ב-5% ל-105 מיליון ש"ח בשנת 2024.'


@pytest.mark.parametrize(
    ("language", "source", "answer", "number", "follows"),
    [
        ("en", BEDS, "Bed occupancy was 78.8 % in Q3 2023.", "78.8 %", True),
        ("en", BEDS, "Bed occupancy was 78.8 % in Q2 2024.", "78.8 %", False),
        ("en", BEDS, "Bed occupancy was 78.8 % in Q3 2024.", "78.8 %", False),
        ("en", BEDS, "Bed occupancy was 83.6 % in Q3 2023.", "83.6 %", False),
        ("en", LOANS, "The NPL ratio fell from 1.45 % to 1.37 %.", "1.45 %", True),
        ("en", LOANS, "The NPL ratio fell from 1.29 % to 1.37 %.", "1.29 %", False),
        ("en", LOANS, "The NPL ratio was 1.45 % at the end of 2023.", "1.45 %", True),
        ("en", LOANS, "The NPL ratio was 1.45 % at the end of June 2024.", "1.45 %", False),
        ("en", LOANS, "The NPL ratio was 1.45 %.", "1.45 %", False),
        ("en", SALES, "Net sales grew from 100 million euros to 105 million.", "100 million euros", True),
        ("en", SALES, "Net sales were 100 million euros in 2023.", "100 million euros", True),
        ("en", SALES, "Net sales were 100 million euros in 2022.", "100 million euros", False),
        ("en", SALES, "Net sales grew from 98 million euros to 105 million.", "98 million euros", False),
        ("zh", CHINESE_LOANS, "不良贷款率从1.45%下降到1.37%。", "1.45%", True),
        ("zh", CHINESE_LOANS, "2023年末不良贷款率为1.45%。", "1.45%", True),
        ("zh", CHINESE_LOANS, "净息差从1.45%上升到1.60%。", "1.45%", False),
        ("he", HEBREW_SALES, 'ההכנסות בשנת 2023 היו 100 מיליון ש"ח.', '100 מיליון ש"ח', True),
        ("he", HEBREW_SALES, 'ההכנסות בשנת 2023 היו 110 מיליון ש"ח.', '110 מיליון ש"ח', False),
    ],
)
def test_what_a_figure_was_before_its_change_follows(
    language: str, source: str, answer: str, number: str, follows: bool
) -> None:
    found = judged(answer, source, language=language, number=number)
    assert (found.status == "supported") == follows


@pytest.mark.parametrize(
    ("source", "answer", "number", "shown"),
    [
        (LOANS, "The NPL ratio fell from 1.45 % to 1.37 %.", "1.45 %", "1.37 + 0.08"),
        (SALES, "Net sales were 100 million euros in 2023.", "100 million euros", "105,000,000 / (1 + 5 %)"),
    ],
)
def test_the_arithmetic_of_what_it_was_is_shown(source: str, answer: str, number: str, shown: str) -> None:
    found = judged(answer, source, number=number)
    assert found.code == "derived"
    assert found.matched is not None
    assert shown in (found.matched.arithmetic or "")
