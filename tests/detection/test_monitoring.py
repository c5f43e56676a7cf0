"""The four rates over time (CIT-11): what counts, in whose answers, over which days."""

from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from detection.models import Answer, DetectionRun, MonitoredRun, Property
from detection.observing import monitoring
from tests.api_calls import TRUE, Caller, body, drain, faults, portfolio

pytestmark = [pytest.mark.postgres, pytest.mark.django_db, pytest.mark.requirement("CIT-11")]

MONDAY = date(2024, 9, 2)
CITED = "The tenant of the tower renewed its lease [S0]."
INVALID = "The tenant of the tower renewed its lease [S7]."
UNCITED = "The roof garden of the tower was opened by the mayor in the spring of last year."


@pytest.fixture
def backend() -> Caller:
    portfolio()
    return Caller("submit", "read")


def judged(backend: Caller, text: str, on: date = MONDAY, **fields: Any) -> MonitoredRun:
    """An answer that was judged on a day."""
    pk = backend.post("answers/", body(text, **fields)).json()["id"]
    drain()
    kept = MonitoredRun.objects.get(run__answer=pk)
    MonitoredRun.objects.filter(pk=kept.pk).update(finished_on=on)
    return kept


def rates(backend: Caller, **params: str) -> dict[str, Any]:
    query = "&".join(f"{name}={value}" for name, value in params.items())
    response = backend.get(f"monitoring/?{query}")
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()
    return found


SEPTEMBER = {"from": "2024-09-01", "to": "2024-09-30"}


def test_each_rate_stands_beside_the_number_of_things_it_is_over(backend: Caller) -> None:
    good = judged(backend, CITED)
    bad = judged(backend, f"{INVALID} {UNCITED}")
    total = rates(backend, **SEPTEMBER)["total"]
    assert total["answers"] == 2
    assert total["mean_risk"] == {"value": round((good.risk_score + bad.risk_score) / 2, 4), "n": 2}
    assert total["high_risk"] == {"value": 0.5, "n": 2}
    assert total["invalid_citations"] == {"value": 0.5, "n": 2}
    assert total["uncited_claims"] == {"value": 0.3333, "n": 3}


def test_citations_count_only_where_they_are_expected(backend: Caller) -> None:
    kept = judged(backend, UNCITED)
    assert (kept.cited, kept.cited_invalid, kept.claims, kept.claims_uncited) == (None,) * 4
    total = rates(backend, **SEPTEMBER)["total"]
    assert total["answers"] == 1
    assert total["uncited_claims"] == total["invalid_citations"] == {"value": None, "n": 0}


def test_without_data_every_rate_is_unknown_and_none_is_zero(backend: Caller) -> None:
    found = rates(backend, **SEPTEMBER)
    nothing = {"value": None, "n": 0}
    for period in [found["total"], *found["periods"]]:
        assert period["answers"] == 0
        assert [period[name] for name in ("mean_risk", "high_risk", "invalid_citations", "uncited_claims")] == [nothing] * 4  # fmt: skip


def test_weeks_begin_on_monday_and_leave_no_day_out(backend: Caller) -> None:
    judged(backend, CITED, on=date(2024, 9, 1))
    judged(backend, CITED, on=date(2024, 9, 2))
    judged(backend, CITED, on=date(2024, 9, 8))
    periods = rates(backend, **SEPTEMBER)["periods"]
    assert [(p["start"], p["end"], p["answers"]) for p in periods] == [
        ("2024-09-01", "2024-09-01", 1),
        ("2024-09-02", "2024-09-08", 2),
        ("2024-09-09", "2024-09-15", 0),
        ("2024-09-16", "2024-09-22", 0),
        ("2024-09-23", "2024-09-29", 0),
        ("2024-09-30", "2024-09-30", 0),
    ]
    days = rates(backend, every="day", **SEPTEMBER)["periods"]
    assert len(days) == 30
    assert [p["answers"] for p in days[:3]] == [1, 1, 0]


def test_what_was_judged_today_is_there_at_once(backend: Caller) -> None:
    backend.post("answers/", body(TRUE))
    drain()
    found = rates(backend)
    assert found["total"]["answers"] == 1
    assert found["every"] == "week"
    first, last = date.fromisoformat(found["total"]["start"]), date.fromisoformat(found["total"]["end"])
    assert last - first == timedelta(days=83)


