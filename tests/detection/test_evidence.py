"""Rows into a case: the right figures, in a fixed number of queries, and never support from a failure."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from detection.access import seen_by_all
from detection.core import claims
from detection.core.context import Context
from detection.core.matching import numeric
from detection.core.types import Source
from detection.models import (
    ApiKey,
    FinancialMetrics,
    FinancialPeriod,
    IncomeStatementData,
    MetricAlias,
    Property,
    PropertyGroup,
)
from detection.runs import evidence, figures

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]


@pytest.fixture
def quarter(make_period: Callable[..., FinancialPeriod]) -> FinancialPeriod:
    period = make_period("OAK", "Q3 2024")
    period.refresh_from_db()
    FinancialMetrics.objects.create(
        period=period, net_operating_income=Decimal("1234567.89"), occupancy_rate=Decimal("85.5")
    )
    IncomeStatementData.objects.create(
        period=period, account_code="4000", account_name="Rental income", amount=Decimal(2000000)
    )
    return period


def build(quarter: FinancialPeriod | None, **changes: Any) -> Any:
    about = quarter.property if quarter else None
    return evidence.build(
        **{"answer": "NOI was $1.", "sources": (), "about": about, "period": quarter, **changes}
    )


@pytest.mark.requirement("NUM-05")
def test_every_filled_column_and_statement_line_is_a_figure(quarter: FinancialPeriod) -> None:
    case = build(quarter)
    figures = {figure.field: (figure.kind, figure.value, figure.unit) for figure in case.figures}
    assert figures == {
        "net_operating_income": ("currency", Decimal("1234567.89"), "USD"),
        "occupancy_rate": ("percentage", Decimal("85.5"), "%"),
        "4000": ("currency", Decimal(2000000), "USD"),
    }
    assert (case.database, case.property, case.period.label) == ("ok", "OAK", "Q3 2024")


@pytest.mark.requirement("NUM-05")
def test_queries_do_not_grow_with_the_answer(
    quarter: FinancialPeriod, django_assert_num_queries: Any
) -> None:
    assert quarter.property.code == "OAK"
    for sentences in (1, 500):
        with django_assert_num_queries(8):
            case = build(quarter, answer="NOI was $1,234,567.89 at OAK. " * sentences)
        with django_assert_num_queries(0):
            read = claims.read(case)
            found = numeric.decide(numeric.measure(Context(case, read)), Context()).findings
        assert [finding.status for finding in found] == ["supported"] * sentences


@pytest.mark.requirement("NUM-05")
def test_the_asked_for_period_is_looked_up_first_however_many_are_newer(
    quarter: FinancialPeriod, monkeypatch: pytest.MonkeyPatch
) -> None:
    for year in (2025, 2026):
        newer = FinancialPeriod.objects.create(
            property=quarter.property, label=f"FY {year}", start=date(year, 1, 1), end=date(year, 12, 31)
        )
        FinancialMetrics.objects.create(period=newer, net_operating_income=Decimal(year))
        IncomeStatementData.objects.create(
            period=newer, account_code="4000", account_name="Rental income", amount=Decimal(year)
        )
    monkeypatch.setattr(evidence, "MOST_ROWS", 2)
    monkeypatch.setattr(figures, "MOST_LINES", 2)
    found = [(figure.field, figure.period) for figure in build(quarter).figures if figure.kind == "currency"]
    noi, rent = "net_operating_income", "4000"
    assert found == [(noi, "Q3 2024"), (noi, "FY 2026"), (rent, "Q3 2024"), (rent, "FY 2026")]
    assert len(build(quarter, period=None).figures) == 4


def test_without_figures_only_names_are_looked_up(
    quarter: FinancialPeriod, django_assert_num_queries: Any
) -> None:
    assert quarter.property.code == "OAK"
    with django_assert_num_queries(5):
        case = build(quarter, figures=False)
    assert (case.figures, case.property, case.database) == ((), "OAK", "ok")
    assert {alias.text for alias in case.aliases} == {"Rental income"}


def test_neighbours_are_there_to_recognise_slips(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    other = make_period("MILL", "Q3 2024")
    FinancialMetrics.objects.create(period=other, dscr=Decimal("1.4"))
    assert {figure.property for figure in build(quarter).figures} == {"OAK", "MILL"}


def test_account_names_and_admin_aliases_name_metrics(quarter: FinancialPeriod) -> None:
    MetricAlias.objects.create(metric="net_operating_income", language="en", text="house profit")
    aliases = {(alias.text, alias.metric) for alias in build(quarter).aliases}
    assert aliases == {("house profit", "net_operating_income"), ("Rental income", "4000")}


def test_without_a_property_only_the_names_of_properties_are_looked_up(
    quarter: FinancialPeriod, django_assert_num_queries: Any
) -> None:
    build(None)
    with django_assert_num_queries(3):  # a savepoint, and the names
        case = build(None)
    assert (case.database, case.figures) == ("not_asked", ())


def name_of(code: str) -> tuple[str, str]:
    return code, code.title()


@pytest.mark.requirement("NUM-05")
def test_the_properties_an_answer_names_come_with_their_names_and_all_their_periods(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    for code in ("MILL", "ELM"):
        FinancialMetrics.objects.create(period=make_period(code), dscr=Decimal("1.4"))
        older = FinancialPeriod.objects.create(
            property=Property.objects.get(code=code),
            label="FY 2020",
            start=date(2020, 1, 1),
            end=date(2020, 12, 31),
        )
        FinancialMetrics.objects.create(period=older, dscr=Decimal("1.1"))
    case = build(quarter, answer="DSCR was higher than at mill.")
    assert [(named.property, named.name) for named in case.properties] == [
        (code, name) for code in ("OAK", "MILL") for name in name_of(code)
    ]
    assert {(f.property, f.period) for f in case.figures if f.property != "OAK"} == {
        ("MILL", "Q3 2024"), ("MILL", "FY 2020"), ("ELM", "Q3 2024"),
    }  # fmt: skip


@pytest.mark.requirement("NUM-05")
def test_the_years_an_answer_names_bring_the_figures_of_others_with_them(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    mill = make_period("MILL").property
    for year in (2022, 2023):
        older = FinancialPeriod.objects.create(
            property=mill, label=f"FY {year}", start=date(year, 1, 1), end=date(year, 12, 31)
        )
        FinancialMetrics.objects.create(period=older, dscr=Decimal("1.1"))
        IncomeStatementData.objects.create(
            period=older, account_code="4000", account_name="Rental income", amount=Decimal(year)
        )
    case = build(quarter, answer="DSCR was 1.1x in 2023, as in 2019.")
    found = {(figure.field, figure.period) for figure in case.figures if figure.property == "MILL"}
    assert found == {("dscr", "FY 2023"), ("4000", "FY 2023")}


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("called", "found"),
    [("Cedar Point", True), ("Cedar Point Apartments", True), ("Cedar", True), ("Point", False)],
)
def test_a_property_is_found_by_the_first_words_of_its_name(
    quarter: FinancialPeriod, called: str, found: bool
) -> None:
    Property.objects.create(code="C-17", name="Cedar Point Apartments")
    case = build(quarter, answer=f"NOI at {called} was $1.")
    assert ("C-17" in {named.property for named in case.properties}) is found


@pytest.mark.parametrize(
    ("said", "found"),
    [("NOI at Copper was $1.", True), ("COPPER: $1.", True), ("Output of copper grew.", False), ("noi at copper mill was $1.", True)],
)  # fmt: skip
def test_the_first_word_of_a_name_alone_names_it_only_where_it_is_written_as_one(
    quarter: FinancialPeriod, said: str, found: bool
) -> None:
    Property.objects.create(code="C-18", name="Copper Mill Inn")
    case = build(quarter, answer=said)
    assert ("C-18" in {named.property for named in case.properties}) is found


def test_a_name_without_a_letter_names_no_property(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    Property.objects.create(code="100", name="2024")
    case = build(quarter, answer="In 2024 there were 100 units.")
    assert {named.property for named in case.properties} == {"OAK"}


@pytest.mark.parametrize(
    ("said", "found"),
    [("NOI was $1.5 million.", set()), ("NOI at Millbrook rose.", set()), ("NOI at Mill's rose.", {"MILL"}), ("NOI (MILL): $2.", {"MILL"}), ("ה-NOI במרכז כרמל עלה", {"C-9"})],
)  # fmt: skip
def test_a_name_within_another_word_names_no_property(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod], said: str, found: set[str]
) -> None:
    """Else every answer in millions would be held against the figures of the Mill."""
    make_period("MILL")
    Property.objects.create(code="C-9", name="מרכז כרמל")
    assert {named.property for named in build(quarter, answer=said).properties} - {"OAK"} == found


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    "groups", [("",), ("OAK",), ("OAK", "MILL"), ("OAK,MILL",), ("OAK,MILL", "OAK"), ("MILL",)]
)
def test_only_properties_that_everybody_who_sees_this_one_sees_are_compared_with_it(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod], groups: tuple[str, ...]
) -> None:
    """What is found out about a property is read by all who see it."""
    FinancialMetrics.objects.create(period=make_period("MILL"), dscr=Decimal("1.4"))
    for number, codes in enumerate(groups):
        group = PropertyGroup.objects.create(name=f"Group {number}")
        group.properties.set(Property.objects.filter(code__in=codes.split(",")))
    case = build(quarter, answer="DSCR was 1.4x, as at MILL.")
    seen = groups in (("",), ("OAK",), ("OAK,MILL",))
    assert ("MILL" in {figure.property for figure in case.figures}) is seen
    assert ("MILL" in {named.property for named in case.properties}) is seen


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("bound", "seen"), [((), True), (("OAK",), False), (("OAK", "MILL"), True), (("MILL",), True)]
)
def test_a_key_bound_to_a_property_reads_no_figure_of_another(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod], bound: tuple[str, ...], seen: bool
) -> None:
    FinancialMetrics.objects.create(period=make_period("MILL"), dscr=Decimal("1.4"))
    key, _ = ApiKey.issue("portal", ["read"])
    key.properties.set(Property.objects.filter(code__in=bound))
    owners = {figure.property for figure in build(quarter, answer="DSCR was 1.4x, as at MILL.").figures}
    assert owners == {"OAK", *(["MILL"] if seen else [])}
    key.revoke()
    owners = {figure.property for figure in build(quarter, answer="DSCR was 1.4x, as at MILL.").figures}
    assert owners == {"OAK", "MILL"}


@pytest.mark.requirement("NUM-05")
def test_a_portfolio_of_any_size_is_compared_in_bounds(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        FinancialMetrics.objects.create(period=make_period(f"ELM{number}"), dscr=Decimal(1))
    monkeypatch.setattr(evidence, "MOST_ROWS", 4)
    monkeypatch.setattr(evidence, "MOST_NAMED", 2)
    answer = " ".join(f"ELM{number}" for number in range(6))
    case = build(quarter, answer=answer)
    assert {named.property for named in case.properties} == {"OAK", "ELM0", "ELM1"}
    assert len({figure.property for figure in case.figures}) == 4


@pytest.mark.requirement("NUM-12")
@pytest.mark.parametrize("error", [DatabaseError("gone"), InterfaceError("connection already closed")])
@pytest.mark.parametrize("rows", [FinancialMetrics, IncomeStatementData, Property])
def test_a_database_that_fails_midway_leaves_no_figures_and_nothing_supported(
    quarter: FinancialPeriod, error: Exception, rows: Any
) -> None:
    def broken(execute: Any, sql: str, *rest: Any) -> Any:
        if f'FROM "{rows._meta.db_table}"' in sql:
            raise error
        return execute(sql, *rest)

    assert quarter.property.code == "OAK"
    with connection.execute_wrapper(broken):
        case = build(quarter, answer="NOI was $1,234,567.89.")
    assert (case.database, case.figures, case.property) == ("unavailable", (), "OAK")
    measured = numeric.measure(Context(case, claims.read(case)))
    found = numeric.decide(measured, Context()).findings
    assert [(finding.status, finding.code) for finding in found] == [("unverified", "db_unavailable")]


@pytest.mark.requirement("NUM-12")
def test_a_period_without_figures_is_no_failure_and_no_support(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    FinancialMetrics.objects.all().update(net_operating_income=None)
    case = build(quarter, answer="NOI was $1,234,567.89.")
    found = numeric.decide(numeric.measure(Context(case, claims.read(case))), Context()).findings
    assert [(finding.status, finding.code) for finding in found] == [("unsupported", "not_found")]


# --- answers about no property ---


def named_figures(**changes: Any) -> set[str]:
    """The properties whose figures an answer about none is compared with."""
    case = build(None, **changes)
    assert case.property is None
    return {figure.property for figure in case.figures}


@pytest.mark.requirement("NUM-05")
def test_an_answer_without_a_property_is_compared_with_those_that_it_or_its_question_names(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    FinancialMetrics.objects.create(period=make_period("ELM"), net_operating_income=Decimal(5))
    assert quarter.property.code == "OAK"
    assert named_figures(answer="NOI of OAK was $1.") == {"OAK"}
    assert named_figures(answer="NOI was $1.", question="What was the NOI of ELM?") == {"ELM"}
    assert named_figures(answer="OAK beat ELM.") == {"OAK", "ELM"}
    assert named_figures(answer="NOI was $1.") == set()


@pytest.mark.requirement("NUM-05")
def test_an_answer_that_names_nothing_asks_for_nothing_more(quarter: FinancialPeriod) -> None:
    case = build(None, answer="NOI was $1,234,567.89.")
    assert (case.database, case.figures, case.periods, case.properties, case.aliases) == (
        "not_asked", (), (), (), ()
    )  # fmt: skip


@pytest.mark.requirement("NUM-05")
def test_the_figures_of_a_property_in_a_group_reach_no_answer_without_a_property(
    quarter: FinancialPeriod, make_user: Callable[..., Any]
) -> None:
    group = PropertyGroup.objects.create(name="Few")
    group.properties.add(quarter.property)
    group.members.add(make_user("member", "reviewer"))
    assert named_figures(answer="NOI of OAK was $1,234,567.89.") == set()
    case = build(None, answer="NOI of OAK was $1,234,567.89.")
    measured = numeric.measure(Context(case, claims.read(case)))
    (found,) = numeric.decide(measured, Context()).findings
    assert (found.status, found.matched) == ("unsupported", None)
    assert "1,234,567.89 USD (" not in found.reason
    assert (case.properties, case.aliases, case.periods) == ((), (), ())


@pytest.mark.requirement("NUM-05")
def test_an_answer_without_a_property_is_compared_with_what_every_bound_key_may_read(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    elm = make_period("ELM").property
    FinancialMetrics.objects.create(period=elm.periods.get(), net_operating_income=Decimal(5))
    said = {"answer": "OAK beat ELM."}
    first, _ = ApiKey.issue("first", ["read"])
    first.properties.add(quarter.property)
    assert named_figures(**said) == {"OAK"}
    second, _ = ApiKey.issue("second", ["read"])
    second.properties.add(elm)
    assert named_figures(**said) == set()
    second.properties.add(quarter.property)
    assert named_figures(**said) == {"OAK"}
    first.revoke()
    second.expires = timezone.now() - timedelta(days=1)
    second.save()
    assert named_figures(**said) == {"OAK", "ELM"}


def test_a_key_of_all_properties_and_one_of_none_narrow_nothing(quarter: FinancialPeriod) -> None:
    ApiKey.issue("free", ["read"], all_properties=True)
    ApiKey.issue("empty", ["read"])
    assert set(seen_by_all()) == {quarter.property}


@pytest.mark.requirement("SEC-7")
def test_what_a_key_of_no_property_asks_is_compared_with_no_figures(quarter: FinancialPeriod) -> None:
    assert quarter.property.code == "OAK"
    said = {"answer": "NOI of OAK was $1."}
    whole, _ = ApiKey.issue("free", ["read"], all_properties=True)
    empty, _ = ApiKey.issue("empty", ["read"])
    assert named_figures(**said, submitted_by=whole) == {"OAK"}
    assert named_figures(**said, submitted_by=empty) == set()
    assert named_figures(**said) == {"OAK"}


@pytest.mark.requirement("NUM-05")
@pytest.mark.parametrize(
    ("answer", "sources", "found"),
    [
        ("The portfolio earned NOI of $6 in Q3 2024.", (), {"OAK", "ELM"}),
        ("תיק הנכסים הניב NOI של 6 דולר ברבעון 3 2024.", (), {"OAK", "ELM"}),
        ("投资组合2024年第三季度的净营业收入为6美元。", (), {"OAK", "ELM"}),
        ("The portfolio earned NOI of $6 in Q3 2024.", (Source("S0", "NOI was $6."),), set()),
    ],
)
def test_an_answer_about_all_that_brings_no_source_is_compared_with_all(
    quarter: FinancialPeriod,
    make_period: Callable[..., FinancialPeriod],
    answer: str,
    sources: tuple[Source, ...],
    found: set[str],
) -> None:
    FinancialMetrics.objects.create(period=make_period("ELM"), net_operating_income=Decimal(5))
    assert quarter.property.code == "OAK"
    assert named_figures(answer=answer, sources=sources) == found


@pytest.mark.requirement("NUM-05")
def test_more_properties_than_are_compared_are_not_taken_for_all(
    quarter: FinancialPeriod, make_period: Callable[..., FinancialPeriod]
) -> None:
    for number in range(evidence.MOST_NAMED):
        make_period(f"ELM{number}")
    assert quarter.property.code == "OAK"
    assert named_figures(answer="The portfolio earned NOI of $6 in Q3 2024.") == set()
