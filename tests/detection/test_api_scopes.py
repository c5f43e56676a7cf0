"""Who may do what: every scope against every endpoint, and whose properties are seen (SEC-1, SEC-2, SEC-7)."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User

from detection.models import (
    Answer,
    FinancialMetrics,
    FinancialPeriod,
    IncomeStatementData,
    Property,
    PropertyGroup,
    ThresholdProfile,
)
from reviews.models import HallucinationReview
from tests.access_table import API
from tests.api_calls import WRONG, Caller, body, drain, faults, portfolio

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]


@pytest.mark.parametrize("scope", ["submit", "read", "review", "admin"])
def test_a_scope_opens_its_endpoints_and_no_other(scope: str) -> None:
    caller = Caller(scope)
    for (method, path), opening in API.items():
        pk = str(uuid.uuid4()) if path.startswith("answers/ID") else "987654321"
        status = caller.call(method, path.replace("ID", pk).replace("<slug:tile>", "open"), {}).status_code
        assert (status != 403) == bool({scope} & opening or scope == "admin"), (method, path, status)
        assert status < 500, (method, path)


def test_the_schema_and_its_page_are_open_to_everybody() -> None:
    for path in ("schema/", "docs/"):
        assert Caller(key=None).get(path).status_code == 200


@pytest.fixture
def elm() -> Property:
    """Another property with everything that a property can have."""
    elm = Property.objects.create(code="ELM", name="Elm Court")
    quarter = FinancialPeriod.objects.create(
        property=elm, label="Q3 2024", start="2024-07-01", end="2024-09-30"
    )
    FinancialMetrics.objects.create(period=quarter, net_operating_income="500000")
    IncomeStatementData.objects.create(period=quarter, account_code="4000", account_name="Rent", amount="1")
    return elm


def reviewed(**about: Any) -> HallucinationReview:
    response = Caller("submit").post("answers/", body(WRONG, **about))
    assert response.status_code == 202
    drain()
    review = HallucinationReview.objects.filter(answer=response.json()["id"]).first()
    assert review is not None
    return review


def test_what_belongs_to_a_foreign_property_is_not_there(elm: Property, reviewer: User) -> None:
    oak = portfolio()
    review = reviewed(property="ELM")
    caller = Caller("submit", "read", "review", "admin", user=reviewer).bound_to(oak)
    quarter = FinancialPeriod.objects.get(property=elm)
    foreign = {
        "properties": elm.pk,
        "periods": quarter.pk,
        "financial-metrics": quarter.metrics.pk,
        "income-statements": quarter.statement_lines.get().pk,
        "answers": review.answer_id,
        "reviews": review.pk,
    }
    for method, path in API:
        name = path.split("/")[0]
        if "ID" in path and name in foreign:
            faults(caller.call(method, path.replace("ID", str(foreign[name])), {}), 404)
    for name, pk in foreign.items():
        assert pk not in [row["id"] for row in caller.get(f"{name}/").json()["results"]]
        assert caller.get(f"answers/?property={elm.pk}").json()["results"] == []
    assert Property.objects.filter(code="ELM").exists()


def test_a_bound_key_cannot_submit_for_another_property(elm: Property) -> None:
    caller = Caller("submit").bound_to(portfolio())
    for named in ("ELM", elm.pk):
        message = faults(caller.post("answers/", body(property=named)))["property"]
        assert message.endswith("Nearest: OAK.")
    foreign = FinancialPeriod.objects.get(property=elm).pk
    assert list(faults(caller.post("answers/", body(property=None, period=foreign)))) == ["period"]
    assert Answer.objects.count() == 0


def test_a_bound_key_sees_of_answers_without_property_only_its_own() -> None:
    caller = Caller("submit", "read").bound_to(portfolio())
    mine = caller.post("answers/", {"answer": "x"}).json()["id"]
    theirs = Caller("submit").post("answers/", {"answer": "x"}).json()["id"]
    assert [row["id"] for row in caller.get("answers/").json()["results"]] == [mine]
    faults(caller.get(f"answers/{theirs}/"), 404)


def test_a_bound_key_writes_figures_of_its_properties_only(elm: Property) -> None:
    oak = portfolio()
    caller = Caller("admin").bound_to(oak)
    faults(caller.post("properties/", {"code": "NEW", "name": "New"}), 403)
    assert list(faults(caller.post("properties:bulk", [{"code": "NEW", "name": "New"}]))) == ["[0].code"]
    assert list(faults(caller.post("properties:bulk", [{"code": "ELM", "name": "Mine now"}]))) == ["[0].code"]
    dates = {"start": "2024-01-01", "end": "2024-03-31"}
    assert list(faults(caller.post("periods/", {"property": "ELM", "label": "Q1", **dates}))) == ["property"]
    assert list(faults(caller.post("periods:bulk", [{"property": "ELM", "label": "Q1", **dates}]))) == [
        "[0].property"
    ]
    quarter = FinancialPeriod.objects.get(property=oak)
    moved = caller.call("PATCH", f"periods/{quarter.pk}/", {"property": "ELM"})
    assert list(faults(moved)) == ["property"]
    assert caller.post("periods:bulk", [{"property": "OAK", "label": "Q1 2024", **dates}]).status_code == 200
    elm.refresh_from_db()
    assert elm.name == "Elm Court"


def test_taking_a_property_away_works_on_the_next_request() -> None:
    oak = portfolio()
    caller = Caller("read", "submit").bound_to(oak)
    pk = caller.post("answers/", body()).json()["id"]
    assert caller.get(f"answers/{pk}/").status_code == 200
    caller.bound_to(Property.objects.create(code="ELM", name="Elm"))
    faults(caller.get(f"answers/{pk}/"), 404)


def test_a_reviewers_key_sees_no_more_than_the_reviewer(elm: Property, reviewer: User, senior: User) -> None:
    group = PropertyGroup.objects.create(name="Elm's people")
    elm.groups.add(group)
    group.members.add(senior)
    review = reviewed(property="ELM")
    faults(Caller("review", user=reviewer).post(f"reviews/{review.pk}/take/"), 404)
    assert Caller("review", user=senior).post(f"reviews/{review.pk}/take/").status_code == 200


@pytest.mark.parametrize(
    "given", [{"version": 99}, {"state": "active"}, {"activated_at": "2024-01-01"}, {"id": 1}]
)
def test_what_the_system_sets_cannot_be_sent(given: dict[str, Any]) -> None:
    created = Caller("admin").post("threshold-profiles/", {"values": {}, **given}).json()
    profile = ThresholdProfile.objects.get(pk=created["id"])
    assert (profile.state, profile.activated_at, profile.version) == ("draft", None, 2)


def test_an_answer_is_what_was_sent_of_it_and_nothing_that_the_system_sets() -> None:
    portfolio()
    caller, other = Caller("submit"), Caller("submit")
    sets = {
        "id": str(uuid.uuid4()), "status": "completed", "state": "completed", "created_at": "2001-01-01T00:00:00Z", "run": 7,
        "submitted_by": other.row.pk, "submitted_for": 1, "verdict": {"risk_level": "low"}, "risk_level": "low", "result": {},
        "needs_review": False, "finished_at": "2001-01-01T00:00:00Z", "erased_by": 1, "attempts": 99,
    }  # fmt: skip
    assert caller.post("answers/", body(**sets)).status_code == 202
    answer = Answer.objects.get()
    assert (str(answer.pk) == sets["id"], answer.submitted_by, answer.created_at.year == 2001) == (
        False,
        caller.row,
        False,
    )
    run = answer.runs.get()
    assert (run.state, run.finished_at, run.attempts, run.result) == ("queued", None, 0, None)
