"""Numbers that follow from figures of record: the words choose operation and operands, the arithmetic is shown."""

import re
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core.record_cases import FIGURES, PERIODS, case, figure, findings, of, period
from tests.tables import each_case

NUMBER = re.compile(r"\d[\d,.]*")


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "claimed", "arithmetic"),
    [
        ("NOI rose 5.2% from Q2.", "5.2%", "(1,234,567 − 1,173,500) / 1,173,500 = 5.2 %"),
        ("NOI was up 5.2% from Q2 2024.", "5.2%", "(1,234,567 − 1,173,500) / 1,173,500 = 5.2 %"),
        ("NOI grew 5.2% quarter over quarter.", "5.2%", "(1,234,567 − 1,173,500) / 1,173,500 = 5.2 %"),
        ("NOI was up 23.5% year over year.", "23.5%", "(1,234,567 − 1,000,000) / 1,000,000 = 23.46 %"),
        ("NOI in Q2 2024 was 6.7% higher than in Q1 2024.", "6.7%", "(1,173,500 − 1,100,000) / 1,100,000 = 6.68 %"),
        ("NOI increased by $61,067 from Q2 to Q3.", "$61,067", "1,234,567 − 1,173,500 = 61,067 USD"),
        ("Occupancy rose 120 bps from Q2 2024.", "120 bps", "95.4 − 94.2 = 1.2 percentage points"),
        ("Occupancy improved by 4.4 percentage points year over year.", "4.4 percentage points", "95.4 − 91 = 4.4 percentage points"),
        ("Total NOI of the four quarters of 2024 was $4,808,067.", "$4,808,067", "1,100,000 + 1,173,500 + 1,234,567 + 1,300,000 = 4,808,067 USD"),
        ("NOI in 2024 was $4.81 million.", "$4.81 million", "1,100,000 + 1,173,500 + 1,234,567 + 1,300,000 = 4,808,067 USD"),
        ("Year-to-date NOI was $3,508,067.", "$3,508,067", "1,100,000 + 1,173,500 + 1,234,567 = 3,508,067 USD"),
        ("Trailing twelve months NOI was $4,558,067.", "$4,558,067", "1,050,000 + 1,100,000 + 1,173,500 + 1,234,567 = 4,558,067 USD"),
        ("Combined NOI of Q2 2024 and Q3 2024 was $2,408,067.", "$2,408,067", "1,173,500 + 1,234,567 = 2,408,067 USD"),
        ("Average occupancy in 2024 was 94.7%.", "94.7%", "(93 + 94.2 + 95.4 + 96.1) / 4 = 94.68 %"),
        ("NOI averaged $411,522 a month in Q3 2024.", "$411,522", "1,234,567 / 3 = 411,522.33 USD"),
        ("Operating expenses were 41.2% of revenue.", "41.2%", "865,433 / 2,100,000 = 41.21 %"),
        ("Insurance expense made up 3.8% of total revenue.", "3.8%", "80,000 / 2,100,000 = 3.81 %"),
        ("NOI of $1,234,567 and insurance expense of $80,000 together came to 62.6% of total revenue.", "62.6%", "(1,234,567 + 80,000) / 2,100,000 = 62.6 %"),
        ("The NOI margin was 58.8%.", "58.8%", "1,234,567 / 2,100,000 = 58.79 %"),
        ("DSCR was 1.74x.", "1.74x", "1,234,567 / 710,000 = 1.74x"),
        ("NOI covered debt service 1.74 times.", "1.74 times", "1,234,567 / 710,000 = 1.74x"),
        ("With NOI covering debt service by 1.74x, coverage is adequate.", "1.74x", "1,234,567 / 710,000 = 1.74x"),
        ("NOI exceeded debt service by $524,567.", "$524,567", "1,234,567 − 710,000 = 524,567 USD"),
        ("NOI was $100,000 higher than at MAPLE.", "$100,000", "1,234,567 − 1,134,567 = 100,000 USD"),
        ("Combined NOI of OAK and Maple Court was $2,369,134.", "$2,369,134", "1,234,567 + 1,134,567 = 2,369,134 USD"),
        ("净营业收入同比增长23.5%。", "23.5%", "(1,234,567 − 1,000,000) / 1,000,000 = 23.46 %"),
    ],
)  # fmt: skip
def test_a_derived_number_is_supported_with_its_arithmetic(
    answer: str, claimed: str, arithmetic: str
) -> None:
    finding = of(answer, claimed, language="zh" if "净" in answer else "en")
    assert (finding.status, finding.code) == ("supported", "derived")
    assert finding.matched is not None
    shown = finding.matched.arithmetic or ""
    left, _, result = arithmetic.rpartition(" = ")
    assert sorted(NUMBER.findall(shown)) == sorted(NUMBER.findall(left))
    assert f"{shown} = {result.split()[0][:4]}" in finding.reason


@pytest.mark.requirement("NUM-08")
def test_the_operands_are_named_with_figure_and_period() -> None:
    assert of("NOI rose 5.2% from Q2.", "5.2%").reason == (
        "It follows from the figures of record (net operating income, Q3 2024 against Q2 2024): "
        "(1,234,567 − 1,173,500) / 1,173,500 = 5.2 %."
    )


