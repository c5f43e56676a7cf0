"""Which period a number speaks of: the words around it, else the answer's."""

from datetime import date
from decimal import Decimal

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.numbers import extract
from detection.core.periods import CALENDAR_YEAR, find, resolve, shifted
from detection.core.types import Case, Figure, Period
from tests.core.slot_cases import slots
from tests.tables import each_case

Q1 = Period(1, "OAK", "Q1 2024", date(2024, 1, 1), date(2024, 3, 31))
Q2 = Period(2, "OAK", "Q2 2024", date(2024, 4, 1), date(2024, 6, 30))
YEAR = Period(3, "OAK", "2024", date(2024, 1, 1), date(2024, 12, 31))


def noi(period: Period, value: str) -> Figure:
    return Figure(
        "FinancialMetrics", period.id, "net_operating_income", "NOI", "currency", Decimal(value), "USD", "OAK",
        period.label, period.start, period.end, "2024-11-04",
    )  # fmt: skip


def status(answer: str, *figures: Figure, language: str = "en") -> str:
    periods = tuple(p for p in (Q1, Q2, YEAR) if p.label in {figure.period for figure in figures})
    case = Case(
        answer, language=language, figures=figures, periods=periods, property="OAK", period=Q2, database="ok"
    )
    read = claims.read(case)
    findings = numeric.decide(numeric.measure(Context(case, read)), Context()).findings
    return next(f"{f.status} {f.code}" for f in findings if read[f.claim].kind == "currency")


FIGURES = (noi(Q1, "1100000"), noi(Q2, "1200000"))


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("NOI was $1,200,000.", "supported exact"),
        ("NOI was $1,200,000 in Q2 2024.", "supported exact"),
        ("NOI was $1,200,000 in 2024.", "supported exact"),
        ("NOI was $1,200,000 in May 2024.", "supported exact"),
        ("NOI was $1,100,000 in Q1 2024.", "supported exact"),
        ("NOI was $1,100,000.", "contradicted off_period"),
        ("NOI was $1,200,000 in Q1 2024.", "contradicted off_period"),
    ],
)
def test_a_number_is_compared_with_the_period_it_speaks_of(answer: str, expected: str) -> None:
    assert status(answer, *FIGURES) == expected


def test_a_year_that_is_reported_itself_is_meant_itself() -> None:
    assert status("NOI was $4,700,000 in 2024.", *FIGURES, noi(YEAR, "4700000")) == "supported exact"
    assert status("NOI was $1,200,000 in 2024.", *FIGURES, noi(YEAR, "4700000")) == "contradicted off_period"


@pytest.mark.requirement("NUM-04")
@pytest.mark.parametrize(
    ("phrase", "language"),
    [
        ("Nov–Feb", "en"),
        ("November to February", "en"),
        ("between November and February", "en"),
        ("נובמבר–פברואר", "he"),
    ],
)
def test_months_may_pass_the_end_of_the_year(phrase: str, language: str) -> None:
    (found,) = find(phrase, language)
    within = date(2024, 4, 1), date(2025, 3, 31)
    assert resolve(found, (within,), CALENDAR_YEAR)[0] == (date(2024, 11, 1), date(2025, 2, 28))


def test_what_went_from_one_month_to_another_names_two() -> None:
    assert len(find("Rent rose from December to January.", "en")) == 2


@pytest.mark.requirement("NUM-04")
@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("ברבעון 1 2024", "2024-Q1"),
        ("רבעון 1 2024", "2024-Q1"),
        ("ברבעון השלישי של 2024", "2024-Q3"),
        ("הרבעון השני 2024", "2024-Q2"),
        ("במחצית הראשונה של 2024", "2024-H1"),
    ],
)
def test_hebrew_prefixes_belong_to_the_quarter(text: str, iso: str) -> None:
    assert [(claim.kind, claim.value) for claim in extract(text, "he")] == [("date", iso)]


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("answer", "metric"),
    [
        ("ההכנסה התפעולית הנקייה הייתה 1,200,000 $ ברבעון 2 2024.", "net_operating_income"),
        ("יחס ההלוואה לשווי עמד על 61.5%.", "ltv"),
        ("2024年第二季度净营业收入为1,200,000美元。", "net_operating_income"),
    ],
)
def test_a_number_is_bound_to_its_metric_in_hebrew_and_chinese(answer: str, metric: str) -> None:
    found = slots(answer, language="zh" if answer.startswith("2024") else "he")
    assert [slot.metric for slot in found] == [metric]


