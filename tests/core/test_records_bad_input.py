"""Figures of record as nobody should have entered them: nothing crashes, nothing becomes support."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Named, Period
from tests.core.record_cases import FIGURES, PERIODS, case, figure, findings, of, period
from tests.tables import each_case

Q3 = PERIODS[4]
AGAIN = Period(90, "OAK", "Third quarter", Q3.start, Q3.end)


@pytest.mark.requirement("NUM-12")
def test_of_the_same_period_twice_the_one_asked_for_speaks() -> None:
    twice = (figure("net_operating_income", "100000", Q3), figure("net_operating_income", "250000", AGAIN))
    subject = {"figures": twice, "periods": (Q3, AGAIN)}
    assert of("NOI was $100,000.", "$100,000", **subject).code == "exact"
    other = of("NOI was $250,000.", "$250,000", **subject)
    assert (other.status, other.code) == ("contradicted", "off_period")
    assert "equals Third quarter net operating income" in other.reason
    assert of("NOI was $250,000.", "$250,000", **subject, period=AGAIN).code == "exact"


@pytest.mark.requirement("NUM-12")
def test_a_change_over_zero_is_not_computed_and_not_supported() -> None:
    nothing = (figure("net_operating_income", "0", PERIODS[3]), figure("net_operating_income", "5000", Q3))
    finding = of("NOI rose 100% from Q2 2024.", "100%", figures=nothing)
    assert (finding.status, finding.code) == ("unsupported", "not_found")
    without_debt = (figure("net_operating_income", "5000", Q3), figure("debt_service", "0", Q3))
    assert (
        of("NOI covered debt service 1.25 times.", "1.25 times", figures=without_debt).status == "unsupported"
    )


@pytest.mark.requirement("NUM-12")
@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "sNaN"])
def test_a_figure_that_is_no_number_is_no_figure(value: str) -> None:
    odd = (figure("net_operating_income", value, Q3), figure("total_revenue", "7", Q3))
    for answer in ("NOI was $1,234,567.", "NOI rose 5.2% from Q2.", "The NOI margin was 58.8%."):
        found = findings(case(answer, figures=odd)).values()
        assert {finding.status for finding in found} == {"unsupported"}


def test_periods_that_overlap_are_not_added_up() -> None:
    overlapping = Period(
        91, "OAK", "Mid 2024", period("Q1 2024").start.replace(month=2), period("Q2 2024").end
    )
    figures = (
        *(figure("net_operating_income", "100", period(f"Q{n} 2024")) for n in (1, 3, 4)),
        figure("net_operating_income", "100", overlapping),
    )
    finding = of("NOI in 2024 was $400.", "$400", figures=figures, periods=())
    assert finding.status != "supported"


@pytest.mark.requirement("NUM-12")
@each_case("ends", [("9999-10-01", "9999-12-31"), ("0001-01-01", "0001-03-31"), ("0202-01-01", "0202-03-31")])
@each_case(
    "answer",
    [
        "NOI rose 5% to $1,234,568 from $1,173,500.", "In 2024 NOI totaled $4,400,000, up from Q1.",
        "NOI rose by $61,067 from the prior quarter.", "与去年同期相比，NOI增长5%。",
    ],
)  # fmt: skip
def test_a_period_at_either_end_of_the_calendar_does_not_fail(answer: str, ends: tuple[str, str]) -> None:
    odd = Period(93, "OAK", "Open", *map(date.fromisoformat, ends))
    figures = (*FIGURES, figure("net_operating_income", "100", odd), figure("total_revenue", "700", odd))
    found = findings(case(answer, figures=figures, period=odd, periods=(*PERIODS, odd)))
    assert found
    assert "supported" not in {finding.status for text, finding in found.items() if text != "2024"}


def test_a_feb_29_has_a_year_before() -> None:
    leap = Period(92, "OAK", "Feb 2024", Q3.start.replace(month=2, day=1), Q3.start.replace(month=2, day=29))
    past = replace(
        leap,
        id=93,
        label="Feb 2023",
        start=leap.start.replace(year=2023),
        end=leap.end.replace(year=2023, day=28),
    )
    figures = (figure("net_operating_income", "110", leap), figure("net_operating_income", "100", past))
    finding = of(
        "NOI was up 10.0% year over year.", "10.0%", figures=figures, period=leap, periods=(leap, past)
    )
    assert finding.code == "derived"


def test_a_property_without_figures_is_no_other_property() -> None:
    named = (Named("OAK", "OAK"), Named("ELM", "Elm House"))
    finding = of("NOI at Elm House was $1,234,567.", "$1,234,567", properties=named)
    assert finding.status != "supported"


@pytest.mark.requirement("NUM-12")
@pytest.mark.parametrize("database", ["unavailable", "not_asked"])
def test_without_a_database_no_figure_supports(database: str) -> None:
    found = findings(case("NOI was $1,234,567, up 5.2% from Q2 2024.", database=database))
    assert {finding.status for finding in found.values()} <= {"unverified", "unsupported"}


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False) | st.sampled_from(
    [Decimal("1E+400"), Decimal("-1E-400"), Decimal(0), Decimal("9" * 300), Decimal("1E+999999")]
)
ANSWERS = (
    "NOI was $1,234,567.", "NOI rose 5.2% from Q2 2024.", "NOI fell by $100K.", "The NOI margin was 58.8%.",
    "NOI in 2024 was $4.8M.", "Average NOI in 2024 was $1.2M.", "NOI covered debt service 1.74 times.",
    "Occupancy was 95.4%, up 120 bps.", "NOI was $" + "9" * 400 + ".", "NOI was 1e999%.",
    "NOI was $100,000 higher than at MAPLE.", "Combined NOI of OAK and MAPLE was $0.", "DSCR was 0x.",
)  # fmt: skip


@given(values=st.lists(NUMBERS, min_size=8, max_size=8), answer=st.sampled_from(ANSWERS))
@pytest.mark.requirement("NUM-12")
def test_no_figure_of_record_makes_the_comparison_fail(values: list[Decimal], answer: str) -> None:
    fields = ("net_operating_income", "total_revenue", "debt_service", "occupancy_rate")
    of_record = tuple(
        figure(field, value, within)
        for (field, within), value in zip(((f, w) for w in PERIODS[3:5] for f in fields), values, strict=True)
    )
    subject = case(answer, figures=of_record)
    read = claims.read(subject)
    found = numeric.decide(numeric.measure(Context(subject, read)), Context()).findings
    assert len(found) == sum(claim.number is not None for claim in read)
    assert all(finding.reason for finding in found)


@pytest.mark.requirement("NUM-13")
def test_time_that_runs_out_in_the_sources_leaves_what_the_records_say() -> None:
    asked = 0

    def expired() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    from detection.core.types import Source

    sources = tuple(Source(f"S{n}", f"The fee was ${n}.") for n in range(9))
    subject = case("NOI was $1,234,567. The fee was $77.", sources=sources)
    read = claims.read(subject)
    found = numeric.decide(numeric.measure(Context(subject, read, expired=expired)), Context()).findings
    assert [(finding.status, finding.code) for finding in found] == [
        ("supported", "exact"),
        ("unverified", "timeout"),
    ]


@pytest.mark.requirement("NUM-14")
def test_numbers_cost_the_same_however_many_figures_there_are() -> None:
    """What is compared for one number is counted, not timed."""
    many = tuple(figure(f"9{n:05}", str(n), within) for within in PERIODS for n in range(1, 1500)) + FIGURES
    finding = of("The deposit was $777.77.", "$777.77", figures=many)
    assert (finding.status, finding.code) == ("unsupported", "not_found")
    measured = numeric.measure(Context(subject := case("NOI was $5.", figures=many), claims.read(subject)))
    assert len(measured.claims[1].candidates) <= 6


@each_case("digits", [41, 400, 1000])
@each_case("form", ["NOI was ${}.", "NOI was ${} million.", "Occupancy was {}.5%.", "DSCR was {}.5x."])
def test_a_number_of_very_many_digits_is_never_support(form: str, digits: int) -> None:
    answer = form.format("1234567" + "0" * (digits - 9))
    [found] = findings(case(answer)).values()
    assert found.status in ("contradicted", "unsupported")
