"""Numbers measured and decided: records, documents, tolerances, slips, deadlines, switches."""

from datetime import date
from decimal import Decimal
from itertools import chain, repeat
from typing import Any

import pytest

from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.thresholds import DEFAULTS
from detection.core.types import Case, Figure, Finding, Period, Source
from tests.tables import each_case

Q2 = Period(1, "OAK", "Q2 2024", date(2024, 4, 1), date(2024, 6, 30))
Q3 = Period(2, "OAK", "Q3 2024", date(2024, 7, 1), date(2024, 9, 30))


def figure(
    field: str,
    value: str,
    kind: Any = "currency",
    *,
    period: Period = Q3,
    owner: str = "OAK",
    unit: str = "USD",
) -> Figure:
    return Figure(
        "FinancialMetrics", period.id, field, field.replace("_", " "), kind, Decimal(value), unit, owner, period.label,
        period.start, period.end, "2024-10-01",
    )  # fmt: skip


FIGURES = (
    figure("net_operating_income", "1234567.89"),
    figure("net_operating_income", "1100000", period=Q2),
    figure("net_operating_income", "2345678.12", owner="ELM"),
    figure("total_revenue", "3000000"),
    figure("occupancy_rate", "85.5", "percentage", unit="%"),
    figure("occupancy_rate", "91", "percentage", period=Q2, unit="%"),
    figure("dscr", "1.25", "ratio", unit="x"),
)


def case(answer: str, **changed: Any) -> Case:
    given: dict[str, Any] = {
        "figures": FIGURES, "periods": (Q2, Q3), "property": "OAK", "period": Q3, "database": "ok", **changed,
    }  # fmt: skip
    return Case(answer=answer, **given)


def judged(subject: Case, expired: Any = lambda: False, **thresholds: Any) -> dict[str, Finding]:
    limits = DEFAULTS.changed(**thresholds)
    read = claims.read(subject)
    found = numeric.decide(
        numeric.measure(Context(subject, read, limits, expired=expired)), Context(thresholds=limits)
    ).findings
    return {read[finding.claim].text: finding for finding in found}


def codes(answer: str, **thresholds: Any) -> dict[str, str]:
    return {text: finding.code for text, finding in judged(case(answer), **thresholds).items()}


def from_documents(answer: str, *texts: str, **thresholds: Any) -> dict[str, Finding]:
    sources = tuple(Source(f"S{index}", text) for index, text in enumerate(texts))
    return judged(Case(answer=answer, sources=sources), **thresholds)


@pytest.mark.requirement("NUM-05")
def test_a_true_amount_and_its_period_are_supported_by_the_records() -> None:
    found = judged(case("The NOI was $1,234,567.89 for Q3 2024."))
    assert {text: finding.status for text, finding in found.items()} == {
        "$1,234,567.89": "supported",
        "Q3 2024": "supported",
    }


def test_a_wrong_amount_is_contradicted_with_both_values_in_the_reason() -> None:
    found = judged(case("The NOI was $9,999,999.99 for Q3 2024."))
    assert found["Q3 2024"].status == "supported"
    assert found["$9,999,999.99"].status == "contradicted"
    assert "1,234,567.89" in found["$9,999,999.99"].reason
    assert "9,999,999.99" in found["$9,999,999.99"].reason


@pytest.mark.requirement("NUM-06")
def test_an_amount_is_supported_by_a_chunk_with_the_span_kept() -> None:
    text = "The net operating income was $1,234,567.89"
    finding = from_documents("The NOI net operating income was $1,234,567.89", text)["$1,234,567.89"]
    assert finding.status == "supported"
    assert finding.matched is not None
    assert text[finding.matched.start : finding.matched.end] == "$1,234,567.89"


