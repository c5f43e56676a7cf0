"""Arithmetic done in a text is read and reckoned."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.traces import equations
from tests.tables import each_case


@each_case(
    ("text", "value"),
    [
        ("700 - 200 = 500", "500"),
        ("NOI is $1,200,000 − $300,000 = $900,000.", "900,000"),
        ("12.5% × 8,000,000 = 1,000,000", "1,000,000"),
        ("(900−800)/800 = 12.5 %", "12.5 %"),
        ("900 / 600 = 1.5x", "1.5"),
        ("NOI = 1,200 + 300 = 1,500.", "1,500"),
        ("2 + 3 * 4 = 14", "14"),
        ("((2+3)*4) = 20", "20"),
        ("1.2M ÷ 4 ≈ $0.3M", "300,000"),
        ("$1,500,000 less $600,000, that is $900,000.", "900,000"),
        ("700 plus 200 equals 900", "900"),
        ("12 units times 250 is 3,000", None),
        ("150万减去60万等于90万", "900,000"),
        ('1,500,000 ש"ח פחות 600,000 ש"ח הם 900,000 ש"ח', "900,000"),
        ("7 × 12 = 84", "84"),
    ],
)
def test_forms_of_arithmetic(text: str, value: str | None) -> None:
    found = [(equation.value, equation.holds) for equation in equations(text)]
    assert found == ([(value, True)] if value else [])


@pytest.mark.parametrize(
    "text", ["700 - 200 = 400", "700 minus 200 is 600", "$5M / $2M = 4x", "50 % of 8 = 5, 2 + 2 = 5"]
)
def test_a_wrong_result_does_not_hold(text: str) -> None:
    assert [equation.holds for equation in equations(text)] == [False]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10 + 20 = 15 + 15", []),
        ("40 + 60 = 100 - 10 = 90", [True]),
        ("40 + 60 = 90 - all of it", [False]),
    ],
)
def test_the_first_number_of_a_sum_on_the_right_is_no_wrong_result(text: str, found: list[bool]) -> None:
    assert [equation.holds for equation in equations(text)] == found


def test_a_result_is_held_to_its_own_rounding() -> None:
    assert [e.holds for e in equations("10 / 3 = 3.3 and 10 / 3 = 3.33 and 10 / 3 = 3.4")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pages 3-5 is 4",
        "On 12/05/2024 it is 5.",
        "Units 1-5 are let.",
        "5 / 0 = 3",
        "(1+2 = 3",
        "a = 5",
        "5 = 5",
        "1 + = 2",
    ],
)
def test_what_is_no_arithmetic_is_left_alone(text: str) -> None:
    assert equations(text) == ()


def test_places_are_those_of_the_text_as_submitted() -> None:
    text = "\u200fFirst: 1,500\u200b + 300 = 1,800!"
    (equation,) = equations(text)
    assert text[equation.start : equation.end] == equation.text
    assert [text[start:end].strip("\u200b") for start, end in equation.operands] == ["1,500", "300"]
    assert text[slice(*equation.result)] == "1,800"


amounts = st.integers(1, 10**9)


@given(amounts, amounts, amounts)
def test_sums_hold_exactly_when_they_are_right(one: int, other: int, stated: int) -> None:
    (right,) = equations(f"{one:,} + {other:,} = {one + other:,}")
    assert right.holds
    assert Decimal(right.value.replace(",", "")) == one + other
    (given_,) = equations(f"{one} + {other} = {stated}")
    assert given_.holds == (stated == one + other)


@given(st.text(alphabet="0123456789+-*/=()., $%x一万\u200b", max_size=200))
def test_any_string_is_taken(text: str) -> None:
    for equation in equations(text):
        assert text[equation.start : equation.end] == equation.text
        assert equation.start <= equation.result[0] < equation.result[1] <= equation.end
