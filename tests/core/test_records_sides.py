"""On which side of another a figure of record lies, by how much or by what share of it, and where its period is named."""

import pytest

from tests.core.record_cases import FIGURES, case, figure, findings, period, told
from tests.tables import each_case

LOSSES = tuple(
    figure("net_income", value, period(label, number=number))
    for number, (label, value) in enumerate(
        (("Q1 2024", "-40000"), ("Q2 2024", "-60000"), ("Q3 2024", "90000"), ("Q4 2024", "-10000")), 3
    )
)


def codes(answer: str, **changed: object) -> list[str]:
    """What is found of each number of an answer, dates apart, in order."""
    found = findings(case(answer, **changed))
    return [finding.code for text, finding in found.items() if not text.startswith(("Q", "the"))]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "word", "code"),
    [
        ("NOI of $1,234,567 exceeded debt service of $710,000.", "exceeded", "holds"),
        ("NOI of $1,234,567 fell short of debt service of $710,000.", "fell short of", "contradicted"),
        ("Debt service of $710,000 trailed operating expenses of $865,433.", "trailed", "holds"),
        ("Debt service of $710,000 exceeded operating expenses of $865,433.", "exceeded", "contradicted"),
        ("Debt service trailed operating expenses by $155,433.", "trailed", "holds"),
        ("Operating expenses trailed debt service by $155,433.", "trailed", "contradicted"),
    ],
)
def test_a_figure_beside_a_word_of_order_is_a_level(answer: str, word: str, code: str) -> None:
    assert told(case(answer))[word] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "code"),
    [
        ("OAK's NOI was $1,234,567, or $100,000 more than Maple Court.", "derived"),
        ("OAK's NOI was $1,234,567, or $100,000 less than Maple Court.", "sign"),
        ("NOI at Maple Court was $1,134,567, $100,000 less than at OAK.", "derived"),
        ("NOI at Maple Court was $1,134,567, $100,000 more than at OAK.", "sign"),
    ],
)
def test_a_distance_is_from_what_stands_behind_than(answer: str, code: str) -> None:
    found = findings(case(answer, property=None, question="How was NOI in Q3 2024?"))
    assert found["$100,000"].code == code


@each_case(
    ("answer", "language", "code"),
    [
        ("NOI was $1,234,567, some 23% more than the $1,000,000 of Q3 2023.", "en", "derived"),
        ("NOI in Q3 2023 was $1,000,000, some 19% less than the $1,234,567 of Q3 2024.", "en", "derived"),
        ("NOI in Q3 2023 was $1,000,000, some 23% more than the $1,234,567 of Q3 2024.", "en", ""),
        ("ה-NOI עמד על 1,234,567 דולר, 234,567 דולר יותר מאשר ברבעון השלישי של 2023.", "he", "derived"),
        ("ה-NOI עמד על 1,234,567 דולר, 234,567 דולר פחות מאשר ברבעון השלישי של 2023.", "he", ""),
    ],
)
def test_more_is_measured_by_what_it_is_more_than(answer: str, language: str, code: str) -> None:
    found = findings(case(answer, language=language))
    claimed = next(one for text, one in found.items() if text.startswith(("23", "19")))
    assert (claimed.code == "derived") is (code == "derived")


@each_case(
    ("answer", "word", "code"),
    [
        ("NOI came in at $1,234,567, more than a fifth above the $1,000,000 of Q3 2023.", "a fifth", "holds"),
        (
            "NOI came in at $1,234,567, more than a third above the $1,000,000 of Q3 2023.",
            "a third",
            "contradicted",
        ),
        (
            "NOI came in at $1,234,567, more than a fifth below the $1,000,000 of Q3 2023.",
            "a fifth",
            "contradicted",
        ),
    ],
)
def test_a_share_above_another_figure_is_one_of_that(answer: str, word: str, code: str) -> None:
    assert told(case(answer))[word] == code


@each_case(
    ("answer", "code"),
    [
        ("NOI dipped in Q1 2024 and Q2 2024 before it rose to $1,234,567 in Q3 2024.", "exact"),
        ("NOI stood out in Q1 2024 and Q2 2024 before it rose to $1,173,500 in Q3 2024.", "off_period"),
        ("After Q2 2024, NOI came to $1,234,567 in the third quarter of 2024.", "exact"),
        ("After Q2 2024, NOI came to $1,173,500 in the third quarter of 2024.", "off_period"),
    ],
)
def test_a_quarter_right_behind_a_number_is_its_own(answer: str, code: str) -> None:
    assert codes(answer, period=None)[0] == code


@each_case(
    ("answer", "right"),
    [
        ("Losses in three of the four quarters ate up the $90,000 earned in Q3, so 2024 was poor.", True),
        ("Losses in three of the four quarters ate up the $60,000 earned in Q3, so 2024 was poor.", False),
    ],
)
def test_a_number_of_one_quarter_is_not_that_of_all_counted(answer: str, right: bool) -> None:
    found = findings(case(answer, figures=(*FIGURES, *LOSSES), period=None))
    claimed = next(one for text, one in found.items() if text.startswith("$"))
    assert (claimed.code == "exact") is right


@each_case(
    ("answer", "word", "code"),
    [
        ("The letter blames the loss of a shoe retailer; NOI was $1,234,567.", "loss of", "not_compared"),
        ("Losses in three of the four quarters of 2024 ate up what it earned.", "Losses", "holds"),
        ("Losses in three of the four quarters of 2024 ate up what it earned.", "earned", "not_compared"),
        ("Losses in two of the four quarters of 2024 ate up what it earned.", "Losses", "contradicted"),
        ("It made losses in Q1 2024 and Q2 2024.", "losses", "holds"),
        ("It made losses in Q1 2024 and Q3 2024.", "losses", "contradicted"),
    ],
)
def test_a_loss_is_one_of_money_in_every_quarter_that_is_named(answer: str, word: str, code: str) -> None:
    found = told(case(answer, figures=(*FIGURES, *LOSSES), period=None))
    assert found.get(word) == code


@each_case(
    ("answer", "claimed", "code"),
    [
        ("NOI was 58.8% of revenue, versus 58.7% in the preceding quarter.", "58.7%", "derived"),
        ("Insurance was $80,000, out of $2.1 million overall.", "$2.1 million", "exact"),
        ("Insurance was $80,000, out of $2.2 million overall.", "$2.2 million", "off_period"),
        ("Insurance was $80,000, a share of just over 9% of operating expenses.", "9%", "derived"),
    ],
)
def test_shares_and_their_wholes_are_of_the_same_quarter(answer: str, claimed: str, code: str) -> None:
    assert findings(case(answer))[claimed].code == code


def test_a_quarter_is_no_multiple_of_a_year() -> None:
    answer = "NOI of $1,173,500 in Q2 2024 was 4.1 times the $1,173,500."
    assert findings(case(answer))["4.1 times"].code != "derived"
