"""A currency that is joined to another word is no unit of the number before it; what adds up to a number is that and no less."""

import pytest

from detection.core.numbers import extract
from tests.core.record_cases import of
from tests.tables import each_case


@pytest.mark.requirement("NUM-01")
@each_case(
    ("text", "number", "kind"),
    [
        ("The four dollar-denominated loans cost $5 million.", "$5 million", "currency"),
        ("Of 12 euro-zone banks 3 failed.", "12", "number"),
        ("It cost 20 dollars.", "20 dollars", "currency"),
        ("It is a five-dollar fee.", "five-dollar", "currency"),
    ],
)
def test_a_currency_joined_to_a_word_is_no_unit(text: str, number: str, kind: str) -> None:
    assert {one.text: one.kind for one in extract(text)}[number] == kind
    assert not any(one.kind == "currency" for one in extract("Four dollar-denominated loans."))


@pytest.mark.requirement("NUM-02")
@each_case(
    ("text", "bound"),
    [
        ("Costs added up to roughly $2.9 million.", None),
        ("They add up to $2.9 million.", None),
        ("They cost up to $2.9 million.", "at_most"),
    ],
)
def test_what_adds_up_to_a_number_is_not_bounded_by_it(text: str, bound: str | None) -> None:
    assert [one.bound for one in extract(text)] == [bound]


@pytest.mark.requirement("NUM-05")
def test_a_sum_that_is_too_high_is_not_within_what_it_adds_up_to() -> None:
    said = "NOI added up to roughly ${} million over the four quarters of 2024."
    right, wrong = (of(said.format(sum_), f"${sum_} million") for sum_ in ("4.8", "5.4"))
    assert (right.status, wrong.status) == ("supported", "contradicted")
