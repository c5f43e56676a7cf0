"""An operation on operands: its value, its equation, and what cannot be computed."""

import operator
from collections.abc import Callable, Sequence
from decimal import Decimal

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from detection.core.derivations import Derived, Operand, Shape, compute, derive
from tests.tables import each_case

THOUSAND = Decimal(1000)


def operand(text: str, scale: Decimal = Decimal(1)) -> Operand:
    digits = text.strip("$()−-").replace(",", "")
    sign = -1 if text[:1] in "(-−" else 1
    return Operand(sign * Decimal(digits) * scale, text, "", scale)


def equation(operation: str, texts: Sequence[str], unit: str = "", scale: Decimal = Decimal(1)) -> str:
    found = derive(operation, [operand(text, scale) for text in texts], unit)
    assert found is not None
    return found.arithmetic


@each_case(
    ("operation", "texts", "unit", "shown"),
    [
        ("growth", ("1,234,567", "1,173,500"), "%", "(1,234,567 − 1,173,500) / 1,173,500 = 5.2 %"),
        ("growth", ("1,100,000", "1,173,500"), "%", "(1,100,000 − 1,173,500) / 1,173,500 = −6.26 %"),
        ("decline", ("1,173,500", "1,100,000"), "%", "(1,173,500 − 1,100,000) / 1,173,500 = 6.26 %"),
        ("sum", ("1,234,567", "1,173,500"), "", "1,234,567 + 1,173,500 = 2,408,067"),
        ("sum", ("1", "2", "3", "4"), "USD", "1 + 2 + 3 + 4 = 10 USD"),
        ("average", ("1", "2", "4"), "", "(1 + 2 + 4) / 3 = 2.33"),
        ("difference", ("$5.25", "$3.5"), "USD", "$5.25 − $3.5 = 1.75 USD"),
        ("difference", ("5", "-3"), "", "5 − (-3) = 8"),
        ("share", ("1", "8"), "%", "1 / 8 = 12.5 %"),
        ("share", ("1", "70,000"), "%", "1 / 70,000 = 0.00143 %"),
        ("ratio", ("5", "4"), "x", "5 / 4 = 1.25x"),
        ("difference", ("91", "85.5"), "pp", "91 − 85.5 = 5.5 percentage points"),
    ],
)
def test_the_equation_shows_operands_as_written_and_the_result_with_its_unit(
    operation: str, texts: tuple[str, ...], unit: str, shown: str
) -> None:
    assert equation(operation, texts, unit) == shown


def test_a_scale_shared_by_the_operands_stands_behind_the_result() -> None:
    assert equation("sum", ("1,200", "300"), "USD", THOUSAND) == "1,200 + 300 = 1,500 thousand USD"


def test_operands_of_different_scales_show_their_own() -> None:
    found = derive("difference", [operand("9.1", Decimal(10) ** 6), operand("100", THOUSAND)], "USD")
    assert found is not None
    assert found.value == 9_000_000
    assert found.arithmetic == "9.1 million − 100 thousand = 9,000,000 USD"


@pytest.mark.parametrize("operation", ["growth", "share", "ratio", "decline"])
def test_nothing_is_divided_by_zero(operation: str) -> None:
    assert derive(operation, [operand("0"), operand("0")]) is None


@pytest.mark.parametrize(
    ("operation", "count"), [("growth", 1), ("ratio", 3), ("average", 0), ("product", 2)]
)
def test_an_operation_without_its_operands_gives_nothing(operation: str, count: int) -> None:
    assert derive(operation, [operand("2")] * count) is None


