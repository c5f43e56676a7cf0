"""A value in the wrong slot: named in words, never support, contradicted even inside the tolerance."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core.types import Alias
from tests.core.record_cases import FIGURES, PERIODS, case, figure, findings, of, period
from tests.tables import each_case


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "claimed", "code", "words"),
    [
        ("NOI was $1,173,500.", "$1,173,500", "off_period", "equals net operating income of OAK, Q2 2024"),
        ("NOI was $1,134,567.", "$1,134,567", "off_property", "equals net operating income of MAPLE, Q3 2024"),
        ("NOI was $2,100,000.", "$2,100,000", "off_metric", "equals total revenue of OAK, Q3 2024"),
        ("NOI was $2,000,000.", "$2,000,000", "off_metric", "equals total revenue of OAK, Q2 2024"),
        ("Occupancy was 94.2%.", "94.2%", "off_period", "equals occupancy rate of OAK, Q2 2024"),
        ("Occupancy at MAPLE was 95.4%.", "95.4%", "off_property", "equals occupancy rate of OAK, Q3 2024"),
        ("NOI in 2024 was $1,234,567.", "$1,234,567", "off_period", "equals net operating income of OAK, Q3 2024"),
        ("NOI was $1,243,567.", "$1,243,567", "transposed", "1,234,567 USD, with two digits changed round"),
        ("NOI was $1.32M.", "$1.32M", "transposed", "with two digits changed round"),
        ("NOI was $1,234,567K.", "$1,234,567K", "scale", "net operating income of OAK, Q3 2024 times 1,000"),
        ("NOI was $1.23 billion.", "$1.23 billion", "scale", "net operating income of OAK, Q3 2024 times 1,000"),
        ("NOI was $1,234.57.", "$1,234.57", "scale", "net operating income of OAK, Q3 2024 divided by 1,000"),
        ("NOI was $1,173.5 million.", "$1,173.5 million", "scale", "net operating income of OAK, Q2 2024 times 1,000"),
        ("NOI was -$1,234,567.", "-$1,234,567", "sign", "net operating income of OAK, Q3 2024 with the opposite sign"),
        ("Occupancy was 954%.", "954%", "scale", "occupancy rate of OAK, Q3 2024 times 10"),
    ],
)  # fmt: skip
def test_a_value_that_another_slot_holds_is_said_to_equal_it(
    answer: str, claimed: str, code: str, words: str
) -> None:
    finding = of(answer, claimed)
    assert (finding.status, finding.code) == ("contradicted", code)
    assert words in finding.reason


@pytest.mark.requirement("NUM-07")
def test_a_slip_contradicts_inside_the_tolerance() -> None:
    near = (
        *(f for f in FIGURES if f.period != "Q2 2024"),
        figure("net_operating_income", "1234000", PERIODS[3]),
    )
    assert of("NOI was $1,234,000.", "$1,234,000", figures=near).code == "off_period"
    assert (
        findings(case("NOI was $1,234,100.", figures=near), exact_numbers=False)["$1,234,100"].code
        == "inexact"
    )


@pytest.mark.requirement("NUM-07")
def test_a_value_that_the_own_slot_holds_too_is_support() -> None:
    equal = (*FIGURES, figure("occupancy_rate", "95.4", period("Q3 2022"), "percentage", "%"))
    assert of("Occupancy was 95.4%.", "95.4%", figures=equal).code == "exact"
    assert of("Occupancy was 95%.", "95%", figures=equal).code == "exact"


def test_two_digits_equal_other_metrics_by_chance_and_say_nothing() -> None:
    ltv = figure("ltv", "96", PERIODS[1], "percentage", "%")
    assert of("Occupancy was 96%.", "96%", figures=(FIGURES[28], ltv)).code == "contradicted"
    assert FIGURES[28].field == "occupancy_rate"


@pytest.mark.requirement("NUM-05")
def test_where_the_own_slot_is_empty_only_an_exact_figure_of_another_is_called_a_slip() -> None:
    without = tuple(
        f for f in FIGURES if (f.field, f.period) != ("occupancy_rate", "Q3 2024") or f.property != "OAK"
    )
    found = findings(case("Occupancy was 94%. NOI was $1,173,500 in Q1 2022.", figures=without))
    assert (found["94%"].status, found["94%"].code) == ("unsupported", "not_found")
    assert (found["$1,173,500"].status, found["$1,173,500"].code) == ("contradicted", "off_period")


@pytest.mark.requirement("NUM-08")
def test_a_number_bound_to_nothing_says_so_and_has_no_tolerance() -> None:
    found = findings(case("The fee was $2,100,000. The deposit was $2,110,000."))
    matches, near = found["$2,100,000"], found["$2,110,000"]
    assert (matches.status, matches.code) == ("unverified", "unbound")
    assert (
        matches.reason == "2,100,000 USD matches total revenue of OAK, Q3 2024; the sentence names no metric."
    )
    assert (near.status, near.code) == ("unsupported", "not_found")
    assert "nearest is 2,100,000 USD (total revenue of OAK, Q3 2024)" in near.reason


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("answer", "claimed"), [("NOI was 95.4%.", "95.4%"), ("NOI was €1,234,567.", "€1,234,567")]
)
def test_a_metric_in_another_unit_is_no_figure_that_happens_to_be_equal(answer: str, claimed: str) -> None:
    finding = of(answer, claimed)
    assert (finding.status, finding.code) == ("unsupported", "not_found")
    assert "nearest is" in finding.reason


@given(
    own=st.integers(10_000, 10**11), digits=st.integers(0, 9), style=st.sampled_from(("", "K", "M")), places=st.integers(0, 2)
)  # fmt: skip
@pytest.mark.requirement("NUM-07")
def test_the_true_figure_rounded_to_any_stated_precision_is_supported(
    own: int, digits: int, style: str, places: int
) -> None:
    value = Decimal(own) / 100
    unit = {"": Decimal(1), "K": Decimal(1000), "M": Decimal(10) ** 6}[style]
    shown = f"{value / unit:,.{places}f}"
    if not any(character in "123456789" for character in shown):
        return
    of_record = (
        figure("net_operating_income", value, PERIODS[4]),
        figure("total_revenue", Decimal(digits), PERIODS[4]),
    )
    found = findings(case(f"NOI was ${shown}{style} in Q3 2024.", figures=of_record))
    assert found[f"${shown}{style}"].code == "exact"


@given(own=st.integers(10_000, 10**9), other=st.integers(10_000, 10**9), slot=st.sampled_from((0, 1, 2)))
@pytest.mark.requirement("NUM-05")
def test_another_slots_value_is_never_supported(own: int, other: int, slot: int) -> None:
    mine, theirs = Decimal(own) / 100, Decimal(other) / 100
    if mine == theirs:
        return
    elsewhere = (
        figure("net_operating_income", theirs, PERIODS[3]),
        figure("net_operating_income", theirs, period("Q3 2024", "MAPLE", 21)),
        figure("total_revenue", theirs, PERIODS[4]),
    )[slot]
    of_record = (figure("net_operating_income", mine, PERIODS[4]), elsewhere)
    finding = findings(case(f"NOI was ${theirs:,.2f}.", figures=of_record))[f"${theirs:,.2f}"]
    assert finding.status == "contradicted"


@each_case("answer", ["ההכנסות ברבעון השלישי של 2024 היו $2,100,000.", "ההכנסות הסתכמו ב-$2,100,000."])
def test_a_metric_in_another_language_is_no_account_that_is_named_by_a_word_of_it(answer: str) -> None:
    figures = (*FIGURES, *(figure("4120", "52000", within) for within in PERIODS[:6]))
    accounts = (Alias("4120", "", "הכנסות מכונות משקה"),)
    found = of(answer, "$2,100,000", figures=figures, aliases=accounts, language="he")
    assert found.status == "supported", found.reason


def test_an_account_is_named_in_the_language_of_the_answer_beside_one_that_bears_that_name() -> None:
    own = figure("4000", "310000", PERIODS[4])
    other = figure("4010", "290000", period("Q3 2024", "MAPLE", 40))
    accounts = (Alias("4000", "", "Base rent"), Alias("4010", "", "שכר דירה בסיסי"))
    answer = "שכר הדירה הבסיסי ברבעון השלישי של 2024 היה $310,000."
    found = of(answer, "$310,000", figures=(*FIGURES, own, other), aliases=accounts, language="he")
    assert found.status == "supported", found.reason