def test_rates_are_narrowed_by_property_model_and_language(backend: Caller) -> None:
    judged(backend, CITED, model="writer-1")
    judged(backend, "הדייר חידש את חוזה השכירות שלו לעשר שנים [S0].", property=None, period=None)
    for params, answers in (
        ({"property": "OAK"}, 1),
        ({"property": "ELM"}, 0),
        ({"model": "writer-1"}, 1),
        ({"language": "he"}, 1),
        ({"language": "en"}, 1),
        ({"language": "he", "model": "writer-1"}, 0),
        ({"language": ""}, 2),
    ):
        assert rates(backend, **SEPTEMBER, **params)["total"]["answers"] == answers, params


def test_a_key_bound_to_properties_sees_only_theirs(backend: Caller) -> None:
    judged(backend, CITED)
    judged(backend, CITED, property=None, period=None)
    elm = Property.objects.create(code="ELM", name="Elm Court")
    elsewhere = Caller("read").bound_to(elm)
    here = Caller("read").bound_to(Property.objects.get(code="OAK"))
    assert [rates(who, **SEPTEMBER)["total"]["answers"] for who in (backend, here, elsewhere)] == [2, 1, 0]
    assert rates(elsewhere, **SEPTEMBER, property="OAK")["total"]["answers"] == 0


def test_only_live_runs_count_and_each_once(backend: Caller) -> None:
    kept = judged(backend, CITED)
    backend.post(f"answers/{kept.run.answer_id}/rescreen/")
    drain()
    assert kept.run.answer.runs.count() == 2
    assert MonitoredRun.objects.count() == 1
    assert MonitoredRun.keep(kept.run, None) == kept


def test_an_answer_that_nobody_finished_is_not_counted(backend: Caller) -> None:
    backend.post("answers/", body(TRUE))
    assert MonitoredRun.keep(DetectionRun.objects.get(), None) is None
    assert rates(backend)["total"]["answers"] == 0


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"from": "yesterday"}, "from"),
        ({"from": "2024-09-30", "to": "2024-09-01"}, "from"),
        ({"from": "2023-01-01", "to": "2024-09-01"}, "from"),
        ({"to": "0001-01-01"}, "to"),
        ({"every": "month"}, "every"),
    ],
)
def test_days_that_make_no_stretch_are_named(backend: Caller, params: dict[str, str], field: str) -> None:
    query = "&".join(f"{name}={value}" for name, value in params.items())
    assert {*faults(backend.get(f"monitoring/?{query}"))} == {field}


def test_a_year_of_days_is_one_query(backend: Caller) -> None:
    judged(backend, CITED)
    rows = MonitoredRun.objects.all()
    with CaptureQueriesContext(connection) as asked:
        days = monitoring.by_day(rows, date(2024, 1, 1), date(2024, 12, 31))
        assert len(monitoring.stretches(days, date(2024, 1, 1), date(2024, 12, 31), "day")) == 366
    assert len(asked) == 1


def test_runs_that_finished_before_are_filled_in_from_their_results(backend: Caller) -> None:
    for text in (CITED, f"{INVALID} {UNCITED}", UNCITED):
        judged(backend, text)
    before = list(MonitoredRun.objects.order_by("pk").values())
    days = {
        run.pk: run.finished_at.astimezone(UTC).date()
        for run in DetectionRun.objects.all()
        if run.finished_at
    }
    MonitoredRun.objects.all().delete()
    import_module("detection.migrations.0012_monitored_runs").fill(apps, None)
    filled = list(MonitoredRun.objects.order_by("pk").values())
    assert filled == [{**row, "finished_on": days[row["run_id"]]} for row in before]


def test_filling_goes_on_where_a_batch_ends(backend: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    migration = import_module("detection.migrations.0012_monitored_runs")
    monkeypatch.setattr(migration, "BATCH", 2)
    for _ in range(5):
        judged(backend, CITED)
    MonitoredRun.objects.all().delete()
    migration.fill(apps, None)
    assert MonitoredRun.objects.count() == Answer.objects.count() == 5


def test_no_more_citations_are_invalid_than_there_are(backend: Caller) -> None:
    kept = judged(backend, CITED)
    kept.cited_invalid = 5
    with pytest.raises(ValidationError, match="invalid_citations_are_cited"):
        kept.validate_constraints()


def test_the_day_is_the_day_in_utc(backend: Caller) -> None:
    kept = judged(backend, CITED)
    run = kept.run
    run.finished_at = datetime.fromisoformat("2024-09-03T01:30:00+03:00")
    kept.delete()
    again = MonitoredRun.keep(run, None)
    assert again is not None
    assert again.finished_on == MONDAY
