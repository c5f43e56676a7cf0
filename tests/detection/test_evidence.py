"""Rows into a case: the right figures, in a fixed number of queries, and never support from a failure."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError

from detection import evidence
from detection.models import FinancialMetrics, FinancialPeriod, IncomeStatementData, MetricAlias

pytestmark = pytest.mark.django_db


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
    for answer in ("NOI was $1.", "NOI was $1,234,567.89 and occupancy 85.5%. " * 50):
        with django_assert_num_queries(7):
            build(quarter, answer=answer)


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
    monkeypatch.setattr(evidence, "MOST_LINES", 2)
    found = [(figure.field, figure.period) for figure in build(quarter).figures if figure.kind == "currency"]
    noi, rent = "net_operating_income", "4000"
    assert found == [(noi, "Q3 2024"), (noi, "FY 2026"), (rent, "Q3 2024"), (rent, "FY 2026")]
    assert len(build(quarter, period=None).figures) == 4


def test_without_figures_only_names_are_looked_up(
    quarter: FinancialPeriod, django_assert_num_queries: Any
) -> None:
    assert quarter.property.code == "OAK"
    with django_assert_num_queries(4):
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


def test_without_a_property_nothing_is_looked_up(
    quarter: FinancialPeriod, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        case = build(None)
    assert (case.database, case.figures) == ("not_asked", ())


@pytest.mark.requirement("NUM-12")
def test_a_database_failure_leaves_no_figures_and_says_so(
    quarter: FinancialPeriod, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_named: object) -> Any:
        raise DatabaseError("gone")

    monkeypatch.setattr(FinancialMetrics.objects, "filter", broken)
    case = build(quarter)
    assert (case.database, case.figures, case.property) == ("unavailable", (), "OAK")