@each_case(
    ("answer", "claimed", "code"),
    [
        ("NOI was $1.2M.", "$1.2M", "exact"),
        ("NOI was $1,250,000.", "$1,250,000", "contradicted"),
        ("NOI was $1,243,567.89.", "$1,243,567.89", "transposed"),
        ("NOI was $1,100,000.", "$1,100,000", "off_period"),
        ("NOI was $2,345,678.12.", "$2,345,678.12", "off_property"),
        ("NOI was $3,000,000.", "$3,000,000", "off_metric"),
        ("NOI was $1,234.56789.", "$1,234.56789", "scale"),
        ("NOI was -$1,234,567.89.", "-$1,234,567.89", "sign"),
        ("NOI was $1,600,000.", "$1,600,000", "contradicted"),
        ("NOI was about $1,230,000.", "$1,230,000", "approximate"),
        ("NOI was about $1.24M.", "$1.24M", "contradicted"),
        ("NOI was more than $1 million.", "$1 million", "bound_ok"),
        ("NOI was more than $1.5 million.", "$1.5 million", "contradicted"),
        ("Occupancy was 85.5%.", "85.5%", "exact"),
        ("Occupancy was 91%.", "91%", "off_period"),
        ("DSCR was 1.25.", "1.25", "exact"),
        ("The fee was $3,000,000.", "$3,000,000", "unbound"),
        ("The fee was $77.", "$77", "not_found"),
        ("NOI was $1.1M in Q2 2024.", "$1.1M", "exact"),
        ("NOI grew 12.2% in Q3 2024.", "12.2%", "derived"),
        ("NOI grew 55% in Q3 2024.", "55%", "contradicted"),
        ("It was on 02/30/2024.", "02/30/2024", "no_such_day"),
        ("Q1 2019 was good.", "Q1 2019", "not_compared"),
        ("On August 3, 2024 it rained.", "August 3, 2024", "not_compared"),
    ],
)  # fmt: skip
@pytest.mark.requirement("NUM-07")
def test_what_a_number_is_found_to_be(answer: str, claimed: str, code: str) -> None:
    assert codes(answer)[claimed] == code


def test_a_figure_outside_its_own_rounding_is_inexact_only_where_a_profile_allows_a_tolerance() -> None:
    assert codes("NOI was $1,250,000.") == {"$1,250,000": "contradicted"}
    assert codes("NOI was $1,250,000.", exact_numbers=False) == {"$1,250,000": "inexact"}


def test_a_tolerance_decides_without_measuring_again() -> None:
    subject = case("NOI was $1,250,000.")
    measured = numeric.measure(Context(subject, claims.read(subject)))
    found = [
        numeric.decide(
            measured, Context(thresholds=DEFAULTS.changed(exact_numbers=False, currency_tolerance=limit))
        )
        for limit in (1.0, 5.0)
    ]
    assert [each.findings[0].code for each in found] == ["contradicted", "inexact"]


@pytest.mark.requirement("NUM-08")
@pytest.mark.parametrize(
    ("answer", "switch"),
    [
        ("NOI was $5.", "verify_currency"), ("It was 5%.", "verify_percentages"), ("It was 5x.", "verify_ratios"),
        ("In Q3 2024.", "verify_dates"), ("It has 312 units.", "verify_numbers"),
    ],
)  # fmt: skip
def test_a_switch_turns_a_kind_off(answer: str, switch: str) -> None:
    assert set(codes(answer, **{switch: False}).values()) == {"switched_off"}


@pytest.mark.requirement("NUM-08")
def test_either_kind_of_evidence_can_be_switched_off() -> None:
    subject = case("NOI was $1,234,567.89.", sources=(Source("S0", "NOI was $1,234,567.89."),))
    without_records = judged(subject, verify_against_database=False)["$1,234,567.89"]
    without_documents = judged(subject, verify_against_documents=False)["$1,234,567.89"]
    assert without_records.matched is not None
    assert without_records.matched.origin == "document"
    assert without_documents.matched is not None
    assert without_documents.matched.origin == "database"
    neither = judged(subject, verify_against_database=False, verify_against_documents=False)["$1,234,567.89"]
    assert (neither.status, neither.code) == ("not_checked", "switched_off")


@pytest.mark.requirement("NUM-13")
def test_numbers_behind_the_deadline_are_unverified_and_the_rest_goes_on() -> None:
    asked = chain([False, False], repeat(True))  # when the comparing begins, and before each number
    found = judged(case("NOI was $1,234,567.89 and DSCR was 1.25 in Q3 2024."), lambda: next(asked))
    assert [finding.code for finding in found.values()] == ["exact", "timeout", "timeout"]
    assert {finding.status for finding in found.values()} == {"supported", "unverified"}


