"""What programs ask never reaches the pages' middleware, and whatever goes wrong is told as a problem."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings

from hallu_site import programs
from tests.api_calls import Caller, faults
from tests.tables import each_case

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("APP-04")]

ASKED = ("/api/v1/answers/", "/api/v1/nothing", "/healthz", "/metrics")


@pytest.mark.parametrize("path", ASKED)
def test_a_session_is_neither_read_nor_given(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    client.force_login(
        User.objects.create(username="dana"), backend="django.contrib.auth.backends.ModelBackend"
    )

    def touched(*_: Any) -> None:
        raise AssertionError("the pages' middleware ran")

    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request", touched)
    monkeypatch.setattr("django.middleware.locale.LocaleMiddleware.process_request", touched)
    monkeypatch.setattr("django.middleware.csrf.CsrfViewMiddleware.process_view", touched)
    monkeypatch.setattr("csp.middleware.CSPMiddleware.process_response", touched)
    answered = client.get(path)
    assert not answered.cookies
    assert "Cookie" not in answered.get("Vary", "")
    with pytest.raises(AssertionError):
        client.get("/queue/")


@each_case(
    "method, path, status, said",
    [
        ("GET", "/api", 404, "There is nothing at this address."),
        ("GET", "/api/v1/", 404, "There is nothing at this address."),
        ("GET", "/api/v1/answers", 404, "/api/v1/answers/ is an address."),
        ("POST", "/api/v1/answers", 404, "/api/v1/answers/ is an address."),
        ("POST", "/api/v1/answers:detect/", 404, "/api/v1/answers:detect is an address."),
        ("DELETE", "/api/v1/answers/", 405, "DELETE"),
        ("GET", "/api/v2/answers/", 404, "There is nothing at this address."),
    ],
)
def test_an_address_that_is_none_is_told_and_the_right_one_named(
    method: str, path: str, status: int, said: str
) -> None:
    caller = Caller("read", "submit", "admin")
    answered = caller.http.generic(method, path, headers={"authorization": f"Bearer {caller.key}"})
    faults(answered, status)
    assert said in answered.json()["detail"]
    assert answered.json()["instance"] == path


def test_a_host_that_is_not_served_gets_a_problem() -> None:
    faults(Client().get("/api/v1/answers/", headers={"host": "elsewhere.example"}), 400)


def test_a_body_in_chunks_is_refused_before_any_view() -> None:
    faults(Client().post("/api/v1/answers/", headers={"transfer-encoding": "chunked"}), 411)


def test_what_no_view_expected_is_a_problem_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "resolve", lambda _path: 1 / 0)
    answered = Client().get("/api/v1/answers/")
    faults(answered, 500)
    assert "division" not in answered.content.decode()


@override_settings(SECURE_HSTS_SECONDS=60, SECURE_SSL_REDIRECT=True)
def test_the_headers_of_security_that_are_not_about_pages_stay() -> None:
    def of_pages(_request: HttpRequest) -> HttpResponse:
        raise AssertionError("the pages' middleware ran")

    answer = programs.answer_programs(of_pages)
    secure = answer(RequestFactory().get("/api/v1/answers/", secure=True))
    assert secure.status_code == 401
    assert secure["Strict-Transport-Security"].startswith("max-age=60")
    assert (secure["X-Content-Type-Options"], secure["Referrer-Policy"]) == ("nosniff", "same-origin")
    assert int(secure["Content-Length"]) > 0
    assert answer(RequestFactory().get("/api/v1/answers/")).status_code == 403  # a key in the clear
    assert answer(RequestFactory().get("/api/v1/docs/")).status_code == 301
    assert answer(RequestFactory().get("/healthz")).status_code == 200
