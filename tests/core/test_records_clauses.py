"""Which figure of record the words of its own clause give a number: a whole and its parts, a subject behind it, the period
before an arrival, the other property, a place in an order."""

import pytest

from tests.core.record_cases import case, findings, told
from tests.tables import each_case

SUPPORTED = {"exact", "derived", "bound_ok"}


def codes(answer: str, question: str) -> dict[str, str]:
    """The code of each number of an answer about OAK in Q3 2024, dates apart."""
    return {text: one.code for text, one in findings(case(answer, question=question)).items()}


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "right", "wrong"),
    [
        ("Insurance expense was $80,000 out of {}.", "$865,433", "$965,433"),
        ("Of the {} spent, insurance expense took $80,000.", "$865,433", "$845,433"),
        ("Q3 2024's {} breaks down into insurance expense of $80,000 and other costs.", "$865,433", "$856,433"),
        ("At {}, NOI in Q2 2024 was well short of the $1,234,567 of Q3 2024.", "$1,173,500", "$1,100,000"),
        ("NOI was $1,234,567 in Q3 2024, {} or 5.2% ahead of the second quarter.", "$61,067", "$71,067"),
        ("NOI stood at $1,100,000 in Q1 2024 before recovering to {} one quarter later.", "$1,173,500", "$1,234,567"),
        ("NOI was {} in the April–June 2024 quarter.", "$1,173,500", "$1,100,000"),
        ("NOI went from {} to $1,173,500 in Q2 2024, then rose to $1,300,000 in Q4 2024.", "$1,100,000", "$1,050,000"),
        ("Occupancy of 95.4% compares with {} at the other.", "88.0%", "89.0%"),
        ("NOI was $1,100,000 in Q1 2024 and $1,234,567 in Q3 2024, with occupancy of {} and 95.4% on those dates.", "93.0%", "94.2%"),
        ("Occupancy never fell below {} in the six quarters.", "90%", "92%"),
    ],
)  # fmt: skip
def test_a_number_has_the_slots_of_its_own_clause(answer: str, right: str, wrong: str) -> None:
    question = "What were the operating expenses of OAK?"
    assert codes(answer.format(right), question)[right] in SUPPORTED
    assert codes(answer.format(wrong), question)[wrong] not in SUPPORTED


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "right", "wrong"),
    [
        ("It brought in {}.", "$80,000", "$82,000"),
        ("That expense line came to {}.", "$80,000", "$89,000"),
    ],
)
def test_an_account_that_the_question_names_is_spoken_of(answer: str, right: str, wrong: str) -> None:
    question = "How large is the insurance expense of OAK?"
    assert codes(answer.format(right), question)[right] in SUPPORTED
    assert codes(answer.format(wrong), question)[wrong] not in SUPPORTED


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "word", "code"),
    [
        ("Q1 2024 had the lowest NOI of 2024 at $1,100,000, followed by Q2 2024 ($1,173,500).", "followed by", "holds"),
        ("Q1 2024 had the lowest NOI of 2024 at $1,100,000, followed by Q4 2024 ($1,300,000).", "followed by", "contradicted"),
        ("Q4 2024 had the highest NOI of 2024 at $1,300,000, followed by Q3 2024 ($1,234,567).", "followed by", "holds"),
        ("Q4 2024 had the highest NOI of 2024 at $1,300,000, followed by Q2 2024 ($1,173,500).", "followed by", "contradicted"),
        ("NOI was $1,173,500 in Q2 2024, followed by Q3 2024 ($1,234,567).", "followed by", "not_compared"),
    ],
)  # fmt: skip
def test_followed_by_is_the_next_place_of_the_order_before(answer: str, word: str, code: str) -> None:
    assert told(case(answer))[word] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    "answer",
    [
        "Adding the four quarters gives NOI of $4,808,067 for 2024.",
        "Adding up the quarters, NOI was $4,808,067 in 2024.",
        "Adjusted EBITDA was not reported, NOI was $1,234,567.",
    ],
)
def test_adding_up_and_adjusted_say_no_direction(answer: str) -> None:
    assert "contradicted" not in told(case(answer)).values()


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "code"),
    [
        ("DSCR was just over 1.73x.", "bound_ok"),
        ("DSCR was just over 1.65x.", "bound_wrong"),
    ],
)
def test_just_over_is_a_bound_of_the_period_and_no_base(answer: str, code: str) -> None:
    found = next(iter(codes(answer, "What was the coverage of OAK in Q3 2024?").values()))
    assert (found in SUPPORTED) == (code == "bound_ok")


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "bound", "code"),
    [
        ("Occupancy touched 93.0% in Q1 2024 and was back above {} in Q3 2024.", "95%", "bound_ok"),
        ("Occupancy touched 93.0% in Q1 2024 and was back above {} in Q3 2024.", "96%", "contradicted"),
        ("Occupancy was 92.5% in Q4 2023 and stayed below {} in Q4 2024.", "97%", "bound_ok"),
        ("Occupancy was 92.5% in Q4 2023 and stayed below {} in Q4 2024.", "94%", "contradicted"),
        ("Occupancy was 95.4%, above the {} floor.", "96%", "contradicted"),
    ],
)
def test_a_bound_behind_another_verb_is_of_its_own_period(answer: str, bound: str, code: str) -> None:
    assert codes(answer.format(bound), "How did occupancy move?")[bound] == code


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "word", "code"),
    [
        (
            "NOI of $1,234,567 less debt service of $710,000 left a deficit of $524,567.",
            "deficit",
            "contradicted",
        ),
        (
            "NOI of $1,234,567 less debt service of $710,000 left a surplus of $524,567.",
            "a surplus of",
            "holds",
        ),
        (
            "After debt service of $710,000 there remained a shortfall of $524,567.",
            "shortfall",
            "contradicted",
        ),
        ("After debt service of $710,000 there remained a surplus of $524,567.", "a surplus of", "holds"),
    ],
)
def test_what_is_left_of_an_income_after_a_cost_is_no_deficit(answer: str, word: str, code: str) -> None:
    assert told(case(answer, question="Did NOI cover the debt service in Q3 2024?"))[word] == code
