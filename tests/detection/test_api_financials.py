"""The figures of record come in over HTTP, one by one or in bulk, all or nothing (APP-04)."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from detection.models import Answer, FinancialMetrics, FinancialPeriod, IncomeStatementData, Property
from tests.api_calls import WRONG, Caller, body, drain, faults, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]
DATES = {"start": "2024-10-01", "end": "2024-12-31"}


@pytest.fixture
def keeper() -> Caller:
    portfolio()
    return Caller("admin")


def test_a_property_is_made_read_changed_and_deleted(keeper: Caller) -> None:
    made = keeper.post("properties/", {"code": "ELM", "name": "Elm Court", "currency": "ILS"})
    assert made.status_code == 201
    pk = made.json()["id"]
    assert keeper.get(f"properties/{pk}/").json() == {
        "id": pk,
        "code": "ELM",
        "name": "Elm Court",
        "currency": "ILS",
        "fiscal_year_end_month": None,
    }
    assert keeper.call("PATCH", f"properties/{pk}/", {"fiscal_year_end_month": 13}).status_code == 422
    assert keeper.call("PATCH", f"properties/{pk}/", {"fiscal_year_end_month": 9}).status_code == 200
    assert keeper.get(f"properties/{pk}/").json()["fiscal_year_end_month"] == 9
    assert keeper.call("PATCH", f"properties/{pk}/", {"name": "Elm"}).json()["name"] == "Elm"
    assert keeper.call("DELETE", f"properties/{pk}/").status_code == 204
    faults(keeper.get(f"properties/{pk}/"), 404)


def test_periods_figures_and_lines_hang_together(keeper: Caller) -> None:
    period = keeper.post("periods/", {"property": "OAK", "label": "Q4 2024", **DATES}).json()
    metrics = keeper.post(
        "financial-metrics/", {"period": period["id"], "net_operating_income": "1300000.5"}
    ).json()
    line = keeper.post(
        "income-statements/",
        {"period": period["id"], "account_code": "4000", "account_name": "Rent", "amount": "10.25"},
    ).json()
    assert (metrics["property"], metrics["period_label"], metrics["net_operating_income"]) == (
        "OAK",
        "Q4 2024",
        "1300000.50",
    )
    assert metrics["dscr"] is None
    assert (line["property"], line["amount"]) == ("OAK", "10.25")
    assert keeper.get("financial-metrics/?period__label=Q4%202024").json()["results"] == [metrics]


@pytest.mark.parametrize(
    ("path", "wrong", "field"),
    [
        ("properties/", {"code": "OAK", "name": "Again"}, "code"),
        ("properties/", {"code": "ELM", "name": "E", "currency": "usd"}, "currency"),
        ("properties/", {"code": "x" * 41, "name": "E"}, "code"),
        ("properties/", {"code": "ELM", "name": 5}, "name"),
        ("properties/", {"code": "ELM", "name": "E", "fiscal_year_end_month": "9"}, "fiscal_year_end_month"),
        ("periods/", {"property": "OAK", "label": "Q3 2024", **DATES}, "body"),
        ("periods/", {"property": "ELM", "label": "Q4", **DATES}, "property"),
        ("periods/", {"property": "OAK", "label": "Q4", "start": "2024-12-31", "end": "2024-10-01"}, "end"),
        ("financial-metrics/", {"period": 2**70}, "period"),
        ("financial-metrics/", {"period": True}, "period"),
        ("financial-metrics/", {"period": "1"}, "period"),
        ("properties/", {"code": "ELM", "name": "E" + " " * 200}, "name"),
        ("properties:bulk", [{"code": 5, "name": "E"}], "[0].code"),
        ("properties:bulk", [{"code": "ELM", "name": 5}], "[0].name"),
        (
            "properties:bulk",
            [{"code": "ELM", "name": "E", "fiscal_year_end_month": "9"}],
            "[0].fiscal_year_end_month",
        ),
        ("periods:bulk", [{"property": "OAK", "label": 5, **DATES}], "[0].label"),
        ("financial-metrics:bulk", [{"property": "OAK", "period": 5}], "[0].period"),
        (
            "income-statements:bulk",
            [{"property": "OAK", "period": "Q3 2024", "account_code": 5, "account_name": "n", "amount": 1}],
            "[0].account_code",
        ),
        (
            "income-statements/",
            {"period": 2**70, "account_code": "1", "account_name": "n", "amount": 1},
            "period",
        ),
    ],
)
def test_a_wrong_value_is_named(keeper: Caller, path: str, wrong: Any, field: str) -> None:
    assert list(faults(keeper.post(path, wrong))) == [field]


def test_a_number_is_no_code_of_a_property(keeper: Caller) -> None:
    keeper.post("properties/", {"code": "5", "name": "Five"})
    faults(keeper.post("periods/", {"property": 5, "label": "Q4", **DATES}))
    assert keeper.post("periods/", {"property": "5", "label": "Q4", **DATES}).status_code == 201


@pytest.mark.parametrize(
    "value", [2**70, "9" * 30, "NaN", "Infinity", "1e400", "abc", True, [1], {"a": 1}, "1.234567891"]
)
def test_a_figure_beyond_its_column_is_refused(keeper: Caller, value: Any) -> None:
    quarter = FinancialPeriod.objects.get()
    keeper.call("DELETE", f"financial-metrics/{quarter.metrics.pk}/")
    for path, row in (
        ("financial-metrics/", {"period": quarter.pk, "net_operating_income": value}),
        ("financial-metrics:bulk", [{"property": "OAK", "period": "Q3 2024", "net_operating_income": value}]),
        (
            "income-statements:bulk",
            [
                {
                    "property": "OAK",
                    "period": "Q3 2024",
                    "account_code": "1",
                    "account_name": "n",
                    "amount": value,
                }
            ],
        ),
    ):
        faults(keeper.post(path, row))
    assert (FinancialMetrics.objects.count(), IncomeStatementData.objects.count()) == (0, 0)


def test_a_period_has_its_figures_once(keeper: Caller) -> None:
    quarter = FinancialPeriod.objects.get()
    assert list(faults(keeper.post("financial-metrics/", {"period": quarter.pk}))) == ["period"]
    assert (
        keeper.call("PATCH", f"financial-metrics/{quarter.metrics.pk}/", {"period": quarter.pk}).status_code
        == 200
    )


def test_a_period_cannot_be_turned_round_by_half(keeper: Caller) -> None:
    quarter = FinancialPeriod.objects.get()
    assert list(faults(keeper.call("PATCH", f"periods/{quarter.pk}/", {"start": "2025-01-01"}))) == ["end"]
    rows = [{"property": "OAK", "label": "Q3 2024", "start": "2025-01-01"}]
    assert list(faults(keeper.post("periods:bulk", rows))) == ["[0].end"]


def test_what_answers_rest_on_cannot_be_deleted(keeper: Caller) -> None:
    Caller("submit").post("answers/", body())
    faults(keeper.call("DELETE", f"properties/{Property.objects.get().pk}/"), 409)
    faults(keeper.call("DELETE", f"periods/{FinancialPeriod.objects.get().pk}/"), 409)
    assert Answer.objects.count() == 1


def test_bulk_rows_are_made_changed_or_left(keeper: Caller) -> None:
    def sent(path: str, rows: list[Any]) -> Any:
        response = keeper.post(path, rows)
        assert response.status_code == 200, response.content
        return tuple(response.json()[name] for name in ("created", "changed", "unchanged"))

    assert sent("properties:bulk", [{"code": "OAK"}, {"code": "ELM", "name": "Elm"}]) == (1, 0, 1)
    periods = [{"property": code, "label": "Q4 2024", **DATES} for code in ("OAK", "ELM")]
    assert sent("periods:bulk", [*periods, {"property": "OAK", "label": "Q3 2024"}]) == (2, 0, 1)
    figures = [
        {"property": "OAK", "period": "Q3 2024", "occupancy_rate": "90"},
        {"property": "ELM", "period": "Q4 2024", "dscr": "1.25"},
    ]
    before = FinancialMetrics.objects.get().updated_at
    assert sent("financial-metrics:bulk", figures) == (1, 1, 0)
    assert sent("financial-metrics:bulk", figures) == (0, 0, 2)
    oak = FinancialMetrics.objects.get(period__property__code="OAK")
    assert (str(oak.net_operating_income), str(oak.occupancy_rate)) == ("1234567.89", "90.000000")
    assert oak.updated_at > before
    lines = [
        {
            "property": "ELM",
            "period": "Q4 2024",
            "account_code": "4000",
            "account_name": "Rent",
            "amount": "1",
        }
    ]
    assert sent("income-statements:bulk", lines) == (1, 0, 0)
    assert sent("income-statements:bulk", [{**lines[0], "amount": "2"}]) == (0, 1, 0)


def test_one_bad_row_keeps_all_out_and_every_bad_row_is_named(keeper: Caller) -> None:
    rows: list[Any] = [
        {"code": "ELM", "name": "Elm"},
        {"code": "ASH"},
        {"name": "No code"},
        {"code": "FIR", "name": "Fir", "currency": "dollars"},
        "not a row",
        {"code": "ELM", "name": "Elm again"},
    ]
    assert sorted(faults(keeper.post("properties:bulk", rows))) == [
        "[1].name",
        "[2].code",
        "[3].currency",
        "[4].row",
        "[5].code",
    ]
    assert list(Property.objects.values_list("code", flat=True)) == ["OAK"]


def test_unknown_names_in_bulk_come_with_the_nearest(keeper: Caller) -> None:
    rows = [{"property": "OKA", "period": "Q3 2024"}]
    assert "Nearest: OAK" in faults(keeper.post("financial-metrics:bulk", rows))["[0].property"]
    rows = [{"property": "OAK", "period": "Q3 2042"}]
    assert "Nearest: Q3 2024" in faults(keeper.post("financial-metrics:bulk", rows))["[0].period"]


@pytest.mark.parametrize("sent", [{}, {"code": "ELM"}, None, "x", [1] * 20_001])
def test_bulk_takes_a_list(keeper: Caller, sent: Any) -> None:
    faults(keeper.post("properties:bulk", sent))


def test_a_hundred_rows_cost_the_queries_of_one(keeper: Caller) -> None:
    def cost(count: int) -> int:
        rows = [
            {"property": "OAK", "period": "Q3 2024", "account_code": str(n), "account_name": "n", "amount": n}
            for n in range(count)
        ]
        with CaptureQueriesContext(connection) as queries:
            assert keeper.post("income-statements:bulk", rows).status_code == 200
        return len(queries)

    cost(1)
    assert cost(1) + 2 >= cost(100)


def test_a_figure_sent_now_judges_the_next_answer(keeper: Caller) -> None:
    rows = [{"property": "OAK", "period": "Q3 2024", "net_operating_income": "1324567.89"}]
    assert keeper.post("financial-metrics:bulk", rows).status_code == 200
    pk = keeper.post("answers/", body(WRONG, sources=[])).json()["id"]
    drain()
    claims = keeper.get(f"answers/{pk}/").json()["claims"]
    assert [c["status"] for c in claims if c["kind"] == "currency"] == ["supported"]


@pytest.mark.parametrize("pk", [2**70, 0, 2_000_000_000])
def test_an_id_that_nothing_has_is_a_404(keeper: Caller, pk: int) -> None:
    for name in (
        "properties",
        "periods",
        "financial-metrics",
        "income-statements",
        "threshold-profiles",
        "reviews",
    ):
        faults(keeper.get(f"{name}/{pk}/"), 404)
