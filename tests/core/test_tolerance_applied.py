"""A tolerance belongs to a finding only where one was applied; where none was, the sentence says why a near number is wrong."""

from decimal import Decimal

import pytest

from tests.core.record_cases import case, findings, of

pytestmark = pytest.mark.requirement("NUM-07")


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        ("NOI was $1,234,567.", "$1,234,567"),
        ("NOI was about $1.24 million.", "$1.24 million"),
        ("NOI was above $1.1 million.", "$1.1 million"),
        ("NOI rose 5.2% from Q2.", "5.2%"),
        ("NOI was $1,243,567.", "$1,243,567"),
        ("NOI was $1,173,500.", "$1,173,500"),
        ("NOI was $1,240,000.", "$1,240,000"),
    ],
)
def test_none_was_applied_by_default(answer: str, claimed: str) -> None:
    assert of(answer, claimed).tolerance is None


def test_one_that_holds_and_one_that_is_exceeded_were_applied() -> None:
    inside = findings(case("NOI was $1,240,000."), exact_numbers=False)["$1,240,000"]
    outside = findings(case("NOI was $1,440,000."), exact_numbers=False)["$1,440,000"]
    assert (inside.code, inside.tolerance) == ("inexact", Decimal("0.05"))
    assert (outside.code, outside.tolerance) == ("contradicted", Decimal("0.05"))
    assert "outside the tolerance of 5 %" in outside.reason


def test_a_near_number_that_is_no_slip_fails_because_numbers_have_to_be_exact() -> None:
    assert (
        "outside its own rounding, and numbers have to be exact"
        in of("NOI was $1,240,000.", "$1,240,000").reason
    )
    assert "have to be exact" not in of("NOI was $9,876,543.", "$9,876,543").reason


@pytest.mark.parametrize(
    ("answer", "claimed", "why"),
    [
        (
            "NOI was $1,243,567.",
            "$1,243,567",
            "is only 0.73 % off, but is net operating income of OAK, Q3 2024",
        ),
        (
            "NOI was $1,173,500.",
            "$1,173,500",
            "is only 4.95 % off, but equals net operating income of OAK, Q2 2024",
        ),
    ],
)
@pytest.mark.parametrize("exact", [True, False])
def test_a_slip_is_not_excused_by_being_near(answer: str, claimed: str, why: str, exact: bool) -> None:
    found = findings(case(answer), exact_numbers=exact)[claimed]
    assert why in found.reason
    assert found.tolerance is None


def test_a_slip_far_off_is_not_called_near() -> None:
    assert "only" not in of("NOI was $2,100,000.", "$2,100,000").reason
