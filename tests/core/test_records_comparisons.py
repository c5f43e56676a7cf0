"""What a figure is compared with: the base of a comparison has a period of its own, stated or not."""

import pytest

from tests.core.record_cases import case, findings
from tests.tables import each_case


def read(answer: str) -> list[str]:
    """What is found of each number of an answer about OAK in Q3 2024, dates apart, in order."""
    language = (
        "zh" if any("\u4e00" <= c <= "\u9fff" for c in answer) else "he" if any("א" <= c <= "ת" for c in answer) else "en"
    )  # fmt: skip
    found = findings(case(answer, language=language))
    return [finding.code for text, finding in found.items() if not text.startswith("Q")]


@pytest.mark.requirement("NUM-05")
@each_case(
    "answer",
    [
        "NOI was $1,234,567, compared with $1,173,500.",
        "NOI was $1,234,567 versus $1,173,500.",
        "NOI was $1,234,567 (vs. $1,173,500).",
        "NOI was $1,234,567 against $1,000,000.",
        "NOI was $1,234,567, higher than $1,000,000.",
        "Debt service was $710,000, against $705,000.",
        "ה-NOI היה 1,234,567 דולר, לעומת 1,173,500 דולר.",
        "ה-NOI היה 1,234,567 דולר, גבוה מ-1,000,000 דולר.",
        "净营业收入为123.4567万美元，相比117.35万美元。",
        "与117.35万美元相比，净营业收入为123.4567万美元。",
    ],
)
def test_an_undated_base_belongs_to_the_period_or_the_year_before(answer: str) -> None:
    assert read(answer) == ["exact", "exact"]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "second", "other"),
    [
        ("NOI rose {} versus the second quarter.", "5.2%", "23.5%"),
        ("It was Q3 2024. NOI rose by {} against the second quarter.", "5.2%", "23.5%"),
        ("ההכנסה התפעולית נטו עלתה ב-{} לעומת הרבעון השני.", "5.2%", "23.5%"),
        ("ההכנסה התפעולית נטו עלתה ב-{} מהרבעון השני.", "5.2%", "23.5%"),
        ("净营业收入比第二季度增长{}。", "5.2%", "23.5%"),
        ("NOI rose {} against the third quarter of last year.", "23.5%", "5.2%"),
        ("NOI rose {} versus the third quarter of 2023.", "23.5%", "5.2%"),
        ("NOI rose {} over last year's third quarter.", "23.5%", "5.2%"),
        ("ההכנסה התפעולית נטו עלתה ב-{} לעומת הרבעון השלישי אשתקד.", "23.5%", "5.2%"),
        ("净营业收入比去年第三季度增长{}。", "23.5%", "5.2%"),
        ("NOI rose for the second quarter in a row, by {}.", "5.2%", "6.7%"),
        ("NOI rose {} in the second quarter.", "6.7%", "5.2%"),
    ],
)
def test_a_quarter_in_words_is_the_one_that_a_change_starts_from(
    answer: str, second: str, other: str
) -> None:
    assert "derived" in read(answer.format(second))
    assert "derived" not in read(answer.format(other))


@pytest.mark.parametrize(
    "answer",
    [
        "NOI was $1,234,567, compared with $1,100,000.",
        "NOI was $1,234,567 versus $1,300,000.",
        "ה-NOI היה 1,234,567 דולר, לעומת 1,100,000 דולר.",
        "净营业收入为123.4567万美元，相比110万美元。",
        "净营业收入为123.4567万美元，高于上季度的100万美元。",
        "NOI was $1,234,567, compared with $1,173,500 in Q3 2023.",
    ],
)
def test_a_base_is_no_figure_of_another_period(answer: str) -> None:
    assert read(answer)[0] == "exact"
    assert read(answer)[1] == "off_period"


@pytest.mark.parametrize(
    "answer",
    [
        "OAK's NOI was $1,234,567 versus $1,134,567 for Maple Court.",
        "NOI was $1,234,567 at OAK, compared with $1,134,567 at Maple Court.",
        "NOI was $1,234,567 versus debt service of $710,000.",
    ],
)
def test_a_comparison_with_another_property_or_metric_is_of_the_same_period(answer: str) -> None:
    assert read(answer) == ["exact", "exact"]


def test_each_number_of_a_change_from_to_has_its_own_period() -> None:
    found = findings(case("NOI in Q3 2024 was up 23.5%, from $1,000,000 in Q3 2023 to $1,234,567."))
    assert [found[text].code for text in ("23.5%", "$1,000,000", "$1,234,567")] == [
        "derived",
        "exact",
        "exact",
    ]
    found = findings(case("NOI in Q3 2024 was up 23.5%, from $1,100,000 in Q3 2023 to $1,234,567."))
    assert found["$1,100,000"].code == "off_period"


@pytest.mark.requirement("NUM-02")
@pytest.mark.parametrize(
    ("answer", "claimed", "code"),
    [
        ("Occupancy rose by 1.20 points.", "1.20", "derived"),
        ("Occupancy rose 4.4 points year over year.", "4.4", "derived"),
        ("Occupancy fell 4.4 points year over year.", "4.4", "sign"),
        ("Occupancy rose by 2.1 points.", "2.1", "contradicted"),
        ("התפוסה עלתה ב-1.2 נקודות.", "1.2", "derived"),
        ("出租率上升了1.2个点。", "1.2", "derived"),
        ("The index rose by 1.2 points.", "1.2", "not_found"),
    ],
)
def test_points_of_a_percentage_are_percentage_points(answer: str, claimed: str, code: str) -> None:
    assert findings(case(answer))[claimed].code == code


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ("Occupancy rose 1.2 points and NOI rose 5.2%.", ["derived", "derived"]),
        ("Occupancy rose 1.2 points and NOI 5.2%.", ["derived", "derived"]),
        ("NOI rose 5.2% and revenue 5.0%.", ["derived", "derived"]),
        ("Year over year, occupancy rose 4.4 points and revenue fell 16.7%.", ["derived", "sign"]),
        ("התפוסה עלתה ב-1.2 נקודות וה-NOI עלה ב-5.2%.", ["derived", "derived"]),
    ],
)
def test_two_changes_in_a_sentence_are_each_of_their_own_metric(answer: str, codes: list[str]) -> None:
    assert read(answer) == codes


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ("NOI was $1,234,567, above the $1,000,000 of a year earlier.", ["exact", "exact"]),
        ("NOI was $1,234,567, above the $850,000 of a year earlier.", ["exact", "contradicted"]),
        ("NOI was $1,234,567, more than $850,000 in Q3 2023.", ["exact", "contradicted"]),
        ("NOI was $1,234,567, above $1.2 million.", ["exact", "bound_ok"]),
        ("NOI was $1,234,567, above $1.3 million.", ["exact", "contradicted"]),
        ("净营业收入为123.4567万美元，高于去年同期的100万美元。", ["exact", "exact"]),
        ("净营业收入为123.4567万美元，高于去年同期85万美元。", ["exact", "contradicted"]),
        ("净营业收入为123.4567万美元，高于120万美元。", ["exact", "bound_ok"]),
        ("ה-NOI היה 1,234,567 דולר, מעל 850,000 דולר ברבעון המקביל אשתקד.", ["exact", "contradicted"]),
        ("第三季度总收入为210万美元，比第二季度的200万美元多10万美元。", ["exact", "exact", "derived"]),
        ("第三季度总收入为210万美元，比第二季度少5%。", ["exact", "sign"]),
    ],
)
def test_being_above_another_periods_figure_states_no_bound(answer: str, codes: list[str]) -> None:
    assert read(answer) == codes