def test_an_account_is_named_by_its_name_and_not_by_its_code() -> None:
    reason = of("Insurance expense made up 3.8% of total revenue.", "3.8%").reason
    assert "(Insurance expense of OAK, Q3 2024)" in reason


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "claimed", "code", "words"),
    [
        ("NOI fell 5.2% from Q2.", "5.2%", "sign", "in the other direction"),
        ("NOI was up 5.2% year over year.", "5.2%", "off_period", "Q3 2024 against Q2 2024"),
        ("NOI was up 23.5% quarter over quarter.", "23.5%", "off_period", "Q3 2024 against Q3 2023"),
        ("NOI rose 6.2% from Q2.", "6.2%", "contradicted", "By the figures of record"),
        ("Operating expenses were 43.2% of revenue.", "43.2%", "contradicted", "865,433 / 2,100,000"),
        ("The NOI margin was 95.4%.", "95.4%", "off_metric", "equals occupancy rate of Q3 2024, not the figure that is named: 1,234,567 / 2,100,000"),
        ("Combined NOI of OAK and MAPLE was $1,234,567.", "$1,234,567", "off_property", "1,234,567 + 1,134,567"),
        ("NOI was $100,000 lower than at MAPLE.", "$100,000", "sign", "in the other direction"),
        ("Year-to-date NOI was $1,234,567.", "$1,234,567", "contradicted", "1,100,000 + 1,173,500 + 1,234,567"),
        ("NOI rose from $1,234,567 to $1,234,567.", "$1,234,567", "exact", ""),
        ("NOI rose from $1,300,000 to $1,234,567.", "$1,300,000", "off_period", "equals Q4 2024 net operating income"),
    ],
)  # fmt: skip
def test_a_wrong_derived_number_is_contradicted_in_words(
    answer: str, claimed: str, code: str, words: str
) -> None:
    finding = of(answer, claimed)
    assert finding.code == code
    assert words in finding.reason


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    "answer",
    [
        "NOI rose from $1,173,500 to $1,234,567.", "NOI rose to $1,234,567 from $1,000,000 a year earlier.",
        "NOI was $1,234,567 in Q3 2024, compared with $1,173,500 in Q2 2024.",
        "Occupancy went from 94.2% to 95.4% between Q2 2024 and Q3 2024.",
        "NOI grew 5.2%, or $61,067, from Q2 2024.", "Occupancy was 95.4%, up from 94.2%.",
        "NOI was $1,234,567, an increase from about $1,173,500.",
    ],
)  # fmt: skip
def test_what_a_change_started_from_stands_in_the_slot_before(answer: str) -> None:
    assert {finding.status for finding in findings(case(answer)).values()} == {"supported"}


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    "answer",
    [
        "In Q2 2024, NOI rose from {} to $1,173,500.", "In Q2 2024, NOI rose to $1,173,500 from {}.",
        "NOI was $1,173,500 in Q2 2024, up from {}.", "ברבעון השני של 2024 ה-NOI עלה מ-{} ל-$1,173,500.",
        "2024年第二季度，NOI从{}增至$1,173,500。",
    ],
)  # fmt: skip
def test_what_a_change_of_an_earlier_period_started_from_stands_before_that_period(answer: str) -> None:
    assert {one.status for one in findings(case(answer.format("$1,100,000"))).values()} == {"supported"}
    assert of(answer.format("$1,173,501"), "$1,173,501").status == "contradicted"
    assert of(answer.format("$1,234,567"), "$1,234,567").status == "contradicted"


def test_a_sum_with_a_quarter_missing_is_no_sum() -> None:
    without = tuple(figure for figure in FIGURES if figure.period != "Q1 2024")
    finding = of("Total NOI in 2024 was $3,708,067.", "$3,708,067", figures=without)
    assert finding.status != "supported"


@pytest.mark.requirement("NUM-14")
def test_every_number_of_a_hostile_answer_is_derived_from_a_bounded_number_of_figures() -> None:
    answer = "NOI rose 5.2% from Q2 2024 to Q3 2024 at OAK, " * 40
    found = findings(case(answer))
    assert found["5.2%"].code == "derived"


@given(later=st.integers(1, 10**9), earlier=st.integers(1, 10**9))
@pytest.mark.requirement("NUM-05")
def test_growth_is_supported_in_its_direction_and_in_no_other(later: int, earlier: int) -> None:
    growth = (Decimal(later) - earlier) / earlier * 100
    assume(Decimal("0.1") <= abs(growth) < 10_000)
    of_record = (
        figure("net_operating_income", Decimal(later), PERIODS[4]),
        figure("net_operating_income", Decimal(earlier), PERIODS[3]),
    )
    shown = f"{abs(growth):.1f}%"
    right, wrong = ("rose", "fell") if growth > 0 else ("fell", "rose")
    assert findings(case(f"NOI {right} {shown} from Q2 2024.", figures=of_record))[shown].code == "derived"
    assert findings(case(f"NOI {wrong} {shown} from Q2 2024.", figures=of_record))[shown].code == "sign"


@given(values=st.lists(st.integers(0, 10**12), min_size=4, max_size=4), off=st.integers(1, 10**6))
def test_a_sum_is_its_quarters_and_nothing_else(values: list[int], off: int) -> None:
    labels = ("Q1 2024", "Q2 2024", "Q3 2024", "Q4 2024")
    of_record = tuple(
        figure("total_revenue", Decimal(value), period(label))
        for value, label in zip(values, labels, strict=True)
    )
    assume(sum(values) > 0 and (sum(values) + off) % 1000)  # what ends in three zeros may be rounded
    total, other = f"${sum(values):,}", f"${sum(values) + off:,}"
    assert findings(case(f"Total revenue in 2024 was {total}.", figures=of_record))[total].code == "derived"
    wrong = findings(case(f"Total revenue in 2024 was {other}.", figures=of_record))[other]
    assert wrong.status != "supported"