@pytest.mark.parametrize("operation", ["growth", "sum", "ratio", "average", "difference"])
def test_numbers_of_hundreds_of_digits_give_a_value_or_nothing(operation: str) -> None:
    huge = Operand(Decimal("9" * 400), "9" * 400)
    beyond = Operand(Decimal("9e999990"), "9e999990", "", Decimal(1))
    for operands in ([huge, huge], [huge, beyond], [beyond, beyond]):
        found = derive(operation, operands)
        assert found is None or (found.value.is_finite() and " = " in found.arithmetic)


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        (Shape("share", (Shape("sum", (0, 1)), 2)), "(30 + 12) / 60 = 70 %"),
        (Shape("share", (0, Shape("sum", (0, 2)))), "30 / (30 + 60) = 33.33 %"),
        (
            Shape("difference", (Shape("average", (2, 0)), Shape("average", (0, 1)))),
            "((60 + 30) / 2) − ((30 + 12) / 2) = 24",
        ),
        (
            Shape("average", (Shape("growth", (2, 0)), Shape("growth", (0, 1)))),
            "(((60 − 30) / 30) + ((30 − 12) / 12)) / 2 = 125",
        ),
    ],
)
def test_a_chain_is_one_equation(shape: Shape, shown: str) -> None:
    found = compute(shape, [operand("30"), operand("12"), operand("60")])
    assert found is not None
    assert found.arithmetic == shown


def test_a_chain_with_a_part_that_cannot_be_computed_gives_nothing() -> None:
    shape = Shape("average", (Shape("growth", (0, 1)), Shape("growth", (0, 1))))
    assert compute(shape, [operand("5"), operand("0")]) is None


_TOKEN = regex.compile(r"\d[\d,]*(?:\.\d+)?|[()+−/]")
_OPERATORS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": operator.add, "−": operator.sub, "/": operator.truediv,
}  # fmt: skip


def recomputed(formula: str) -> Decimal:
    """The value of a shown formula, by a reader of its own: + and − of quotients, brackets, a sign before a number."""
    tokens = _TOKEN.findall(formula.replace("-", "−"))

    def factor() -> Decimal:
        token = tokens.pop(0)
        if token == "(":
            inside = total()
            assert tokens.pop(0) == ")"
            return inside
        return -factor() if token == "−" else Decimal(token.replace(",", ""))

    def quotient() -> Decimal:
        value = factor()
        while tokens[:1] == ["/"]:
            value = _OPERATORS[tokens.pop(0)](value, factor())
        return value

    def total() -> Decimal:
        value = quotient()
        while tokens[:1] and tokens[0] in "+−":
            value = _OPERATORS[tokens.pop(0)](value, quotient())
        return value

    value = total()
    assert not tokens
    return value


def shown_value(found: Derived) -> tuple[Decimal, Decimal]:
    """The result as shown and half a unit of its last digit."""
    shown = found.arithmetic.rpartition(" = ")[2].replace("−", "-").replace(",", "").rstrip(" %")
    value = Decimal(shown)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return value, Decimal(5).scaleb(min(exponent, 0) - 1)


values = st.decimals(min_value=Decimal(-99999), max_value=Decimal(99999), places=2, allow_nan=False).filter(
    lambda value: abs(value) >= Decimal("0.01")
)
shapes = st.sampled_from(
    [
        *(Shape(name, (0, 1)) for name in ("growth", "decline", "difference", "share", "ratio")),
        Shape("sum", (0, 1, 2)),
        Shape("average", (0, 1, 2)),
        Shape("share", (Shape("sum", (0, 1)), 2)),
        Shape("difference", (Shape("average", (0, 1)), Shape("average", (1, 2)))),
    ]
)


@given(shapes, st.lists(values, min_size=3, max_size=3))
def test_the_equation_evaluates_to_the_value_and_to_what_it_shows(
    shape: Shape, numbers: list[Decimal]
) -> None:
    found = compute(shape, [Operand(number, f"{number:,}") for number in numbers])
    assert found is not None
    percent = 100 if shape.operation in ("growth", "decline", "share") else 1
    # a change is divided by the size of what it changed from, so a negative divisor is shown without its sign
    assert abs(recomputed(found.formula) * percent - found.value) <= Decimal("1e-15") * max(
        Decimal(1), abs(found.value)
    )
    shown, half = shown_value(found)
    assert abs(shown - found.value) <= half