def test_a_database_that_is_away_is_never_support() -> None:
    finding = judged(case("NOI was $1,234,567.89.", figures=(), periods=(), database="unavailable"))[
        "$1,234,567.89"
    ]
    assert (finding.status, finding.code) == ("unverified", "db_unavailable")


@pytest.mark.requirement("NUM-06")
def test_chunks_left_unread_leave_a_number_unverified() -> None:
    finding = from_documents(
        "The fee was $77.", "The rent was $5.", "The rate was 7 %.", max_source_checks=1
    )["$77"]
    assert (finding.status, finding.code) == ("unverified", "source_limit")


@pytest.mark.requirement("NUM-06")
def test_a_cited_chunk_is_read_first() -> None:
    answer = "The annual cleaning fee was $77 [S1]."
    assert (
        from_documents(
            answer, "annual cleaning fee", "The annual cleaning fee was $77.", max_source_checks=1
        )["$77"].code
        == "exact"
    )


TABLE = (
    "(in thousands) | 2019 | 2018\nNet sales | $3,440,258 | $3,236,004\nOperating income | 67,994 | 29,700"
)


@pytest.mark.parametrize(
    ("answer", "claimed", "code"),
    [
        ("Net sales in 2019 were $3,440,258 thousand.", "$3,440,258 thousand", "exact"),
        ("Net sales in 2019 were $3,236,004 thousand.", "$3,236,004 thousand", "off_period"),
        ("Net sales in 2019 were $67,994 thousand.", "$67,994 thousand", "off_metric"),
        ("Net sales in 2019 were $3,440,258 million.", "$3,440,258 million", "scale"),
        ("Net sales in 2019 were €3,440,258 thousand.", "€3,440,258 thousand", "not_found"),
        (
            "The change in operating income between 2018 and 2019 was $38,294 thousand.",
            "$38,294 thousand",
            "derived",
        ),
        (
            "The change in operating income between 2018 and 2019 was -$38,294 thousand.",
            "-$38,294 thousand",
            "sign",
        ),
        ("The percentage change in net sales from 2018 to 2019 was 6.31%.", "6.31%", "derived"),
    ],
)
@pytest.mark.requirement("NUM-06")
def test_a_table_supports_a_number_only_in_its_own_row_column_and_scale(
    answer: str, claimed: str, code: str
) -> None:
    assert from_documents(answer, TABLE)[claimed].code == code


def test_a_derived_number_shows_its_arithmetic() -> None:
    found = from_documents(
        "The change in operating income between 2018 and 2019 was $38,294 thousand.", TABLE
    )
    assert "67,994,000 − 29,700,000" in found["$38,294 thousand"].reason


@pytest.mark.requirement("NUM-14")
def test_a_repeated_number_is_compared_once() -> None:
    subject = case("NOI was $1,234,567.89. NOI was $1,234,567.89.")
    measured = list(numeric.measure(Context(subject, claims.read(subject))).claims.values())
    assert len(measured) == 2
    assert measured[0] is measured[1]


def test_every_code_has_a_reason_and_a_status() -> None:
    found = judged(case("NOI was $" + "9" * 400 + " or 1e308%."))
    assert all(finding.code in numeric.REASONS and finding.reason for finding in found.values())


@pytest.mark.requirement("NUM-05")
def test_many_figures_of_record_are_looked_through_once() -> None:
    """Each figure is compared with the number, never with every other figure."""
    compared = 0

    class Counted(Figure):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return self is other

        __hash__ = Figure.__hash__

    many = tuple(
        Counted("IncomeStatementData", n, f"4{n:04}", f"Line {n}", "currency", Decimal(n), "USD", "OAK", "Q3 2024", Q3.start, Q3.end, "")
        for n in range(1, 301)
    )  # fmt: skip
    found = judged(case("It cost $299.", figures=many))["$299"]
    assert (found.code, found.matched.value if found.matched else None) == ("unbound", Decimal(299))
    assert compared == 0
