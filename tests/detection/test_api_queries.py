"""A parameter that an address of the API does not read is refused, whichever address it is."""

import re
from typing import Any

import pytest
from django.test import Client

from detection.api.queries import KnownQuery
from detection.models.access import SCOPES
from tests.access_table import every_route
from tests.api_calls import Caller, faults

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]


def operations() -> list[tuple[str, str, list[Any]]]:
    """Method, path under ``/api/v1/`` and parameters of every operation of the schema."""
    schema: Any = (
        Client().get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"}).json()
    )
    return [
        (method.upper(), path.removeprefix("/api/v1/"), told.get("parameters", []))
        for path, methods in schema["paths"].items()
        for method, told in methods.items()
        if not path.endswith("/schema/")
    ]


def asked(caller: Caller, method: str, path: str, query: str) -> Any:
    some = re.sub(r"\{[^}]*\}", "1", path)
    return caller.call(method, f"{some}?{query}", {} if method in ("POST", "PUT", "PATCH") else None)


def test_every_operation_refuses_a_parameter_it_does_not_know(reviewer: Any) -> None:
    caller = Caller(*SCOPES, user=reviewer)
    for method, path, _ in operations():
        assert set(faults(asked(caller, method, path, "nonsense=1"))) == {"nonsense"}, (method, path)


def test_every_view_of_the_api_knows_its_parameters() -> None:
    views = {route: view for route, view in every_route() if route.startswith("api/v1/")}
    careless = {route for route, view in views.items() if not issubclass(view.cls, KnownQuery)}
    assert careless == {"api/v1/docs/"}  # a page
    assert len(views) > 40


def test_no_operation_refuses_what_its_schema_names(reviewer: Any) -> None:
    caller = Caller(*SCOPES, user=reviewer)
    for method, path, parameters in operations():
        for name in (each["name"] for each in parameters if each["in"] == "query"):
            answered = asked(caller, method, path, f"{name}=1")
            assert b"no such parameter" not in answered.content, (method, path, name)


def test_the_document_says_that_figures_may_be_numbers() -> None:
    schemas = Client().get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"}).json()
    told = schemas["components"]["schemas"]
    assert told["StatementLineRowRequest"]["properties"]["amount"]["type"] == ["string", "number"]
    assert told["MetricsRequest"]["properties"]["dscr"]["type"] == ["string", "number", "null"]
    assert told["Metrics"]["properties"]["dscr"]["type"] == ["string", "null"]


def test_the_nearest_known_names_are_told() -> None:
    told = faults(Caller("read").get("answers/?risk_levle=high"))
    assert told["risk_levle"].startswith("There is no such parameter here. Nearest: risk_level")


def test_a_value_that_cannot_be_read_is_told_where_it_would_narrow_nothing() -> None:
    caller = Caller("read")
    for path, name in [("facts/?reduced=7", "reduced"), ("strict-answers/?is_safe=1", "is_safe")]:
        assert faults(caller.get(path)) == {name: "Say true or false."}, path
    for given in ("", "x", "0", "-1", "1.5", "null"):
        assert set(faults(caller.get(f"periods/?page_size={given}"))) == {"page_size"}, given
    for given in ("reduced=true", "reduced=False", "reduced=", "page_size=1000000000000"):
        assert caller.get(f"facts/?{given}").status_code == 200, given


def test_a_version_that_is_no_whole_number_names_none() -> None:
    caller = Caller("read")
    assert set(faults(caller.get("threshold-profiles/?version=1.5"))) == {"version"}
    assert [row["version"] for row in caller.get("threshold-profiles/?version=1").json()["results"]] == [1]


def test_a_method_that_is_none_here_is_told_before_its_parameters() -> None:
    caller = Caller("read")
    for path in ("reviews/", "calibration/", "dashboard/open/"):
        assert caller.call("QUERY", f"{path}?status=open").status_code == 405, path


@pytest.mark.postgres
def test_a_moment_may_be_told_with_any_offset() -> None:
    caller = Caller(*SCOPES)
    for path in ("answers/", "facts/", "facts/rejected/", "traces/", "strict-answers/"):
        assert caller.get(f"{path}?created_before=2036-03-21T04:37:27-21:18").status_code == 200, path
        assert set(faults(caller.get(f"{path}?created_before=9999-12-31T23:59:59-21:18"))) == {
            "created_before"
        }