def periods_of(answer: str, asked: str = "2024-Q2") -> list[str | None]:
    """The period of each number; None for the answer's own."""
    return [None if slot.period == asked else slot.period for slot in slots(answer, asked=asked)]


@pytest.mark.requirement("NUM-05")
@each_case(
    ("answer", "expected"),
    [
        ("NOI was $1.2M in Q3 2024 and $1.1M in Q1 2024.", ["2024-Q3", "2024-Q1"]),
        ("In Q3 2024 NOI was $1.2M and revenue $3M.", ["2024-Q3", "2024-Q3"]),
        ("Revenue was $3M and NOI $1.2M in Q3 2024.", ["2024-Q3", "2024-Q3"]),
        ("NOI was $1.2M, up from $1.1M in Q1 2024.", [None, "2024-Q1"]),
        ("NOI rose from $1.1M to $1.2M in Q3 2024.", [None, "2024-Q3"]),
        ("NOI rose 5% from Q1 2024.", [None]),
        ("NOI was $2M for 2023.", ["2023"]),
        ("For 2022 and 2023 NOI was $1M and $2M.", ["2022", "2023"]),
        ("In Q3 2024 it did well. NOI was $1.2M.", ["2024-Q3"]),
        ("Q3 2024:\n\n- NOI: $1.2M\n- Occupancy: 91%", ["2024-Q3", "2024-Q3"]),
        ("In Q3 2024 it did well.\nThe house was built in 1998. NOI was $1.2M.", ["2024-Q3"]),
        ("Built in 1998, the house has 312 units.", [None]),
        ("| Metric | Q1 2024 | Q3 2024 |\n|---|---|---|\n| NOI | $1M | $2M |", ["2024-Q1", "2024-Q3"]),
        ("2024 vs. 2023:\n- NOI: $2M vs. $1M\n- DSCR: 1.3x vs. 1.2x", ["2024", "2023", "2024", "2023"]),
    ],
)
def test_a_period_comes_from_the_words_the_sentence_or_what_stands_above(
    answer: str, expected: list[str | None]
) -> None:
    assert periods_of(answer) == expected


@pytest.mark.parametrize(
    ("phrase", "iso"),
    [
        ("the prior quarter", "2024-Q1"),
        ("the same quarter last year", "2023-Q2"),
        ("the same quarter of 2022", "2022-Q2"),
        ("a year earlier", "2023-Q2"),
        ("the prior year", "2023-Q2"),
        ("Q1", "2024-Q1"),
        ("Q4", "2023-Q4"),
        ("the previous period", "2024-Q1"),
    ],
)
def test_a_period_may_be_named_by_its_distance_from_the_answers(phrase: str, iso: str) -> None:
    assert periods_of(f"NOI was $1.2M, compared with $1.1M in {phrase}.") == [None, iso]


def test_the_distance_is_counted_from_the_period_spoken_of() -> None:
    assert periods_of("NOI was $1.2M in Q4 2023, up from $1.1M in the prior quarter.") == [
        "2023-Q4",
        "2023-Q3",
    ]


def test_shifted_periods_end_where_their_months_do() -> None:
    assert shifted((date(2024, 1, 1), date(2024, 3, 31)), -3) == (date(2023, 10, 1), date(2023, 12, 31))
    assert shifted((date(2024, 2, 29), date(2024, 2, 29)), -12) == (date(2023, 2, 28), date(2023, 2, 28))
    assert shifted((date(1, 1, 1), date(1, 12, 31)), -12)[0].year == 1
